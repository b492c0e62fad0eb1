//! The reachable part of a p-graph.

use crate::{
    problem::{PGraph, Vertex},
    sets::BitSet,
};

/// The vertices that some execution reaches.
pub fn reachable(graph: &PGraph) -> BitSet {
    let mut seen = BitSet::new(graph.len());
    graph.initial().iter().for_each(|v| _ = seen.insert(v.index()));
    // In the order of the numbers, in which most graphs were found; only what comes to be seen too late for that is kept in mind.
    let mut todo: Vec<Vertex> = Vec::new();
    for at in graph.vertices() {
        if !seen.contains(at.index()) {
            continue;
        }
        todo.push(at);
        while let Some(v) = todo.pop() {
            for arc in graph.arcs(v) {
                if seen.insert(arc.to.index()) && arc.to <= at {
                    todo.push(arc.to);
                }
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Kind, Label, PGraphBuilder};

    #[test]
    fn numbers_may_be_in_any_order() {
        // A way through all vertices of a graph whose numbers go up and down along it, and one vertex aside.
        for step in [1usize, 3, 5, 7, 11] {
            let n = 12;
            let mut b = PGraphBuilder::new();
            let place = |i: usize| Vertex((i * step % n) as u32);
            let mut kinds = vec![Kind::Action; n];
            (0..n).for_each(|i| kinds[place(i).index()] = [Kind::Action, Kind::Observation][i % 2]);
            kinds.into_iter().for_each(|kind| _ = b.vertex(kind));
            b.vertex(Kind::Action);
            b.initial(place(2));
            (2..n - 1).for_each(|i| b.arc(place(i), Label(0), place(i + 1)));
            b.arc(Vertex(n as u32), Label(0), place(1));
            let seen = reachable(&b.build().unwrap());
            let expected: Vec<usize> = (2..n).map(|i| place(i).index()).collect();
            assert!((0..=n).all(|v| seen.contains(v) == expected.contains(&v)), "{step}");
        }
    }
}
