//! SEEK: plans that solve the world and keep the stipulations, and maps under which they do.
//!
//! *Background.* If what the observer knows of the plan does not depend on the plan that is sought, a plan is a strategy in a
//! reachability game whose positions hold the observer's belief. If the observer knows the sought plan itself, the game is one over
//! estimates, and only the maximal estimates that win matter. Over maps, each game's verdict is a lesson for all maps
//! that agree on the pairs of labels that the game looked at.
//!
//! *Practical.* [`seek_plan`] chooses the game. Questions whose answer is a map are in [`crate::maps`].

pub(crate) mod given_divulged;
pub mod self_divulged;

use crate::{
    game::strategy::countable,
    problem::{Filter, Knows, LabelMap, Observer},
    setting::Setting,
    verdict::{FoundPlan, QuestionError},
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

/// How a plan is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekOptions {
    /// What is made least.
    pub minimize: Minimize,
    /// How many threads may be used, 0 for as many as there are processors; the answer does not depend on it. Without the feature
    /// `parallel` it is one.
    pub threads: usize,
    /// How many nodes of the game with a fixed divulged plan are explored before a plan is also sought depth first. 0 is for
    /// comparisons: all that can be found out depth first is found out so.
    pub look_ahead: usize,
}

impl Default for SeekOptions {
    fn default() -> Self {
        Self { minimize: Minimize::Events, threads: 1, look_ahead: 1 << 12 }
    }
}

/// Seeks a plan that keeps the stipulations of a setting, seen through a map, and whose worst case is the least there is. `None` is a proof
/// that there is none.
///
/// # Errors
/// If the input is bad, if an observer who knows the sought plan has another filter than the strongest, if the
/// plan's costs add up to more than can be counted, or if the monitor stops the search.
pub fn seek_plan(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
) -> Result<Option<FoundPlan>, QuestionError> {
    let found = match setting.observer().knows {
        Knows::Plan => {
            strongest(setting.observer())?;
            self_divulged::seek_plan(setting, map, options)?
        }
        _ => given_divulged::seek_plan(setting, map, options)?,
    };
    found.map(countable).transpose()
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
