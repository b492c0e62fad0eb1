//! How tests choose their random problems.

use divulge::problem::{Knows, Problem};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// How many times as many problems to try as in an ordinary run: what the environment says in `DIVULGE_EFFORT`, or once as many.
pub fn effort() -> usize {
    number("DIVULGE_EFFORT").map_or(1, |n| n as usize)
}

/// A test's own seed, or another for each number that the environment gives in `DIVULGE_SEED`.
pub fn seed(own: u64) -> u64 {
    number("DIVULGE_SEED").unwrap_or(0).wrapping_mul(1000) + own
}

/// Whether the engines take what the observer knows: they refuse plans and graphs that begin unlike the world.
pub fn fits(problem: &Problem) -> bool {
    let first = problem.world.graph.initial_kind();
    match &problem.observer.knows {
        Knows::Plans(plans) => plans.iter().all(|p| p.graph.initial_kind() == first),
        Knows::Graph(graph) => graph.graph.initial_kind() == first,
        _ => true,
    }
}
