//! Tensor product and union.

use rustc_hash::FxHashMap;

use crate::{
    limit::{Limit, Monitor, Progress},
    problem::{GraphError, PGraph, PGraphBuilder, Vertex},
};

/// How many pairs are visited between two looks at the monitor.
const POLL: usize = 4096;

/// The reachable part of the tensor product of two p-graphs, whose executions are their joint executions.
#[derive(Clone, Debug)]
pub struct Product {
    /// The product as a p-graph.
    pub graph: PGraph,
    /// Which pair each of its vertices is.
    pub pairs: Vec<(Vertex, Vertex)>,
}

/// The tensor product of `a` and `b`, from all pairs of initial vertices.
///
/// # Errors
/// The limit that was hit.
///
/// # Panics
/// If the initial vertices of the two are of different kinds.
pub fn product(a: &PGraph, b: &PGraph, monitor: &dyn Monitor) -> Result<Product, Limit> {
    let mut builder = PGraphBuilder::new();
    let mut pairs = Vec::new();
    let mut ids: FxHashMap<(Vertex, Vertex), Vertex> = FxHashMap::default();
    let mut visit = |pair: (Vertex, Vertex), builder: &mut PGraphBuilder, pairs: &mut Vec<_>| {
        *ids.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            builder.vertex(a.kind(pair.0))
        })
    };
    for &v in a.initial() {
        for &w in b.initial() {
            let id = visit((v, w), &mut builder, &mut pairs);
            builder.initial(id);
        }
    }
    let mut next = 0;
    while let Some(&(v, w)) = pairs.get(next) {
        let from = Vertex(next as u32);
        if next % POLL == 0 {
            let (doing, explored) = ("joining the world and what is known of the plan", next as u64);
            monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
        }
        for arc in a.arcs(v) {
            for other in b.step(w, arc.label) {
                let to = visit((arc.to, other.to), &mut builder, &mut pairs);
                builder.arc(from, arc.label, to);
            }
        }
        next += 1;
    }
    let graph = builder.build().expect("pairs of vertices of the same kind form a p-graph");
    Ok(Product { graph, pairs })
}

/// The disjoint union of p-graphs: its language is the union of theirs.
///
/// # Errors
/// If there is none, or if initial kinds differ.
pub fn union<'a>(graphs: impl IntoIterator<Item = &'a PGraph>) -> Result<PGraph, GraphError> {
    let mut builder = PGraphBuilder::new();
    for graph in graphs {
        let base = builder.len() as u32;
        for v in graph.vertices() {
            builder.vertex(graph.kind(v));
        }
        for v in graph.initial() {
            builder.initial(Vertex(base + v.0));
        }
        for (v, arc) in graph.all_arcs() {
            builder.arc(Vertex(base + v.0), arc.label, Vertex(base + arc.to.0));
        }
    }
    builder.build()
}
