//! One observer of a problem, looked at: what it sees and believes of an execution.

use divulge::{
    explain::{Replay, replay},
    limit::Monitor,
    problem::{Label, LabelMap, Problem, Vertex, World},
    setting::{Setting, unfold},
    verdict::QuestionError,
};

/// Looks at one observer through its map. Where stipulations ask about the past, the setting's world is the unfolded one.
///
/// # Errors
/// Those of [`Setting::pose`], of a missing map, and of `look`.
pub fn looking<T>(
    problem: &Problem,
    number: usize,
    monitor: &dyn Monitor,
    look: impl FnOnce(&Setting<'_>, &LabelMap) -> Result<T, QuestionError>,
) -> Result<T, QuestionError> {
    let unfolded = unfold(problem, monitor)?;
    let problem = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(problem, problem.plan.as_ref(), monitor)?.looking_at(number);
    look(&setting, setting.map()?)
}

/// Vertices of a world as those of the world that it was unfolded from, if it was.
fn folded(world: &World, vertices: impl IntoIterator<Item = Vertex>) -> Vec<Vertex> {
    let mut all: Vec<Vertex> = vertices.into_iter().map(|v| world.base_vertex(v)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// An execution seen by one observer, its vertices those of the problem's world. `plan`: its plan is followed too.
///
/// # Errors
/// As [`replay`].
pub fn replayed(
    problem: &Problem,
    number: usize,
    plan: bool,
    execution: &[Label],
    monitor: &dyn Monitor,
) -> Result<Replay, QuestionError> {
    looking(problem, number, monitor, |setting, map| {
        let mut replayed = replay(setting, map, setting.plan().filter(|_| plan), execution)?;
        for moment in &mut replayed.moments {
            moment.world = folded(setting.world(), moment.world.drain(..));
            moment.estimate = moment.estimate.take().map(|all| folded(setting.world(), all));
        }
        Ok(replayed)
    })
}
