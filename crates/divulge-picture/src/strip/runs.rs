//! Which executions a strip shows.

use divulge::{
    graph::Joint,
    problem::{Kind, Label, Plan, Vertex},
};

use crate::pace::{Limit, Pace};

/// Longer executions are cut.
pub(super) const LONGEST: usize = 240;

/// Executions of a plan, one for each way in which observations may turn out; of several actions the first is taken.
#[derive(Default)]
pub(super) struct Runs {
    /// The executions, so that those with a common beginning follow each other.
    pub all: Vec<Vec<Label>>,
    /// Whether there are more.
    pub more: bool,
    /// Whether some are longer than shown.
    pub cut: bool,
}

/// A place on the way through the joint executions.
struct Place {
    execution: Vec<Label>,
    pairs: Vec<Vertex>,
}

pub(super) fn runs(joint: &Joint, plan: &Plan, most: usize, pace: &Pace<'_>) -> Result<Runs, Limit> {
    let mut runs = Runs::default();
    let mut todo = vec![Place { execution: Vec::new(), pairs: joint.graph.initial().to_vec() }];
    while let Some(Place { execution, pairs }) = todo.pop() {
        if runs.all.len() == most {
            runs.more = true;
            break;
        }
        let mut labels: Vec<Label> = pairs.iter().flat_map(|&pair| joint.graph.labels(pair)).collect();
        labels.sort_unstable();
        labels.dedup();
        let acts = pairs.first().is_some_and(|&pair| joint.graph.kind(pair) == Kind::Action);
        if acts {
            labels.truncate(1);
        }
        // Where some stop and others go on, both are shown.
        let stops = pairs.iter().any(|&pair| plan.is_terminal(joint.pairs[pair.index()].0));
        pace.work(pairs.len() + execution.len())?;
        if labels.is_empty() || execution.len() >= LONGEST {
            runs.cut |= !labels.is_empty();
            runs.all.push(execution);
            continue;
        }
        if stops {
            runs.all.push(execution.clone());
        }
        for &label in labels.iter().rev() {
            let mut next: Vec<Vertex> =
                pairs.iter().flat_map(|&pair| joint.graph.step(pair, label)).map(|arc| arc.to).collect();
            next.sort_unstable();
            next.dedup();
            let execution = execution.iter().copied().chain([label]).collect();
            todo.push(Place { execution, pairs: next });
        }
    }
    Ok(runs)
}

/// The events of an execution in steps: an action with the observation that follows it.
pub(super) fn steps(execution: &[Label], first: Kind) -> Vec<std::ops::Range<usize>> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < execution.len() {
        let length = if at == 0 && first == Kind::Observation { 1 } else { 2 };
        let end = (at + length).min(execution.len());
        steps.push(at..end);
        at = end;
    }
    steps
}
