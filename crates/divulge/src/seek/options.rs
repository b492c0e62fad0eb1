//! How plans are sought, and for whom.

use crate::{
    problem::{Filter, Observer},
    verdict::QuestionError,
};

/// What is made least in the worst case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Minimize {
    /// The number of events.
    #[default]
    Events,
    /// The cost of the events.
    Cost,
}

/// Which actions a plan offers that an observer knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Offers {
    /// As few as can be found without making the worst case worse.
    #[default]
    Sparing,
    /// All that win.
    Permissive,
    /// One wherever the robot knows the same and those who know the plan have seen the same, or there is no plan.
    Deterministic,
}

/// How a plan is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekOptions {
    /// What is made least.
    pub minimize: Minimize,
    /// Which actions it offers.
    pub offers: Offers,
    /// How many threads may be used, 0 for as many as there are processors; the answer does not depend on it. Without the feature
    /// `parallel` it is one.
    pub threads: usize,
    /// How many nodes of the game with a fixed divulged plan are explored before a plan is also sought depth first. 0 is for
    /// comparisons: all that can be found out depth first is found out so.
    pub look_ahead: usize,
}

impl Default for SeekOptions {
    fn default() -> Self {
        Self { minimize: Minimize::Events, offers: Offers::Sparing, threads: 1, look_ahead: 1 << 12 }
    }
}

/// Refuses any filter but the strongest for an observer who knows the plan that is sought.
///
/// # Errors
/// If it has another one.
pub(crate) fn strongest(observer: &Observer) -> Result<(), QuestionError> {
    match observer.filter {
        Filter::Strongest => Ok(()),
        Filter::Image | Filter::Graph(_) => Err(QuestionError::Refused(
            "an observer who knows the sought plan must have the filter `strongest`: with any other, what it makes of an \
             image would depend on the whole plan at once; use `\"filter\": \"strongest\"` or another `knows`"
                .to_owned(),
        )),
    }
}
