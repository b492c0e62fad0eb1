//! SEEK: plans that solve the world and keep the stipulations, and maps under which they do.
//!
//! *Background.* If what the observer knows of the plan does not depend on the plan that is sought, a plan is a strategy in a
//! reachability game whose positions hold the observer's belief. If the observer knows the sought plan itself, the game is one over
//! estimates, and only the maximal estimates that win matter. Over maps, each game's verdict is a lesson for all maps
//! that agree on the pairs of labels that the game looked at.
//!
//! *Practical.* [`seek_plan`] chooses the game. Questions whose answer is a map are in [`crate::maps`].

pub(crate) mod given_divulged;
mod irredundant;
pub(crate) mod options;
pub mod self_divulged;

pub(crate) use options::strongest;
pub use options::{Minimize, Offers, SeekOptions};

use crate::{
    game::strategy::countable,
    problem::{Kind, Knows, Label, LabelMap},
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
    seek_plan_after(setting, map, options, &[])
}

/// The same for a plan that goes on after these events, from what the robot knows and everybody believes then.
///
/// # Errors
/// As [`seek_plan`], if these events cannot happen, or if an observer knows the plan that is sought.
pub fn seek_plan_after(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &SeekOptions,
    after: &[Label],
) -> Result<Option<FoundPlan>, QuestionError> {
    can_happen(setting, after)?;
    let mut knowing =
        setting.observers().iter().map(|posed| &*posed.observer).filter(|o| o.knows == Knows::Plan);
    let found = match knowing.next() {
        Some(_) if !setting.is_plain(Some(map)) => self_divulged::moments::seek_plan(setting, map, options)?,
        Some(knowing) => {
            strongest(knowing)?;
            self_divulged::seek_plan(setting, map, options)?
        }
        None => given_divulged::seek_plan(setting, map, options, after)?,
    };
    found.map(countable).transpose()
}

/// Refuses events after which nobody could go on.
fn can_happen(setting: &Setting<'_>, after: &[Label]) -> Result<(), QuestionError> {
    let (problem, graph) = (setting.problem(), &setting.expansion()?.graph);
    let knowing = setting.observers().iter().position(|posed| posed.observer.knows == Knows::Plan);
    if let Some(number) = knowing.filter(|_| !after.is_empty()) {
        return Err(QuestionError::Refused(format!(
            "{} knows the plan that is sought, so what it believes by now depends on the plan that was followed until now: go on with \
             that plan, or seek one from the start",
            problem.called(number)
        )));
    }
    let mut at = graph.initial()[0];
    for (number, &label) in after.iter().enumerate() {
        let Some(arc) = graph.step(at, label).first() else {
            let can: Vec<String> =
                graph.labels(at).map(|l| format!("`{}`", problem.alphabet.name(l))).collect();
            let can = if can.is_empty() { "nothing".to_owned() } else { can.join(", ") };
            let why = match problem.alphabet.kind(label) == graph.kind(at) {
                true if graph.kind(at) == Kind::Action => {
                    "the robot cannot be sure that it is available there"
                }
                true => "it is never observed there",
                false if graph.kind(at) == Kind::Action => "the robot acts next",
                false => "the robot observes something next",
            };
            return Err(QuestionError::Refused(format!(
                "event {} of what has happened, `{}`, cannot happen: {why}; what can happen is {can}",
                number + 1,
                problem.alphabet.name(label)
            )));
        };
        at = arc.to;
    }
    Ok(())
}
