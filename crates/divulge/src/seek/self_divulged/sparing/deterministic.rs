//! Plans that take one action for each pair of what the robot knows and what those who know the plan have seen.
//!
//! *Background.* Such a plan gives each member of each set one action. By the same argument as for plans that choose, what it does need
//! depend on the set alone. Sets that win so within k events are asked for with growing k; that none does is shown on all sets that such
//! choices lead to. The two take turns.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Chooser, Estimates, Move, Plain, Single, Step,
    assign::{Visitor, assign, options},
    images, posts, read_off, within,
};
use crate::{
    game::Strategy,
    limit::Monitor,
    maps::space::PartialMap,
    problem::{Kind, Vertex},
    seek::self_divulged::{
        bounded::Bounded,
        fixpoint::Fixpoint,
        game::{EstimateGame, Stop},
        usable::{START, Usable},
    },
    sets::SetId,
};

/// The effort of the first turn; each has twice as much as the one before.
const TURN: u64 = 4096;

/// A shortest strategy that never chooses, or `None` if there is none. No strategy at all wins within fewer than `least` events.
pub fn deterministic(
    usable: &Usable<'_>,
    map: &PartialMap,
    least: u32,
    monitor: &dyn Monitor,
) -> Result<Option<Strategy>, Stop> {
    let mut bounded = Bounded::new(EstimateGame::decided(usable, map.clone()), monitor);
    let mut plain = Plain::new(&mut bounded);
    let mut fixpoint = Fixpoint::new(EstimateGame::decided(usable, map.clone()), START, monitor);
    let mut whole = Whole { images: images(map), fixpoint: &mut fixpoint, until: u64::MAX, tries: 0 };
    let (mut single, mut every) = (Single::default(), Every::new(whole.start()));
    let (mut events, mut turn) = (least, TURN);
    loop {
        let start = plain.start(events);
        let until = plain.effort().saturating_add(turn);
        match within(&mut plain, until, |plain| single.solve(plain, start))? {
            Some(true) => return read_off(&mut plain, start, &mut Known(&single)).map(Some),
            Some(false) => events += 1,
            None => turn = turn.saturating_mul(2),
        }
        let until = whole.effort().saturating_add(turn);
        if within(&mut whole, until, |whole| every.explore(whole))?.is_some() {
            let start = whole.start();
            return match every.induce() {
                false => Ok(None),
                true => read_off(&mut whole, start, &mut every).map(Some),
            };
        }
    }
}

/// What is known to win without ever choosing.
struct Known<'s, K>(&'s Single<K>);

impl<G: Estimates> Chooser<G> for Known<'_, G::Key> {
    fn nearer(&mut self, game: &mut G, key: G::Key) -> Result<G::Key, Stop> {
        self.0.nearer(game, key)
    }

    fn choose(&mut self, _: &mut G, key: G::Key) -> Result<Vec<Move>, Stop> {
        Ok(self.0.known(key).expect("all that follows was found to win without choosing"))
    }
}

/// All sets that choices of one action for each member lead to, where nothing is bounded.
struct Every {
    number: FxHashMap<SetId, u32>,
    sets: Vec<SetId>,
    /// The choices at each set, each with the sets that follow; of those with the same sets one.
    choices: Vec<Vec<(Vec<u32>, Vec<Move>)>>,
    /// Which choice wins.
    won: Vec<Option<usize>>,
}

impl Every {
    fn new(start: SetId) -> Self {
        let mut every =
            Self { number: FxHashMap::default(), sets: Vec::new(), choices: Vec::new(), won: Vec::new() };
        every.number(start);
        every
    }

    fn number(&mut self, set: SetId) -> u32 {
        let Self { number, sets, .. } = self;
        *number.entry(set).or_insert_with(|| {
            sets.push(set);
            sets.len() as u32 - 1
        })
    }

    /// Goes through all sets.
    fn explore(&mut self, game: &mut Whole<'_, '_, '_>) -> Result<(), Stop> {
        while let Some(&set) = self.sets.get(self.choices.len()) {
            let options = options(game, set);
            let mut all = Collected { seen: FxHashSet::default(), choices: Vec::new() };
            assign(game, set, &options, usize::MAX, &mut all)?;
            let numbered = |(sets, moves): (Vec<SetId>, Vec<Move>)| {
                (sets.into_iter().map(|set| self.number(set)).collect(), moves)
            };
            let choices = all.choices.into_iter().map(numbered).collect();
            self.choices.push(choices);
        }
        Ok(())
    }

