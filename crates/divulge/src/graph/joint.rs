//! All joint executions of a plan and a world.

use std::cell::OnceCell;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{
    limit::{Limit, Monitor, Progress},
    problem::{Arc, Label, PGraph, PGraphBuilder, Plan, Vertex, World},
};

/// How many pairs are visited between two looks at the monitor.
const POLL: usize = 4096;

/// The reachable pairs (vertex of the plan, vertex of the world), up to where the plan terminates.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The pairs as a p-graph whose executions are the joint executions.
    pub graph: PGraph,
    /// The pair that each vertex is, in breadth-first order: shorter executions first.
    pub pairs: Vec<(Vertex, Vertex)>,
    /// How each pair was first reached.
    came: Vec<Option<(Vertex, Label)>>,
    backwards: OnceCell<Option<Vec<Vertex>>>,
}

impl Joint {
    /// All joint executions of `plan` and `world`. Both must start with the same kind of vertex.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn new(plan: &Plan, world: &World, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let mut builder = PGraphBuilder::new();
        // Most plans have no vertex that the world never leads to.
        let expected = plan.graph.len();
        let mut joint_pairs: Vec<(Vertex, Vertex)> = Vec::with_capacity(expected);
        let mut came: Vec<Option<(Vertex, Label)>> = Vec::with_capacity(expected);
        let mut ids: FxHashMap<(Vertex, Vertex), Vertex> =
            FxHashMap::with_capacity_and_hasher(expected, FxBuildHasher);
        for &v in plan.graph.initial() {
            for &w in world.graph.initial() {
                let id = builder.vertex(world.graph.kind(w));
                ids.insert((v, w), id);
                joint_pairs.push((v, w));
                came.push(None);
                builder.initial(id);
            }
        }
        let mut at = 0;
        while let Some(&(v, w)) = joint_pairs.get(at) {
            let from = Vertex(at as u32);
            if at % POLL == 0 {
                let (doing, explored) = ("following the plan", at as u64);
                monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
            }
            at += 1;
            if plan.is_terminal(v) {
                continue;
            }
            let mut rest = world.graph.arcs(w);
            for arc in plan.graph.arcs(v) {
                rest = from_label(rest, arc.label);
                for other in rest.iter().take_while(|other| other.label == arc.label) {
                    let to = *ids.entry((arc.to, other.to)).or_insert_with(|| {
                        joint_pairs.push((arc.to, other.to));
                        came.push(Some((from, arc.label)));
                        builder.vertex(world.graph.kind(other.to))
                    });
                    builder.arc(from, arc.label, to);
                }
            }
        }
        let graph = builder.build().expect("pairs of vertices of the same kind form a p-graph");
        Ok(Self { graph, pairs: joint_pairs, came, backwards: OnceCell::new() })
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
fn from_label(arcs: &[Arc], label: Label) -> &[Arc] {
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
