//! What is done in a moment, without choices that are not needed.
//!
//! *Background.* Nodes of a moment that wins may take all their steps into it and into what follows, or fewer: it is enough that what is then reached keeps the
//! stipulations, that every node has a step or may stop, and that what follows each image wins again. Every node has its own budget, so whatever goes on
//! comes to an end.

use std::rc::Rc;

use super::{field::Step, game::Game, search::Bounded, shrink::Win};
use crate::{
    problem::{Image, Kind},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// What a node does: it takes these steps, or stops.
type Move = Rc<[Step]>;

/// What the nodes of a moment do, and what follows.
pub(super) struct Offered {
    /// The nodes that can be reached, those that the moment begins with first, and what each does.
    pub moves: Vec<(u32, Move)>,
    /// What the runs have become.
    pub runs: u32,
    pub next: Vec<(Image, SetId)>,
}

impl Offered {
    /// All that wins.
    pub fn all(game: &mut Game<'_>, first: SetId, win: &Win) -> Self {
        let next: Vec<(Image, SetId)> =
            win.next.iter().filter_map(|&(image, to)| Some((image, to?))).collect();
        let stops: Move = Rc::from([]);
        let mut moves = Vec::with_capacity(game.sets.get(win.set).len());
        let (mut others, mut own) = (Vec::new(), Vec::new());
        for i in 0..game.sets.get(win.set).len() {
            let v = game.sets.get(win.set)[i];
            if game.has(win.going, v) {
                game.find_steps(v);
                let within = |step: &&Step| match next.binary_search_by_key(&step.image, |&(image, _)| image)
                {
                    _ if step.image == Image::UNSEEN => game.has(win.set, step.to),
                    Ok(place) => game.has(next[place].1, step.to),
                    Err(_) => false,
                };
                own.extend(game.known_steps(v).iter().filter(within).copied());
            }
            let steps = if own.is_empty() { Rc::clone(&stops) } else { Rc::from(own.as_slice()) };
            own.clear();
            let begins = first == win.set || game.has(first, v);
            if begins { &mut moves } else { &mut others }.push((v, steps));
        }
        moves.append(&mut others);
        Self { moves, runs: win.runs, next }
    }
}

/// Room for the places of nodes in a moment: those of others mean nothing.
#[derive(Default)]
pub(super) struct Places(Vec<u32>);

impl Places {
    fn fill(&mut self, moves: &[(u32, Move)]) {
        let most = moves.iter().map(|&(v, _)| v as usize + 1).max().unwrap_or(0);
        self.0.resize(self.0.len().max(most), 0);
        moves.iter().enumerate().for_each(|(place, &(v, _))| self.0[v as usize] = place as u32);
    }

    fn of(&self, v: u32) -> usize {
        self.0[v as usize] as usize
    }
}

/// Leaves out what is not needed in a moment that begins with these nodes, until there has been so much effort.
pub(super) fn spare(
    game: &mut Game<'_>,
    bounded: &mut Bounded<'_>,
    (first, runs): (SetId, u32),
    offered: Offered,
    places: &mut Places,
    until: u64,
) -> Result<Offered, Stop> {
    let before = std::mem::replace(&mut bounded.until, until);
    places.fill(&offered.moves);
    let begun = game.sets.get(first).len();
    let (reached, met) = ((0..offered.moves.len()).collect(), vec![true; offered.moves.len()]);
    let Offered { moves, runs: after, next } = offered;
    let mut sparing = Sparing { game, bounded, runs, begun, places, moves, reached, met, after, next };
    let spared = sparing.each();
    sparing.bounded.until = before;
    match spared {
        Ok(()) | Err(Stop::Effort) => Ok(sparing.offered()),
        Err(stop) => Err(stop),
    }
}

struct Sparing<'s, 'g, 'm> {
    game: &'s mut Game<'g>,
    bounded: &'s mut Bounded<'m>,
    /// What the runs were before.
    runs: u32,
    /// The moment begins with so many nodes, which come first.
    begun: usize,
    places: &'s mut Places,
    /// What each node does if it is reached.
    moves: Vec<(u32, Move)>,
    /// The places of those that are, in the order in which they were met, and which ones these are.
    reached: Vec<usize>,
    met: Vec<bool>,
    after: u32,
    next: Vec<(Image, SetId)>,
}

