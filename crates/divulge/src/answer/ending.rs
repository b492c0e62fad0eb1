//! What the observer can tell where a plan terminates.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::{
    formula::{Predicate, Stipulations},
    observer::{Divulged, StateId, Tracker},
    problem::{LabelMap, Plan, Problem, Value, Vertex},
    question::{Joint, Monitor, Progress, QuestionError},
};

/// What the observer can tell of one property where a plan terminates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The values that it knows, one for each way of ending there that leaves no other; `None` is to lack the property.
    pub told: BTreeSet<Option<Value>>,
    /// The sets of values that it cannot tell apart, for the other ways.
    pub confused: BTreeSet<BTreeSet<Option<Value>>>,
}

/// Whether the observer holds something possible where a plan terminates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// Whichever way it ends there.
    Always,
    /// For some ways of ending there, but not for others.
    Sometimes,
    /// For none.
    Never,
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
    /// Each predicate that the stipulations speak of, and whether the observer holds it possible.
    pub possible: Vec<(Predicate, Held)>,
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
    let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::new(problem, Some(plan))?;
    let Some(tracked) = &divulged.tracked else { return Ok(None) };
    let mut tracker = Tracker::new(problem, map, tracked, &stipulations)?;
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
    let minds = |states: &BTreeSet<StateId>| -> BTreeSet<Vec<Vertex>> {
        states.iter().map(|&state| tracker.estimate(state)).collect()
    };
    let ending = |(at, states)| ending(problem, &stipulations, at, &minds(&states));
    Ok(Some(ends.into_iter().map(ending).collect()))
}

fn ending(
    problem: &Problem,
    stipulations: &Stipulations,
    at: Vertex,
    estimates: &BTreeSet<Vec<Vertex>>,
) -> Ending {
    let props = &problem.world.props;
    let known = props.names().iter().map(|name| {
        let mut known = Known::default();
        for estimate in estimates {
            let value = |v: &Vertex| props.column(name).and_then(|column| column.get(*v)).cloned();
            let mut held: BTreeSet<Option<Value>> = estimate.iter().map(value).collect();
            match held.len() {
                1 => known.told.append(&mut held),
                _ => _ = known.confused.insert(held),
            }
        }
        (name.to_owned(), known)
    });
    let possible = stipulations.masks().iter().enumerate().map(|(mask, predicate)| {
        let inside = |v: &Vertex| stipulations.signature(*v)[mask / 64] >> (mask % 64) & 1 == 1;
        let met = estimates.iter().filter(|estimate| estimate.iter().any(inside)).count();
        let held = match met {
            0 => Held::Never,
            all if all == estimates.len() => Held::Always,
            _ => Held::Sometimes,
        };
        (predicate.clone(), held)
    });
    Ending { at, minds: estimates.len(), known: known.collect(), possible: possible.collect() }
}
