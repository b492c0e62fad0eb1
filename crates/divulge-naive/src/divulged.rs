//! The divulged plan D: what the observer knows of the plan beforehand.

use divulge::problem::{Knows, Label, Problem};

use crate::{
    Refusal,
    expansion::Robot,
    graph::{Graph, plain, trimmed},
};

/// D as a graph. Its executions are those that the observer thinks possible of the plan.
///
/// # Errors
/// If the observer knows the plan and the problem has none.
pub fn divulged(problem: &Problem) -> Result<Graph<Label>, Refusal> {
    Ok(match &problem.observer.knows {
        Knows::Plan => trimmed(problem.plan.as_ref().ok_or(Refusal::NoPlan)?),
        Knows::Plans(plans) => plans.iter().map(trimmed).fold(Graph::empty(), |all, plan| all.union(&plan)),
        Knows::GoalDirected => Robot::new(problem).goal_directed(),
        Knows::World => plain(&problem.world.graph),
        Knows::Graph(graph) => plain(&graph.graph),
    })
}
