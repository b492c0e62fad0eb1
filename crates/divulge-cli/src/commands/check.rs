//! `divulge check`.

use divulge::question::{self, QuestionError};

use super::{ask, explore};
use crate::{
    arguments::Check,
    output::Terminal,
    say,
    status::{Failure, Status},
};

/// Answers whether the document's own plan, with its own map, solves the world and keeps the stipulations.
pub fn run(asked: &Check, terminal: &Terminal) -> Result<Status, Failure> {
    let asking = &asked.asking;
    ask(asking, terminal, |input, watch| {
        input.total_map()?;
        let problem = &input.problem;
        let violation = question::check(problem, watch)?;
        let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
        watch.answered();
        let form = terminal.form(asking.json);
        let status = say::verdict(form, problem, map, problem.plan.as_ref(), violation.as_ref())?;
        explore::also(&asked.explore, &asking.source.file, problem, None, terminal)?;
        Ok(status)
    })
}
