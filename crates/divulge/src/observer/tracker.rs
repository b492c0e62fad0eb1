//! The observer at work: what it believes after each image, and which stipulations hold of its estimate.
//!
//! *Background.* With perfect recall the observer's state is a belief, the set of tracked vertices that some execution with the
//! images seen so far reaches. With a filter I it is a vertex of Sde(I), and its estimate is fixed beforehand by all executions
//! that lead there.
//!
//! *Practical.* [`Tracker::step`] follows one image. Beliefs are found on demand, each stored once; a filter's states
//! are all found at the start.

use rustc_hash::FxHashMap;

use crate::{
    formula::{Course, Stipulations},
    graph,
    limit::{Limit, Monitor, Progress},
    observer::{divulged::Tracked, signatures::Signatures, successors::Successors},
    problem::{Filter, Image, Label, LabelMap, PGraph, Vertex},
    sets::{BitSet, HybridStore, Members, NodeSet, SetId, SetStore},
    verdict::QuestionError,
};

/// How many pairs are followed between two looks at the monitor.
const POLL: u64 = 4096;

/// A state of the observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether a filter traces all that the world may show, L(I) ⊇ h[L(W)], whatever else there is to know.
///
/// # Errors
/// With a shortest image string that it cannot trace, or the limit that was hit.
pub fn check_filter(
    world: &PGraph,
    filter: &Filter,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<(), QuestionError> {
    let Filter::Graph(filter) = filter else { return Ok(()) };
    let own = own_images(&filter.graph.graph, filter, map);
    if traces_everything(&own, world, map) {
        return Ok(());
    }
    match untraceable(&graph::image(world, map), &own, monitor)? {
        None => Ok(()),
        // Nothing that begins otherwise can trace an event, and that is what there is to mend.
        Some(_) if filter.graph.graph.initial_kind() != world.initial_kind() => {
            Err(QuestionError::OtherKind("the filter"))
        }
        Some(string) => {
            let names = string.iter().map(|l| map.name(Image(l.0)).to_owned()).collect();
            Err(QuestionError::FilterCannotTrace(names))
        }
    }
}

/// Follows what the observer sees.
#[derive(Debug)]
pub struct Tracker<'a> {
    tracked: &'a Tracked<'a>,
    stipulations: &'a Stipulations,
    signatures: Signatures,
    /// The tracked vertices that make up the estimate.
    sets: HybridStore,
    states: Vec<State>,
    successors: Successors,
}

#[derive(Clone, Debug)]
struct State {
    set: u32,
    /// What has become of the stipulations.
    course: Course,
    next: Option<Box<[(Image, StateId)]>>,
}

impl<'a> Tracker<'a> {
    /// An observer of `world` with this filter, who sees through `map` and tracks `tracked`. The states of a filter are all found
    /// at once, and there may be many.
    ///
    /// # Errors
    /// If the filter is a p-graph that cannot trace all that it may see, or the limit that was hit.
    pub fn new(
        world: &PGraph,
        filter: &Filter,
        map: &LabelMap,
        tracked: &'a Tracked<'a>,
        stipulations: &'a Stipulations,
        monitor: &dyn Monitor,
    ) -> Result<Self, QuestionError> {
        if tracked.recalled_by(filter) {
            return Ok(Self::recalling(map, tracked, stipulations));
        }
        let mut tracker = Self::blank(tracked, stipulations);
        match filter {
            Filter::Strongest => {}
            Filter::Image => tracker.fill(&graph::image(world, map), map, monitor)?,
            Filter::Graph(own) => {
                check_filter(world, filter, map, monitor)?;
                tracker.fill(&own_images(&own.graph.graph, own, map), map, monitor)?;
            }
        }
        Ok(tracker)
    }

    /// An observer with perfect recall, whatever its filter.
    pub fn recalling(map: &LabelMap, tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        let mut tracker = Self::blank(tracked, stipulations);
        tracker.successors = Successors::new(&tracked.graph, map.images(), map.len());
        let start: Vec<u32> = tracked.graph.initial().iter().map(|v| v.0).collect();
        let start = tracker.sets.intern_list(&start);
        tracker.belief(start, None);
        tracker
    }

    fn blank(tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        Self {
            tracked,
            stipulations,
            signatures: Signatures::new(tracked, stipulations),
            sets: HybridStore::new(tracked.graph.len()),
            states: Vec::new(),
            successors: Successors::default(),
        }
    }

