//! Good news: what was checked, and that it holds.

use divulge::{
    problem::{Plan, Problem, Scope},
    verdict::WorstCase,
};

use super::{
    layout::{count, paragraph},
    observer::{one, scoped},
    style::Style,
};

/// A plan that solves its world and keeps every stipulation; `worst` is its worst case, where it was computed.
pub fn check_holds(problem: &Problem, plan: &Plan, worst: Option<WorstCase>, style: Style) -> String {
    let mut said = format!("The plan ({}) solves the world", count(plan.graph.len(), "vertex"));
    if let Some(WorstCase { events, cost }) = worst {
        said += &format!(
            ": it always terminates at a goal, after at most {} (cost at most {cost})",
            count(usize::try_from(events).unwrap_or(usize::MAX), "event")
        );
    }
    let count = problem.observers().map(|observer| observer.stipulations.len()).sum();
    let whoever = if problem.others.is_empty() { "the observer" } else { "each observer" };
    said += &match count {
        0 => ". Nothing is stipulated.".to_owned(),
        1 => format!(". The stipulation holds of everything that {whoever} may come to believe."),
        _ => format!(". All stipulations hold of everything that {whoever} may come to believe."),
    };
    verdict(problem, &said, |_| true, style)
}

/// A world in which every stipulation of scope `always` holds whatever the robot does.
pub fn audit_holds(problem: &Problem, style: Style) -> String {
    let stipulations: Vec<_> = problem.observers().flat_map(|observer| &observer.stipulations).collect();
    let ending = stipulations.iter().filter(|s| s.scope == Scope::End).count();
    let runs = stipulations.iter().any(|s| s.scope == Scope::Run);
    let whoever = if problem.others.is_empty() { "the observer expects" } else { "each observer expects" };
    let mut said = format!("Whatever the robot does that {whoever}");
    said += match stipulations.len() - ending {
        0 => ", there is nothing that must always hold.",
        1 => ", the stipulation holds.",
        _ => ", the stipulations hold.",
    };
    if ending > 0 {
        said += &format!(" An audit has no end: {} of scope `end` left aside.", count(ending, "stipulation"));
    }
    if runs {
        said += " What is said of a run holds as long as something could still make it true.";
    }
    verdict(problem, &said, |scope| scope != Scope::End, style)
}

fn verdict(problem: &Problem, said: &str, asked: impl Fn(Scope) -> bool, style: Style) -> String {
    let mut out = style.good("holds") + "\n\n";
    out += &paragraph(said, 0, 0, style);
    for observer in problem.observers() {
        out += &paragraph(&one(observer), 0, 0, style);
        for stipulation in observer.stipulations.iter().filter(|s| asked(s.scope)) {
            out += &paragraph(&scoped(stipulation), 2, 6, style);
        }
    }
    out
}
