//! Backward induction: from which nodes of a game stopping can be forced, and how soon.
//!
//! *Background.* A node where somebody chooses waits for one successor with a value, any other for all of them. Values spread backwards
//! from the nodes where one may stop, in waves by the number of events, or in the order of costs (`cost`).
//!
//! *Practical.* [`Before`] is the arcs turned round; `open` tells for each node how many successors it waits for. The same
//! induction serves the expanded world, the arena of a game, and what is usable of a world by a plan that everybody knows.

mod cost;
mod queue;

pub(crate) use cost::Costs;

use crate::{
    limit::Limit,
    problem::{Kind, Label, PGraph},
    sets::BitSet,
};

/// Values from here on are of nodes where stopping cannot be forced; until then they count the successors that are missing.
pub(crate) const OPEN: u32 = 1 << 31;

/// A node that never gets a value.
pub(crate) const NEVER: u32 = u32::MAX;

/// How many successors a node waits for that has so many of them, at least one.
pub(crate) fn waits(kind: Kind, successors: usize) -> u32 {
    match kind {
        Kind::Action => OPEN + 1,
        Kind::Observation => OPEN + successors as u32,
    }
}

/// The predecessors of every node, once for each arc, those of a node next to each other.
pub(crate) struct Before {
    starts: Vec<u32>,
    nodes: Vec<u32>,
    /// The labels of the arcs, where they were asked for.
    labels: Vec<Label>,
}

impl Before {
    /// From parts that are made elsewhere: where the predecessors of each node begin (and where the last ones end), the predecessors,
    /// the labels or none.
    pub fn from_parts(starts: Vec<u32>, nodes: Vec<u32>, labels: Vec<Label>) -> Self {
        Self { starts, nodes, labels }
    }

    /// Turns arcs round, given as source, label and target, of `n` nodes.
    pub fn new(n: usize, arcs: impl Iterator<Item = (u32, Label, u32)> + Clone) -> Self {
        let mut starts = vec![0; n + 2];
        for (_, _, to) in arcs.clone() {
            starts[to as usize + 2] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let count = starts[n + 1] as usize;
        let (mut nodes, mut labels) = (vec![0; count], vec![Label(0); count]);
        for (from, label, to) in arcs {
            let start = &mut starts[to as usize + 1];
            nodes[*start as usize] = from;
            labels[*start as usize] = label;
            *start += 1;
        }
        Self { starts, nodes, labels }
    }

    /// The arcs of a graph turned round, with how many successors each vertex waits for. At vertices in `lost` waiting is no use.
    pub fn of_graph(graph: &PGraph, lost: &BitSet) -> (Self, Vec<u32>) {
        let open = graph.vertices().map(|v| match graph.arcs(v).len() {
            0 => NEVER,
            _ if graph.kind(v) == Kind::Observation && lost.contains(v.index()) => NEVER,
            count => waits(graph.kind(v), count),
        });
        (Self::new(graph.len(), graph.all_arcs().map(|(v, arc)| (v.0, arc.label, arc.to.0))), open.collect())
    }

    /// The predecessors of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        &self.nodes[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The labels of the arcs from them.
    pub fn labels(&self, node: u32) -> &[Label] {
        &self.labels[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// Turns the numbers of successors that nodes wait for into values: within how many events stopping can be forced, if it can be at
/// `stops`; at least [`OPEN`] where it cannot be. Complete as far as the value of `start` needs it, or all. `poll` is told of steps.
pub(crate) fn events(
    before: &Before,
    value: &mut [u32],
    stops: Vec<u32>,
    start: Option<usize>,
    mut poll: impl FnMut(usize) -> Result<(), Limit>,
) -> Result<(), Limit> {
    let (mut wave, mut next) = (stops, Vec::new());
    for &node in &wave {
        value[node as usize] = 0;
    }
    let mut events = 0;
    while !wave.is_empty() && start.is_none_or(|start| value[start] >= OPEN) {
        events += 1;
        for node in wave.drain(..) {
            for &from in before.of(node) {
                let waits = &mut value[from as usize];
                if *waits > OPEN && *waits != NEVER {
                    *waits -= 1;
                    if *waits == OPEN {
                        *waits = events;
                        next.push(from);
                    }
                }
            }
        }
        poll(next.len() * 3 + 64)?;
        std::mem::swap(&mut wave, &mut next);
    }
    Ok(())
}

/// The least worst-case number of events to `goal` from every vertex of a state-determined graph, never passing through `banned`
/// vertices, if waiting at a vertex in `lost` is no use; `u32::MAX` where the goal cannot be forced.
pub(crate) fn ranks(graph: &PGraph, goal: &BitSet, lost: &BitSet, banned: &BitSet) -> Vec<u32> {
    let (before, mut value) = Before::of_graph(graph, lost);
    banned.iter().for_each(|v| value[v] = NEVER);
    let goals = goal.iter().filter(|&v| !banned.contains(v)).map(|v| v as u32).collect();
    settle(&before, &mut value, goals, None);
    value
}

/// The values as far as that of `start` needs them, or all, without a limit on a pass that is as long as the graph is large; `u32::MAX`
/// where there is none.
pub(crate) fn settle(before: &Before, value: &mut [u32], stops: Vec<u32>, start: Option<usize>) {
    let done = events(before, value, stops, start, |_| Ok(()));
    debug_assert!(done.is_ok(), "nothing stops it");
    value.iter_mut().filter(|value| **value >= OPEN).for_each(|value| *value = u32::MAX);
}
