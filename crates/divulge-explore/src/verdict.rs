//! Whether the plan keeps its stipulations, whatever happens; else where it does not.

use divulge::{
    Monitor,
    ask::{Verdict as Answered, ask},
    explain::Explanation,
    limit::Both,
    problem::{Knows, Problem, Scope},
    verdict::{Reason, Violation, WorstCase},
};
use serde::Serialize;

use crate::{
    situation::{Situation, brief},
    twins::{Comparison, of_violation, remarks},
    words::count,
};

/// Explaining works straight from the definitions, which takes too long in a page beyond this many vertices.
const EXPLAINED: usize = 20_000;
const EXPLAINED_GOAL_DIRECTED: usize = 3_000;

/// What was found out about all that may happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// In a few words.
    pub short: String,
    /// In a sentence or two.
    pub words: String,
    /// The events after which something is wrong.
    pub execution: Vec<String>,
    /// The stipulation that is broken, by number.
    pub stipulation: Option<usize>,
    /// The runs side by side that show why.
    pub twins: Vec<Comparison>,
}

/// Checks the situation's plan, or, without one, whatever the robot may do.
pub fn verdict(situation: &Situation, monitor: &dyn Monitor) -> Verdict {
    let problem = &situation.problem;
    let (effort, patience) = (brief(), brief());
    let (effort, patience) = (Both(&effort, monitor), Both(&patience, monitor));
    let most =
        if problem.observer.knows == Knows::GoalDirected { EXPLAINED_GOAL_DIRECTED } else { EXPLAINED };
    let mut asking = match &problem.plan {
        Some(_) => ask(problem).check(),
        None => ask(problem).audit(),
    };
    if problem.world.graph.len() <= most {
        asking = asking.explained(&patience);
    }
    match asking.within(&effort).map(|answer| answer.verdict) {
        Ok(Answered::Holds { worst_case }) => holds(problem, worst_case),
        Ok(Answered::Violated { violation, explanation }) => {
            violated(situation, &violation, explanation.as_deref())
        }
        Ok(_) => simple(
            "unknown",
            "Not decided here",
            "Checking everything that may happen takes too long here; try `divulge check`.",
        ),
        Err(e) => simple("unknown", "This cannot be checked", &format!("{e}.")),
    }
}

fn simple(verdict: &'static str, short: &str, words: &str) -> Verdict {
    let (short, words) = (short.to_owned(), words.to_owned());
    Verdict { verdict, short, words, execution: Vec::new(), stipulation: None, twins: Vec::new() }
}

fn holds(problem: &Problem, worst: Option<WorstCase>) -> Verdict {
    let n = problem.observer.stipulations.len();
    let short = match n {
        0 => "Nothing is stipulated".to_owned(),
        1 => "The stipulation is kept".to_owned(),
        2 => "Both stipulations are kept".to_owned(),
        n => format!("All {n} stipulations are kept"),
    };
    let words = match &problem.plan {
        Some(_) => {
            let steps = worst.map_or(String::new(), |worst| {
                format!(" after at most {}", count(worst.events as usize, "event"))
            });
            format!(
                "Whatever happens, the robot reaches its goal{steps}, and no step on the way breaks a stipulation."
            )
        }
        None => "Whatever the robot does, no step breaks a stipulation.".to_owned(),
    };
    simple("holds", &short, &words)
}

fn violated(situation: &Situation, violation: &Violation, told: Option<&Explanation>) -> Verdict {
    let problem = &situation.problem;
    let name = |l: &divulge::problem::Label| problem.alphabet.name(*l).to_owned();
    let told = told.filter(|_| violation.reason == Reason::Stipulation);
    let events = &violation.execution;
    let twins = told.map(|told| of_violation(problem, situation.map(), events, told));
    let (short, words) = sentences(problem, violation);
    let remarks = told.map(|told| remarks(events, told)).unwrap_or_default();
    let words = [&[words], &remarks[..]].concat().join(" ");
    Verdict {
        verdict: "violated",
        short,
        words,
        execution: violation.execution.iter().map(name).collect(),
        stipulation: violation.stipulation,
        twins: twins.unwrap_or_default(),
    }
}

fn sentences(problem: &Problem, violation: &Violation) -> (String, String) {
    let after = match violation.execution.len() {
        0 => "at the start".to_owned(),
        n => format!("after {}", count(n, "event")),
    };
    let broken = violation.stipulation.and_then(|i| problem.observer.stipulations.get(i));
    match (violation.reason, broken) {
        (Reason::Stipulation, Some(broken)) => {
            let end = if broken.scope == Scope::End { ", where the robot stops" } else { "" };
            let plan = if problem.plan.is_some() { "this plan" } else { "what the robot may do" };
            (
                format!("“{}” is broken", broken.name),
                format!("With {plan}, “{}” can fail {after}{end}. No shorter run breaks it.", broken.name),
            )
        }
        _ => {
            let said = divulge_render::words::violation(problem, problem.plan.as_ref(), violation);
            let short = match violation.reason {
                Reason::OutsideDivulged => "The observer does not expect this plan",
                _ => "The plan does not work",
            };
            (short.to_owned(), said)
        }
    }
}
