//! The goal-directed divulged plan (case III): what an observer expects who knows that *some* plan is pursued.

use crate::{
    expansion::expand::Expansion,
    problem::{Kind, PGraph, PGraphBuilder, Vertex},
    sets::BitSet,
};

/// The vertices of a safe expansion from which the goal can be forced.
pub fn winning(expansion: &Expansion) -> BitSet {
    let ranks = ranks(expansion);
    BitSet::from_fn(ranks.len(), |v| ranks[v] != u32::MAX)
}

/// For each vertex of a safe expansion, the least worst-case number of events to the goal, whatever the observer learns;
/// `u32::MAX` where the goal cannot be forced.
pub fn ranks(expansion: &Expansion) -> Vec<u32> {
    ranks_in(&expansion.graph, &expansion.goal, &expansion.stuck, &BitSet::default())
}

/// As [`ranks`], with a goal of the caller's, and never passing through `banned` vertices.
pub fn ranks_within(expansion: &Expansion, goal: &BitSet, banned: &BitSet) -> Vec<u32> {
    ranks_in(&expansion.graph, goal, &expansion.stuck, banned)
}

/// The same in any state-determined graph: from which of its vertices `goal` can be forced, and how soon, if waiting at a
/// vertex in `lost` is no use.
pub(crate) fn ranks_in(graph: &PGraph, goal: &BitSet, lost: &BitSet, banned: &BitSet) -> Vec<u32> {
    let (before, starts) = predecessors(graph);
    let mut open: Vec<u32> = graph.vertices().map(|v| graph.arcs(v).len() as u32).collect();
    let mut rank = vec![u32::MAX; graph.len()];
    let mut wave: Vec<u32> = goal.iter().filter(|&v| !banned.contains(v)).map(|v| v as u32).collect();
    let mut next = Vec::new();
    let mut depth = 0;
    for &v in &wave {
        rank[v as usize] = 0;
    }
    while !wave.is_empty() {
        depth += 1;
        for v in wave.drain(..) {
            for &u in &before[starts[v as usize] as usize..starts[v as usize + 1] as usize] {
                if rank[u as usize] != u32::MAX || banned.contains(u as usize) {
                    continue;
                }
                open[u as usize] -= 1;
                // An action vertex needs one successor that wins, an observation vertex all; the last to win decides.
                let all = open[u as usize] == 0 && !lost.contains(u as usize);
                if graph.kind(Vertex(u)) == Kind::Action || all {
                    rank[u as usize] = depth;
                    next.push(u);
                }
            }
        }
        std::mem::swap(&mut wave, &mut next);
    }
    rank
}

/// The sources of the arcs into each vertex, one for each arc, and where those of a vertex begin.
fn predecessors(graph: &PGraph) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; graph.len() + 2];
    for (_, arc) in graph.all_arcs() {
        starts[arc.to.index() + 2] += 1;
    }
    for v in 1..starts.len() {
        starts[v] += starts[v - 1];
    }
    let mut before = vec![0; graph.arc_count()];
    for (v, arc) in graph.all_arcs() {
        let at = &mut starts[arc.to.index() + 1];
        before[*at as usize] = v.0;
        *at += 1;
    }
    (before, starts)
}

/// Case III as a p-graph on the vertices of the expansion: winning vertices with the safe actions that stay winning; an
/// observation vertex keeps its edges only if all of them lead to winning vertices and no member bears none, for a plan that
/// went on there could wait for ever. `None` if the goal cannot be forced at all:
/// then no plan solves the world, and no execution is expected.
pub fn goal_directed(expansion: &Expansion) -> Option<PGraph> {
    let graph = &expansion.graph;
    let wins = winning(expansion);
    if !wins.contains(expansion.initial().index()) {
        return None;
    }
    let mut builder = PGraphBuilder::new();
    for v in graph.vertices() {
        builder.vertex(graph.kind(v));
    }
    builder.initial(expansion.initial());
    for v in graph.vertices().filter(|v| wins.contains(v.index())) {
        let stays = |to: Vertex| wins.contains(to.index());
        let all = || !expansion.stuck.contains(v.index()) && graph.arcs(v).iter().all(|arc| stays(arc.to));
        if graph.kind(v) == Kind::Observation && !all() {
            continue;
        }
        for arc in graph.arcs(v).iter().filter(|arc| stays(arc.to)) {
            builder.arc(v, arc.label, arc.to);
        }
    }
    Some(builder.build().expect("a part of a p-graph with its initial vertex is a p-graph"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expansion::{Actions, expand},
        problem::{Alphabet, Builder},
    };

    #[test]
    fn waiting_for_an_observation_that_may_never_come_forces_nothing() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u0", "u1"]).observations(["y0", "y1"]).initial("u0").mark("u1");
        b.edge("u0", ["a"], "y0").edge("u0", ["a"], "y1").edge("y0", ["o"], "u1");
        let expansion = expand(&b.world().expect("a world"), Actions::Safe);
        assert_eq!(ranks(&expansion), [u32::MAX, u32::MAX, 0]);
        assert!(goal_directed(&expansion).is_none());
    }
}