    /// Decides which sets win, those within fewer events first; tells whether the first does.
    fn induce(&mut self) -> bool {
        self.won = vec![None; self.sets.len()];
        loop {
            let wins = |own: &Vec<(Vec<u32>, Vec<Move>)>| {
                own.iter().position(|(next, _)| next.iter().all(|&set| self.won[set as usize].is_some()))
            };
            let lost = (0..self.sets.len()).filter(|&set| self.won[set].is_none());
            let more: Vec<(usize, usize)> =
                lost.filter_map(|set| Some((set, wins(&self.choices[set])?))).collect();
            if more.is_empty() || self.won[0].is_some() {
                return self.won[0].is_some();
            }
            more.into_iter().for_each(|(set, choice)| self.won[set] = Some(choice));
        }
    }
}

impl Chooser<Whole<'_, '_, '_>> for Every {
    fn nearer(&mut self, _: &mut Whole<'_, '_, '_>, set: SetId) -> Result<SetId, Stop> {
        Ok(set)
    }

    fn choose(&mut self, _: &mut Whole<'_, '_, '_>, set: SetId) -> Result<Vec<Move>, Stop> {
        let place = self.number[&set] as usize;
        let choice = self.won[place].expect("what follows a winning choice wins");
        Ok(self.choices[place][choice].1.clone())
    }
}

/// All choices that were shown.
struct Collected {
    seen: FxHashSet<Vec<SetId>>,
    choices: Vec<(Vec<SetId>, Vec<Move>)>,
}

impl Visitor<Whole<'_, '_, '_>> for Collected {
    fn is_lost(&self, _: SetId) -> bool {
        false
    }

    fn visit(&mut self, game: &mut Whole<'_, '_, '_>, set: SetId, moves: Vec<Move>) -> Result<bool, Stop> {
        let mut next: Vec<SetId> =
            posts(&moves).iter().map(|(_, members)| game.after(set, members)).collect();
        next.sort_unstable();
        next.dedup();
        if self.seen.insert(next.clone()) {
            self.choices.push((next, moves));
        }
        Ok(false)
    }
}

/// The game on estimates without bounds.
struct Whole<'b, 'g, 'm> {
    fixpoint: &'b mut Fixpoint<'g, 'm>,
    images: Vec<u32>,
    until: u64,
    /// What was done beside the game.
    tries: u64,
}

impl Whole<'_, '_, '_> {
    fn start(&mut self) -> SetId {
        self.fixpoint.game.table.intern(&[START])
    }
}

impl Estimates for Whole<'_, '_, '_> {
    type Key = SetId;

    fn members(&self, set: SetId) -> Vec<u32> {
        self.fixpoint.game.table.get(set).to_vec()
    }

    fn at(&self, v: u32) -> Vertex {
        self.fixpoint.game.usable.base[v as usize]
    }

    fn kind(&self, v: u32) -> Kind {
        self.fixpoint.game.usable.kind(v)
    }

    fn distance(&self, v: u32) -> u32 {
        self.fixpoint.game.usable.rank[v as usize]
    }

    fn may_stop(&mut self, set: SetId, v: u32) -> bool {
        let game = &mut self.fixpoint.game;
        game.usable.goal.contains(v as usize) && game.table.broken(game.usable, set, true).is_none()
    }

    fn steps(&mut self, _: SetId, v: u32) -> Vec<Step> {
        let arcs = self.fixpoint.game.usable.arcs(v).iter();
        arcs.map(|&(label, to)| Step { label, image: self.images[label.index()], to }).collect()
    }

    fn after(&mut self, _: SetId, members: &[u32]) -> SetId {
        self.fixpoint.game.table.intern(members)
    }

    fn may_win(&mut self, set: SetId, some: &[u32]) -> Result<bool, Stop> {
        let family = self.fixpoint.complete(set, self.until.saturating_sub(self.tries))?;
        let table = &mut self.fixpoint.game.table;
        let some = table.intern(some);
        Ok(family.iter().any(|&winner| table.is_subset(some, winner)))
    }

    fn nearer(&mut self, set: SetId) -> Result<SetId, Stop> {
        Ok(set)
    }

    fn effort(&self) -> u64 {
        self.fixpoint.game.effort + self.tries
    }

    fn within(&mut self, effort: u64) {
        self.until = effort;
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.tries += 1;
        self.fixpoint.poll(self.tries)?;
        if self.effort() >= self.until { Err(Stop::Effort) } else { Ok(()) }
    }
}
