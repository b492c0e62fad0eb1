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
    situation::{Situation, brief, who},
    twins::{Comparison, of_violation, remarks},
    words::{count, sentence},
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
    /// The observer that something is wrong about, by number.
    pub observer: Option<usize>,
    /// The stipulation that is broken, by number among that observer's.
    pub stipulation: Option<usize>,
    /// The runs side by side that show why.
    pub twins: Vec<Comparison>,
}

/// Checks the situation's plan, or, without one, whatever the robot may do.
pub fn verdict(situation: &Situation, monitor: &dyn Monitor) -> Verdict {
    let problem = &situation.problem;
    let (effort, patience) = (brief(), brief());
    let (effort, patience) = (Both(&effort, monitor), Both(&patience, monitor));
    let goal_directed = problem.observers().any(|observer| observer.knows == Knows::GoalDirected);
    let most = if goal_directed { EXPLAINED_GOAL_DIRECTED } else { EXPLAINED };
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
    let (execution, twins) = (Vec::new(), Vec::new());
    Verdict { verdict, short, words, execution, observer: None, stipulation: None, twins }
}

fn holds(problem: &Problem, worst: Option<WorstCase>) -> Verdict {
    let n = problem.observers().map(|observer| observer.stipulations.len()).sum();
    let of = match problem.others.len() {
        0 => String::new(),
        1 => " of both observers".to_owned(),
        more => format!(" of all {} observers", more + 1),
    };
    let short = match n {
        0 => "Nothing is stipulated".to_owned(),
        1 => "The stipulation is kept".to_owned(),
        2 if of.is_empty() => "Both stipulations are kept".to_owned(),
        2 => format!("The stipulations{of} are kept"),
        n => format!("All {n} stipulations{of} are kept"),
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
    let twins = told.map(|told| of_violation(problem, situation.map(violation.observer), events, told));
    let (short, words) = sentences(problem, violation);
    let remarks = told.map(|told| remarks(events, told)).unwrap_or_default();
    let words = [&[words], &remarks[..]].concat().join(" ");
    Verdict {
        verdict: "violated",
        short,
        words,
        execution: violation.execution.iter().map(name).collect(),
        observer: violation.is_observers().then_some(violation.observer),
        stipulation: violation.stipulation,
        twins: twins.unwrap_or_default(),
    }
}

fn sentences(problem: &Problem, violation: &Violation) -> (String, String) {
    let after = match violation.execution.len() {
        0 => "at the start".to_owned(),
        n => format!("after {}", count(n, "event")),
    };
    let observer = problem.observers().nth(violation.observer);
    let broken = violation.stipulation.and_then(|i| observer?.stipulations.get(i));
    // Only where there are several need it be said whose stipulation it is.
    let of = match problem.others.is_empty() {
        true => String::new(),
        false => format!(" for {}", who(problem, violation.observer)),
    };
    match (violation.reason, broken) {
        (Reason::Stipulation, Some(broken)) => {
            let plan = if problem.plan.is_some() { "this plan" } else { "what the robot may do" };
            let name = &broken.name;
            let how = match (broken.scope, violation.moment) {
                (Scope::End, _) => format!("“{name}” can fail{of} {after}, where the robot stops"),
                (Scope::Hindsight { .. }, Some(moment)) if moment < violation.execution.len() => {
                    let then = match moment {
                        0 => "the start".to_owned(),
                        n => format!("event {n}"),
                    };
                    format!(
                        "“{name}” can fail{of} {after}, in hindsight: what was seen since gives {then} away"
                    )
                }
                _ => format!("“{name}” can fail{of} {after}"),
            };
            (format!("“{name}” is broken{of}"), format!("With {plan}, {how}. No shorter run breaks it."))
        }
        _ => {
            let said = divulge_render::words::violation(problem, problem.plan.as_ref(), violation);
            let short = match violation.reason {
                Reason::OutsideDivulged => {
                    format!("{} does not expect this plan", sentence(&who(problem, violation.observer)))
                }
                _ => "The plan does not work".to_owned(),
            };
            (short, said)
        }
    }
}
