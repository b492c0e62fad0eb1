//! One observer of a problem, looked at: what it sees and believes of an execution.

use std::sync::Arc;

use divulge::{
    explain::{Moment, Standing},
    limit::Monitor,
    problem::{Label, LabelMap, Vertex},
    verdict::QuestionError,
};
use divulge_render::look::{looking, replayed};
use pyo3::prelude::*;

use crate::{
    hindsight::Recall,
    limits::{Given, Limits, compute},
    problem::Problem,
};

/// One moment of a replayed execution: the event and its image, if that is seen, where the world and the plan may be, whether the plan
/// terminates, the estimate, and how each stipulation stands (0 not asked, 1 holds, 2 broken).
pub type MomentSpec = (Option<(u32, Option<String>)>, Vec<u32>, Vec<u32>, bool, Option<Vec<u32>>, Vec<u8>);

/// A moment in numbers.
fn spec(moment: &Moment, map: &LabelMap) -> MomentSpec {
    let numbers = |all: &[Vertex]| all.iter().map(|v| v.0).collect::<Vec<u32>>();
    let standing = |s: &Standing| match s {
        broken if broken.is_broken(moment.terminates) => 2,
        Standing::NotAsked => 0,
        Standing::Run(run) => u8::from(run.may_end),
        _ => 1,
    };
    (
        moment.event.map(|(label, _)| (label.0, map.look(label).map(str::to_owned))),
        numbers(&moment.world),
        numbers(&moment.plan),
        moment.terminates,
        moment.estimate.as_deref().map(numbers),
        moment.stipulations.iter().map(standing).collect(),
    )
}

/// An execution seen by one observer, moment by moment, in numbers, with what is broken in hindsight; and whether the observer reckons
/// with it.
pub fn moments(
    problem: &divulge::Problem,
    number: usize,
    plan: bool,
    execution: &[Label],
    monitor: &dyn Monitor,
) -> Result<(Vec<MomentSpec>, bool), QuestionError> {
    let replayed = replayed(problem, number, plan, execution, monitor)?;
    looking(problem, number, monitor, |setting, map| {
        let mut specs: Vec<MomentSpec> = replayed.moments.iter().map(|m| spec(m, map)).collect();
        if let Some(recall) = Recall::new(setting, map)? {
            let mut now = Some(recall.start());
            for (n, spec) in specs.iter_mut().enumerate() {
                let image = n.checked_sub(1).and_then(|before| map.image(execution[before]));
                if let Some(image) = image {
                    now = now.and_then(|before| recall.after(&before, image));
                }
                let Some(now) = now.as_ref().filter(|_| spec.4.is_some()) else { break };
                for broken in recall.broken(now) {
                    spec.5[broken] = 2;
                }
            }
        }
        Ok((specs, replayed.admitted))
    })
}

/// Follows an execution of the world beside one of the observers; `plan`: the problem's plan is followed too.
#[pyfunction]
pub fn follow(
    py: Python<'_>,
    problem: &Problem,
    observer: usize,
    execution: Vec<u32>,
    plan: bool,
    given: Given,
) -> PyResult<(Vec<MomentSpec>, bool)> {
    problem.total_map(py)?;
    problem.observer(py, observer)?;
    let known = problem.inner.alphabet.len();
    let execution: Vec<Label> = execution.into_iter().filter(|l| (*l as usize) < known).map(Label).collect();
    let inner = Arc::clone(&problem.inner);
    compute(py, &problem.inner, &Limits::read(py, given)?, move |monitor| {
        moments(&inner, observer, plan, &execution, monitor)
    })
}
