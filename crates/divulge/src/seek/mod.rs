//! SEEK: plans that solve the world and keep the stipulations, and maps under which they do.
//!
//! *Background.* If what the observer knows of the plan does not depend on the plan that is sought, a plan is a strategy in a
//! reachability game whose positions hold the observer's belief. If the observer knows the sought plan itself, the game is one over
//! estimates, and only the maximal estimates that win matter. Over maps, each game's verdict is a lesson for all maps
//! that agree on the pairs of labels that the game looked at.
//!
//! *Practical.* [`seek_plan`] chooses the game. Questions whose answer is a map are in [`crate::maps`].

pub(crate) mod given_divulged;
pub(crate) mod options;
pub mod self_divulged;

pub(crate) use options::strongest;
pub use options::{Minimize, SeekOptions};

use crate::{
    game::strategy::countable,
    problem::{Knows, LabelMap},
    setting::Setting,
    verdict::{FoundPlan, QuestionError},
};

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
    let mut knowing =
        setting.observers().iter().map(|posed| &*posed.observer).filter(|o| o.knows == Knows::Plan);
    let found = match knowing.next() {
        Some(_) if !setting.is_plain(Some(map)) => self_divulged::moments::seek_plan(setting, map, options)?,
        Some(knowing) => {
            strongest(knowing)?;
            self_divulged::seek_plan(setting, map, options)?
        }
        None => given_divulged::seek_plan(setting, map, options)?,
    };
    found.map(countable).transpose()
}
