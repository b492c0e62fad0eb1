//! Winning within a number of events: the shortest plan, and nothing longer than it need be explored.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    game::deep,
    limit::{Monitor, Progress},
    maps::space::{Lessons, PartialMap, Threshold},
    seek::self_divulged::{
        evaluate::maximal,
        game::{EstimateGame, Family, Lookup, Stop},
    },
    sets::SetId,
};

/// How many candidates are evaluated between two looks at the monitor.
const POLL: u64 = 256;

/// The game with bounds, and all that was found so far.
pub struct Bounded<'g, 'm> {
    /// The game.
    pub game: EstimateGame<'g>,
    monitor: &'m dyn Monitor,
    /// What wins of a set with so many events, where that is neither all nor nothing.
    memo: FxHashMap<(SetId, u32), Lessons<Option<Family>>>,
    /// With how many events all of a set wins, and with how many nothing does.
    thresholds: FxHashMap<SetId, Lessons<Threshold>>,
    /// How many events may still happen; those that follow have one less.
    events: u32,
    /// Whether what is undecided may be chosen anew at every estimate.
    pub relaxed: bool,
    /// Evaluations are given up where this much effort has been made.
    pub until: u64,
}

impl<'g, 'm> Bounded<'g, 'm> {
    /// Nothing is known yet.
    pub fn new(game: EstimateGame<'g>, monitor: &'m dyn Monitor) -> Self {
        let (memo, thresholds) = (FxHashMap::default(), FxHashMap::default());
        Self { game, monitor, memo, thresholds, events: 0, relaxed: false, until: u64::MAX }
    }

    /// The maximal subsets of `set` that win within `events` events.
    pub fn family(&mut self, set: SetId, events: u32) -> Result<Family, Stop> {
        let usable = self.game.usable;
        let near = self.game.table.retain(set, |v| usable.rank[v as usize] <= events);
        if self.game.table.get(near).is_empty() {
            return Ok(Rc::from([]));
        }
        if let Some(family) = self.known(near, events) {
            return Ok(family);
        }
        if self.game.effort.is_multiple_of(POLL) {
            self.poll("shrinking estimates")?;
        }
        if self.game.effort >= self.until {
            return Err(Stop::Effort);
        }
        self.game.looked.push(self.game.no_pairs());
        let outer = std::mem::replace(&mut self.events, events);
        let winners = deep(|| maximal(self, near));
        self.events = outer;
        let looked = self.game.looked.pop().expect("pushed above");
        self.game.looked.last_mut().expect("one at least").add(&looked);
        let family: Family = winners?.into();
        let (map, whole) = (&self.game.map, *family == [near]);
        if whole || family.is_empty() {
            self.thresholds.entry(near).or_default().entry(map, &looked).note(events, whole);
        } else {
            *self.memo.entry((near, events)).or_default().entry(map, &looked) = Some(family.clone());
        }
        Ok(family)
    }

    /// Looks whether to go on.
    pub fn poll(&self, doing: &'static str) -> Result<(), Stop> {
        let (explored, stored) = (self.game.effort, self.game.table.len() as u64);
        self.monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
        Ok(())
    }

    /// What is known of a set under the present map.
    fn known(&mut self, id: SetId, events: u32) -> Option<Family> {
        let (map, tells) = (&self.game.map, |t: &Threshold| t.verdict(events).is_some());
        let threshold = self.thresholds.get(&id).and_then(|lessons| match self.relaxed {
            false => lessons.find(map, tells),
            true => lessons.find_easier(map, tells),
        });
        let (looked, family) = match threshold {
            Some((looked, t)) if t.verdict(events) == Some(true) => (looked, Rc::from([id])),
            Some((looked, _)) => (looked, Rc::from([])),
            None => {
                let lessons = self.memo.get(&(id, events))?;
                let (looked, family) = match self.relaxed {
                    false => lessons.find(map, Option::is_some)?,
                    true => lessons.find_easier(map, Option::is_some)?,
                };
                (looked, family.clone()?)
            }
        };
        self.game.looked.last_mut().expect("one at least").add(looked);
        Some(family)
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
    fn game(&mut self) -> &mut EstimateGame<'g> {
        &mut self.game
    }

    fn may_go_on(&self) -> bool {
        self.events > 0
    }

    fn relaxed(&self) -> bool {
        self.relaxed
    }

    fn follow(&mut self, set: SetId) -> Result<Family, Stop> {
        self.family(set, self.events - 1)
    }
}
