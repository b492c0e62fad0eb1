//! Questions that cannot be asked.

use crate::{
    formula::FormulaError,
    limit::Limit,
    problem::{Label, LabelMap, Plan},
};

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// No label map is given.
    #[error("this question needs to know what the observer sees, and no map is given")]
    NeedsMap,
    /// No plan is given; the reason one is needed.
    #[error("no plan is given, but {0}")]
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
    /// A stipulation that does not fit the world, or its scope.
    #[error("stipulation number {}: {e}", number + 1)]
    Formula {
        /// The number of the observer.
        observer: usize,
        /// The number of the stipulation among the observer's.
        number: usize,
        /// What is wrong.
        e: FormulaError,
    },
    /// Something that is refused.
    #[error("{0}")]
    Refused(String),
    /// Options that contradict each other or the problem: what is wrong, and what to do.
    #[error("{0}")]
    Options(&'static str, &'static str),
    /// What was found does not hold: a mistake of this library.
    #[error("what was found does not pass its own check: {}", .0.what)]
    Internal(Box<Disagreement>),
    /// A limit was hit.
    #[error("a limit was reached before there was an answer")]
    Limit(Limit),
}

/// A search and the check of what it found do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What the check says.
    pub what: String,
    /// The plan that was found.
    pub plan: Plan,
    /// The map that it was found for, or with.
    pub map: LabelMap,
    /// The execution that shows it, if there is one.
    pub execution: Vec<Label>,
}

fn string(images: &[String]) -> String {
    images.join(" · ")
}

impl From<Limit> for QuestionError {
    fn from(limit: Limit) -> Self {
        QuestionError::Limit(limit)
    }
}
