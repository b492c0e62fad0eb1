//! Bad news: what is wrong, the execution that shows it, and why.

use divulge::{
    explain::Explanation,
    problem::{Kind, Knows, Label, Plan, Problem, Scope},
    verdict::{Reason, Violation},
};

use super::{
    clause::broken,
    estimate::Describer,
    layout::{count, paragraph},
    observer::{named, observer},
    steps::steps,
    style::Style,
    twins::Teller,
};

/// A violation, explained as far as that was found out. `plan` is the plan that was checked; `None` for an audit.
pub fn violated(
    problem: &Problem,
    plan: Option<&Plan>,
    violation: &Violation,
    explanation: Option<&Explanation>,
    style: Style,
) -> String {
    let mut out = format!("{} ({})\n\n", style.bad("violated"), violation.reason.word());
    out += &paragraph(&sentence(problem, plan, violation), 0, 0, style);
    let (Some(explanation), Some(map)) = (explanation, &problem.observer.map) else {
        if !violation.execution.is_empty() {
            let events = names(problem, &violation.execution);
            out += &paragraph(&format!("The execution that shows it: {events}"), 0, 2, style);
        }
        return out;
    };
    if let Some(breach) = &explanation.breach {
        let stipulation = &problem.observer.stipulations[breach.stipulation];
        out += &paragraph(&named(stipulation), 2, 6, style);
        out += &paragraph(&broken(&breach.clause), 0, 0, style);
        out += &paragraph(&observer(problem), 0, 0, style);
    }
    out += "\n";
    out += &steps(problem, map, &explanation.replay, style);
    if let Some(cycle) = &violation.cycle {
        out += &paragraph(&format!("and from there round and round: {}", names(problem, cycle)), 2, 6, style);
    }
    if let Some(breach) = &explanation.breach {
        let execution = &violation.execution;
        let describer = Describer::new(problem);
        out += &Teller { problem, map, execution, explanation, describer, style }.twins(breach);
    }
    out
}

/// What is wrong, in a sentence.
pub fn sentence(problem: &Problem, plan: Option<&Plan>, violation: &Violation) -> String {
    let after = after(violation.execution.len());
    let event = violation.event.map_or("an event".to_owned(), |l| format!("`{}`", problem.alphabet.name(l)));
    let (at_plan, at_world) = match (violation.at, plan) {
        (Some((v, w)), Some(plan)) => {
            (format!(" (at {})", plan.name(v)), format!(" (at {})", problem.world.name(w)))
        }
        _ => (String::new(), String::new()),
    };
    match violation.reason {
        Reason::UnsafeAction => {
            format!(
                "{after} the plan{at_plan} may take the action {event}, but the world{at_world} may not have it there."
            )
        }
        Reason::UnforeseenObservation => {
            format!(
                "{after} the world{at_world} may answer {event}, but the plan{at_plan} does not foresee that."
            )
        }
        Reason::TerminatesOffGoal => {
            format!("{after} the plan{at_plan} may terminate although the world{at_world} is not at a goal.")
        }
        // Anything that the one may do, the other is asked for first: so it is the one whose turn it is that is at a loss.
        Reason::Stuck => match violation.at.map(|(_, w)| problem.world.graph.kind(w)) {
            Some(Kind::Action) => {
                format!(
                    "{after} the plan{at_plan} may have no action to go on with, and it has not terminated."
                )
            }
            _ => format!(
                "{after} the world{at_world} may stay silent, and the plan{at_plan}, which waits, has not terminated."
            ),
        },
        Reason::Unbounded => {
            "The plan may go on for ever: some events lead back to where they started.".to_owned()
        }
        Reason::OutsideDivulged => outside(problem, violation),
        Reason::Stipulation => {
            let stipulation = violation.stipulation.and_then(|i| problem.observer.stipulations.get(i));
            let own = stipulation.filter(|s| s.name != s.formula.to_string());
            let name = own.map_or(String::new(), |s| format!(" `{}`", s.name));
            match stipulation.map(|s| s.scope) {
                Some(Scope::End) => {
                    format!("{after}, where the plan terminates, the stipulation{name} does not hold.")
                }
                _ => format!("{after} the stipulation{name} does not hold."),
            }
        }
    }
}

fn after(events: usize) -> String {
    match events {
        0 => "At the very start".to_owned(),
        n => format!("After {}", count(n, "event")),
    }
}

fn outside(problem: &Problem, violation: &Violation) -> String {
    let what = match problem.observer.knows {
        Knows::GoalDirected => "no plan that pursues the goal",
        Knows::Plans(_) => "none of the plans that the observer knows of",
        _ => "nothing that the observer expects",
    };
    match violation.execution.split_last() {
        None => format!("The plan does something at all, but {what} does: there is no such plan."),
        Some((&last, before)) => {
            let last = problem.alphabet.name(last);
            format!("{} `{last}` may come, but {what} does that.", after(before.len()))
        }
    }
}

fn names(problem: &Problem, labels: &[Label]) -> String {
    let names: Vec<&str> = labels.iter().map(|&l| problem.alphabet.name(l)).collect();
    names.join(", ")
}
