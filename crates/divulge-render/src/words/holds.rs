//! Good news: what was checked, and that it holds.

use divulge::{
    problem::{Plan, Problem, Scope},
    verdict::WorstCase,
};

use super::{
    layout::{count, paragraph},
    observer::{observer, scoped},
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
    let stipulations = &problem.observer.stipulations;
    said += match stipulations.len() {
        0 => ". Nothing is stipulated.",
        1 => ". The stipulation holds of everything that the observer may come to believe.",
        _ => ". All stipulations hold of everything that the observer may come to believe.",
    };
    verdict(problem, &said, &[Scope::Always, Scope::End], style)
}

/// A world in which every stipulation of scope `always` holds whatever the robot does.
pub fn audit_holds(problem: &Problem, style: Style) -> String {
    let stipulations = &problem.observer.stipulations;
    let ending = stipulations.iter().filter(|s| s.scope == Scope::End).count();
    let mut said = "Whatever the robot does that the observer expects".to_owned();
    said += match stipulations.len() - ending {
        0 => ", there is nothing that must always hold.",
        1 => ", the stipulation holds.",
        _ => ", the stipulations hold.",
    };
    if ending > 0 {
        said += &format!(" An audit has no end: {} of scope `end` left aside.", count(ending, "stipulation"));
    }
    verdict(problem, &said, &[Scope::Always], style)
}

fn verdict(problem: &Problem, said: &str, scopes: &[Scope], style: Style) -> String {
    let mut out = style.good("holds") + "\n\n";
    out += &paragraph(said, 0, 0, style);
    out += &paragraph(&observer(problem), 0, 0, style);
    for stipulation in problem.observer.stipulations.iter().filter(|s| scopes.contains(&s.scope)) {
        out += &paragraph(&scoped(stipulation), 2, 6, style);
    }
    out
}
