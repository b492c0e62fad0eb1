//! Checks the witness of a violation by replaying it.

use crate::{
    explain::replay::{Replay, replay},
    graph::follow,
    problem::{Kind, Label, LabelMap, Plan, Vertex, World},
    setting::Setting,
    verdict::{QuestionError, Reason, Violation},
};

/// Whether replaying the violation's execution shows what the violation says. `plan` is the plan that was checked; `None`
/// for an audit. That the execution is a shortest one is not looked at.
///
/// # Errors
/// As [`replay`].
pub fn confirms(
    setting: &Setting<'_>,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: &Violation,
) -> Result<bool, QuestionError> {
    let replayed = replay(setting, map, plan, &violation.execution)?;
    let last = replayed.last();
    if last.world.is_empty() || (plan.is_some() && last.plan.is_empty()) {
        return Ok(false);
    }
    Ok(match (violation.reason, plan) {
        (Reason::OutsideDivulged, _) => !replayed.admitted,
        (Reason::Stipulation, _) => replayed.admitted && breaks(&replayed, violation),
        (_, None) => false,
        (Reason::Unbounded, Some(plan)) => repeats(setting.world(), plan, violation),
        (reason, Some(plan)) => {
            let here = |&(v, w): &(Vertex, Vertex)| last.plan.contains(&v) && last.world.contains(&w);
            violation
                .at
                .as_ref()
                .filter(|at| here(at))
                .is_some_and(|at| wrong_at(setting.world(), plan, reason, violation.event, *at))
        }
    })
}

fn breaks(replayed: &Replay, violation: &Violation) -> bool {
    let last = replayed.last();
    let broken = |&i: &usize| last.stipulations.get(i).is_some_and(|s| s.is_broken(last.terminates));
    violation.stipulation.as_ref().is_some_and(broken) && violation.estimate == last.estimate
}

/// Whether going round the cycle leads from the pair back to it.
fn repeats(world: &World, plan: &Plan, violation: &Violation) -> bool {
    let (Some((v, w)), Some(cycle)) = (violation.at, &violation.cycle) else { return false };
    let (mut at_plan, mut at_world) = (vec![v], vec![w]);
    for &label in cycle {
        at_plan.retain(|&v| !plan.is_terminal(v));
        (at_plan, at_world) = (follow(&plan.graph, &at_plan, label), follow(&world.graph, &at_world, label));
    }
    !cycle.is_empty() && at_plan.contains(&v) && at_world.contains(&w)
}

fn wrong_at(world: &World, plan: &Plan, reason: Reason, event: Option<Label>, at: (Vertex, Vertex)) -> bool {
    let (v, w) = at;
    let kind = world.graph.kind(w);
    let bears = |label: Label| (plan.graph.bears(v, label), world.graph.bears(w, label));
    match reason {
        Reason::TerminatesOffGoal => plan.is_terminal(v) && !world.is_goal(w),
        _ if plan.is_terminal(v) => false,
        Reason::UnsafeAction => {
            kind == Kind::Action && event.is_some_and(|label| bears(label) == (true, false))
        }
        Reason::UnforeseenObservation => {
            kind == Kind::Observation && event.is_some_and(|label| bears(label) == (false, true))
        }
        Reason::Stuck => plan.graph.labels(v).all(|label| !world.graph.bears(w, label)),
        Reason::Unbounded | Reason::OutsideDivulged | Reason::Stipulation => false,
    }
}
