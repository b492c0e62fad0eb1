//! What the observer can tell where a plan terminates.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::{
    formula::Stipulations,
    observer::{Divulged, StateId, Tracker},
    problem::{LabelMap, Plan, Problem, Value, Vertex},
    question::{Joint, Monitor, Progress, QuestionError},
};

/// A property's value at a vertex; `None` where the vertex lacks it.
pub type Held = Option<Value>;

/// What the observer can tell of one property where a plan terminates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The values that it knows, one for each way of ending there that leaves no other.
    pub told: BTreeSet<Held>,
    /// The sets of values that it cannot tell apart, for the other ways.
    pub confused: BTreeSet<BTreeSet<Held>>,
}

/// One terminal vertex of a plan, over all joint executions that end there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The vertex of the plan.
    pub at: Vertex,
    /// How many different states of mind the observer may be in then.
    pub minds: usize,
    /// Each property of the world, in the order of the world's, with what can be told of it.
    pub known: Vec<(String, Known)>,
}

/// How many nodes are explored between two looks at the monitor.
const POLL: usize = 1024;

/// What the observer can tell at each terminal vertex that a joint execution reaches, by the number of the vertex. `None` if
/// the plan does something that the observer does not expect: then there is nothing that it believes.
///
/// # Errors
/// As [`check_with`](crate::question::check_with).
pub fn endings(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Ending>>, QuestionError> {
    if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
        return Err(QuestionError::OtherKind("the plan"));
    }
    let none = Stipulations::compile(&problem.world, &[]).map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::new(problem, Some(plan))?;
    let Some(tracked) = &divulged.tracked else { return Ok(None) };
    let mut tracker = Tracker::new(problem, map, tracked, &none)?;
    let joint = Joint::new(plan, &problem.world);
    let mut ends: BTreeMap<Vertex, BTreeSet<StateId>> = BTreeMap::new();
    let mut nodes: Vec<(Vertex, StateId)> =
        joint.graph.initial().iter().map(|&pair| (pair, tracker.initial())).collect();
    let mut seen: FxHashSet<(Vertex, StateId)> = nodes.iter().copied().collect();
    let mut explored = 0u64;
    while let Some((pair, state)) = nodes.pop() {
        if explored.is_multiple_of(POLL as u64) {
            let stored = tracker.len() as u64;
            monitor.poll(&Progress {
                doing: "looking at endings",
                explored,
                stored,
                ..Progress::default()
            })?;
        }
        explored += 1;
        let (v, _) = joint.pairs[pair.index()];
        if plan.is_terminal(v) {
            ends.entry(v).or_default().insert(state);
        }
        for arc in joint.graph.arcs(pair) {
            let Some(after) = tracker.step(state, map.image(arc.label)) else { return Ok(None) };
            if seen.insert((arc.to, after)) {
                nodes.push((arc.to, after));
            }
        }
    }
    Ok(Some(ends.into_iter().map(|(at, states)| ending(problem, &tracker, at, &states)).collect()))
}

fn ending(problem: &Problem, tracker: &Tracker<'_>, at: Vertex, states: &BTreeSet<StateId>) -> Ending {
    let estimates: BTreeSet<Vec<Vertex>> = states.iter().map(|&state| tracker.estimate(state)).collect();
    let props = &problem.world.props;
    let known = props.names().iter().map(|name| {
        let mut known = Known::default();
        for estimate in &estimates {
            let value = |v: &Vertex| props.column(name).and_then(|column| column.get(*v)).cloned();
            let mut held: BTreeSet<Held> = estimate.iter().map(value).collect();
            match held.len() {
                1 => known.told.append(&mut held),
                _ => _ = known.confused.insert(held),
            }
        }
        (name.to_owned(), known)
    });
    Ending { at, minds: estimates.len(), known: known.collect() }
}
