//! CHECK: does this plan with this map solve the world and keep the stipulations?

mod solves;

pub use solves::solves;

use crate::{
    formula::Stipulations,
    graph::{Joint, separating_execution_within},
    limit::Monitor,
    observer::{Admits, Divulged, Tracker, check_filter, walk::walk},
    problem::{LabelMap, Plan, Problem, Scope, Vertex},
    verdict::{QuestionError, Reason, Violation},
};
/// Checks the problem's own plan with the problem's own map.
///
/// `None` means that everything holds. Else the first violation in the order of [`Reason`] (solving first, then what the
/// divulged plan admits, then the stipulations), with a shortest execution that shows it.
///
/// # Errors
/// If there is no plan or no map, if the input is bad, or if the monitor stops the check.
pub fn check(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Violation>, QuestionError> {
    let plan = problem.plan.as_ref().ok_or(QuestionError::NeedsPlan("`check` checks one"))?;
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    check_with(problem, plan, map, monitor)
}

/// Checks any plan with any map.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<Option<Violation>, QuestionError> {
    let world = &problem.world;
    if plan.graph.initial_kind() != world.graph.initial_kind() {
        return Err(QuestionError::OtherKind("the plan"));
    }
    let stipulations = Stipulations::compile(world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::within(problem, Some(plan), None, monitor)?;
    let joint = Joint::new(plan, world);
    // Bad input is bad whatever the plan does, so the filter is looked at first.
    let tracker = match &divulged.tracked {
        Some(tracked) => Some(Tracker::within(problem, map, tracked, &stipulations, monitor)?),
        None => check_filter(problem, map).map(|()| None)?,
    };
    if let Some(violation) = solves(&joint, plan, world) {
        return Ok(Some(violation));
    }
    let outside = match &divulged.admits {
        Admits::Everything => None,
        Admits::Graph(graph) => separating_execution_within(&joint.graph, graph, monitor)?,
        Admits::Nothing => Some(Vec::new()),
    };
    match (outside, tracker) {
        (Some(execution), _) => Ok(Some(Violation::new(Reason::OutsideDivulged, execution))),
        (None, Some(tracker)) => stipulated(&joint, plan, map, tracker, monitor),
        (None, None) => Ok(None),
    }
}

/// Follows plan, world and observer together and looks at every estimate on the way.
fn stipulated(
    joint: &Joint,
    plan: &Plan,
    map: &LabelMap,
    mut tracker: Tracker<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<Violation>, QuestionError> {
    let scopes = |pair: Vertex| -> &'static [Scope] {
        let terminal = plan.is_terminal(joint.pairs[pair.index()].0);
        if terminal { &[Scope::Always, Scope::End] } else { &[Scope::Always] }
    };
    let broken = walk(&joint.graph, &mut tracker, map, scopes, monitor)?;
    Ok(broken.map(|broken| {
        let at = Some(joint.pairs[broken.at.index()]);
        Violation { at, ..broken.violation(&tracker) }
    }))
}
