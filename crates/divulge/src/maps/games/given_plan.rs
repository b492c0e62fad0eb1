//! The sought map's game where the plan is given.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    formula::{Due, Stipulations},
    limit::{Monitor, Progress},
    maps::{
        games::{Decided, MapGame, beliefs::Beliefs, reasons::reason},
        space::{Pairs, PartialMap},
    },
    observer::Tracked,
    problem::{Label, PGraph, Vertex},
    seek::self_divulged::Stop,
    sets::{BitSet, SetId},
};

/// How many nodes are visited between two looks at the monitor.
const POLL: u64 = 4096;

/// Only the map is sought: the plan solves the world, and the divulged plan admits it.
pub struct GivenPlanGame<'a> {
    joint: &'a PGraph,
    /// By vertex of the joint executions: whether the plan ends there.
    ends: &'a BitSet,
    beliefs: Beliefs<'a>,
    monitor: &'a dyn Monitor,
    visited: u64,
}

struct Node {
    at: Vertex,
    belief: SetId,
    looked: Rc<Pairs>,
    /// The node before, if there is one, and the event in between.
    before: Option<(usize, Label)>,
}

/// Where a stipulation is broken.
struct Broken {
    looked: Rc<Pairs>,
    events: Vec<Label>,
    demand: Due,
}

impl<'a> GivenPlanGame<'a> {
    /// The game of a plan's joint executions, and of where they end.
    pub fn new(
        joint: &'a PGraph,
        ends: &'a BitSet,
        tracked: &'a Tracked<'a>,
        stipulations: &'a Stipulations,
        monitor: &'a dyn Monitor,
    ) -> Self {
        Self { joint, ends, beliefs: Beliefs::new(tracked, stipulations), monitor, visited: 0 }
    }

    /// Follows the plan: the pairs that were looked at, or where a stipulation is broken.
    // Not `observer::Walk`: under a partly decided map a step may be undecided, and each node carries the pairs that were looked at on
    // the way to it, which are what is learnt where a stipulation is broken.
    fn follow(&mut self, map: &PartialMap) -> Result<Result<Pairs, Broken>, Stop> {
        let none = Pairs::new(map.index().len());
        let mut all = none.clone();
        let (start, looked) = (self.beliefs.initial(), Rc::new(none));
        let initial = self.joint.initial().iter();
        let mut nodes: Vec<Node> =
            initial.map(|&at| Node { at, belief: start, looked: looked.clone(), before: None }).collect();
        let mut seen: FxHashSet<(Vertex, SetId)> = nodes.iter().map(|n| (n.at, n.belief)).collect();
        let mut next = 0;
        while next < nodes.len() {
            let (at, belief) = (nodes[next].at, nodes[next].belief);
            let looked = nodes[next].looked.clone();
            next += 1;
            self.visited += 1;
            if self.visited.is_multiple_of(POLL) {
                let (explored, stored) = (self.visited, self.beliefs.len() as u64);
                self.monitor.poll(&Progress {
                    doing: "following the plan",
                    explored,
                    stored,
                    ..Progress::default()
                })?;
            }
            let ends = self.ends.contains(at.index());
            let broken = self.beliefs.course(belief).broken(ends);
            if let Some(demand) = broken {
                return Ok(Err(Broken { looked, events: events_to(&nodes, next - 1), demand }));
            }
            for step in self.joint.arcs(at).chunk_by(|a, b| a.label == b.label) {
                let mut after = (*looked).clone();
                let to = self.beliefs.step(belief, step[0].label, map, &mut after)?;
                all.add(&after);
                let after = if after == *looked { looked.clone() } else { Rc::new(after) };
                for arc in step {
                    if seen.insert((arc.to, to)) {
                        nodes.push(Node {
                            at: arc.to,
                            belief: to,
                            looked: after.clone(),
                            before: Some((next - 1, step[0].label)),
                        });
                    }
                }
            }
        }
        Ok(Ok(all))
    }
}

/// The events that lead to a node.
fn events_to(nodes: &[Node], mut at: usize) -> Vec<Label> {
    let mut events = Vec::new();
    while let Some((before, event)) = nodes[at].before {
        events.push(event);
        at = before;
    }
    events.reverse();
    events
}

impl MapGame for GivenPlanGame<'_> {
    fn least(&self) -> Option<u32> {
        Some(0)
    }

    /// The plan's length is given, so `within` does not count. A broken stipulation depends only on what was looked at on the way there.
    fn decide(&mut self, map: &PartialMap, _: Option<u32>, _: u64) -> Result<Decided, Stop> {
        Ok(match self.follow(map)? {
            Ok(looked) => Decided { feasible: true, looked },
            Err(broken) => Decided { feasible: false, looked: (*broken.looked).clone() },
        })
    }

    fn explain(&mut self, whole: &PartialMap, _: Option<u32>, _: u64) -> Result<Option<Pairs>, Stop> {
        let Err(Broken { looked, events, demand }) = self.follow(whole)? else { return Ok(None) };
        let known = whole.only(std::iter::empty());
        Ok(Some(reason(&self.beliefs, &events, demand, whole, &known).unwrap_or((*looked).clone())))
    }

    fn effort(&self) -> u64 {
        self.visited
    }
}
