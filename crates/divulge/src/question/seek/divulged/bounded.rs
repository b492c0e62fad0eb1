//! Winning within a number of events: the shortest plan, and nothing longer than it need be explored.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::game::{Family, Game, Lookup, Stop, maximal};
use crate::{
    expansion::SetId,
    question::{
        Monitor, Progress,
        seek::{
            deep,
            maps::{Pairs, PartialMap},
        },
    },
};

/// How many candidates are evaluated between two looks at the monitor.
const POLL: u64 = 256;

/// What was found of one set, valid for every map that agrees on the pairs looked at.
#[derive(Debug)]
struct Entry {
    looked: Pairs,
    merged: Pairs,
    family: Family,
}

impl Entry {
    fn fits(&self, map: &PartialMap) -> bool {
        self.looked.is_subset(map.decided()) && self.merged.agree(map.merged(), &self.looked)
    }
}

/// For some maps, the number of events from which on a set wins as a whole, or up to which nothing in it does.
#[derive(Debug)]
struct Threshold {
    entry: Entry,
    events: u32,
    wins: bool,
}

/// The game with bounds, and all that was found so far.
pub struct Bounded<'g, 'm> {
    /// The game.
    pub game: Game<'g>,
    monitor: &'m dyn Monitor,
    memo: FxHashMap<(SetId, u32), Vec<Entry>>,
    thresholds: FxHashMap<SetId, Vec<Threshold>>,
    /// How many events may still happen; those that follow have one less.
    events: u32,
}

impl<'g, 'm> Bounded<'g, 'm> {
    /// Nothing is known yet.
    pub fn new(game: Game<'g>, monitor: &'m dyn Monitor) -> Self {
        Self { game, monitor, memo: FxHashMap::default(), thresholds: FxHashMap::default(), events: 0 }
    }

    /// The maximal subsets of `set` that win within `events` events.
    pub fn family(&mut self, set: SetId, events: u32) -> Result<Family, Stop> {
        let ground = self.game.ground;
        let near = self.game.table.retain(set, |v| ground.rank[v as usize] <= events);
        if self.game.table.get(near).is_empty() {
            return Ok(Rc::from([]));
        }
        if let Some(family) = self.known(near, events) {
            return Ok(family);
        }
        if self.game.effort.is_multiple_of(POLL) {
            let (explored, stored) = (self.game.effort, self.game.table.len() as u64);
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
        let family: Family = winners?.into();
        let merged = self.game.map.merged().and(&looked);
        self.remember(near, events, Entry { looked, merged, family: family.clone() });
        Ok(family)
    }

    fn remember(&mut self, id: SetId, events: u32, entry: Entry) {
        let wins = *entry.family == [id];
        if !wins && !entry.family.is_empty() {
            self.memo.entry((id, events)).or_default().push(entry);
            return;
        }
        let known = self.thresholds.entry(id).or_default();
        let same = |t: &&mut Threshold| {
            t.wins == wins && t.entry.looked == entry.looked && t.entry.merged == entry.merged
        };
        match known.iter_mut().find(same) {
            Some(t) if wins => t.events = t.events.min(events),
            Some(t) => t.events = t.events.max(events),
            None => known.push(Threshold { entry, events, wins }),
        }
    }

    /// What is known of a set under the present map. A set that wins as a whole wins with more events too, and one of which
    /// nothing wins has nothing to win with fewer.
    fn known(&mut self, id: SetId, events: u32) -> Option<Family> {
        let map = &self.game.map;
        let tells = |t: &&Threshold| if t.wins { t.events <= events } else { t.events >= events };
        let threshold =
            self.thresholds.get(&id).and_then(|all| all.iter().find(|t| tells(t) && t.entry.fits(map)));
        let entry = match threshold {
            Some(threshold) => &threshold.entry,
            None => self.memo.get(&(id, events))?.iter().find(|e| e.fits(map))?,
        };
        self.game.looked.last_mut().expect("one at least").add(&entry.looked);
        Some(entry.family.clone())
    }

    /// Tries another map; what was found under the ones before is kept where it still holds.
    pub fn set_map(&mut self, map: PartialMap) {
        self.game.set_map(map);
    }

    /// Allows `events` events for what is asked to follow at the top.
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

    fn follow(&mut self, set: SetId) -> Result<Family, Stop> {
        self.family(set, self.events - 1)
    }
}
