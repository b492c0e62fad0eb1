//! The observer at work: what it believes after each image, and what becomes of its stipulations.
//!
//! *Background.* With perfect recall the observer's place is a belief, the set of tracked vertices that some execution with the
//! images seen so far reaches; it contains what unseen events lead to. With a filter I it is a vertex of Sde(I), and its estimate is fixed
//! beforehand by all executions that lead there. Stipulations that remember other moments are followed beside it: a state is a place, what
//! has become of the runs, and what is made of earlier moments. Several observers are one whose place is everybody's state, and to
//! whom events look alike if they do to everybody.
//!
//! *Practical.* [`Tracker::step`] follows one event. States are found on demand, each stored once; a filter's places
//! are all found at the start.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    formula::{Course, Courses, Due, RunStanding, Stipulations},
    limit::{Monitor, both, threads, worth},
    observer::{
        ahead::{Ahead, Unknown},
        divulged::Tracked,
        filter::{self, Table},
        one::{One, Places},
        several::{Part, Several},
        successors::Successors,
    },
    problem::{Filter, Image, Label, LabelMap, PGraph, Scope, Vertex},
    sets::{BitSet, HybridStore, Members},
    verdict::QuestionError,
};

/// So many arcs are worth a thread that looks at them before they are asked for.
const ARCS: usize = 1 << 18;

/// A state of the observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Follows what the observer sees.
#[derive(Debug)]
pub struct Tracker<'a> {
    states: Vec<State>,
    /// What images lead to, state by state, in the order in which somebody asked.
    arcs: Vec<(Image, StateId)>,
    /// Room for those of one state.
    next: Vec<(Image, StateId)>,
    /// The state of each place, runs and recollections; absent where states are numbered as places are.
    number: Option<FxHashMap<(u32, u32, u32), StateId>>,
    eyes: Eyes<'a>,
}

#[derive(Clone, Debug)]
struct State {
    /// A belief, a filter's state, or everybody's states.
    place: u32,
    /// What has become of the stipulations.
    course: Course,
    /// What is made of earlier moments.
    recollections: u32,
    /// Where its arcs begin and end, once somebody has asked for them.
    arcs: Option<(u32, u32)>,
}

