//! The sought map's game where a plan is sought too, and the divulged plan does not depend on it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    game::{Robot, deep},
    limit::{Monitor, Progress},
    maps::{
        games::{
            Decided, MapGame,
            beginnings::Beginnings,
            beliefs::{Beliefs, Pool, Pooled},
            may_or_must::MayOrMust,
            partly_decided::{Board, Outcome, play},
            reasons::reason,
        },
        space::{Lessons, Pairs, PartialMap, Threshold, Undecided},
    },
    problem::{Kind, Vertex},
    seek::self_divulged::Stop,
    sets::{BitSet, SetId},
};

/// How many nodes are visited between two looks at the monitor.
const POLL: u64 = 4096;

/// The work that looking for a plan of some length gets at first, before the whole game is played out.
const FIRST_SHARE: u64 = 500;

/// Any number of events.
const ANY: u32 = u32::MAX - 1;

/// The most nodes in a game that is to refute many maps at once.
const EASIER: usize = 50_000;

/// A game under some maps may have so many nodes although less effort is left.
const LARGE: usize = 200_000;

/// How much more work goes into making a reason smaller than into finding it.
const FEWER: u64 = 4;

/// Plan and map are both sought; what the observer knows of the plan is given.
pub struct GivenDivulgedGame<'a, 'b> {
    robot: &'a Robot<'a>,
    /// Where the robot may stop, as far as what it knows itself tells.
    goal: &'a BitSet,
    /// Lower bounds on the number of events to the goal.
    rank: &'a [u32],
    beliefs: Beliefs<'b>,
    memo: FxHashMap<(u32, SetId), Lessons<Threshold>>,
    /// Nodes that depend on a pair that is undecided in the map being tried.
    open: FxHashMap<(u32, SetId, u32), Undecided>,
    may_or_must: MayOrMust,
    /// Games in which nothing is decided.
    beginnings: Beginnings,
    monitor: &'a dyn Monitor,
    visited: u64,
    /// How many nodes may be visited before a length is given up.
    until: u64,
    /// Where the beliefs go when the game is over, if they are to be kept.
    pool: &'a Pool<'b>,
    kept: bool,
}

impl Drop for GivenDivulgedGame<'_, '_> {
    fn drop(&mut self) {
        if self.kept {
            let none = Beliefs::new(self.beliefs.tracked(), self.beliefs.stipulations());
            let beliefs = std::mem::replace(&mut self.beliefs, none);
            let (may_or_must, beginnings) = (&mut self.may_or_must, &mut self.beginnings);
            self.pool.give((beliefs, std::mem::take(may_or_must), std::mem::take(beginnings)));
        }
    }
}

impl<'a, 'b> GivenDivulgedGame<'a, 'b> {
    /// The game of a robot and the observer's beliefs; `goal` and `rank` are what the robot's states alone tell. If the beliefs are to be
    /// kept, they go to the pool in the end.
    pub fn new(
        robot: &'a Robot<'a>,
        goal: &'a BitSet,
        rank: &'a [u32],
        (beliefs, may_or_must, beginnings): Pooled<'b>,
        (pool, kept): (&'a Pool<'b>, bool),
        monitor: &'a dyn Monitor,
    ) -> Self {
        Self {
            robot,
            goal,
            rank,
            beliefs,
            memo: FxHashMap::default(),
            open: FxHashMap::default(),
            may_or_must,
            beginnings,
            monitor,
            visited: 0,
            until: u64::MAX,
            pool,
            kept,
        }
    }

    fn start(&mut self) -> (u32, SetId) {
        (self.robot.graph.initial()[0].0, self.beliefs.initial())
    }

    fn visit(&mut self) -> Result<(), Stop> {
        self.visited += 1;
        if self.visited > self.until {
            return Err(Stop::Effort);
        }
        if self.visited.is_multiple_of(POLL) {
            let (explored, stored) = (self.visited, self.beliefs.len() as u64);
            self.monitor.poll(&Progress {
                doing: "playing under maps",
                explored,
                stored,
                ..Progress::default()
            })?;
        }
        Ok(())
    }

    /// Whether a node is won with at most `events` events, and the pairs that this depends on.
    fn wins(&mut self, at: u32, belief: SetId, events: u32, map: &PartialMap) -> Result<(bool, Pairs), Stop> {
        let none = Pairs::new(map.index().len());
        if self.rank[at as usize] > events || !self.beliefs.course(belief).is_kept() {
            return Ok((false, none));
        }
        if self.goal.contains(at as usize) && self.beliefs.course(belief).may_end() {
            return Ok((true, none));
        }
        if events == 0 {
            return Ok((false, none));
        }
        if let Some(known) = self.known(at, belief, events, map) {
            return Ok(known);
        }
        if let Some(&pair) = self.open.get(&(at, belief, events)) {
            return Err(pair.into());
        }
        self.visit()?;
        let played = deep(|| self.play(at, belief, events, map));
        if let Err(Stop::Undecided(pair)) = played {
            self.open.insert((at, belief, events), pair);
        }
        let (wins, looked) = played?;
        self.memo.entry((at, belief)).or_default().entry(map, &looked).note(events, wins);
        Ok((wins, looked))
    }

