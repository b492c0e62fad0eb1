//! Plans that take one action for each pair of what the robot knows and what those who know the plan have seen, where events are unseen, runs are
//! remembered, or costs are counted.
//!
//! *Background.* Such a plan goes through every moment in a way in which each node does one thing (`ways`). By the same argument as for plans that
//! choose, the way need depend only on what the moment begins with, on what is left to spend there, on what the runs have become, and on what is made of
//! earlier moments (`recall`). Moments that win so within k events are asked for with growing k; that none does is shown on all moments that such ways lead to. The two take turns.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    game::{Budget, Game},
    recall::NOTHING,
    search::Bounded,
    ways::{Key, Meter, Way, each},
};
use crate::{
    game::{Strategy, StrategyNode, deep},
    limit::Monitor,
    problem::Image,
    seek::self_divulged::Stop,
    sets::SetId,
};

/// The effort of the first turn; each has twice as much as the one before.
const TURN: u64 = 1024;

/// A shortest strategy that never chooses and costs at most this, or `None` if there is none. No strategy at all wins within fewer than
/// `least` events. Both games are new, on the same field.
pub(super) fn never_choosing(
    game: &mut Game<'_>,
    any: &mut Game<'_>,
    least: u32,
    cost: Option<u64>,
    monitor: &dyn Monitor,
) -> Result<Option<Strategy>, Stop> {
    let mut single = Single { bounded: Bounded::new(monitor), known: FxHashMap::default(), monitor };
    let mut every = Every::new((any.start(Budget { events: None, cost }), 0, NOTHING));
    let (mut events, mut turn) = (least, TURN);
    loop {
        single.bounded.until = game.effort.saturating_add(turn);
        let start = (game.start(Budget { events: Some(events), cost }), 0, NOTHING);
        match single.solve(game, start) {
            Ok(true) => return Ok(Some(single.read_off(game, start))),
            Ok(false) => events += 1,
            Err(Stop::Effort) => {}
            Err(stop) => return Err(stop),
        }
        let until = any.effort.saturating_add(turn);
        match every.explore(any, Meter { monitor, until }) {
            Ok(()) if !every.wins() => return Ok(None),
            // There is one, so it will be found.
            Ok(()) => turn = u64::MAX,
            Err(Stop::Effort) => turn = turn.saturating_mul(2),
            Err(stop) => return Err(stop),
        }
    }
}

/// A strategy from this start that never chooses, if one is found with so much effort. The start must win.
pub(super) fn with_effort(
    game: &mut Game<'_>,
    start: SetId,
    effort: u64,
    monitor: &dyn Monitor,
) -> Result<Option<Strategy>, Stop> {
    let mut single = Single { bounded: Bounded::new(monitor), known: FxHashMap::default(), monitor };
    single.bounded.until = game.effort.saturating_add(effort);
    let start = (start, 0, NOTHING);
    match single.solve(game, start) {
        Ok(true) => Ok(Some(single.read_off(game, start))),
        Ok(false) | Err(Stop::Effort) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Winning within budgets without ever choosing.
struct Single<'m> {
    bounded: Bounded<'m>,
    /// How sets win, or that they do not.
    known: FxHashMap<Key, Option<Rc<Way>>>,
    monitor: &'m dyn Monitor,
}

impl Single<'_> {
    fn solve(&mut self, game: &mut Game<'_>, key: Key) -> Result<bool, Stop> {
        if let Some(known) = self.known.get(&key) {
            return Ok(known.is_some());
        }
        let mut found = None;
        // What does not win by choosing does not win without.
        if *self.bounded.family(game, key.0, key.1)? == [key.0] {
            let meter = Meter { monitor: self.monitor, until: self.bounded.until };
            deep(|| {
                each(game, key, meter, |game, way| {
                    for &(_, next) in &way.next {
                        if !self.solve(game, next)? {
                            return Ok(false);
                        }
                    }
                    found = Some(Rc::new(way));
                    Ok(true)
                })
            })?;
        }
        let won = found.is_some();
        self.known.insert(key, found);
        Ok(won)
    }

    /// The strategy from a set that was found to win.
    fn read_off(&self, game: &Game<'_>, start: Key) -> Strategy {
        let mut read = Read { single: self, game, strategy: Strategy::new(), nodes: FxHashMap::default() };
        let mut todo = vec![start];
        read.enter(start);
        while let Some(key) = todo.pop() {
            let way = self.way(key);
            let mut follows: FxHashMap<Image, Rc<Nodes>> = FxHashMap::default();
            for &(image, next) in &way.next {
                if !read.nodes.contains_key(&next) {
                    todo.push(next);
                }
                follows.insert(image, read.enter(next));
            }
            let own = read.enter(key);
            for (node, steps) in &way.moves {
                let to = |image: Image| if image == Image::UNSEEN { &own } else { &follows[&image] };
                let node = read.strategy.node_mut(own[node]);
                node.terminal = steps.is_empty();
                node.arcs = steps.iter().map(|step| (step.label, to(step.image)[&step.to])).collect();
                node.arcs.sort_unstable();
            }
        }
        read.strategy
    }

    fn way(&self, key: Key) -> &Way {
        self.known[&key].as_ref().expect("all that follows was found to win without choosing")
    }
}

