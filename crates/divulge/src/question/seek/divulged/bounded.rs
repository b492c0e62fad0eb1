//! Winning within a number of events: the shortest plan, and nothing longer than it need be explored.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::game::{Family, Game, Lookup, Stop, maximal};
use crate::{
    expansion::SetId,
    question::{Monitor, Progress, seek::maps::Pairs},
};

/// How many candidates are evaluated between two looks at the monitor.
const POLL: u64 = 256;

/// What was found of one set, valid for every map that agrees on the pairs looked at.
#[derive(Debug)]
struct Entry {
    events: u32,
    looked: Pairs,
    merged: Pairs,
    family: Family,
}

/// The game with bounds, and all that was found so far.
pub struct Bounded<'g, 'm> {
    /// The game.
    pub game: Game<'g>,
    monitor: &'m dyn Monitor,
    memo: FxHashMap<SetId, Vec<Entry>>,
    /// How many events may still happen; those that follow have one less.
    events: u32,
}

impl<'g, 'm> Bounded<'g, 'm> {
    /// Nothing is known yet.
    pub fn new(game: Game<'g>, monitor: &'m dyn Monitor) -> Self {
        Self { game, monitor, memo: FxHashMap::default(), events: 0 }
    }

    /// The maximal subsets of `set` that win within `events` events.
    pub fn family(&mut self, set: &[u32], events: u32) -> Result<Family, Stop> {
        let ground = self.game.ground;
        let near: Vec<u32> = set.iter().copied().filter(|&v| ground.rank[v as usize] <= events).collect();
        if near.is_empty() {
            return Ok(Rc::from([]));
        }
        let id = self.game.sets.intern(&near);
        if let Some(family) = self.known(id, events) {
            return Ok(family);
        }
        if self.game.effort.is_multiple_of(POLL) {
            let (explored, stored) = (self.game.effort, self.game.sets.len() as u64);
            self.monitor.poll(&Progress {
                doing: "shrinking estimates",
                explored,
                stored,
                ..Progress::default()
            })?;
        }
        self.game.looked.push(Pairs::new(self.game.map.index().len()));
        let outer = std::mem::replace(&mut self.events, events);
        let winners = deep(|| maximal(self, near));
        self.events = outer;
        let looked = self.game.looked.pop().expect("pushed above");
        self.game.looked.last_mut().expect("one at least").add(&looked);
        let family: Family = winners?.iter().map(|w| self.game.sets.intern(w)).collect();
        let merged = self.game.map.merged().and(&looked);
        self.memo.entry(id).or_default().push(Entry { events, looked, merged, family: family.clone() });
        Ok(family)
    }

    /// What is known of a set under the present map. A set that wins as a whole wins with more events too, and one of which
    /// nothing wins has nothing to win with fewer.
    fn known(&mut self, id: SetId, events: u32) -> Option<Family> {
        let map = &self.game.map;
        let fits = |e: &&Entry| {
            let tells = e.events == events
                || (e.events < events && *e.family == [id])
                || (e.events > events && e.family.is_empty());
            tells && e.looked.is_subset(map.decided()) && e.merged.agree(map.merged(), &e.looked)
        };
        let entry = self.memo.get(&id)?.iter().find(fits)?;
        self.game.looked.last_mut().expect("one at least").add(&entry.looked);
        Some(entry.family.clone())
    }

    /// Allows `events` events for what `Lookup::follow` is asked at the top.
    pub fn allow(&mut self, events: u32) {
        self.events = events;
    }
}

impl<'g> Lookup<'g> for Bounded<'g, '_> {
    fn game(&mut self) -> &mut Game<'g> {
        &mut self.game
    }

    fn may_go_on(&self) -> bool {
        self.events > 0
    }

    fn follow(&mut self, set: &[u32]) -> Result<Family, Stop> {
        self.family(set, self.events - 1)
    }
}

/// Calls `f` with room on the stack: estimates follow each other as deep as plans are long.
#[cfg(not(target_family = "wasm"))]
fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 4 << 20, f)
}

/// Calls `f`; here the stack is as large as the host made it.
#[cfg(target_family = "wasm")]
fn deep<T>(f: impl FnOnce() -> T) -> T {
    f()
}
