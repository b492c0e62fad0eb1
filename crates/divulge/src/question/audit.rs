//! AUDIT: do the stipulations of scope `always` hold whatever the robot does?

use rustc_hash::FxHashMap;

use super::{
    Limit, Monitor, Progress, QuestionError,
    walk::{Broken, walk},
};
use crate::{
    answer::Violation,
    formula::Stipulations,
    observer::{Divulged, StateId, Tracked, Tracker, check_filter},
    problem::{Filter, Image, Label, LabelMap, Problem, Scope, Vertex},
};

/// How many states are explored between two looks at the monitor.
const POLL: usize = 256;

/// Audits the problem: `None` if every stipulation of scope `always` holds after every execution in L(W) ∩ L(D), else a
/// shortest execution after which one does not.
///
/// # Errors
/// If there is no map, if the observer knows a plan that is not given, if the input is bad, or if the monitor stops.
pub fn audit(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Violation>, QuestionError> {
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let stipulations = Stipulations::compile(&problem.world, &problem.observer.stipulations)
        .map_err(|(i, e)| QuestionError::Formula(i, e))?;
    let divulged = Divulged::new(problem, problem.plan.as_ref())?;
    let Some(tracked) = &divulged.tracked else { return check_filter(problem, map).map(|()| None) };
    let mut tracker = Tracker::within(problem, map, tracked, &stipulations, monitor)?;
    let broken = match problem.observer.filter {
        Filter::Strongest => beliefs(&mut tracker, tracked, map, monitor)?,
        // A filter's state may be reached by executions of many lengths, so executions are followed together with it.
        Filter::Image | Filter::Graph(_) => {
            walk(&tracked.graph, &mut tracker, map, |_| &[Scope::Always], monitor)?
        }
    };
    Ok(broken.map(|broken| broken.violation(&tracker)))
}

/// Perfect recall: every belief stands for some execution, so beliefs are all there is to visit.
fn beliefs(
    tracker: &mut Tracker<'_>,
    tracked: &Tracked<'_>,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<Option<Broken>, Limit> {
    // States are numbered as they are found, which is breadth first.
    let mut came: Vec<Option<(StateId, Image)>> = vec![None];
    let mut at = 0;
    while at < came.len() {
        let state = StateId(at as u32);
        if at % POLL == 0 {
            let progress = Progress {
                doing: "auditing",
                explored: at as u64,
                stored: tracker.len() as u64,
                ..Progress::default()
            };
            monitor.poll(&progress)?;
        }
        if !tracker.holds(state, Scope::Always) {
            let mut images = Vec::new();
            let mut back = state;
            while let Some((from, image)) = came[back.index()] {
                images.push(image);
                back = from;
            }
            images.reverse();
            let (at, execution) = some_execution(tracked, map, &images);
            return Ok(Some(Broken { at, state, scope: Scope::Always, execution }));
        }
        for &(image, next) in tracker.successors(state) {
            if next.index() == came.len() {
                came.push(Some((state, image)));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// Some execution of the tracked graph that looks like `images`, which some execution does, and where it ends.
fn some_execution(tracked: &Tracked<'_>, map: &LabelMap, images: &[Image]) -> (Vertex, Vec<Label>) {
    let graph = &tracked.graph;
    let mut layers: Vec<FxHashMap<Vertex, Option<(Vertex, Label)>>> =
        vec![graph.initial().iter().map(|&v| (v, None)).collect()];
    for &image in images {
        let mut next = FxHashMap::default();
        let mut from: Vec<Vertex> = layers[layers.len() - 1].keys().copied().collect();
        from.sort_unstable();
        for v in from {
            for arc in graph.arcs(v).iter().filter(|arc| map.image(arc.label) == image) {
                next.entry(arc.to).or_insert(Some((v, arc.label)));
            }
        }
        layers.push(next);
    }
    let end = layers.last().and_then(|layer| layer.keys().min().copied()).expect("a belief is never empty");
    let (mut at, mut back) = (end, Vec::new());
    for layer in layers.iter().rev() {
        let Some((from, label)) = layer[&at] else { break };
        back.push(label);
        at = from;
    }
    back.reverse();
    (end, back)
}
