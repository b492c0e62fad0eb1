//! Answers on standard output, as JSON or in words.

use divulge::{
    expansion::Expansion,
    explain::{self, explain},
    game::worst_case,
    limit::Limit,
    maps::MapOptions,
    problem::{LabelMap, Plan, Problem},
    seek::SeekOptions,
    verdict::{FoundMap, FoundPlan, Frontier, SoFar, Violation},
};
use divulge_render::{
    json,
    words::{self, Ends, Over, Style},
};

use crate::{
    limits::{Patience, Watch},
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

/// Says what was found out, perhaps at length: progress is shown no more.
fn at_last(watch: &Watch, text: &str) -> Result<(), Failure> {
    watch.answered();
    words(text)
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
    watch: &Watch,
) -> Result<Status, Failure> {
    let Some(found) = found else {
        return none(form, watch, || why_no_plan(problem, options, watch, form.style));
    };
    if form.json {
        watch.answered();
        answer(|out| json::found(out, problem, &found.plan, map, found.worst_case))?;
    } else {
        let (ends, cut) = told_apart(problem, &found.plan, map, watch);
        let text = words::plan(problem, &found.plan, Some(found.worst_case), ends.as_ref(), form.style);
        at_last(watch, &(text + &cut))?;
    }
    Ok(Status::Yes)
}

/// That what was sought does not exist; `why`, in words.
fn none(form: Form, watch: &Watch, why: impl FnOnce() -> String) -> Result<Status, Failure> {
    if form.json {
        watch.answered();
        answer(|out| json::none(out))?;
    } else {
        at_last(watch, &why())?;
    }
    Ok(Status::No)
}

/// What the observer can tell at each stop: worth saying, but not worth missing the answer for. And why it is not said, if it is not.
fn told_apart(problem: &Problem, plan: &Plan, map: &LabelMap, watch: &Watch) -> (Option<Ends>, String) {
    watch.decided("found; what the observer knows at each stop");
    let patience = Patience::new(watch);
    let ends = Ends::of(problem, plan, map, &patience).ok().flatten();
    (ends, patience.cut_short("Finding out what the observer knows at each stop").unwrap_or_default())
}

fn why_no_plan(problem: &Problem, options: &SeekOptions, watch: &Watch, style: Style) -> String {
    watch.decided("there is none; finding out why");
    let patience = Patience::new(watch);
    let why = match explain::why_no_plan(problem, options, &patience) {
        Ok(reason) => words::no_plan(problem, &reason, style),
        Err(_) => words::NO_PLAN.to_owned(),
    };
    why + &cut_short(&patience)
}

fn cut_short(patience: &Patience<'_>) -> String {
    patience.cut_short("Finding out why").unwrap_or_default()
}

/// Why there is no plan, without colours.
pub fn no_plan(problem: &Problem, options: &SeekOptions, watch: &Watch) -> String {
    why_no_plan(problem, options, watch, Style::plain())
}

/// Why there is no map, without colours.
pub fn no_map(problem: &Problem, plan: Option<&Plan>, options: &MapOptions, watch: &Watch) -> String {
    why_no_map(problem, plan, options, watch, Style::plain())
}

/// The answer to SEEK a map, `plan` being given, or both.
pub fn map(
    form: Form,
    problem: &Problem,
    plan: Option<&Plan>,
    found: Option<&FoundMap>,
    options: &MapOptions,
    watch: &Watch,
) -> Result<Status, Failure> {
    let Some(found) = found else {
        return none(form, watch, || why_no_map(problem, plan, options, watch, form.style));
    };
    if form.json {
        watch.answered();
        answer(|out| json::found(out, problem, &found.plan, &found.map, found.worst_case))?;
    } else {
        let (ends, cut) = told_apart(problem, &found.plan, &found.map, watch);
        let text = words::found_map(problem, found, plan.is_some(), ends.as_ref(), form.style);
        at_last(watch, &(text + &cut))?;
    }
    Ok(Status::Yes)
}

/// What was known of a search when it hit a limit: what it had found by then, or nothing. `map` and `plan` are those given.
pub fn so_far(
    form: Form,
    problem: &Problem,
    map: Option<&LabelMap>,
    plan: Option<&Plan>,
    limit: Limit,
    so_far: Option<&SoFar>,
) -> Result<Status, Failure> {
    match (so_far, form.json) {
        (None, true) => answer(|out| json::unknown(out, limit))?,
        (None, false) => {}
        (Some(so_far), true) => answer(|out| json::unknown_but(out, limit, problem, map, so_far))?,
        (Some(so_far), false) => words(&words::so_far(problem, so_far, plan.is_some(), form.style))?,
    }
    Ok(Status::Unknown)
}

/// The answer to SEEK every map.
pub fn maps(
    form: Form,
    problem: &Problem,
    plan: Option<&Plan>,
    frontier: &Frontier,
    options: &MapOptions,
    watch: &Watch,
) -> Result<Status, Failure> {
    if form.json {
        watch.answered();
        answer(|out| json::frontier(out, problem, frontier))?;
    } else if frontier.feasible == 0 {
        at_last(watch, &why_no_map(problem, plan, options, watch, form.style))?;
    } else {
        at_last(watch, &words::frontier(problem, frontier, plan.is_some(), form.style))?;
    }
    Ok(if frontier.feasible == 0 { Status::No } else { Status::Yes })
}

fn why_no_map(
    problem: &Problem,
    plan: Option<&Plan>,
    options: &MapOptions,
    watch: &Watch,
    style: Style,
) -> String {
    watch.decided("there is none; finding out why");
    let patience = Patience::new(watch);
    let why = match explain::why_no_map(problem, plan, &options.plan, &patience) {
        Ok(reason) => words::no_map(problem, &reason, plan.is_some(), style),
        Err(_) => words::NO_MAP.to_owned(),
    };
    why + &cut_short(&patience)
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
