//! CHECK: does this plan with this map solve the world and keep the stipulations?

mod solves;

pub use solves::solves;

use crate::{
    graph::separating_execution,
    observer::{Admits, broken},
    problem::{LabelMap, Vertex},
    setting::Setting,
    verdict::{QuestionError, Reason, Violation},
};

/// Checks the setting's plan with a map.
///
/// `None` means that everything holds. Else the first violation in the order of [`Reason`] (solving first, then what the
/// divulged plan admits, then the stipulations), with a shortest execution that shows it.
///
/// # Errors
/// If there is no plan, if the input is bad, or if the monitor stops the check.
pub fn check(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<Violation>, QuestionError> {
    let plan = setting.plan().ok_or(QuestionError::NeedsPlan("`check` needs one"))?;
    let world = setting.world();
    let divulged = setting.divulged()?;
    // Bad input is bad whatever the plan does, so the filter is looked at first.
    let tracker = setting.tracker(map)?;
    let joint = setting.joint()?;
    if let Some(violation) = solves(joint, plan, world) {
        return Ok(Some(violation));
    }
    let outside = match &divulged.admits {
        Admits::Everything => None,
        Admits::Graph(graph) => separating_execution(&joint.graph, graph, setting.monitor())?,
        Admits::Nothing => Some(Vec::new()),
    };
    if let Some(execution) = outside {
        return Ok(Some(Violation::new(Reason::OutsideDivulged, execution)));
    }
    let Some(mut tracker) = tracker else { return Ok(None) };
    let ends = |pair: Vertex| plan.is_terminal(joint.pairs[pair.index()].0);
    let broken = broken(&joint.graph, &mut tracker, map, ends, setting.monitor())?;
    Ok(broken.map(|(pair, violation)| Violation { at: Some(joint.pairs[pair.index()]), ..violation }))
}
