//! `divulge check`.

use divulge::{
    check::check,
    limit::Monitor,
    problem::{Plan, Problem},
    verdict::{QuestionError, Violation},
};

use super::{ask, explore};
use crate::{
    arguments::Check,
    input::Input,
    limits::Watch,
    output::Terminal,
    say::{self, Form},
    status::{Failure, Status},
};

/// Answers whether the document's own plan, with its own map, solves the world and keeps the stipulations.
pub fn run(asked: &Check, terminal: &Terminal) -> Result<Status, Failure> {
    let asking = &asked.asking;
    ask(asking, terminal, |input, watch| {
        let problem = &input.problem;
        let form = terminal.form(asking.json);
        let plan = problem.plan.as_ref();
        let status = verdict(&input, plan, check, watch, form)?;
        explore::also(&asked.explore, &asking.source.file, problem, None, terminal)?;
        Ok(status)
    })
}

/// Asks a question that takes a map, and says the answer; `plan` is the plan that it is about, if it is about one.
pub fn verdict(
    input: &Input,
    plan: Option<&Plan>,
    question: fn(&Problem, &dyn Monitor) -> Result<Option<Violation>, QuestionError>,
    watch: &Watch,
    form: Form,
) -> Result<Status, Failure> {
    input.total_map()?;
    let problem = &input.problem;
    let violation = question(problem, watch)?;
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    watch.answered();
    say::verdict(form, problem, map, plan, violation.as_ref())
}