    fn known(&self, at: u32, belief: SetId, events: u32, map: &PartialMap) -> Option<(bool, Pairs)> {
        let (looked, threshold) = self.memo.get(&(at, belief))?.find(map, |t| t.verdict(events).is_some())?;
        Some((threshold.verdict(events)?, looked.clone()))
    }

    /// One move, the robot's or the world's. A move that settles the matter does so whatever is still undecided about the others.
    fn play(&mut self, at: u32, belief: SetId, events: u32, map: &PartialMap) -> Result<(bool, Pairs), Stop> {
        let robot = self.robot;
        let mut all = Pairs::new(map.index().len());
        let chooses = robot.graph.kind(Vertex(at)) == Kind::Action;
        if !chooses && robot.lost.contains(at as usize) {
            return Ok((false, all));
        }
        let mut open: Option<Undecided> = None;
        let mut arcs: Vec<_> = robot.graph.arcs(Vertex(at)).to_vec();
        arcs.sort_by_key(|arc| (self.rank[arc.to.index()], arc.label));
        for arc in arcs {
            if chooses && self.rank[arc.to.index()] >= events {
                break;
            }
            let mut looked = Pairs::new(map.index().len());
            let after = self.beliefs.step(belief, arc.label, map, &mut looked).map_err(Stop::from);
            let played = after.and_then(|after| self.wins(arc.to.0, after, events - 1, map));
            match played {
                Ok((wins, deeper)) => {
                    looked.add(&deeper);
                    if wins == chooses {
                        return Ok((wins, looked));
                    }
                    all.add(&looked);
                }
                Err(Stop::Undecided(pair)) => open = open.or(Some(pair)),
                Err(stop) => return Err(stop),
            }
        }
        match open {
            Some(pair) => Err(pair.into()),
            None => Ok((!chooses, all)),
        }
    }

    /// What is certain and what is possible under a partly decided map; `None` if that takes more than `most` nodes.
    fn between(&mut self, map: &PartialMap, within: u32, most: usize) -> Result<Option<Arc<Outcome>>, Stop> {
        let nothing = map.decided().is_empty();
        let known = if nothing { self.beginnings.find(within, most) } else { None };
        let outcome = match known {
            Some(outcome) => outcome,
            None => {
                let board = Board { robot: self.robot, goal: self.goal, rank: self.rank, within };
                let (beliefs, may_or_must) = (&mut self.beliefs, &mut self.may_or_must);
                let outcome = play(&board, beliefs, may_or_must, map, most, self.monitor)?.map(Arc::new);
                if nothing {
                    self.beginnings.note(within, most, outcome.as_ref());
                }
                outcome
            }
        };
        // The work of a game counts although it was played before, or what comes of a search would depend on who took the beliefs over.
        self.visited += outcome.as_ref().map_or(most as u64, |outcome| outcome.effort());
        Ok(outcome)
    }

    /// The decisions of `whole`, under which there is no plan of at most `most` events, that suffice for that. Beginning with none, those are
    /// added because of which the plan that may seem to do will not, with the most nodes that a game may have; `None` if the games with less decided are
    /// too much work. They may be larger if `large`, where already the one in which nothing is decided is.
    fn enough(
        &mut self,
        whole: &PartialMap,
        most: u32,
        effort: u64,
        large: bool,
    ) -> Result<Option<(Pairs, usize)>, Stop> {
        let mut until = self.visited.saturating_add(effort);
        let mut pairs = Pairs::new(whole.index().len());
        let mut nodes = EASIER;
        loop {
            let known = whole.only(pairs.iter());
            let left = usize::try_from(until.saturating_sub(self.visited)).unwrap_or(usize::MAX);
            let Some(outcome) = self.between(&known, most, left.min(nodes))? else {
                if !large || !pairs.is_empty() || nodes == LARGE {
                    return Ok(None);
                }
                (nodes, until) = (LARGE, self.visited.saturating_add(FEWER * LARGE as u64));
                continue;
            };
            if outcome.may > most {
                return Ok(Some((pairs, nodes)));
            }
            let setting = Board { robot: self.robot, goal: self.goal, rank: self.rank, within: most };
            let broken = outcome.first_break(&setting, &mut self.beliefs, whole);
            let more =
                broken.and_then(|(events, demand)| reason(&self.beliefs, &events, demand, whole, &known));
            match more {
                Some(more) if !more.is_empty() => pairs.add(&more),
                _ => return Ok(None),
            }
        }
    }