/// The strategy's nodes of one moment, by those of the field.
type Nodes = FxHashMap<u32, u32>;

/// A strategy that is being read off.
struct Read<'r, 'g, 'm> {
    single: &'r Single<'m>,
    game: &'r Game<'g>,
    strategy: Strategy,
    nodes: FxHashMap<Key, Rc<Nodes>>,
}

impl Read<'_, '_, '_> {
    /// The nodes of a moment, made if they are new.
    fn enter(&mut self, key: Key) -> Rc<Nodes> {
        if let Some(known) = self.nodes.get(&key) {
            return Rc::clone(known);
        }
        let Self { game, strategy, .. } = self;
        let begins = |node: &u32| game.sets.get(key.0).iter().any(|&v| game.at(v).node == *node);
        let mut nodes: Vec<u32> = self.single.way(key).moves.iter().map(|(node, _)| *node).collect();
        // Executions start at the first node.
        nodes.sort_by_key(|node| !begins(node));
        let push = |node: u32| {
            let at = game.field.at[node as usize];
            (node, strategy.push(StrategyNode { at, terminal: false, arcs: Vec::new() }))
        };
        let made: Rc<Nodes> = Rc::new(nodes.into_iter().map(push).collect());
        self.nodes.insert(key, Rc::clone(&made));
        made
    }
}

/// All moments that ways lead to in which each node does one thing, where the number of events is not bounded.
struct Every {
    number: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    /// For each moment and each way through it the moments that follow; of ways with the same moments one.
    follows: Vec<Vec<Vec<u32>>>,
}

impl Every {
    fn new(start: Key) -> Self {
        let mut every = Self { number: FxHashMap::default(), keys: Vec::new(), follows: Vec::new() };
        every.number(start);
        every
    }

    fn number(&mut self, key: Key) -> u32 {
        let Self { number, keys, .. } = self;
        *number.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() as u32 - 1
        })
    }

    /// Goes through all of them.
    fn explore(&mut self, game: &mut Game<'_>, meter: Meter<'_>) -> Result<(), Stop> {
        while let Some(&key) = self.keys.get(self.follows.len()) {
            let mut seen: FxHashSet<Vec<Key>> = FxHashSet::default();
            each(game, key, meter, |_, way| {
                seen.insert(way.next.iter().map(|&(_, next)| next).collect());
                Ok(false)
            })?;
            let mut all: Vec<Vec<Key>> = seen.into_iter().collect();
            all.sort_unstable();
            let numbered = all.into_iter().map(|keys| keys.into_iter().map(|key| self.number(key)).collect());
            let numbered = numbered.collect();
            self.follows.push(numbered);
        }
        Ok(())
    }

    /// Whether the first wins.
    fn wins(&self) -> bool {
        let mut won = vec![false; self.keys.len()];
        loop {
            let wins = |ways: &Vec<Vec<u32>>| ways.iter().any(|next| next.iter().all(|&n| won[n as usize]));
            let more: Vec<usize> = (0..won.len()).filter(|&n| !won[n] && wins(&self.follows[n])).collect();
            if more.is_empty() {
                return won[0];
            }
            more.into_iter().for_each(|n| won[n] = true);
        }
    }
}