#[derive(Debug)]
enum Eyes<'a> {
    One(Box<One<'a>>),
    Several(Box<Several<'a>>),
}

impl<'a> Tracker<'a> {
    /// An observer of `world` with this filter, who sees through `map` and tracks `tracked`. The places of a filter are all found
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
        if tracked.recalled_by(filter, world) {
            return Ok(Self::recalling(map, tracked, stipulations));
        }
        let places = match filter {
            Filter::Strongest | Filter::Image => {
                Table::explore(&tracked.graph, &filter::Silent::image(world, map), map, monitor)?
            }
            Filter::Graph(own) => {
                filter::check_filter(world, filter, map, monitor)?;
                let own = filter::own_images(&own.graph.graph, own, map);
                Table::explore(&tracked.graph, &filter::Silent::none(own), map, monitor)?
            }
        };
        let mut one = One::new(tracked, stipulations);
        one.table = Some(Places::of(places, &mut one.sets));
        let mut tracker = Self::of(one);
        tracker.enter(None, Image(0), 0);
        if tracker.number.is_none() {
            (1..tracker.places() as u32).for_each(|place| _ = tracker.enter(None, Image(0), place));
        }
        Ok(tracker)
    }

    /// An observer with perfect recall of whose stipulations only what they say of the present counts.
    pub fn forgetting(map: &LabelMap, tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        let mut one = One::new(tracked, stipulations);
        (one.courses, one.hindsight) = (Courses::default(), None);
        Self::starting(one, map)
    }

    /// An observer with perfect recall, whatever its filter.
    pub fn recalling(map: &LabelMap, tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        Self::starting(One::new(tracked, stipulations), map)
    }

    fn starting(mut one: One<'a>, map: &LabelMap) -> Self {
        let tracked = one.tracked;
        one.successors = Successors::new(&tracked.graph, map.images(), map.len());
        let mut start: Vec<u32> = tracked.graph.initial().iter().map(|v| v.0).collect();
        one.successors.close(&mut start);
        let start = one.sets.intern_list(&start);
        let mut tracker = Self::of(one);
        tracker.enter(None, Image(0), start);
        tracker
    }

    /// Several observers, who see everything together through one map, in which labels look alike if they do to everybody; `looks` tells what each image is to each.
    pub fn together(trackers: Vec<Tracker<'a>>, looks: Vec<Box<[Option<Image>]>>) -> Self {
        let several = Several::new(trackers, looks);
        let course = several.course(0);
        let first = State { place: 0, course, recollections: 0, arcs: None };
        Self { states: vec![first], ..Self::blank(None, Eyes::Several(Box::new(several))) }
    }

    fn of(one: One<'a>) -> Self {
        let number = (!one.courses.is_empty() || one.hindsight.is_some()).then(FxHashMap::default);
        Self::blank(number, Eyes::One(Box::new(one)))
    }

    /// An observer of whom no state has been found.
    fn blank(number: Option<FxHashMap<(u32, u32, u32), StateId>>, eyes: Eyes<'a>) -> Self {
        Self { states: Vec::new(), arcs: Vec::new(), next: Vec::new(), number, eyes }
    }

    fn one(&self) -> &One<'a> {
        match &self.eyes {
            Eyes::One(one) => one,
            Eyes::Several(_) => unreachable!("several observers have no estimate in common"),
        }
    }

    fn places(&self) -> usize {
        self.one().table.as_ref().map_or(0, |table| table.sets.len())
    }

    /// Does some work. If another thread has nothing else to do, it looks meanwhile at the arcs of large graphs through which these observers, each alone,
    /// will find so many states, about.
    pub(crate) fn beside<T>(
        observers: Vec<&mut Self>,
        states: usize,
        allowed: usize,
        work: impl FnOnce() -> T,
    ) -> T {
        let looks = |tracker: &&mut Self| match &tracker.eyes {
            Eyes::One(one) if one.table.is_none() => {
                let arcs = one.tracked.graph.arc_count();
                arcs >= worth(ARCS) && states.saturating_mul(tracker.words()) >= arcs
            }
            _ => false,
        };
        let observers: Vec<&mut Self> = observers.into_iter().filter(looks).collect();
        if observers.is_empty() || threads(allowed, usize::MAX, 1) == 1 {
            return work();
        }
        let look = || {
            for tracker in observers {
                if let Eyes::One(one) = &mut tracker.eyes {
                    one.successors.look_all(&one.tracked.graph);
                }
            }
        };
        both(work, look).0
    }

    /// How much was done to find successors: arcs looked at.
    pub fn work(&self) -> u64 {
        match &self.eyes {
            Eyes::One(one) => one.successors.work(),
            Eyes::Several(several) => several.trackers().iter().map(Tracker::work).sum(),
        }
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
        match &self.eyes {
            Eyes::One(one) => one.sets.members(),
            Eyes::Several(several) => several.trackers().iter().map(Tracker::all_members).sum(),
        }
    }

    /// About how many bytes the states take.
    pub fn bytes(&self) -> usize {
        let own = self.states.capacity() * std::mem::size_of::<State>() + 8 * self.arcs.capacity();
        match &self.eyes {
            Eyes::One(one) => own + one.sets.bytes(),
            Eyes::Several(several) => own + several.trackers().iter().map(Tracker::bytes).sum::<usize>(),
        }
    }

    /// The state after an event that looks like `image`: the same one if it is not seen at all, and `None` if no execution that the
    /// observer expects looks like that.
    pub fn step(&mut self, state: StateId, image: Option<Image>) -> Option<StateId> {
        let Some(image) = image else { return Some(state) };
        self.successors(state);
        self.known_step(state, image)
    }

    /// The state after an image, where [`successors`](Self::successors) was asked before.
    pub(super) fn known_step(&self, state: StateId, image: Image) -> Option<StateId> {
        let next = self.known_successors(state);
        next.binary_search_by_key(&image, |(i, _)| *i).ok().map(|at| next[at].1)
    }

    /// All images that may follow, ascending, with the states that they lead to.
    pub fn successors(&mut self, state: StateId) -> &[(Image, StateId)] {
        if self.states[state.index()].arcs.is_none() {
            self.find_successors(state);
        }
        self.known_successors(state)
    }

    fn find_successors(&mut self, state: StateId) {
        let place = self.states[state.index()].place;
        match &mut self.eyes {
            Eyes::One(_) => {
                self.lead_to(state, &mut Vec::new(), |one, _, next| one.next_places(place, next));
            }
            Eyes::Several(several) => {
                let mut next = std::mem::take(&mut self.next);
                next.clear();
                several.successors(place, &mut next);
                self.write_down(state, next);
            }
        }
    }

    /// Writes down where a state of one observer leads: to the places that are added to a list. Another one tells of places, in order, what has become of the
    /// stipulations there, as far as no other moment matters and somebody knows.
    pub(super) fn lead_to(
        &mut self,
        state: StateId,
        courses: &mut Vec<(u32, Course)>,
        add: impl FnOnce(&mut One<'a>, &mut Vec<(u32, Course)>, &mut Vec<(Image, StateId)>),
    ) {
        let Eyes::One(one) = &mut self.eyes else { return };
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        add(one, courses, &mut next);
        if self.number.is_none() {
            for &(place, course) in &*courses {
                if place as usize == self.states.len() {
                    self.states.push(State { place, course, recollections: 0, arcs: None });
                }
            }
        }
        self.write_down(state, next);
    }

    /// Writes down the states in the places that a state leads to.
    fn write_down(&mut self, state: StateId, next: Vec<(Image, StateId)>) {
        let begin = self.arcs.len() as u32;
        for &(image, to) in &next {
            let to = self.enter(Some(state), image, to.0);
            self.arcs.push((image, to));
        }
        let end = u32::try_from(self.arcs.len()).expect("more than four thousand million arcs");
        self.states[state.index()].arcs = Some((begin, end));
        self.next = next;
    }

    /// Whether somebody has asked where a state leads.
    pub(crate) fn is_known(&self, state: StateId) -> bool {
        self.states[state.index()].arcs.is_some()
    }

    /// How many words a belief takes as bits.
    pub(crate) fn words(&self) -> usize {
        match &self.eyes {
            Eyes::One(one) => one.tracked.graph.len().div_ceil(64),
            Eyes::Several(several) => several.trackers().iter().map(Tracker::words).sum(),
        }
    }

    /// What is not known of where some states lead: of an observer's states that each of several is in, those from which nobody has looked, each once,
    /// in the order in which they are asked for. The states of a filter lead where they were found to at the start.
    pub(crate) fn unknown(&self, states: &[StateId]) -> Vec<Unknown> {
        let mut all = Vec::new();
        match &self.eyes {
            Eyes::One(_) => self.add_unknown(0, states.iter().copied(), &mut all),
            Eyes::Several(several) => {
                let new = || states.iter().filter(|&&state| !self.is_known(state));
                let places = new().map(|state| self.states[state.index()].place);
                for (observer, tracker) in several.trackers().iter().enumerate() {
                    let own = places.clone().map(|place| several.states(place)[observer]);
                    tracker.add_unknown(observer, own, &mut all);
                }
            }
        }
        all
    }

    fn add_unknown(&self, observer: usize, states: impl Iterator<Item = StateId>, all: &mut Vec<Unknown>) {
        let Eyes::One(one) = &self.eyes else { return };
        if one.table.is_some() {
            return;
        }
        let mut met = FxHashSet::default();
        for state in states.filter(|&state| !self.is_known(state)) {
            if met.insert(state) {
                let work = 1 + one.sets.count(self.states[state.index()].place);
                all.push(Unknown { observer, state, work });
            }
        }
    }

    /// Finds where some states lead; whoever looks ahead keeps it until it is written down.
    pub(crate) fn look_ahead(&self, some: &[Unknown], ahead: &mut Ahead) {
        for &Unknown { observer, state, .. } in some {
            let tracker = match &self.eyes {
                Eyes::One(_) => self,
                Eyes::Several(several) => &several.trackers()[observer],
            };
            let one = tracker.one();
            ahead.room(observer, one).look(one, state, tracker.states[state.index()].place);
        }
    }

    /// Finds where one of the states leads that somebody lists as unknown.
    pub(crate) fn find(&mut self, &Unknown { observer, state, .. }: &Unknown) {
        self.of_several(observer).successors(state);
    }

    /// Several observers, as many as have something to find out of where a state leads, dealt out to parts of about as much work, of which
    /// `pieces` tells how many there are to be. There are none if that is one. Until they are gathered, nothing else can be asked.
    pub(crate) fn deal(&mut self, state: StateId, pieces: impl FnOnce(usize) -> usize) -> Vec<Part<'a>> {
        if matches!(self.eyes, Eyes::One(_)) || self.is_known(state) {
            return Vec::new();
        }
        let all = self.unknown(&[state]);
        let Eyes::Several(several) = &mut self.eyes else { return Vec::new() };
        several.deal(&all, pieces)
    }

    /// Has all observers back who were dealt out.
    pub(crate) fn gather(&mut self, parts: Vec<Part<'a>>) {
        if let Eyes::Several(several) = &mut self.eyes {
            several.gather(parts);
        }
    }

    /// One of several observers, or the only one.
    pub(super) fn of_several(&mut self, observer: usize) -> &mut Self {
        if matches!(self.eyes, Eyes::One(_)) {
            return self;
        }
        let Eyes::Several(several) = &mut self.eyes else { unreachable!("it is one or several") };
        several.tracker(observer)
    }

    /// The state in a place that an image leads to from another state; at the start there is none, and the image does not matter.
    fn enter(&mut self, before: Option<StateId>, image: Image, place: u32) -> StateId {
        if self.number.is_none() {
            if place as usize == self.states.len() {
                let course = match &self.eyes {
                    Eyes::One(one) => one.stipulations.now(&one.signature(place)),
                    Eyes::Several(several) => several.course(place),
                };
                self.states.push(State { place, course, recollections: 0, arcs: None });
            }
            return StateId(place);
        }
        let before = before.map(|state| {
            let State { course, recollections, .. } = self.states[state.index()];
            (course, recollections)
        });
        let Eyes::One(one) = &mut self.eyes else { unreachable!("each of several remembers for itself") };
        let (course, recollections) = one.remember(before, image, place);
        let states = &mut self.states;
        let number = self.number.get_or_insert_default();
        *number.entry((place, course.runs, recollections)).or_insert_with(|| {
            states.push(State { place, course, recollections, arcs: None });
            StateId(states.len() as u32 - 1)
        })
    }

    /// The same, where [`successors`](Self::successors) was asked before; else nothing.
    pub fn known_successors(&self, state: StateId) -> &[(Image, StateId)] {
        let (begin, end) = self.states[state.index()].arcs.unwrap_or_default();
        &self.arcs[begin as usize..end as usize]
    }

    /// Forgets every state but this one, which is the initial one from now on, and gives its number: for observers who are
    /// followed without end. The states of a filter are all found at the start, and stay.
    pub fn forget_all_but(&mut self, state: StateId) -> StateId {
        let Eyes::One(one) = &mut self.eyes else { return state };
        if one.table.is_some() && self.number.is_none() {
            return state;
        }
        let mut kept = State { arcs: None, ..self.states[state.index()].clone() };
        if one.table.is_none() {
            let old = std::mem::replace(&mut one.sets, HybridStore::new(one.tracked.graph.len()));
            kept.place = one.sets.intern(old.get(kept.place));
            if let Some(hindsight) = &mut one.hindsight {
                kept.recollections = hindsight.forget_all_but(kept.recollections, &old, &mut one.sets);
            }
        }
        if let Some(number) = &mut self.number {
            *number =
                FxHashMap::from_iter([((kept.place, kept.course.runs, kept.recollections), StateId(0))]);
        }
        self.states = vec![kept];
        self.arcs.clear();
        StateId(0)
    }

    /// What has become of the stipulations when the observer is in this state.
    pub fn course(&self, state: StateId) -> Course {
        self.states[state.index()].course
    }

    /// The first stipulation that is broken in this state; what is asked for at the end counts if the plan may terminate here.
    pub fn broken(&self, state: StateId, ends: bool) -> Option<usize> {
        let (one, State { course, recollections, .. }) = (self.one(), &self.states[state.index()]);
        let signature = self.signature(state);
        let now = one.stipulations.broken(Due::Throughout, &signature);
        let hopeless = |number| one.courses.standing(number, *course).is_some_and(|run| !run.can_be_mended);
        let unfinished = |number| one.courses.standing(number, *course).is_some_and(|run| !run.may_end);
        let first = |broken: &dyn Fn(usize) -> bool| (0..one.stipulations.all().len()).find(|&s| broken(s));
        let later = one.hindsight.as_ref().and_then(|all| all.broken(*recollections));
        now.into_iter().chain(first(&hopeless)).chain(later).min().or_else(|| {
            let end = one.stipulations.broken(Due::AtEnd, &signature).into_iter();
            end.chain(first(&unfinished)).min().filter(|_| ends)
        })
    }

    /// How the run of a stipulation stands in this state, if it is about a run.
    pub fn run_standing(&self, state: StateId, stipulation: usize) -> Option<RunStanding> {
        self.one().courses.standing(stipulation, self.states[state.index()].course)
    }

    /// The first stipulation of scope `hindsight` that what is made of some moment breaks in this state.
    pub fn broken_in_hindsight(&self, state: StateId) -> Option<usize> {
        let hindsight = self.one().hindsight.as_ref()?;
        hindsight.broken(self.states[state.index()].recollections)
    }

    /// For a stipulation of scope `hindsight` that an execution breaks: the first moment that it breaks it of, by the number of events then, and
    /// what the observer makes of that moment in the end.
    pub fn in_hindsight(
        &mut self,
        stipulation: usize,
        map: &LabelMap,
        execution: &[Label],
    ) -> Option<(usize, Vec<Vertex>)> {
        let Scope::Hindsight { within } = self.one().stipulations.all()[stipulation].scope else {
            return None;
        };
        let images: Vec<(usize, Image)> =
            (1..).zip(execution).filter_map(|(n, &l)| Some((n, map.image(l)?))).collect();
        let mut states = vec![self.initial()];
        for &(_, image) in &images {
            states.push(self.step(states[states.len() - 1], Some(image))?);
        }
        let most = within.map_or(images.len(), |within| images.len().min(within as usize));
        let (one, mut found, mut left) = (self.one(), None, BitSet::new(self.one().tracked.graph.len()));
        for seen in (images.len() - most..=images.len()).rev() {
            let belief = self.members(states[seen]);
            match images.get(seen) {
                None => belief.for_each(|v| _ = left.insert(v as usize)),
                Some(&(_, image)) => left = one.leading_into(belief, map, image, &left),
            }
            let estimate = one.world_vertices(left.iter().map(|v| v as u32));
            let signature = one.stipulations.signature_of(estimate.iter().copied());
            if !one.stipulations.all()[stipulation].holds(&signature) {
                found = Some((if seen == 0 { 0 } else { images[seen - 1].0 }, estimate));
            }
        }
        found
    }

    /// Which masks of the stipulations the state's estimate meets.
    pub fn signature(&self, state: StateId) -> Vec<u64> {
        self.one().signature(self.states[state.index()].place)
    }

    /// The class of a tracked vertex: those of one class are in the same masks of the stipulations.
    pub fn class_of(&self, v: Vertex) -> usize {
        self.one().signatures.class_of(v)
    }

    /// The signatures of the classes of tracked vertices, in order.
    pub fn classes(&self) -> impl Iterator<Item = &[u64]> {
        self.one().signatures.of_classes()
    }

    /// The tracked vertices behind the state's estimate.
    pub fn members(&self, state: StateId) -> Members<'_> {
        let one = self.one();
        one.sets.get(one.set(self.states[state.index()].place))
    }

    /// The state's estimate: world vertices, ascending.
    pub fn estimate(&self, state: StateId) -> Vec<Vertex> {
        self.one().world_vertices(self.members(state).iter())
    }
}
