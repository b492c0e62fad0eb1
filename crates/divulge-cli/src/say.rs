//! Answers for people.

use std::io::{self, Write};

use divulge::{
    answer::{FoundPlan, Reason, Violation},
    problem::{Label, LabelMap, Plan, Problem},
};
use divulge_render::json;

use crate::{
    output::answer,
    status::{Failure, Status},
};

/// Prints the answer to CHECK (`plan` is the plan that was checked) or AUDIT.
pub fn verdict(
    as_json: bool,
    problem: &Problem,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: Option<&Violation>,
) -> Result<Status, Failure> {
    answer(|out| match (as_json, violation) {
        (true, _) => json::verdict(out, problem, map, violation),
        (false, None) if plan.is_some() => {
            writeln!(out, "holds: the plan solves the world and keeps every stipulation")
        }
        (false, None) => writeln!(out, "holds: whatever the robot does, every stipulation is kept"),
        (false, Some(violation)) => violated(out, problem, map, violation),
    })?;
    Ok(if violation.is_none() { Status::Yes } else { Status::No })
}

fn violated(out: &mut dyn Write, problem: &Problem, map: &LabelMap, v: &Violation) -> io::Result<()> {
    let event = v.event.map_or(String::new(), |l| format!(" `{}`", problem.alphabet.name(l)));
    let what = match v.reason {
        Reason::UnsafeAction => {
            format!("the plan may take the action{event}, which the world does not have there")
        }
        Reason::UnforeseenObservation => format!("the plan does not foresee the observation{event}"),
        Reason::TerminatesOffGoal => "the plan may terminate where there is no goal".to_owned(),
        Reason::Stuck => "the plan may get stuck".to_owned(),
        Reason::Unbounded => "executions can go on for ever".to_owned(),
        Reason::OutsideDivulged => "the observer does not expect this execution".to_owned(),
        Reason::Stipulation => {
            let s = v.stipulation.map(|i| &problem.observer.stipulations[i]);
            s.map_or(String::new(), |s| format!("the stipulation `{}` is broken: {}", s.name, s.formula))
        }
    };
    writeln!(out, "violated: {what}")?;
    let row = |out: &mut dyn Write, title: &str, labels: &[Label]| {
        writeln!(out, "  {title:<10} {}", joined(labels.iter().map(|&l| problem.alphabet.name(l))))
    };
    row(out, "execution:", &v.execution)?;
    if let Some(cycle) = &v.cycle {
        row(out, "repeats:", cycle)?;
    }
    writeln!(out, "  {:<10} {}", "looks like:", joined(v.execution.iter().map(|&l| map.name(map.image(l)))))?;
    if let Some(estimate) = &v.estimate {
        writeln!(out, "  {:<10} {}", "estimate:", joined(estimate.iter().map(|&w| problem.world.name(w))))?;
    }
    Ok(())
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = names.collect();
    if all.is_empty() { "(nothing)".to_owned() } else { all.join(" · ") }
}

/// Prints a plan that was found.
pub fn plan(out: &mut dyn Write, problem: &Problem, found: &FoundPlan) -> io::Result<()> {
    let plan = &found.plan;
    writeln!(out, "found: a plan of {} vertices", plan.graph.len())?;
    writeln!(out, "worst case: {} events, cost {}", found.worst_case.events, found.worst_case.cost)?;
    for v in plan.graph.vertices() {
        let stop = if plan.is_terminal(v) { "  (stops)" } else { "" };
        writeln!(out, "  {}{stop}", plan.name(v))?;
        for arc in plan.graph.arcs(v) {
            writeln!(out, "    {} -> {}", problem.alphabet.name(arc.label), plan.name(arc.to))?;
        }
    }
    Ok(())
}
