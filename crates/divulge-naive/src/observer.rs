//! The observer: what it remembers of the images it saw, and its estimate of the world.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use divulge::problem::{Filter, FilterGraph, Label, LabelMap, Plan, Problem};

use crate::{
    Refusal,
    divulged::divulged,
    graph::{Graph, Set, plain, trimmed},
};

/// What the observer remembers of an image string.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// Strongest filter: the pairs (w, d) of W ⊗ D that executions with this image reach.
    Belief(BTreeSet<(usize, usize)>),
    /// Any other filter: the set B of I-states reached.
    Reached(Set),
}

/// An observer, with D and h fixed.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The divulged plan.
    pub divulged: Graph<Label>,
    world: Graph<Label>,
    images: Vec<String>,
    istates: Option<IStates>,
}

/// A filter that is a graph I over images, with the estimate of each set B of its vertices that some execution in
/// L(W) ∩ L(D) reaches exactly.
#[derive(Clone, Debug)]
struct IStates {
    graph: Graph<String>,
    estimates: BTreeMap<Set, Set>,
}

impl Observer {
    /// The observer of a problem.
    ///
    /// # Errors
    /// If the problem lacks the map or the plan, or if the filter cannot trace all that can happen in the world.
    pub fn new(problem: &Problem) -> Result<Self, Refusal> {
        let map = problem.observer.map.as_ref().ok_or(Refusal::NoMap)?;
        let world = plain(&problem.world.graph);
        let images = image_names(problem, map);
        let divulged = divulged(problem)?;
        let graph = match &problem.observer.filter {
            Filter::Strongest => None,
            Filter::Image => Some(world.map(|l| images[l.index()].clone())),
            Filter::Graph(filter) => Some(named(filter)),
        };
        if let Some(graph) = &graph
            && let Some(string) = untraceable(&world, &images, graph)
        {
            return Err(Refusal::Untraceable(string));
        }
        let istates = graph.map(|graph| {
            let estimates = estimates(&world, &divulged, &images, &graph);
            IStates { graph, estimates }
        });
        Ok(Self { divulged, world, images, istates })
    }

    /// What an event looks like.
    pub fn image(&self, event: Label) -> &str {
        &self.images[event.index()]
    }

    /// The memory before the first event.
    pub fn start(&self) -> Memory {
        match &self.istates {
            None => Memory::Belief(pairs(&self.world.initial, &self.divulged.initial)),
            Some(istates) => Memory::Reached(istates.graph.initial.clone()),
        }
    }

    /// The memory after one more event, of which only the image is seen.
    pub fn after(&self, memory: &Memory, event: Label) -> Memory {
        let image = self.image(event);
        match (memory, &self.istates) {
            (Memory::Reached(b), Some(istates)) => Memory::Reached(istates.graph.after(b, &image.to_owned())),
            (Memory::Belief(belief), _) => {
                Memory::Belief(belief.iter().flat_map(|&(w, d)| self.look_alikes(w, d, image)).collect())
            }
            (Memory::Reached(_), None) => unreachable!("the strongest filter remembers beliefs"),
        }
    }

    fn look_alikes(&self, w: usize, d: usize, image: &str) -> BTreeSet<(usize, usize)> {
        self.world
            .labels(w)
            .into_iter()
            .filter(|&l| self.image(l) == image)
            .flat_map(|l| pairs(&self.world.step(w, &l), &self.divulged.step(d, &l)))
            .collect()
    }

    /// The estimate: the world vertices that are possible as far as the observer can tell.
    pub fn estimate(&self, memory: &Memory) -> Set {
        match (memory, &self.istates) {
            (Memory::Belief(belief), _) => belief.iter().map(|&(w, _)| w).collect(),
            (Memory::Reached(b), Some(istates)) => istates.estimates.get(b).cloned().unwrap_or_default(),
            (Memory::Reached(_), None) => unreachable!("the strongest filter remembers beliefs"),
        }
    }
}

fn image_names(problem: &Problem, map: &LabelMap) -> Vec<String> {
    problem.alphabet.labels().map(|l| map.shown(l).to_owned()).collect()
}

fn named(filter: &FilterGraph) -> Graph<String> {
    plain(&filter.graph.graph).map(|l| filter.images.name(l.0).to_owned())
}

/// All pairs of a vertex of one set and a vertex of the other.
pub fn pairs(left: &Set, right: &Set) -> BTreeSet<(usize, usize)> {
    left.iter().flat_map(|&l| right.iter().map(move |&r| (l, r))).collect()
}

/// A shortest image string of an execution of the world that I cannot trace, if L(I) ⊉ h[L(W)].
fn untraceable(world: &Graph<Label>, images: &[String], filter: &Graph<String>) -> Option<Vec<String>> {
    let start = (world.initial.clone(), filter.initial.clone());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, Vec::new())]);
    while let Some(((at, b), string)) = queue.pop_front() {
        if b.is_empty() {
            return Some(string);
        }
        for label in at.iter().flat_map(|&w| world.labels(w)) {
            let image = &images[label.index()];
            let next = (world.after(&at, &label), filter.after(&b, image));
            if seen.insert(next.clone()) {
                queue.push_back((next, [string.clone(), vec![image.clone()]].concat()));
            }
        }
    }
    None
}

/// The estimate of each B: {w : some (w, d, B) is reachable in W ⊗ D ⊗ h⁻¹⟨Sde(I)⟩}.
fn estimates(
    world: &Graph<Label>,
    divulged: &Graph<Label>,
    images: &[String],
    filter: &Graph<String>,
) -> BTreeMap<Set, Set> {
    let starts = pairs(&world.initial, &divulged.initial);
    let mut found: BTreeSet<(usize, usize, Set)> =
        starts.into_iter().map(|(w, d)| (w, d, filter.initial.clone())).collect();
    let mut todo: Vec<_> = found.iter().cloned().collect();
    while let Some((w, d, b)) = todo.pop() {
        for label in world.labels(w) {
            let next_b = filter.after(&b, &images[label.index()]);
            for (next_w, next_d) in pairs(&world.step(w, &label), &divulged.step(d, &label)) {
                let next = (next_w, next_d, next_b.clone());
                if found.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    let mut estimates: BTreeMap<Set, Set> = BTreeMap::new();
    for (w, _, b) in found {
        estimates.entry(b).or_default().insert(w);
    }
    estimates
}

/// The estimates of `problem`'s observer with which joint executions of `plan` and the world end, at each terminal vertex of `plan`.
///
/// # Errors
/// If the observer cannot be set up.
pub fn ends(problem: &Problem, plan: &Plan) -> Result<BTreeMap<usize, BTreeSet<Set>>, Refusal> {
    let observer = Observer::new(problem)?;
    let (steps, world) = (trimmed(plan), plain(&problem.world.graph));
    let mut todo: Vec<(usize, usize, Memory)> = Vec::new();
    for &v in &steps.initial {
        todo.extend(world.initial.iter().map(|&w| (v, w, observer.start())));
    }
    let mut seen: BTreeSet<_> = todo.iter().cloned().collect();
    let mut ends: BTreeMap<usize, BTreeSet<Set>> = BTreeMap::new();
    while let Some((v, w, memory)) = todo.pop() {
        if plan.terminal.contains(v) {
            ends.entry(v).or_default().insert(observer.estimate(&memory));
        }
        for (label, to) in steps.out(v) {
            for w in world.step(w, label) {
                let next = (to, w, observer.after(&memory, *label));
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    Ok(ends)
}
