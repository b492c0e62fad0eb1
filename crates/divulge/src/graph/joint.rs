//! All joint executions of a plan and a world.

use rustc_hash::FxHashMap;

use crate::{
    limit::{Limit, Monitor, Progress},
    problem::{Label, PGraph, PGraphBuilder, Plan, Vertex, World},
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
}

impl Joint {
    /// All joint executions of `plan` and `world`. Both must start with the same kind of vertex.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn new(plan: &Plan, world: &World, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let mut builder = PGraphBuilder::new();
        let mut joint_pairs: Vec<(Vertex, Vertex)> = Vec::new();
        let mut came: Vec<Option<(Vertex, Label)>> = Vec::new();
        let mut ids: FxHashMap<(Vertex, Vertex), Vertex> = FxHashMap::default();
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
            for arc in plan.graph.arcs(v) {
                for other in world.graph.step(w, arc.label) {
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
        Ok(Self { graph, pairs: joint_pairs, came })
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
