//! Answers on standard output, as JSON or in words.

use divulge::{
    answer::{FoundPlan, Violation, endings, explain},
    expansion::Expansion,
    problem::{LabelMap, Plan, Problem},
    question::{
        Monitor,
        seek::{SeekOptions, why_not, worst_case},
    },
};
use divulge_render::{
    json,
    words::{self, Over, Style},
};

use crate::{
    limits::Patience,
    output::answer,
    status::{Failure, Status},
};

/// How an answer is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// One JSON object, or words.
    pub json: bool,
    /// How words are set.
    pub style: Style,
}

fn words(text: &str) -> Result<(), Failure> {
    answer(|out| out.write_all(text.as_bytes()))
}

/// The answer to CHECK (`plan` is the plan that was checked) or AUDIT.
pub fn verdict(
    form: Form,
    problem: &Problem,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: Option<&Violation>,
) -> Result<Status, Failure> {
    if form.json {
        answer(|out| json::verdict(out, problem, map, violation))?;
    } else {
        words(&match (violation, plan) {
            (Some(violation), _) => {
                let explanation = explain(problem, map, plan, violation)?;
                words::violated(problem, map, plan, violation, &explanation, form.style)
            }
            (None, Some(plan)) => words::check_holds(problem, plan, worst_case(problem, plan), form.style),
            (None, None) => words::audit_holds(problem, form.style),
        })?;
    }
    Ok(if violation.is_none() { Status::Yes } else { Status::No })
}

/// The answer to SEEK a plan.
pub fn plan(
    form: Form,
    problem: &Problem,
    map: &LabelMap,
    found: Option<&FoundPlan>,
    options: &SeekOptions,
    monitor: &dyn Monitor,
) -> Result<Status, Failure> {
    let Some(found) = found else {
        if form.json {
            answer(|out| json::none(out))?;
        } else {
            words(&match why_not(problem, options, &Patience::new(monitor)) {
                Ok(reason) => words::no_plan(problem, &reason, form.style),
                Err(_) => "none\n\nNo plan solves the world and keeps every stipulation.\n".to_owned(),
            })?;
        }
        return Ok(Status::No);
    };
    if form.json {
        answer(|out| json::found(out, problem, &found.plan, map, found.worst_case))?;
    } else {
        // What the observer can tell at the end is worth saying, but not worth missing the answer for.
        let endings = endings(problem, &found.plan, map, &Patience::new(monitor)).ok().flatten();
        words(&words::plan(problem, &found.plan, Some(found.worst_case), endings.as_deref(), form.style))?;
    }
    Ok(Status::Yes)
}

/// The answer to INFO; with clauses if they are wanted.
pub fn info(
    style: Style,
    problem: &Problem,
    expansion: &Expansion,
    clauses: Option<Over>,
) -> Result<Status, Failure> {
    let mut text = words::info(problem, expansion, style);
    if let Some(over) = clauses {
        text.push('\n');
        text += &words::clauses(problem, over, style)?;
    }
    words(&text)?;
    Ok(Status::Yes)
}
