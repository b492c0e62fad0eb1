//! `divulge check`.

use divulge::question::{self, QuestionError};

use super::ask;
use crate::{
    arguments::Asking,
    output::Terminal,
    say,
    status::{Failure, Status},
};

/// Answers whether the document's own plan, with its own map, solves the world and keeps the stipulations.
pub fn run(asking: &Asking, terminal: &Terminal) -> Result<Status, Failure> {
    ask(asking, terminal, |input, watch| {
        input.total_map()?;
        let problem = &input.problem;
        let violation = question::check(problem, watch)?;
        let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
        watch.answered();
        say::verdict(terminal.form(asking.json), problem, map, problem.plan.as_ref(), violation.as_ref())
    })
}
