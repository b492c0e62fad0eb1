//! Does a plan solve a world (paper, definition "solves")?

use std::collections::VecDeque;

use crate::{
    graph::{Joint, from_label},
    limit,
    problem::{Arc, Kind, Label, PGraph, Plan, Vertex, World},
    verdict::{Reason, Violation},
};
use rustc_hash::FxHashMap;

/// `None` if the plan solves the world; else a shortest violation, in the order of [`Reason`] at equal length, and
/// [`Reason::Unbounded`] if nothing else is wrong.
pub fn solves(joint: &Joint, plan: &Plan, world: &World) -> Option<Violation> {
    solves_on(joint, plan, world, 1)
}

/// The same, on so many threads, 0 for all there are.
pub(super) fn solves_on(joint: &Joint, plan: &Plan, world: &World, threads: usize) -> Option<Violation> {
    let threads = joint.threads(threads);
    if threads > 1 && !faulty(joint, plan, world, threads) {
        return unbounded(joint);
    }
    let mut worst: Option<(usize, Violation)> = None;
    for pair in joint.graph.vertices() {
        let Some((reason, event)) = fault((&joint.graph, &joint.pairs), plan, world, pair) else { continue };
        let execution = joint.execution(pair);
        if let Some((length, found)) = &worst
            && (execution.len() > *length || found.reason <= reason)
        {
            if execution.len() > *length {
                break;
            }
            continue;
        }
        let (v, w) = joint.pairs[pair.index()];
        let length = execution.len();
        worst = Some((length, Violation { event, at: Some((v, w)), ..Violation::new(reason, execution) }));
    }
    worst.map(|(_, violation)| violation).or_else(|| unbounded(joint))
}

/// Whether anything is wrong at any pair: nothing is at those of most plans, so it does not matter where several threads look first.
fn faulty(joint: &Joint, plan: &Plan, world: &World, threads: usize) -> bool {
    let pairs = (&joint.graph, &joint.pairs[..]);
    let all = pairs.1.len();
    let mut shares: Vec<_> = (0..threads).map(|i| all * i / threads..all * (i + 1) / threads).collect();
    let sound = limit::together(&mut shares, |share| {
        let wrong = share.clone().any(|pair| fault(pairs, plan, world, Vertex(pair as u32)).is_some());
        if wrong { Err(()) } else { Ok(()) }
    });
    sound.is_err()
}

/// The joint executions as a graph, and the pair that each of its vertices is.
type Pairs<'j> = (&'j PGraph, &'j [(Vertex, Vertex)]);

/// What is wrong at one pair, if anything, and the event that shows it.
fn fault(
    (graph, pairs): Pairs<'_>,
    plan: &Plan,
    world: &World,
    pair: Vertex,
) -> Option<(Reason, Option<Label>)> {
    let (v, w) = pairs[pair.index()];
    if plan.is_terminal(v) {
        return (!world.is_goal(w)).then_some((Reason::TerminatesOffGoal, None));
    }
    let (offered, needed, reason) = match world.graph.kind(w) {
        Kind::Action => ((&world.graph, w), (&plan.graph, v), Reason::UnsafeAction),
        Kind::Observation => ((&plan.graph, v), (&world.graph, w), Reason::UnforeseenObservation),
    };
    if let Some(label) = missing(offered.0.arcs(offered.1), needed.0.arcs(needed.1)) {
        return Some((reason, Some(label)));
    }
    graph.arcs(pair).is_empty().then_some((Reason::Stuck, None))
}

/// The first label of the arcs that are needed which no arc bears that is offered.
fn missing(offered: &[Arc], needed: &[Arc]) -> Option<Label> {
    let mut rest = offered;
    needed.chunk_by(|a, b| a.label == b.label).map(|group| group[0].label).find(|&label| {
        rest = from_label(rest, label);
        rest.first().is_none_or(|arc| arc.label != label)
    })
}

/// A shortest way into a cycle of pairs, and a shortest cycle there.
fn unbounded(joint: &Joint) -> Option<Violation> {
    if joint.backwards().is_some() {
        return None;
    }
    let graph = &joint.graph;
    let on_cycle = on_cycle(graph);
    let start = graph.vertices().find(|v| on_cycle[v.index()])?;
    let mut came: FxHashMap<Vertex, (Vertex, Label)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(v) = queue.pop_front() {
        for arc in graph.arcs(v) {
            if arc.to == start {
                let mut cycle = vec![arc.label];
                let mut at = v;
                while at != start {
                    let (from, label) = came[&at];
                    cycle.push(label);
                    at = from;
                }
                cycle.reverse();
                let mut violation = Violation::new(Reason::Unbounded, joint.execution(start));
                violation.cycle = Some(cycle);
                violation.at = Some(joint.pairs[start.index()]);
                return Some(violation);
            }
            if on_cycle[arc.to.index()] && !came.contains_key(&arc.to) {
                came.insert(arc.to, (v, arc.label));
                queue.push_back(arc.to);
            }
        }
    }
    None
}

/// Which vertices lie on a cycle: what peeling off vertices without successors, then without predecessors, leaves over lies on or
/// between cycles; strongly connected components tell the two apart.
fn on_cycle(graph: &PGraph) -> Vec<bool> {
    let components = crate::graph::components(graph);
    let mut size: FxHashMap<u32, u32> = FxHashMap::default();
    for &c in &components {
        *size.entry(c).or_default() += 1;
    }
    // Alternation rules out loops at one vertex, so a cycle needs a component of at least two.
    components.iter().map(|c| size[c] > 1).collect()
}
