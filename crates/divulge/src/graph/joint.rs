//! All joint executions of a plan and a world.

use std::sync::OnceLock;

use crate::{
    limit::{Limit, Monitor, Progress, threads},
    problem::{Arc, InOrder, Label, PGraph, Plan, Vertex, World},
    sets::Grouped,
};

/// How many pairs are visited between two looks at the monitor.
const POLL: usize = 4096;

/// So many pairs and arcs are worth a thread.
const MUCH: usize = 1 << 16;

/// The reachable pairs (vertex of the plan, vertex of the world), up to where the plan terminates.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The pairs as a p-graph whose executions are the joint executions.
    pub graph: PGraph,
    /// The pair that each vertex is, in breadth-first order: shorter executions first.
    pub pairs: Vec<(Vertex, Vertex)>,
    /// How each pair was first reached.
    came: Vec<Option<(Vertex, Label)>>,
    backwards: OnceLock<Option<Vec<Vertex>>>,
}

impl Joint {
    /// All joint executions of `plan` and `world`. Both must start with the same kind of vertex.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn new(plan: &Plan, world: &World, monitor: &dyn Monitor) -> Result<Self, Limit> {
        // Most plans have no vertex that the world never leads to.
        let expected = plan.graph.len();
        let mut pairs: Vec<(Vertex, Vertex)> = Vec::with_capacity(expected);
        let mut came: Vec<Option<(Vertex, Label)>> = Vec::with_capacity(expected);
        // By the plan's vertices, of which most go with one vertex of the world.
        let mut ids = Grouped::default();
        for &v in plan.graph.initial() {
            for &w in world.graph.initial() {
                ids.number(v.0, w.0);
                pairs.push((v, w));
                came.push(None);
            }
        }
        let mut graph = InOrder::new(world.graph.initial_kind(), pairs.len());
        let mut at = 0;
        while let Some(&(v, w)) = pairs.get(at) {
            let from = Vertex(at as u32);
            if at % POLL == 0 {
                let (doing, explored) = ("following the plan", at as u64);
                monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
            }
            at += 1;
            let mut rest = if plan.is_terminal(v) { &[] } else { world.graph.arcs(w) };
            for arc in plan.graph.arcs(v) {
                if rest.is_empty() {
                    break;
                }
                rest = from_label(rest, arc.label);
                for other in rest.iter().take_while(|other| other.label == arc.label) {
                    let (to, new) = ids.number(arc.to.0, other.to.0);
                    if new {
                        pairs.push((arc.to, other.to));
                        came.push(Some((from, arc.label)));
                        graph.vertex(world.graph.kind(other.to));
                    }
                    graph.arc(arc.label, Vertex(to));
                }
            }
            // As many arcs as this would not fit into memory either.
            graph.end_sorted().map_err(|_| Limit::Memory)?;
        }
        Ok(Self { graph: graph.build(), pairs, came, backwards: OnceLock::new() })
    }

    /// How many threads to look at all of them, if so many may be used.
    pub(crate) fn threads(&self, allowed: usize) -> usize {
        threads(allowed, self.pairs.len() + self.graph.arc_count(), MUCH)
    }

    /// The pairs, each after all that follow it; `None` if executions can go on for ever.
    pub fn backwards(&self) -> Option<&[Vertex]> {
        self.backwards.get_or_init(|| backwards(&self.graph)).as_deref()
    }

    /// A shortest joint execution that reaches a pair.
    pub fn execution(&self, mut pair: Vertex) -> Vec<Label> {
        let mut back = Vec::new();
        while let Some((from, label)) = self.came[pair.index()] {
            back.push(label);
            pair = from;
        }
        back.reverse();
        back
    }
}

/// Arcs, ascending, without those whose labels come before this one: these are passed over in ever longer steps.
pub(crate) fn from_label(arcs: &[Arc], label: Label) -> &[Arc] {
    let (mut passed, mut step) = (0, 1);
    while arcs.get(passed + step - 1).is_some_and(|arc| arc.label < label) {
        passed += step;
        step *= 2;
    }
    let end = arcs.len().min(passed + step);
    &arcs[passed + arcs[passed..end].partition_point(|arc| arc.label < label)..]
}

/// The vertices of an acyclic graph, each after all that follow it; `None` if there is a cycle.
fn backwards(graph: &PGraph) -> Option<Vec<Vertex>> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut mark = vec![NEW; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    let mut stack = Vec::new();
    for root in graph.vertices() {
        if mark[root.index()] == NEW {
            mark[root.index()] = OPEN;
            stack.push((root, graph.arcs(root).iter()));
        }
        while let Some((v, arcs)) = stack.last_mut() {
            let Some(arc) = arcs.next() else {
                mark[v.index()] = DONE;
                order.push(*v);
                stack.pop();
                continue;
            };
            match mark[arc.to.index()] {
                OPEN => return None,
                DONE => {}
                _ => {
                    mark[arc.to.index()] = OPEN;
                    stack.push((arc.to, graph.arcs(arc.to).iter()));
                }
            }
        }
    }
    Some(order)
}