impl Sparing<'_, '_, '_> {
    /// One step for every node, or else one for as many as can do with one; then as few as can be.
    fn each(&mut self) -> Result<(), Stop> {
        let acting = self.acting();
        let alone: Vec<(usize, Move)> =
            acting.iter().map(|&place| (place, Rc::from(&self.nearest(place)[..1]))).collect();
        if acting.is_empty() || self.instead(alone)? {
            return Ok(());
        }
        loop {
            let mut any = false;
            for place in self.acting() {
                // Some are no longer reached.
                if self.met[place] && self.moves[place].1.len() > 1 {
                    any |= self.fewer(place)?;
                }
            }
            if !any {
                return Ok(());
            }
        }
    }

    /// The nodes that choose, in order.
    fn acting(&self) -> Vec<usize> {
        let chooses = |&place: &usize| {
            let (v, steps) = &self.moves[place];
            steps.len() > 1 && self.game.kind(*v) == Kind::Action
        };
        self.reached.iter().copied().filter(chooses).collect()
    }

    /// What is offered at a node, the nearest to the goal first.
    fn nearest(&self, place: usize) -> Vec<Step> {
        let mut own = self.moves[place].1.to_vec();
        own.sort_by_key(|step| (self.game.distance(step.to), step.label));
        own
    }

    /// Leaves out steps of one node; tells whether it could.
    fn fewer(&mut self, place: usize) -> Result<bool, Stop> {
        let own = self.nearest(place);
        for &step in &own {
            if self.instead(vec![(place, Rc::from([step]))])? {
                return Ok(true);
            }
        }
        let mut any = false;
        for step in own.into_iter().rev() {
            let rest: Move = self.moves[place].1.iter().copied().filter(|&other| other != step).collect();
            if rest.len() > 1 && self.instead(vec![(place, rest)])? {
                any = true;
            }
        }
        Ok(any)
    }

    /// Has some nodes do this instead, if the moment still wins.
    fn instead(&mut self, others: Vec<(usize, Move)>) -> Result<bool, Stop> {
        let swap = |moves: &mut [(u32, Move)], others: Vec<(usize, Move)>| -> Vec<(usize, Move)> {
            let swapped = others.into_iter();
            swapped.map(|(place, own)| (place, std::mem::replace(&mut moves[place].1, own))).collect()
        };
        let before = swap(&mut self.moves, others);
        let wins = self.wins();
        if !matches!(wins, Ok(true)) {
            swap(&mut self.moves, before);
        }
        wins
    }

    /// Whether the moment wins as it is now; if so, takes note of what is reached and of what follows.
    fn wins(&mut self) -> Result<bool, Stop> {
        let mut met = vec![false; self.moves.len()];
        met[..self.begun].fill(true);
        let mut reached: Vec<usize> = (0..self.begun).collect();
        let mut at = 0;
        let mut seen: Vec<(Image, u32)> = Vec::new();
        while let Some(&place) = reached.get(at) {
            for step in self.moves[place].1.iter() {
                if step.image != Image::UNSEEN {
                    seen.push((step.image, step.to));
                    continue;
                }
                let to = self.places.of(step.to);
                if !std::mem::replace(&mut met[to], true) {
                    reached.push(to);
                }
            }
            at += 1;
        }
        let stops = reached.iter().any(|&place| self.moves[place].1.is_empty());
        let nodes: Vec<u32> = reached.iter().map(|&place| self.moves[place].0).collect();
        let Some(after) = self.game.keeps(nodes, self.runs, stops) else { return Ok(false) };
        seen.sort_unstable();
        seen.dedup();
        let mut next = Vec::new();
        for group in seen.chunk_by(|a, b| a.0 == b.0) {
            let to: Vec<u32> = group.iter().map(|&(_, to)| to).collect();
            let set = self.game.sets.intern(&to);
            if *self.bounded.family(self.game, set, after)? != [set] {
                return Ok(false);
            }
            next.push((group[0].0, set));
        }
        (self.reached, self.met, self.after, self.next) = (reached, met, after, next);
        Ok(true)
    }

    fn offered(self) -> Offered {
        let Self { mut moves, reached, after, next, .. } = self;
        let stops: Move = Rc::from([]);
        let mut taken = |place: usize| {
            let (v, own) = &mut moves[place];
            (*v, std::mem::replace(own, Rc::clone(&stops)))
        };
        Offered { moves: reached.into_iter().map(&mut taken).collect(), runs: after, next }
    }
}
