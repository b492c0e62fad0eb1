//! The divulged plan written out straight from its definition, for the replayer.

use std::{borrow::Cow, collections::BTreeMap};

use super::{EXPLAINING, POLL};
use crate::{
    limit::{Limit, Monitor},
    problem::{Kind, Knows, Label, PGraph, PGraphBuilder, Plan, Vertex, World},
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// A vertex of the divulged plan: which of its graphs, and the vertex there.
pub(crate) type Place = (u32, Vertex);

/// A vertex of W ⊗ D.
pub(crate) type Pair = (Vertex, Place);

/// What the observer expects: the executions of the world that some graph admits, or all of them.
pub(crate) struct Expected<'a> {
    world: &'a PGraph,
    /// `None`: nothing is known of the plan.
    parts: Option<Vec<Part<'a>>>,
}

struct Part<'a> {
    graph: Cow<'a, PGraph>,
    /// Executions stop here.
    stops: Option<&'a BitSet>,
}

impl<'a> Expected<'a> {
    /// What the observer of a setting expects.
    pub fn new(setting: &'a Setting<'_>) -> Result<Self, QuestionError> {
        let whole = |graph| Part { graph: Cow::Borrowed(graph), stops: None };
        let of_plan = |plan: &'a Plan| Part { stops: Some(&plan.terminal), ..whole(&plan.graph) };
        let (parts, what) = match &setting.observer().knows {
            Knows::World => (None, ""),
            Knows::Plan => {
                let plan = setting.plan().ok_or(QuestionError::NeedsPlan("the observer knows the plan"))?;
                (Some(vec![of_plan(plan)]), "the plan")
            }
            Knows::Plans(plans) if plans.is_empty() => return Err(QuestionError::NoPlans),
            Knows::Plans(plans) => {
                (Some(plans.iter().map(of_plan).collect()), "a plan that the observer knows of")
            }
            Knows::Graph(graph) => (Some(vec![whole(&graph.graph)]), "the divulged graph"),
            Knows::GoalDirected => {
                let graph = goal_directed(setting.world(), setting.monitor())?;
                let part = graph.map(|graph| Part { graph: Cow::Owned(graph), stops: None });
                (Some(part.into_iter().collect()), "")
            }
        };
        let world = &setting.world().graph;
        let other = |part: &Part<'_>| part.graph.initial_kind() != world.initial_kind();
        if parts.iter().flatten().any(other) {
            return Err(QuestionError::OtherKind(what));
        }
        Ok(Self { world, parts })
    }

    /// The initial pairs, ascending; none if no execution is expected at all.
    pub fn start(&self) -> Vec<Pair> {
        let places: Vec<Place> = match &self.parts {
            None => vec![(0, Vertex(0))],
            Some(parts) => {
                (0..).zip(parts).flat_map(|(i, p)| p.graph.initial().iter().map(move |&v| (i, v))).collect()
            }
        };
        self.world.initial().iter().flat_map(|&w| places.iter().map(move |&d| (w, d))).collect()
    }

    /// Where the divulged plan may be after one more event.
    pub fn follow(&self, place: Place, label: Label) -> impl Iterator<Item = Place> + '_ {
        // Where nothing is known of the plan there is one place, and it stays.
        let stays = self.parts.is_none().then_some(place);
        let part = self.parts.as_ref().map(|parts| &parts[place.0 as usize]);
        let goes = part.filter(|part| part.stops.is_none_or(|stops| !stops.contains(place.1.index())));
        let arcs = goes.map_or(&[][..], |part| part.graph.step(place.1, label));
        stays.into_iter().chain(arcs.iter().map(move |arc| (place.0, arc.to)))
    }

    /// Every event that may follow at a pair, with the pair that it leads to.
    pub fn next(&self, pair: Pair) -> impl Iterator<Item = (Label, Pair)> + '_ {
        self.next_of(pair, |_| true)
    }

    /// The same of those events that are wanted.
    pub fn next_of<'s>(
        &'s self,
        (w, place): Pair,
        wanted: impl Fn(Label) -> bool + 's,
    ) -> impl Iterator<Item = (Label, Pair)> + 's {
        let arcs = self.world.arcs(w).iter().filter(move |arc| wanted(arc.label));
        arcs.flat_map(move |arc| self.follow(place, arc.label).map(move |d| (arc.label, (arc.to, d))))
    }

    /// The world's own graph.
    pub fn world(&self) -> &'a PGraph {
        self.world
    }
}

