//! Ways to a vertex of the plan.

use divulge::{
    graph::Joint,
    problem::{Label, Problem, Vertex},
};

use crate::situation::patient;

/// A shortest joint execution of plan and world that leads the plan to `to`; nothing if none does.
pub fn route(problem: &Problem, to: Vertex) -> Option<Vec<Label>> {
    let plan = problem.plan.as_ref()?;
    if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
        return None;
    }
    let joint = Joint::new(plan, &problem.world, &patient()).ok()?;
    let at = joint.pairs.iter().position(|&(v, _)| v == to)?;
    Some(joint.execution(Vertex(at as u32)))
}
