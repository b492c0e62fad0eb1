//! Whether the start wins at all, and within how much.

use std::{collections::VecDeque, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    field::Step,
    game::{Budget, Family, Game},
    sparing::{Offered, spare},
};
use crate::{
    game::{Strategy, StrategyNode, deep},
    limit::{Limit, Monitor, Progress},
    problem::{Image, Vertex},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// How many sets are looked at between two looks at the monitor.
const POLL: u64 = 64;

pub(super) fn poll(game: &Game<'_>, monitor: &dyn Monitor) -> Result<(), Limit> {
    if !game.effort.is_multiple_of(POLL) {
        return Ok(());
    }
    let (explored, stored) = (game.effort, game.sets.len() as u64);
    monitor.poll(&Progress { doing: "shrinking estimates", explored, stored, ..Progress::default() })
}

/// A set of which it is asked what wins, and what its runs have become.
type Key = (SetId, u32);

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
                Ok(Rc::clone(&known.families[follows]))
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
            families.push(Rc::from([]));
            users.push(Vec::new());
            keys.len() - 1
        })
    }
}

/// Winning within budgets of events, each node having its own, so nothing recurs.
pub(super) struct Bounded<'m> {
    families: FxHashMap<Key, Family>,
    monitor: &'m dyn Monitor,
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
            return Ok(Rc::clone(known));
        }
        poll(game, self.monitor)?;
        if game.effort >= self.until {
            return Err(Stop::Effort);
        }
        let family = deep(|| game.maximal(set, runs, &mut |game, post, runs| self.family(game, post, runs)))?;
        self.families.insert((set, runs), Rc::clone(&family));
        Ok(family)
    }

    /// The strategy from a set that wins. Until there has been so much effort, choices that are not needed are left out.
    pub fn strategy(
        &mut self,
        game: &mut Game<'_>,
        start: SetId,
        until: Option<u64>,
        at: impl Fn(u32) -> Vertex,
    ) -> Result<Strategy, Stop> {
        let mut strategy = Strategy::new();
        let mut moments =
            Moments { offered: Vec::new(), number: FxHashMap::default(), nodes: Vec::new(), until };
        self.enter(game, (start, 0), &mut moments, &mut strategy, &at)?;
        let mut done = 0;
        while done < moments.offered.len() {
            let (runs, follows) = (moments.offered[done].runs, moments.offered[done].next.clone());
            let mut next: FxHashMap<Image, usize> = FxHashMap::default();
            for (image, to) in follows {
                next.insert(image, self.enter(game, (to, runs), &mut moments, &mut strategy, &at)?);
            }
            let Moments { offered, nodes, .. } = &moments;
            for (v, steps) in &offered[done].moves {
                let arc = |step: &Step| {
                    let moment = if step.image == Image::UNSEEN { done } else { next[&step.image] };
                    (step.label, nodes[moment][&step.to])
                };
                let node = strategy.node_mut(nodes[done][v]);
                node.terminal = steps.is_empty();
                node.arcs = steps.iter().map(arc).collect();
            }
            done += 1;
        }
        Ok(strategy)
    }

    /// Makes the nodes of the moment that begins with a set, if they are new.
    fn enter(
        &mut self,
        game: &mut Game<'_>,
        key: Key,
        moments: &mut Moments,
        strategy: &mut Strategy,
        at: &impl Fn(u32) -> Vertex,
    ) -> Result<usize, Stop> {
        if let Some(&known) = moments.number.get(&key) {
            return Ok(known);
        }
        let win = game.win(key.0, key.1, &mut |game, post, runs| self.family(game, post, runs))?;
        let win = win.expect("the set was found to win");
        let mut offered = Offered::all(game, key.0, &win);
        if let Some(until) = moments.until {
            offered = spare(game, self, key, offered, until)?;
        }
        // Executions start at the first node.
        let mut nodes = FxHashMap::default();
        for &v in &offered.nodes {
            let at = at(game.at(v).node);
            nodes.insert(v, strategy.push(StrategyNode { at, terminal: false, arcs: Vec::new() }));
        }
        moments.offered.push(offered);
        moments.nodes.push(nodes);
        moments.number.insert(key, moments.offered.len() - 1);
        Ok(moments.offered.len() - 1)
    }
}

struct Moments {
    offered: Vec<Offered>,
    nodes: Vec<FxHashMap<u32, u32>>,
    number: FxHashMap<Key, usize>,
    until: Option<u64>,
}
