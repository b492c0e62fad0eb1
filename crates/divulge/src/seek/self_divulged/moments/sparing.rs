//! What is done in a moment, without choices that are not needed.
//!
//! *Background.* Nodes of a moment that wins may take all their steps into it and into what follows, or fewer: it is enough that what is then reached keeps the
//! stipulations, that every node has a step or may stop, and that what follows each image wins again. Every node has its own budget, so whatever goes on
//! comes to an end.

use rustc_hash::FxHashMap;

use super::{field::Step, game::Game, search::Bounded, shrink::Win};
use crate::{
    problem::{Image, Kind},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// What the nodes of a moment do, and what follows.
pub(super) struct Offered {
    /// What each node does that can be reached; a node without steps stops.
    pub moves: FxHashMap<u32, Vec<Step>>,
    /// The nodes, those that the moment begins with first.
    pub nodes: Vec<u32>,
    /// What the runs have become.
    pub runs: u32,
    pub next: Vec<(Image, SetId)>,
}

impl Offered {
    /// All that wins.
    pub fn all(game: &mut Game<'_>, first: SetId, win: &Win) -> Self {
        let next: FxHashMap<Image, SetId> =
            win.next.iter().filter_map(|&(image, to)| Some((image, to?))).collect();
        let has = |game: &Game<'_>, set: SetId, v: u32| game.sets.get(set).binary_search(&v).is_ok();
        let mut moves = FxHashMap::default();
        for v in game.sets.get(win.set).to_vec() {
            let mut own = Vec::new();
            if has(game, win.going, v) {
                game.find_steps(v);
                let within = |step: &&Step| match step.image {
                    Image::UNSEEN => has(game, win.set, step.to),
                    image => next.get(&image).is_some_and(|&set| has(game, set, step.to)),
                };
                own = game.known_steps(v).iter().filter(within).copied().collect();
            }
            moves.insert(v, own);
        }
        let mut nodes = game.sets.get(first).to_vec();
        let others = game.sets.get(win.set).iter().copied().filter(|&v| !has(game, first, v));
        nodes.extend(others);
        let mut next: Vec<(Image, SetId)> = next.into_iter().collect();
        next.sort_unstable();
        Self { moves, nodes, runs: win.runs, next }
    }
}

/// Leaves out what is not needed in a moment that begins with these nodes, until there has been so much effort.
pub(super) fn spare(
    game: &mut Game<'_>,
    bounded: &mut Bounded<'_>,
    (first, runs): (SetId, u32),
    offered: Offered,
    until: u64,
) -> Result<Offered, Stop> {
    let before = std::mem::replace(&mut bounded.until, until);
    let mut sparing = Sparing { game, bounded, first, runs, offered };
    let spared = sparing.each();
    sparing.bounded.until = before;
    match spared {
        Ok(()) | Err(Stop::Effort) => Ok(sparing.offered),
        Err(stop) => Err(stop),
    }
}

struct Sparing<'s, 'g, 'm> {
    game: &'s mut Game<'g>,
    bounded: &'s mut Bounded<'m>,
    first: SetId,
    runs: u32,
    offered: Offered,
}

impl Sparing<'_, '_, '_> {
    /// One step for every node, or else one for as many as can do with one; then as few as can be.
    fn each(&mut self) -> Result<(), Stop> {
        let mut alone = self.offered.moves.clone();
        let acting: Vec<u32> = self.acting();
        for v in &acting {
            alone.insert(*v, vec![self.nearest(*v)[0]]);
        }
        if acting.is_empty() || self.instead(alone)? {
            return Ok(());
        }
        loop {
            let mut any = false;
            for v in self.acting() {
                // Some are no longer reached.
                if self.offered.moves.get(&v).is_some_and(|own| own.len() > 1) {
                    any |= self.fewer(v)?;
                }
            }
            if !any {
                return Ok(());
            }
        }
    }

    /// The nodes that choose, in order.
    fn acting(&self) -> Vec<u32> {
        let chooses = |v: &u32| self.game.kind(*v) == Kind::Action && self.offered.moves[v].len() > 1;
        self.offered.nodes.iter().copied().filter(chooses).collect()
    }

    /// What is offered at a node, the nearest to the goal first.
    fn nearest(&self, v: u32) -> Vec<Step> {
        let mut own = self.offered.moves[&v].clone();
        own.sort_by_key(|step| (self.game.distance(step.to), step.label));
        own
    }

    /// Leaves out steps of one node; tells whether it could.
    fn fewer(&mut self, v: u32) -> Result<bool, Stop> {
        let own = self.nearest(v);
        for &step in &own {
            if self.with(v, vec![step])? {
                return Ok(true);
            }
        }
        let mut any = false;
        for step in own.into_iter().rev() {
            let rest: Vec<Step> =
                self.offered.moves[&v].iter().copied().filter(|&other| other != step).collect();
            if rest.len() > 1 && self.with(v, rest)? {
                any = true;
            }
        }
        Ok(any)
    }

    fn with(&mut self, v: u32, steps: Vec<Step>) -> Result<bool, Stop> {
        let mut moves = self.offered.moves.clone();
        moves.insert(v, steps);
        self.instead(moves)
    }

    /// Does this instead, if the moment still wins.
    fn instead(&mut self, moves: FxHashMap<u32, Vec<Step>>) -> Result<bool, Stop> {
        let mut nodes = self.game.sets.get(self.first).to_vec();
        let mut at = 0;
        let mut seen: Vec<(Image, u32)> = Vec::new();
        while let Some(&v) = nodes.get(at) {
            for step in &moves[&v] {
                match step.image {
                    Image::UNSEEN if nodes.contains(&step.to) => {}
                    Image::UNSEEN => nodes.push(step.to),
                    image => seen.push((image, step.to)),
                }
            }
            at += 1;
        }
        let stops = nodes.iter().any(|v| moves[v].is_empty());
        let Some(runs) = self.game.keeps(&nodes, self.runs, stops) else { return Ok(false) };
        seen.sort_unstable();
        seen.dedup();
        let mut next = Vec::new();
        for group in seen.chunk_by(|a, b| a.0 == b.0) {
            let to: Vec<u32> = group.iter().map(|&(_, to)| to).collect();
            let set = self.game.sets.intern(&to);
            if *self.bounded.family(self.game, set, runs)? != [set] {
                return Ok(false);
            }
            next.push((group[0].0, set));
        }
        let moves = nodes.iter().map(|v| (*v, moves[v].clone())).collect();
        self.offered = Offered { moves, nodes, runs, next };
        Ok(true)
    }
}