/// Case III: sets of world vertices that the robot cannot tell apart, those from which the goal can be forced, and the
/// safe actions that stay among them; an observation vertex that can lead outside keeps no edges.
fn goal_directed(world: &World, monitor: &dyn Monitor) -> Result<Option<PGraph>, Limit> {
    let (sets, arcs) = safe_sets(&world.graph, monitor)?;
    let kind = |s: usize| world.graph.kind(sets[s][0]);
    // Whoever waits at an observation vertex that bears nothing waits for ever, so such a set is no place to go on.
    let silent = |s: usize| sets[s].iter().any(|&w| world.graph.arcs(w).is_empty());
    let mut wins: Vec<bool> = sets.iter().map(|set| set.iter().all(|&w| world.is_goal(w))).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        monitor.poll(&EXPLAINING)?;
        for s in (0..sets.len()).rev().filter(|&s| !arcs[s].is_empty()) {
            let win = |(_, to): &(Label, usize)| wins[*to];
            let forced = match kind(s) {
                Kind::Action => arcs[s].iter().any(win),
                Kind::Observation => !silent(s) && arcs[s].iter().all(win),
            };
            if forced && !wins[s] {
                wins[s] = true;
                changed = true;
            }
        }
    }
    if !wins[0] {
        return Ok(None);
    }
    let mut builder = PGraphBuilder::new();
    for s in 0..sets.len() {
        builder.vertex(kind(s));
    }
    builder.initial(Vertex(0));
    for s in (0..sets.len()).filter(|&s| wins[s]) {
        if kind(s) == Kind::Action || !silent(s) && arcs[s].iter().all(|&(_, to)| wins[to]) {
            for &(label, to) in arcs[s].iter().filter(|&&(_, to)| wins[to]) {
                builder.arc(Vertex(s as u32), label, Vertex(to as u32));
            }
        }
    }
    Ok(Some(builder.build().expect("sets alternate as their members do")))
}

/// The subset construction with safe actions only; set 0 is the initial one.
#[allow(clippy::type_complexity)]
fn safe_sets(
    graph: &PGraph,
    monitor: &dyn Monitor,
) -> Result<(Vec<Vec<Vertex>>, Vec<Vec<(Label, usize)>>), Limit> {
    let mut sets = vec![graph.initial().to_vec()];
    let mut ids = BTreeMap::from([(sets[0].clone(), 0)]);
    let mut arcs: Vec<Vec<(Label, usize)>> = Vec::new();
    while arcs.len() < sets.len() {
        if arcs.len().is_multiple_of(POLL) {
            monitor.poll(&EXPLAINING)?;
        }
        let set = sets[arcs.len()].clone();
        let mut labels: Vec<Label> = set.iter().flat_map(|&w| graph.labels(w)).collect();
        labels.sort_unstable();
        labels.dedup();
        if graph.kind(set[0]) == Kind::Action {
            labels.retain(|&l| set.iter().all(|&w| graph.bears(w, l)));
        }
        let mut out = Vec::new();
        for label in labels {
            let mut next: Vec<Vertex> =
                set.iter().flat_map(|&w| graph.step(w, label)).map(|arc| arc.to).collect();
            next.sort_unstable();
            next.dedup();
            let id = *ids.entry(next).or_insert_with_key(|next| {
                sets.push(next.clone());
                sets.len() - 1
            });
            out.push((label, id));
        }
        arcs.push(out);
    }
    Ok((sets, arcs))
}
