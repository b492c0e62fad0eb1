//! An observer whose divulged plan is fixed: what it remembers of the images that it saw, and its estimate.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Filter, Knows, Label, LabelMap, Observer, Problem, Scope};

use super::{
    past::{Asked, Estimate, Place},
    reach,
};
use crate::{
    Refusal,
    divulged::divulged,
    graph::{Graph, Set, plain},
    observer,
};

/// What the observer remembers of an image string.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// Strongest filter: the places in W, with the vertices of D, that executions with this image reach.
    Belief(BTreeSet<(Place, usize)>),
    /// Any other filter: the set B of I-states reached.
    Reached(Set),
}

/// An observer, with D and h fixed.
#[derive(Clone, Debug)]
pub struct Watcher<'p> {
    /// What is asked of the past.
    pub asked: Asked<'p>,
    /// The observer as the problem has it.
    pub observer: &'p Observer,
    /// The divulged plan.
    pub divulged: Graph<Label>,
    pub(super) world: Graph<Label>,
    images: Vec<Option<String>>,
    istates: Option<IStates>,
}

/// A filter that is a graph over images, with silent edges perhaps, and the estimate of each set B of its vertices that some execution in
/// L(W) ∩ L(D) reaches exactly.
#[derive(Clone, Debug)]
struct IStates {
    graph: Graph<Option<String>>,
    estimates: BTreeMap<Set, Estimate>,
}

impl IStates {
    fn start(&self) -> Set {
        self.closed(self.graph.initial.clone())
    }

    fn after(&self, b: &Set, image: &Option<String>) -> Set {
        match image {
            None => b.clone(),
            seen => self.closed(self.graph.after(b, seen)),
        }
    }

    fn closed(&self, b: Set) -> Set {
        let silent = |v: &usize| self.graph.step(*v, &None).into_iter().collect();
        reach(b, silent).map(|found| found.into_keys().collect()).expect("filters are small")
    }
}

/// What the labels look like.
pub fn images(problem: &Problem, map: &LabelMap) -> Vec<Option<String>> {
    problem.alphabet.labels().map(|l| map.look(l).map(str::to_owned)).collect()
}

impl<'p> Watcher<'p> {
    /// One of the problem's observers. One who knows the plan knows the problem's.
    ///
    /// # Errors
    /// If the map or the plan is missing, or the filter does not fit.
    pub fn new(problem: &'p Problem, number: usize) -> Result<Self, Refusal> {
        let observer = problem.observers().nth(number).expect("there are so many observers");
        let map = observer.map.as_ref().ok_or(Refusal::NoMap)?;
        let about = problem.clone().about(number);
        let world = plain(&problem.world.graph);
        let images = images(problem, map);
        let later = |s: &divulge::problem::Stipulation| matches!(s.scope, Scope::Hindsight { .. });
        if observer.filter != Filter::Strongest && observer.stipulations.iter().any(later) {
            return Err(Refusal::HindsightOfFilter);
        }
        let graph = match &observer.filter {
            Filter::Strongest => None,
            Filter::Image => Some(world.map(|l| images[l.index()].clone())),
            Filter::Graph(_) if map.hides() => return Err(Refusal::FilterOfUnseen),
            Filter::Graph(filter) => {
                observer::Observer::new(&about)?; // refuses what cannot trace the world
                Some(plain(&filter.graph.graph).map(|l| Some(filter.images.name(l.0).to_owned())))
            }
        };
        let (asked, divulged) = (Asked::new(problem), divulged(&about)?);
        let mut watcher = Self { asked, observer, divulged, world, images, istates: None };
        if let Some(graph) = graph {
            watcher.istates = Some(watcher.istates(graph)?);
        }
        Ok(watcher)
    }

    /// Whether what the observer knows does not depend on a plan that is sought.
    pub fn is_fixed(observer: &Observer) -> bool {
        observer.knows != Knows::Plan
    }

