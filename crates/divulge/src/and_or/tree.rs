//! Depth-bounded AND–OR search on the triple graph, for trees of growing depth.
//!
//! A plan that visits a triple twice in an execution has a shortcut that does not, so no tree need be deeper than there
//! are triples; that is the bound c of the paper's theorem, counted on what can be reached. What is known of a triple and a
//! depth is remembered, so that a triple is searched once for each depth and not once for each branch that leads to it.

use rustc_hash::FxHashMap;

use crate::{
    and_or::triple::{Triple, TripleGraph},
    game::{
        deep,
        strategy::{Strategy, StrategyNode},
    },
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Label},
};

/// How many nodes are searched between two looks at the monitor.
const POLL: u64 = 1024;

/// A strategy from the first triple; `None` if there is none.
pub(super) fn search(graph: &TripleGraph, monitor: &dyn Monitor) -> Result<Option<Strategy>, Limit> {
    let bound = graph.triples().len() as u32;
    if bound == 0 {
        return Ok(None);
    }
    let mut tree = Tree {
        triples: graph.triples(),
        enough: vec![u32::MAX; bound as usize],
        action: vec![0; bound as usize],
        needs: vec![0; bound as usize],
        monitor,
        steps: 0,
    };
    let mut depth = 1;
    loop {
        if tree.wins(0, depth)? {
            return Ok(Some(tree.strategy()));
        }
        if depth == bound {
            return Ok(None);
        }
        depth = depth.saturating_mul(2).min(bound);
    }
}

struct Tree<'a> {
    triples: &'a [Triple],
    /// Within so many events the robot is known to be able to stop.
    enough: Vec<u32>,
    /// The arc to take for that at an action vertex.
    action: Vec<usize>,
    /// In fewer events it is known not to be able to.
    needs: Vec<u32>,
    monitor: &'a dyn Monitor,
    steps: u64,
}

impl Tree<'_> {
    /// Whether the robot can be sure to stop within so many events.
    fn wins(&mut self, at: u32, events: u32) -> Result<bool, Limit> {
        let here = at as usize;
        if self.enough[here] <= events {
            return Ok(true);
        }
        if events < self.needs[here] {
            return Ok(false);
        }
        self.steps += 1;
        if self.steps.is_multiple_of(POLL) {
            let doing = "searching AND-OR trees";
            self.monitor.poll(&Progress { doing, explored: self.steps, ..Progress::default() })?;
        }
        let triples = self.triples;
        let Triple { kind, stops, arcs, .. } = &triples[here];
        let after = match (stops, kind, events.checked_sub(1)) {
            (true, ..) => Some((0, 0)),
            (_, _, None) => None,
            (_, Kind::Action, Some(left)) => self.any(arcs, left)?,
            (_, Kind::Observation, Some(left)) => self.all(arcs, left)?.map(|enough| (enough, 0)),
        };
        match after {
            // The search may have come by here once more, with fewer events left, and found something better, on which others rest.
            Some((enough, action)) if enough < self.enough[here] => {
                self.enough[here] = enough;
                self.action[here] = action;
            }
            Some(_) => {}
            None => self.needs[here] = self.needs[here].max(events + 1),
        }
        Ok(after.is_some())
    }

    /// An OR node: the events that the first action needs that will do, and its arc.
    fn any(&mut self, arcs: &[(Label, u32)], left: u32) -> Result<Option<(u32, usize)>, Limit> {
        for (i, &(_, to)) in arcs.iter().enumerate() {
            if deep(|| self.wins(to, left))? {
                return Ok(Some((self.enough[to as usize] + 1, i)));
            }
        }
        Ok(None)
    }

    /// An AND node: every observation must do, and there must be one.
    fn all(&mut self, arcs: &[(Label, u32)], left: u32) -> Result<Option<u32>, Limit> {
        let mut most = None;
        for &(_, to) in arcs {
            if !deep(|| self.wins(to, left))? {
                return Ok(None);
            }
            most = most.max(Some(self.enough[to as usize] + 1));
        }
        Ok(most)
    }

    /// What was found, from the first triple on. `enough` falls along every arc, so there is no cycle.
    fn strategy(&self) -> Strategy {
        let mut strategy = Strategy::new();
        let mut number: FxHashMap<u32, u32> = FxHashMap::from_iter([(0, 0)]);
        let mut order = vec![0u32];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            let Triple { at: vertex, kind, stops, arcs } = &self.triples[at as usize];
            let arcs = match kind {
                _ if *stops => &[],
                Kind::Action => std::slice::from_ref(&arcs[self.action[at as usize]]),
                Kind::Observation => arcs.as_slice(),
            };
            let mut enter = |to: u32| {
                *number.entry(to).or_insert_with(|| {
                    order.push(to);
                    order.len() as u32 - 1
                })
            };
            let arcs = arcs.iter().map(|&(label, to)| (label, enter(to))).collect();
            strategy.push(StrategyNode { at: *vertex, terminal: *stops, arcs });
        }
        strategy
    }
}
