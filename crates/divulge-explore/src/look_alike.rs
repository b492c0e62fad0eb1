//! Runs that look exactly like what happened, to one observer.

use divulge::{
    explain::Twin,
    graph::follow,
    problem::{Label, LabelMap, PGraph, Vertex},
    sets::BitSet,
    verdict::QuestionError,
};

use crate::{
    observer::Posed,
    situation::{Situation, patient},
    twins::{Comparison, Teller},
};

/// A run that looks exactly like `events` to an observer and ends at one of `places`, with few other events; with as few as can be where every
/// event is seen.
///
/// # Errors
/// As [`divulge::check::check`].
pub fn look_alike(
    situation: &Situation,
    observer: usize,
    events: &[Label],
    places: &BitSet,
) -> Result<Option<Comparison>, QuestionError> {
    let effort = patient();
    let posed = Posed::new(situation, &effort)?;
    let Some(tracked) = posed.tracked(observer) else { return Ok(None) };
    let map = situation.map(observer);
    let layers = match map.hides() {
        false => layers(&tracked.graph, map, events),
        true => moments(&tracked.graph, map, events),
    };
    let last = layers.len() - 1;
    let ends_at = |v: Vertex| tracked.world_vertices(v).find(|w| places.contains(w.index()));
    let found = layers[last].iter().enumerate().filter_map(|(i, r)| Some((r.differs, i, ends_at(r.vertex)?)));
    let Some((_, at, end)) = found.min() else { return Ok(None) };
    let labels = back(&layers, at);
    let Some(path) = path(&situation.problem.world.graph, &labels, end) else { return Ok(None) };
    let teller = Teller { problem: &situation.problem, map };
    let why = match (labels == events, map.hides()) {
        (true, _) => "These are the same events: even the robot cannot tell the difference.",
        (false, false) => "Event by event, both runs look the same to the observer.",
        (false, true) => "Of both runs, the observer sees the same; the rest it does not see at all.",
    };
    Ok(Some(teller.comparison(
        "Two runs the observer cannot tell apart".to_owned(),
        teller.itself(events),
        teller.twin(&Twin { execution: labels, path }),
        None,
        why.to_owned(),
    )))
}

/// A vertex that a look-alike reaches, and the way to it that differs from the events in the fewest places.
struct Reached {
    vertex: Vertex,
    differs: usize,
    /// Where it came from: in the layer before, or in its own after an event that is not seen.
    from: Option<(bool, usize)>,
    label: Label,
}

/// Where every event is seen: what each event leads to.
fn layers(graph: &PGraph, map: &LabelMap, events: &[Label]) -> Vec<Vec<Reached>> {
    let mut layers = vec![initial(graph)];
    for &event in events {
        let next = after_seen(graph, map, &layers[layers.len() - 1], event);
        layers.push(next);
    }
    layers
}

/// What an event that is seen leads to, or others that look like it.
fn after_seen(graph: &PGraph, map: &LabelMap, layer: &[Reached], event: Label) -> Vec<Reached> {
    let mut next = Vec::new();
    for (from, before) in layer.iter().enumerate() {
        let alike = graph.arcs(before.vertex).iter().filter(|arc| map.image(arc.label) == map.image(event));
        next.extend(alike.map(|arc| Reached {
            vertex: arc.to,
            differs: before.differs + usize::from(arc.label != event),
            from: Some((true, from)),
            label: arc.label,
        }));
    }
    next.sort_unstable_by_key(|r| (r.vertex, r.differs, r.from, r.label));
    next.dedup_by_key(|r| r.vertex);
    next
}

fn initial(graph: &PGraph) -> Vec<Reached> {
    let start = graph.initial().iter();
    start.map(|&vertex| Reached { vertex, differs: 0, from: None, label: Label(0) }).collect()
}

/// Where some events are not seen: what each image leads to, with unseen events after it. Each unseen event counts as one that differs,
/// unless it happened in that very moment.
fn moments(graph: &PGraph, map: &LabelMap, events: &[Label]) -> Vec<Vec<Reached>> {
    // The events that happened unseen in each moment, and the event that ended it.
    let mut happened: Vec<(Vec<Label>, Option<Label>)> = vec![(Vec::new(), None)];
    for &event in events {
        let now = happened.len() - 1;
        match map.image(event) {
            None => happened[now].0.push(event),
            Some(_) => {
                happened[now].1 = Some(event);
                happened.push((Vec::new(), None));
            }
        }
    }
    let mut layers: Vec<Vec<Reached>> = Vec::new();
    let mut layer = initial(graph);
    for (unseen, seen) in happened {
        go_on_unseen(graph, map, &mut layer, &unseen);
        let next = seen.map(|event| after_seen(graph, map, &layer, event));
        layers.push(std::mem::take(&mut layer));
        layer = next.unwrap_or_default();
    }
    layers
}

/// Adds what unseen events lead to, the nearest to what happened first.
fn go_on_unseen(graph: &PGraph, map: &LabelMap, layer: &mut Vec<Reached>, happened: &[Label]) {
    let mut known: Vec<Vertex> = layer.iter().map(|r| r.vertex).collect();
    known.sort_unstable();
    let mut known: std::collections::BTreeSet<Vertex> = known.into_iter().collect();
    let mut at = 0;
    while at < layer.len() {
        let (vertex, differs) = (layer[at].vertex, layer[at].differs);
        let unseen = graph.arcs(vertex).iter().filter(|arc| map.image(arc.label).is_none());
        // What happened comes before what might have.
        let mut unseen: Vec<_> =
            unseen.map(|arc| (usize::from(!happened.contains(&arc.label)), arc.label, arc.to)).collect();
        unseen.sort_unstable();
        for (other, label, to) in unseen {
            if known.insert(to) {
                layer.push(Reached { vertex: to, differs: differs + other, from: Some((false, at)), label });
            }
        }
        at += 1;
    }
}

fn back(layers: &[Vec<Reached>], at: usize) -> Vec<Label> {
    let (mut labels, mut layer, mut at) = (Vec::new(), layers.len() - 1, at);
    while let Some((earlier, from)) = layers[layer][at].from {
        labels.push(layers[layer][at].label);
        layer -= usize::from(earlier);
        at = from;
    }
    labels.reverse();
    labels
}

/// The world vertices that a run with these events passes if it ends at `end`.
fn path(world: &PGraph, events: &[Label], end: Vertex) -> Option<Vec<Vertex>> {
    let mut layers = vec![world.initial().to_vec()];
    for &label in events {
        layers.push(follow(world, &layers[layers.len() - 1], label));
    }
    let mut path = vec![end];
    for (layer, &label) in layers.iter().zip(events).rev() {
        let to = path[path.len() - 1];
        path.push(*layer.iter().find(|&&v| world.step(v, label).iter().any(|arc| arc.to == to))?);
    }
    path.reverse();
    Some(path)
}
