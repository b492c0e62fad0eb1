//! Questions that cannot be asked.

use crate::{formula::FormulaError, limit::Limit};
/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// No label map is given.
    #[error("the observer has no `map`, and this question needs one")]
    NeedsMap,
    /// No plan is given; the reason one is needed.
    #[error("there is no `plan`, and {0}")]
    NeedsPlan(&'static str),
    /// An empty list of plans.
    #[error("the observer is said to know one of several plans, but none is listed")]
    NoPlans,
    /// A graph that does not start as the world does.
    #[error("{0} starts with another kind of vertex than the world does")]
    OtherKind(&'static str),
    /// The filter cannot follow these images.
    #[error("the filter cannot trace what the observer may see: {}", string(.0))]
    FilterCannotTrace(Vec<String>),
    /// A stipulation, by number, that does not fit the world.
    #[error("stipulation number {}: {}", .0 + 1, .1)]
    Formula(usize, FormulaError),
    /// Something that is refused.
    #[error("{0}")]
    Refused(String),
    /// A limit was hit.
    #[error("a limit was reached before there was an answer")]
    Limit(Limit),
}

fn string(images: &[String]) -> String {
    images.join(" · ")
}

impl From<Limit> for QuestionError {
    fn from(limit: Limit) -> Self {
        QuestionError::Limit(limit)
    }
}