    /// How much was done to find successors: arcs looked at.
    pub fn work(&self) -> u64 {
        self.successors.work()
    }

    /// Where the observer starts.
    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    /// How many states have been found.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no state has been found (never: the initial one is there).
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many tracked vertices the states' estimates are made of, all together.
    pub fn all_members(&self) -> u64 {
        self.sets.members()
    }

    /// About how many bytes the states take.
    pub fn bytes(&self) -> usize {
        self.sets.bytes() + self.states.capacity() * std::mem::size_of::<State>()
    }

    /// The state after an event that looks like `image`: the same one if it is not seen at all, and `None` if no execution that the
    /// observer expects looks like that.
    pub fn step(&mut self, state: StateId, image: Option<Image>) -> Option<StateId> {
        let Some(image) = image else { return Some(state) };
        let next = self.successors(state);
        next.binary_search_by_key(&image, |(i, _)| *i).ok().map(|at| next[at].1)
    }

    /// All images that may follow, ascending, with the states that they lead to.
    pub fn successors(&mut self, state: StateId) -> &[(Image, StateId)] {
        if self.states[state.index()].next.is_none() {
            let mut next = Vec::new();
            let set = self.states[state.index()].set;
            let mut successors = std::mem::take(&mut self.successors);
            successors.compute(&self.tracked.graph, self.sets.get(set));
            for (image, members) in successors.found() {
                let set = self.sets.intern(members);
                next.push((image, self.belief(set, Some(state))));
            }
            self.successors = successors;
            self.states[state.index()].next = Some(next.into_boxed_slice());
        }
        self.states[state.index()].next.as_deref().unwrap_or_default()
    }

    /// The same, where [`successors`](Self::successors) was asked before; else nothing.
    pub fn known_successors(&self, state: StateId) -> &[(Image, StateId)] {
        self.states[state.index()].next.as_deref().unwrap_or_default()
    }

    /// What has become of the stipulations when the observer is in this state.
    pub fn course(&self, state: StateId) -> Course {
        self.states[state.index()].course
    }

    /// The first stipulation that is broken in this state; those of scope `end` count if the plan may terminate here.
    pub fn broken(&self, state: StateId, ends: bool) -> Option<usize> {
        self.stipulations.first_broken(&self.signature(state), ends)
    }

    /// Which masks of the stipulations the state's estimate meets.
    pub fn signature(&self, state: StateId) -> Vec<u64> {
        self.signatures.of(self.members(state))
    }

    /// The class of a tracked vertex: those of one class are in the same masks of the stipulations.
    pub fn class_of(&self, v: Vertex) -> usize {
        self.signatures.class_of(v)
    }

    /// The signatures of the classes of tracked vertices, in order.
    pub fn classes(&self) -> impl Iterator<Item = &[u64]> {
        self.signatures.of_classes()
    }

