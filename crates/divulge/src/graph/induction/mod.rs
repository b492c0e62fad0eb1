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

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use crate::{
    limit::{Limit, threads, together},
    problem::{Kind, Label, PGraph, Vertex},
    sets::BitSet,
};

/// So many arcs are worth a thread that turns them round.
const MUCH: usize = 1 << 20;

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

    /// Turns arcs round, given as source and target, of `n` nodes.
    pub fn new(n: usize, arcs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = starts(n, arcs.clone().map(|(_, to)| to));
        let mut nodes = vec![0; starts[n + 1] as usize];
        arcs.for_each(|(from, to)| nodes[next(&mut starts, to)] = from);
        Self { starts, nodes, labels: Vec::new() }
    }

    /// The arcs of a graph turned round, on so many threads, 0 for all there are.
    pub fn of_graph(graph: &PGraph, allowed: usize) -> Self {
        Self::in_shares(graph, threads(allowed, graph.arc_count(), MUCH))
    }

    /// The same, in so many shares.
    fn in_shares(graph: &PGraph, count: usize) -> Self {
        let arcs = |own: &Range<u32>| {
            own.clone().map(Vertex).flat_map(|v| graph.arcs(v).iter().map(move |arc| (v.0, arc.to.0)))
        };
        if count == 1 {
            return Self::new(graph.len(), arcs(&(0..graph.len() as u32)));
        }
        // Each counts the arcs from some vertices, and puts them after those from the vertices before.
        let mut shares: Vec<(Range<u32>, Vec<u32>)> =
            graph.shares(count).map(|own| (own, Vec::new())).collect();
        let done: Result<(), ()> = together(&mut shares, |(own, starts)| {
            starts.resize(graph.len() + 2, 0);
            arcs(own).for_each(|(_, to)| starts[to as usize + 2] += 1);
            Ok(())
        });
        let mut sum = 0;
        for v in 0..graph.len() {
            for (_, starts) in &mut shares {
                starts[v + 1] = sum;
                sum += starts[v + 2];
            }
        }
        let nodes: Vec<AtomicU32> = vec![0; sum as usize].into_iter().map(AtomicU32::new).collect();
        let done = done.and(together(&mut shares, |(own, starts)| {
            arcs(own).for_each(|(from, to)| nodes[next(starts, to)].store(from, Relaxed));
            Ok(())
        }));
        debug_assert!(done.is_ok(), "nothing goes wrong");
        // Those of the last share end where those of the next vertex begin.
        let starts = shares.pop().map_or_else(Vec::new, |(_, starts)| starts);
        Self { starts, nodes: nodes.into_iter().map(AtomicU32::into_inner).collect(), labels: Vec::new() }
    }

    /// The arcs of a graph turned round, with their labels.
    pub fn labelled(graph: &PGraph) -> Self {
        let mut starts = starts(graph.len(), graph.all_arcs().map(|(_, arc)| arc.to.0));
        let (mut nodes, mut labels) = (vec![0; graph.arc_count()], vec![Label(0); graph.arc_count()]);
        graph.all_arcs().for_each(|(from, arc)| {
            let place = next(&mut starts, arc.to.0);
            (nodes[place], labels[place]) = (from.0, arc.label);
        });
        Self { starts, nodes, labels }
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

/// Two places after each of `n` nodes: where the arcs that lead to it begin, given where each arc leads. The last is how many there are.
fn starts(n: usize, to: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; n + 2];
    to.for_each(|to| starts[to as usize + 2] += 1);
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

/// Where the next arc that leads to a node is put. When all are there, its arcs begin at its own place.
fn next(starts: &mut [u32], to: u32) -> usize {
    let start = &mut starts[to as usize + 1];
    *start += 1;
    *start as usize - 1
}

/// How many successors each vertex of a graph waits for. At vertices in `lost` waiting is no use.
pub(crate) fn waiting(graph: &PGraph, lost: &BitSet) -> Vec<u32> {
    let waits = |v: Vertex| match graph.arcs(v).len() {
        0 => NEVER,
        _ if graph.kind(v) == Kind::Observation && lost.contains(v.index()) => NEVER,
        count => waits(graph.kind(v), count),
    };
    graph.vertices().map(waits).collect()
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
    ranks_on(1, graph, goal, lost, banned)
}

/// The same, on so many threads, 0 for all there are.
pub(crate) fn ranks_on(
    threads: usize,
    graph: &PGraph,
    goal: &BitSet,
    lost: &BitSet,
    banned: &BitSet,
) -> Vec<u32> {
    let before = Before::of_graph(graph, threads);
    let mut value = waiting(graph, lost);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::PGraphBuilder;

    #[test]
    fn it_does_not_matter_how_many_turn_arcs_round() {
        for n in [2, 5, 400_u32] {
            let mut b = PGraphBuilder::new();
            for v in 0..n {
                b.vertex(if v % 2 == 0 { Kind::Action } else { Kind::Observation });
            }
            b.initial(Vertex(0));
            for (v, i) in (0..n).flat_map(|v| (0..v * v % 7).map(move |i| (v, i))) {
                // Of the other kind.
                let to = (v * 31 + i * 56 + 1) % n / 2 * 2 + 1 - v % 2;
                if to < n {
                    b.arc(Vertex(v), Label(i), Vertex(to));
                }
            }
            let graph = b.build().expect("a p-graph");
            let one = Before::in_shares(&graph, 1);
            let labelled = Before::labelled(&graph);
            for count in [2, 3, 8] {
                let several = Before::in_shares(&graph, count);
                for v in 0..n {
                    assert_eq!(several.of(v), one.of(v));
                    assert_eq!(labelled.of(v), one.of(v));
                    assert!(
                        one.of(v)
                            .iter()
                            .all(|&from| graph.arcs(Vertex(from)).iter().any(|arc| arc.to.0 == v))
                    );
                }
                assert_eq!((0..n).map(|v| several.of(v).len()).sum::<usize>(), graph.arc_count());
            }
        }
    }
}
