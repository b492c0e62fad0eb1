//! The reachable part of a p-graph.

use crate::{
    problem::{PGraph, Vertex},
    sets::BitSet,
};

/// The vertices that some execution reaches.
pub fn reachable(graph: &PGraph) -> BitSet {
    let mut seen = BitSet::new(graph.len());
    let mut todo: Vec<Vertex> = graph.initial().to_vec();
    for v in &todo {
        seen.insert(v.index());
    }
    while let Some(v) = todo.pop() {
        for arc in graph.arcs(v) {
            if seen.insert(arc.to.index()) {
                todo.push(arc.to);
            }
        }
    }
    seen
}
