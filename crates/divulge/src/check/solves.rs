//! Does a plan solve a world (paper, definition "solves")?

use std::collections::VecDeque;

use crate::{
    graph::Joint,
    problem::{Kind, Label, PGraph, Plan, Vertex, World},
    verdict::{Reason, Violation},
};
use rustc_hash::FxHashMap;

/// `None` if the plan solves the world; else a shortest violation, in the order of [`Reason`] at equal length, and
/// [`Reason::Unbounded`] if nothing else is wrong.
pub fn solves(joint: &Joint, plan: &Plan, world: &World) -> Option<Violation> {
    let mut worst: Option<(usize, Violation)> = None;
    for pair in joint.graph.vertices() {
        let Some((reason, event)) = fault(joint, plan, world, pair) else { continue };
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

/// What is wrong at one pair, if anything, and the event that shows it.
fn fault(joint: &Joint, plan: &Plan, world: &World, pair: Vertex) -> Option<(Reason, Option<Label>)> {
    let (v, w) = joint.pairs[pair.index()];
    if plan.is_terminal(v) {
        return (!world.is_goal(w)).then_some((Reason::TerminatesOffGoal, None));
    }
    let (offered, needed, reason) = match world.graph.kind(w) {
        Kind::Action => ((&world.graph, w), (&plan.graph, v), Reason::UnsafeAction),
        Kind::Observation => ((&plan.graph, v), (&world.graph, w), Reason::UnforeseenObservation),
    };
    if let Some(label) = needed.0.labels(needed.1).find(|&l| !offered.0.bears(offered.1, l)) {
        return Some((reason, Some(label)));
    }
    joint.graph.arcs(pair).is_empty().then_some((Reason::Stuck, None))
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
