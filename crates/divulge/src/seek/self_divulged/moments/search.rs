//! Whether the start wins at all, and within how much.

use std::{collections::VecDeque, sync::Arc};

use rustc_hash::FxHashMap;

use super::game::{Budget, Family, Game};
use crate::{
    game::deep,
    limit::{Limit, Monitor, Progress},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// How many sets are looked at between two looks at the monitor.
pub(super) const POLL: u64 = 64;

pub(super) fn poll(game: &Game<'_>, monitor: &dyn Monitor) -> Result<(), Limit> {
    if !game.effort.is_multiple_of(POLL) {
        return Ok(());
    }
    look(game, monitor)
}

/// Looks whether to go on.
pub(super) fn look(game: &Game<'_>, monitor: &dyn Monitor) -> Result<(), Limit> {
    let (explored, stored) = (game.effort, game.sets.len() as u64);
    monitor.poll(&Progress { doing: "shrinking estimates", explored, stored, ..Progress::default() })
}

/// A set of which it is asked what wins, and what its runs have become.
pub(super) type Key = (SetId, u32);

/// Winning within any number of events: the least families that satisfy the rules. Each set that is asked about starts with no winning subset, and is looked
/// at again whenever what follows it has gained some.
pub(super) struct Existence<'m> {
    known: Known,
    queue: VecDeque<usize>,
    /// Those in the queue.
    waiting: Vec<bool>,
    monitor: &'m dyn Monitor,
}

impl<'m> Existence<'m> {
    /// Asks whether the start wins within a budget of costs.
    pub fn new(game: &mut Game<'_>, cost: Option<u64>, monitor: &'m dyn Monitor) -> Self {
        let mut known = Known::default();
        known.of((game.start(Budget { events: None, cost }), 0));
        Self { known, queue: VecDeque::from([0]), waiting: vec![true], monitor }
    }

    /// Goes on until this much work has been done in all: whether the start wins, if that is found out by then.
    pub fn run(&mut self, game: &mut Game<'_>, until: u64) -> Result<Option<bool>, Stop> {
        let Self { known, queue, waiting, monitor } = self;
        while game.work < until {
            let Some(place) = queue.pop_front() else { return Ok(Some(false)) };
            waiting[place] = false;
            let (set, runs) = known.keys[place];
            let first = known.keys.len();
            let family = game.maximal(set, runs, &mut |game, post, runs| {
                poll(game, *monitor)?;
                let follows = known.of((post, runs));
                known.users[follows].push(place);
                Ok(Arc::clone(&known.families[follows]))
            })?;
            // What is asked about for the first time is looked at next.
            for new in first..known.keys.len() {
                waiting.push(true);
                queue.push_front(new);
            }
            if family != known.families[place] {
                known.families[place] = family;
                if place == 0 {
                    return Ok(Some(true));
                }
                for user in std::mem::take(&mut known.users[place]) {
                    if !std::mem::replace(&mut waiting[user], true) {
                        queue.push_back(user);
                    }
                }
            }
        }
        Ok(None)
    }
}

#[derive(Default)]
struct Known {
    number: FxHashMap<Key, usize>,
    keys: Vec<Key>,
    families: Vec<Family>,
    /// Those that were looked at with this one's family.
    users: Vec<Vec<usize>>,
}

impl Known {
    fn of(&mut self, key: Key) -> usize {
        let Self { number, keys, families, users } = self;
        *number.entry(key).or_insert_with(|| {
            keys.push(key);
            families.push(Arc::from([]));
            users.push(Vec::new());
            keys.len() - 1
        })
    }
}

/// Winning within budgets of events, each node having its own, so nothing recurs.
pub(super) struct Bounded<'m> {
    families: FxHashMap<Key, Family>,
    pub monitor: &'m dyn Monitor,
    /// Evaluations are given up where this much effort has been made.
    pub until: u64,
}

impl<'m> Bounded<'m> {
    pub fn new(monitor: &'m dyn Monitor) -> Self {
        Self { families: FxHashMap::default(), monitor, until: u64::MAX }
    }

    /// The maximal winning subsets of a set.
    pub fn family(&mut self, game: &mut Game<'_>, set: SetId, runs: u32) -> Result<Family, Stop> {
        if let Some(known) = self.families.get(&(set, runs)) {
            return Ok(Arc::clone(known));
        }
        poll(game, self.monitor)?;
        if game.effort >= self.until {
            return Err(Stop::Effort);
        }
        let family = deep(|| game.maximal(set, runs, &mut |game, post, runs| self.family(game, post, runs)))?;
        self.families.insert((set, runs), Arc::clone(&family));
        Ok(family)
    }
}
