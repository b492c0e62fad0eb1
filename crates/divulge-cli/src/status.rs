//! How the program ends.

use std::process::ExitCode;

use divulge::{limit::Limit, verdict::QuestionError};
use divulge_model::diagnostic::Diagnostics;
use divulge_render::words;

/// The exit status, which other programs rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds, or it was found, or what was asked was done.
    Yes = 0,
    /// It is violated, or there is none.
    No = 1,
    /// The input or the usage is bad.
    Bad = 2,
    /// A limit was hit.
    Unknown = 3,
    /// An answer did not pass its own check, so it is not given.
    Internal = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The input is bad, and this is where.
    Input(Diagnostics),
    /// The input or the usage is bad: what is wrong, and what to do.
    Message(String, Option<String>),
    /// A limit was hit.
    Limit(Limit),
    /// What was found does not hold, a mistake of this program: what its check says, and the file to report it with.
    Internal(String, Option<String>),
}

impl Failure {
    /// Bad input or usage, with advice.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::Message(message.into(), Some(help.into()))
    }
}

impl From<Diagnostics> for Failure {
    fn from(found: Diagnostics) -> Self {
        Failure::Input(found)
    }
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Self {
        Failure::Limit(limit)
    }
}

impl From<QuestionError> for Failure {
    fn from(e: QuestionError) -> Self {
        match e {
            QuestionError::Limit(limit) => Failure::Limit(limit),
            QuestionError::Internal(found) => Failure::Internal(found.what, None),
            e => {
                let (message, help) = words::refusal(&e);
                Failure::Message(message, help)
            }
        }
    }
}