    /// What an event looks like; `None` if it is not seen.
    pub fn image(&self, event: Label) -> &Option<String> {
        &self.images[event.index()]
    }

    fn begin(&self) -> BTreeSet<(Place, usize)> {
        let places = self.world.initial.iter().map(|&w| self.asked.begin(w));
        places.flat_map(|p| self.divulged.initial.iter().map(move |&d| (p.clone(), d))).collect()
    }

    /// Where events that look like this lead, seen or not.
    fn step(&self, (place, d): &(Place, usize), image: &Option<String>) -> Vec<(Place, usize)> {
        let labels = self.world.labels(place.0).into_iter().filter(|&l| self.image(l) == image);
        labels.flat_map(|l| self.both(place, *d, l)).collect()
    }

    fn both(&self, place: &Place, d: usize, event: Label) -> Vec<(Place, usize)> {
        let (worlds, plans) = (self.world.step(place.0, &event), self.divulged.step(d, &event));
        let places = worlds.into_iter().map(|w| self.asked.go(place, w));
        places.flat_map(|p| plans.iter().map(move |&d| (p.clone(), d))).collect()
    }

    /// What unseen events make of a belief.
    pub(super) fn closed(&self, belief: BTreeSet<(Place, usize)>) -> BTreeSet<(Place, usize)> {
        let found = reach(belief, |at| self.step(at, &None)).expect("beliefs are small");
        found.into_keys().collect()
    }

    /// What an image makes of a belief.
    pub(super) fn seen(
        &self,
        belief: &BTreeSet<(Place, usize)>,
        image: &Option<String>,
    ) -> BTreeSet<(Place, usize)> {
        self.closed(belief.iter().flat_map(|at| self.step(at, image)).collect())
    }

    /// The memory before the first event.
    pub fn start(&self) -> Memory {
        match &self.istates {
            None => Memory::Belief(self.closed(self.begin())),
            Some(istates) => Memory::Reached(istates.start()),
        }
    }

    /// The memory after one more event, of which only the image is seen, or nothing.
    pub fn after(&self, memory: &Memory, event: Label) -> Memory {
        let image = self.image(event);
        match (memory, &self.istates) {
            (memory, _) if image.is_none() => memory.clone(),
            (Memory::Belief(belief), _) => Memory::Belief(self.seen(belief, image)),
            (Memory::Reached(b), Some(istates)) => Memory::Reached(istates.after(b, image)),
            (Memory::Reached(_), None) => unreachable!("the strongest filter remembers beliefs"),
        }
    }

    /// The estimate: the places that are possible as far as the observer can tell.
    pub fn estimate(&self, memory: &Memory) -> Estimate {
        match (memory, &self.istates) {
            (Memory::Belief(belief), _) => belief.iter().map(|(place, _)| place.clone()).collect(),
            (Memory::Reached(b), Some(istates)) => istates.estimates.get(b).cloned().unwrap_or_default(),
            (Memory::Reached(_), None) => unreachable!("the strongest filter remembers beliefs"),
        }
    }

    /// The estimate of each B: the places of all executions in L(W) ∩ L(D) that reach exactly B.
    fn istates(&self, graph: Graph<Option<String>>) -> Result<IStates, Refusal> {
        let mut istates = IStates { graph, estimates: BTreeMap::new() };
        let b = istates.start();
        let found = reach(self.begin().into_iter().map(|(p, d)| (p, d, b.clone())), |(place, d, b)| {
            let after = |l: Label| {
                let b = istates.after(b, self.image(l));
                self.both(place, *d, l).into_iter().map(move |(p, d)| (p, d, b.clone()))
            };
            self.world.labels(place.0).into_iter().flat_map(after).collect()
        })?;
        for (place, _, b) in found.into_keys() {
            istates.estimates.entry(b).or_default().insert(place);
        }
        Ok(istates)
    }
}