    /// Fewer of these decisions that suffice, as far as about so much work finds them.
    fn fewer(
        &mut self,
        whole: &PartialMap,
        most: u32,
        (mut pairs, nodes): (Pairs, usize),
        effort: u64,
    ) -> Result<Pairs, Stop> {
        let until = self.visited + effort;
        for pair in pairs.clone().iter() {
            if self.visited > until {
                break;
            }
            let mut fewer = pairs.clone();
            fewer.remove(pair);
            let known = whole.only(fewer.iter());
            if known.decided().contains(pair)
                || self.between(&known, most, nodes)?.is_some_and(|outcome| outcome.may > most)
            {
                pairs = fewer;
            }
        }
        Ok(pairs)
    }
}

impl MapGame for GivenDivulgedGame<'_, '_> {
    fn least(&self) -> Option<u32> {
        Some(self.rank[self.robot.graph.initial()[0].index()]).filter(|&rank| rank != u32::MAX)
    }

    fn decide(&mut self, map: &PartialMap, within: Option<u32>, effort: u64) -> Result<Decided, Stop> {
        let (at, belief) = self.start();
        self.open.clear();
        if let Some(events) = within {
            self.until = self.visited.saturating_add(effort);
            let played = self.wins(at, belief, events, map);
            self.until = u64::MAX;
            let (feasible, looked) = played?;
            return Ok(Decided { feasible, looked });
        }
        let Some(mut events) = self.least() else {
            return Ok(Decided { feasible: false, looked: Pairs::new(map.index().len()) });
        };
        // Lengths grow in strides, as those that cost no work would never end; so one try alone may be too much work, and too deep.
        self.until = self.visited + FIRST_SHARE;
        let short = loop {
            match self.wins(at, belief, events, map) {
                Ok((false, _)) if events < u32::MAX => events = events.saturating_add(1 + events / 8),
                Ok((false, _)) | Err(Stop::Effort) => break None,
                Ok((feasible, looked)) => break Some(Ok(Decided { feasible, looked })),
                Err(stop) => break Some(Err(stop)),
            }
        };
        self.until = u64::MAX;
        if let Some(short) = short {
            return short;
        }
        // A region with a very large game is better split.
        let most = usize::try_from(effort).unwrap_or(usize::MAX).max(LARGE);
        let Some(outcome) = self.between(map, ANY, most)? else { return Err(Stop::Effort) };
        let Outcome { may, must, ref looked, open, .. } = *outcome;
        match (must != u32::MAX, may != u32::MAX) {
            (true, _) => Ok(Decided { feasible: true, looked: looked.clone() }),
            (_, false) => Ok(Decided { feasible: false, looked: looked.clone() }),
            _ => Err(open.expect("what is decided is certain").into()),
        }
    }

    fn refute(&mut self, map: &PartialMap, within: Option<u32>) -> Result<Option<Pairs>, Stop> {
        let most = within.unwrap_or(ANY);
        let Some(outcome) = self.between(map, most, EASIER)? else { return Ok(None) };
        Ok((outcome.may > most).then(|| outcome.looked.clone()))
    }

    fn explain(
        &mut self,
        whole: &PartialMap,
        within: Option<u32>,
        effort: u64,
    ) -> Result<Option<Pairs>, Stop> {
        let most = within.unwrap_or(ANY);
        // Games with less decided are smaller, as a rule: a large one is played only where they do not tell why it is lost.
        let exact = self.between(whole, most, EASIER)?;
        if exact.as_ref().is_some_and(|exact| exact.may <= most) {
            return Ok(None);
        }
        let effort = if exact.is_none() { effort.max(FEWER * EASIER as u64) } else { effort };
        let begin = self.visited;
        match self.enough(whole, most, effort, exact.is_none())? {
            Some(pairs) => {
                let effort = FEWER * (self.visited - begin);
                self.fewer(whole, most, pairs, effort).map(Some)
            }
            None => {
                let exact = match exact {
                    None => self.between(whole, most, usize::MAX)?,
                    exact => exact,
                };
                let Some(exact) = exact else { return Err(Stop::Effort) };
                Ok((exact.may > most).then(|| exact.looked.clone()))
            }
        }
    }

    fn effort(&self) -> u64 {
        self.visited
    }

    fn stored(&self) -> usize {
        self.beliefs.len() + self.memo.len()
    }

    fn hand_over(mut self: Box<Self>) {
        self.kept = true;
    }
}