    /// The tracked vertices behind the state's estimate.
    pub fn members(&self, state: StateId) -> Members<'_> {
        self.sets.get(self.states[state.index()].set)
    }

    /// The state's estimate: world vertices, ascending.
    pub fn estimate(&self, state: StateId) -> Vec<Vertex> {
        let mut all: Vec<Vertex> =
            self.members(state).iter().flat_map(|v| self.tracked.world_vertices(Vertex(v))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The state of perfect recall whose belief this is, after another one or at the start. No course remembers anything, so there is
    /// one state for each belief.
    fn belief(&mut self, set: u32, before: Option<StateId>) -> StateId {
        if set as usize == self.states.len() {
            self.push(set, before);
        }
        StateId(set)
    }

    fn push(&mut self, set: u32, before: Option<StateId>) {
        let signature = self.signatures.of(self.sets.get(set));
        let course = match before {
            None => self.stipulations.begin(&signature),
            Some(before) => self.stipulations.advance(self.course(before), &signature),
        };
        self.states.push(State { set, course, next: None });
    }

    /// All states of a filter whose arcs are labelled by images, with what executions that reach each exactly stand for.
    fn fill(&mut self, filter: &PGraph, map: &LabelMap, monitor: &dyn Monitor) -> Result<(), Limit> {
        let Table { reached, next } = Table::explore(&self.tracked.graph, filter, map, monitor)?;
        let mut members = Vec::new();
        for mut group in reached {
            group.finish();
            group.list(&mut members);
            members.sort_unstable();
            let set = self.sets.intern_list(&members);
            self.push(set, None);
        }
        for (state, next) in self.states.iter_mut().zip(next) {
            let mut next: Vec<(Image, StateId)> = next.into_iter().collect();
            next.sort_unstable();
            state.next = Some(next.into_boxed_slice());
        }
        Ok(())
    }
}

/// Whether every vertex of the filter goes on with every image that its kind of event may have: then there is nothing that it
/// cannot trace, and no need to look for it.
fn traces_everything(filter: &PGraph, world: &PGraph, map: &LabelMap) -> bool {
    let mut seen = [(); 2].map(|()| BitSet::new(map.len()));
    for (v, arc) in world.all_arcs() {
        if let Some(image) = map.image(arc.label) {
            seen[world.kind(v) as usize].insert(image.index());
        }
    }
    let images = seen.each_ref().map(BitSet::count);
    let complete = |v: Vertex| {
        let known = filter.labels(v).filter(|l| seen[filter.kind(v) as usize].contains(l.index()));
        known.count() == images[filter.kind(v) as usize]
    };
    filter.initial_kind() == world.initial_kind() && filter.vertices().all(complete)
}

/// A shortest string of images that the filter cannot trace. Kinds count too: an image may stand for an action and for an
/// observation, and a filter that starts with the other kind of vertex traces nothing but the empty string.
fn untraceable(seen: &PGraph, filter: &PGraph, monitor: &dyn Monitor) -> Result<Option<Vec<Label>>, Limit> {
    if seen.initial_kind() == filter.initial_kind() {
        return graph::separating_execution(seen, filter, monitor);
    }
    Ok(seen.initial().iter().find_map(|&v| seen.labels(v).next()).map(|label| vec![label]))
}

/// The filter's graph with the map's numbers of the images; what the map never shows is left out.
fn own_images(graph: &PGraph, filter: &crate::problem::FilterGraph, map: &LabelMap) -> PGraph {
    let mut builder = crate::problem::PGraphBuilder::new();
    for v in graph.vertices() {
        builder.vertex(graph.kind(v));
    }
    for &v in graph.initial() {
        builder.initial(v);
    }
    for (v, arc) in graph.all_arcs() {
        if let Some(image) = map.get(filter.images.name(arc.label.0)) {
            builder.arc(v, Label(image.0), arc.to);
        }
    }
    builder.build().expect("a part of a p-graph with the same vertices is a p-graph")
}

/// The pairs (tracked vertex, set of I-states) that executions reach.
struct Table {
    /// For each set of I-states, the tracked vertices that executions reaching exactly it reach.
    reached: Vec<NodeSet>,
    next: Vec<FxHashMap<Image, StateId>>,
}

impl Table {
    fn explore(
        tracked: &PGraph,
        filter: &PGraph,
        map: &LabelMap,
        monitor: &dyn Monitor,
    ) -> Result<Self, Limit> {
        let mut sets = SetStore::new();
        let mut table = Self { reached: vec![NodeSet::default()], next: vec![FxHashMap::default()] };
        sets.intern(&filter.initial().iter().map(|v| v.0).collect::<Vec<_>>());
        for v in tracked.initial() {
            table.reached[0].insert(v.0, tracked.len());
        }
        let (mut todo, mut fresh, mut post) = (vec![0u32], Vec::new(), Vec::new());
        let (mut explored, mut since) = (0, 0);
        while let Some(set) = todo.pop() {
            table.reached[set as usize].take_fresh(&mut fresh);
            explored += fresh.len() as u64;
            since += 1 + fresh.len() as u64;
            if since >= POLL {
                since = 0;
                let (doing, stored) = ("following the filter", sets.len() as u64);
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            for arc in fresh.iter().flat_map(|&v| tracked.arcs(Vertex(v))) {
                let to = match map.image(arc.label) {
                    None => StateId(set),
                    Some(image) => *table.next[set as usize].entry(image).or_insert_with(|| {
                        graph::post(filter, sets.get(SetId(set)), Label(image.0), &mut post);
                        StateId(sets.intern(&post).0)
                    }),
                };
                if to.index() == table.reached.len() {
                    table.reached.push(NodeSet::default());
                    table.next.push(FxHashMap::default());
                }
                let group = &mut table.reached[to.index()];
                let waits = group.has_fresh();
                group.insert(arc.to.0, tracked.len());
                if !waits && group.has_fresh() {
                    todo.push(to.0);
                }
            }
        }
        Ok(table)
    }
}
