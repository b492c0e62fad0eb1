//! Any answer in words.

use divulge::{
    ask::{Answer, Question, Verdict, What, Why},
    limit::Limit,
    problem::{Label, Problem},
    verdict::NoPlan,
};

use super::{
    choices::choices,
    holds::{audit_holds, check_holds},
    layout::paragraph,
    maps::{found_map, frontier, so_far},
    no_map::{NO_MAP, no_map},
    no_plan::{NO_PLAN, NO_PLAN_FROM_THERE, no_plan},
    plan::plan,
    style::Style,
    violated::violated,
};

/// An answer to a question about `problem`. Where a limit was hit before anything was found, there is nothing to say.
pub fn answer(problem: &Problem, answer: &Answer, style: Style) -> String {
    let what = answer.question.what;
    let checked = problem.plan.as_ref().filter(|_| what == What::Check);
    let given = match what {
        What::Map => true,
        What::Maps => problem.plan.is_some() && !answer.question.any_plan,
        _ => false,
    };
    match &answer.verdict {
        Verdict::Holds { worst_case } => match checked {
            Some(plan) => check_holds(problem, plan, *worst_case, style),
            None => audit_holds(problem, style),
        },
        Verdict::Violated { violation, explanation } => {
            violated(problem, checked, violation, explanation.as_deref(), style)
        }
        Verdict::Found { found, account, .. } => match what {
            What::Plan => {
                after(problem, &answer.question.after, style)
                    + &plan(problem, &found.plan, Some(found.worst_case), account.as_deref(), style)
                    + &choices(problem, &found.plan, found.choices, style)
            }
            _ => found_map(problem, found, given, account.as_deref(), style),
        },
        Verdict::Frontier { frontier: found, .. } => frontier(problem, found, given, style),
        Verdict::None { why, otherwise, .. } => {
            let said = match why.as_deref() {
                // It says so itself.
                Some(Why::Plan(why @ NoPlan::OnlyByChance(_))) => return no_plan(problem, why, style),
                Some(Why::Plan(why)) => no_plan(problem, why, style),
                Some(Why::Map(why)) => no_map(problem, why, given, style),
                None => match what {
                    What::Plan if !answer.question.after.is_empty() => NO_PLAN_FROM_THERE.to_owned(),
                    What::Plan => NO_PLAN.to_owned(),
                    _ => NO_MAP.to_owned(),
                },
            };
            said + &without_deterministic(*otherwise, style)
        }
        Verdict::Unknown { best: Some(best), .. } => so_far(problem, best, given, style),
        Verdict::Unknown { best: None, .. } => String::new(),
    }
}

/// That another plan would do, where one was sought that never chooses.
fn without_deterministic(otherwise: Option<bool>, style: Style) -> String {
    match otherwise {
        Some(true) => {
            paragraph("Without `--deterministic` there is a plan; it says where it chooses.", 0, 0, style)
        }
        Some(false) | None => String::new(),
    }
}

/// After what a plan goes on, if not from the start.
fn after(problem: &Problem, events: &[Label], style: Style) -> String {
    match events {
        [] => String::new(),
        [one] => paragraph(&format!("After `{}`:", problem.alphabet.name(*one)), 0, 2, style),
        [.., last] => {
            let said = format!(
                "After {} events, the last of them `{}`:",
                events.len(),
                problem.alphabet.name(*last)
            );
            paragraph(&said, 0, 2, style)
        }
    }
}

/// What to try where a limit was hit; nothing if somebody stopped it.
pub fn advice(problem: &Problem, question: &Question, limit: Limit, style: Style) -> String {
    let more = match limit {
        Limit::Time => "a longer time limit",
        Limit::Memory => "a larger memory limit",
        Limit::Interrupt => return String::new(),
    };
    let over_maps = matches!(question.what, What::Map | What::Both | What::Maps);
    let mut tries = vec![more];
    if over_maps && problem.observer.constraints.is_empty() {
        tries.push("constraints on the map (labels that must look alike, or must not)");
    }
    if over_maps {
        tries.push("fewer labels");
    }
    if question.what == What::Maps {
        tries.push("a single map (`seek map` or `seek both`)");
    }
    if question.prefer != divulge::maps::Prefer::First {
        tries.push("any map instead of the best (no `prefer`)");
    }
    if question.shortest && question.what == What::Both {
        tries.push("any plan instead of the shortest (no `shortest`)");
    }
    if question.minimize == divulge::seek::Minimize::Cost {
        tries.push("the fewest events instead of the least cost");
    }
    tries.push("a smaller instance of the same problem");
    paragraph(&format!("Try {}.", super::layout::list(&tries, "or")), 0, 2, style)
}
