//! `divulge audit`.

use divulge::question::{self, QuestionError};

use super::ask;
use crate::{
    arguments::Asking,
    output::Terminal,
    say,
    status::{Failure, Status},
};

/// Answers whether the stipulations of scope `always` hold whatever the robot does.
pub fn run(asking: &Asking, terminal: &Terminal) -> Result<Status, Failure> {
    ask(asking, terminal, |input, watch| {
        input.total_map()?;
        let problem = &input.problem;
        let violation = question::audit(problem, watch)?;
        let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
        watch.answered();
        say::verdict(terminal.form(asking.json), problem, map, None, violation.as_ref())
    })
}
