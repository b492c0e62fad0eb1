//! The goal-directed divulged plan (case III): what an observer expects who knows that *some* plan is pursued.

use crate::{
    expansion::expand::Expansion,
    graph::induction,
    problem::{Kind, PGraph, Vertex},
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
    ranks_on(1, expansion)
}

/// The same, on so many threads, 0 for all there are.
pub(super) fn ranks_on(threads: usize, expansion: &Expansion) -> Vec<u32> {
    induction::ranks_on(threads, &expansion.graph, &expansion.goal, &expansion.stuck, &BitSet::default())
}

/// Case III as a p-graph on the vertices of the expansion: winning vertices with the safe actions that stay winning; an
/// observation vertex keeps its edges only if all of them lead to winning vertices and no member bears none, for a plan that
/// went on there could wait for ever. `None` if the goal cannot be forced at all:
/// then no plan solves the world, and no execution is expected.
pub fn goal_directed(expansion: &Expansion) -> Option<PGraph> {
    by_ranks(expansion, &ranks(expansion))
}

/// The same, if these are the ranks.
pub(crate) fn by_ranks(expansion: &Expansion, ranks: &[u32]) -> Option<PGraph> {
    let graph = &expansion.graph;
    let wins = |v: Vertex| ranks[v.index()] != u32::MAX;
    if !wins(expansion.initial()) {
        return None;
    }
    let goes_on = |v: Vertex| {
        let all = || !expansion.stuck.contains(v.index()) && graph.arcs(v).iter().all(|arc| wins(arc.to));
        wins(v) && (graph.kind(v) == Kind::Action || all())
    };
    Some(graph.keeping(goes_on, |arc| wins(arc.to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expansion::{Actions, expand},
        limit::Unlimited,
        problem::{Alphabet, Builder},
    };

    #[test]
    fn waiting_for_an_observation_that_may_never_come_forces_nothing() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u0", "u1"]).observations(["y0", "y1"]).initial("u0").mark("u1");
        b.edge("u0", ["a"], "y0").edge("u0", ["a"], "y1").edge("y0", ["o"], "u1");
        let expansion = expand(&b.world().expect("a world"), Actions::Safe, 1, &Unlimited).expect("no limit");
        assert_eq!(ranks(&expansion), [u32::MAX, u32::MAX, 0]);
        assert!(goal_directed(&expansion).is_none());
    }
}
