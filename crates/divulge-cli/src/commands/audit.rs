//! `divulge audit`.

use divulge::audit::audit;

use super::{ask, check::verdict};
use crate::{
    arguments::Asking,
    output::Terminal,
    status::{Failure, Status},
};

/// Answers whether the stipulations of scope `always` hold whatever the robot does.
pub fn run(asking: &Asking, terminal: &Terminal) -> Result<Status, Failure> {
    ask(asking, terminal, |input, watch| verdict(&input, None, audit, watch, terminal.form(asking.json)))
}
