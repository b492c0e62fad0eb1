//! The fewest events after which a stipulation is broken, where some events are unseen.
//!
//! *Background.* A belief may be reached by executions of many lengths, and so may what a demand asks for. So it is pairs that are followed, from both ends and
//! one event at a time: of a vertex and the belief that an execution to it leaves behind; and of a vertex and the demand of a string such that an execution
//! from there looks like the string. An unseen event changes the vertex alone. Where the two ends share a vertex and the belief meets the demand, an execution
//! breaks a stipulation; if all pairs of smaller distance were compared, none that is shorter does.
//!
//! In hindsight a demand begins with a set of vertices from which a string goes on. Pairs of a vertex and such a set are followed back as far as the
//! executions are long that are looked for, ahead of the demands, because both ends can meet no later than at the moment that is looked back at.
//!
//! *Practical.* [`shortest`] looks for executions that are shorter than one that is known.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    audit::{demands::Demands, looking_back::LookingBack},
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracked, Tracker},
    problem::{Image, Label, LabelMap, PGraph, Vertex},
    sets::BitSet,
};

/// How many pairs are followed between two looks at the monitor.
const POLL: usize = 1024;

/// So many pairs are kept in mind as bits.
const BITS: usize = 1 << 24;

/// A pair, and the one that it was found from: one event nearer to its end.
#[derive(Clone, Copy)]
struct Pair<T> {
    at: Vertex,
    with: T,
    from: Option<(u32, Label)>,
}

/// The pairs found from one end, nearest first.
struct Side<T> {
    pairs: Vec<Pair<T>>,
    seen: FxHashSet<(Vertex, T)>,
    /// Where the pairs of each distance begin.
    starts: Vec<usize>,
    /// How much work those of the last distance were.
    cost: u64,
}

impl<T: Copy + Eq + std::hash::Hash> Side<T> {
    fn new() -> Self {
        Self { pairs: Vec::new(), seen: FxHashSet::default(), starts: vec![0], cost: 0 }
    }

    /// Adds a pair; tells its number if it is new.
    fn add(&mut self, at: Vertex, with: T, from: Option<(u32, Label)>) -> Option<u32> {
        if !self.seen.insert((at, with)) {
            return None;
        }
        self.pairs.push(Pair { at, with, from });
        Some(self.pairs.len() as u32 - 1)
    }

    /// How far it has come.
    fn distance(&self) -> usize {
        self.starts.len() - 1
    }

    /// The pairs of this distance.
    fn at(&self, distance: usize) -> Range<usize> {
        self.starts[distance]..self.starts.get(distance + 1).copied().unwrap_or(self.pairs.len())
    }

    /// Goes on to the next distance; those of the last one.
    fn go_on(&mut self) -> Range<usize> {
        let last = self.at(self.distance());
        self.starts.push(self.pairs.len());
        last
    }

    /// The pair where the search from this end began that found a pair.
    fn end(&self, pair: u32) -> u32 {
        std::iter::successors(Some(pair), |&at| self.pairs[at as usize].from.map(|(from, _)| from))
            .last()
            .unwrap_or(pair)
    }

    /// The events between a pair and its end, the one next to the pair first.
    fn events(&self, pair: u32) -> impl Iterator<Item = Label> + '_ {
        std::iter::successors(self.pairs[pair as usize].from, |&(from, _)| self.pairs[from as usize].from)
            .map(|(_, label)| label)
    }
}

/// A demand, by its number.
type Demand = u32;

/// A set of vertices from which a string goes on, by its number, and, as far as that matters, how long the string is.
type Set = (u32, u32);

/// A vertex and the demand of a string, the execution of which begins with the pair of this number.
#[derive(Clone, Copy)]
struct Ahead {
    at: Vertex,
    demand: Demand,
    number: u32,
}

struct Search<'a, 'b> {
    graph: &'a PGraph,
    map: &'a LabelMap,
    tracker: Tracker<'b>,
    demands: Demands,
    forth: Side<StateId>,
    back: Side<Demand>,
    sets: Side<Set>,
    /// For each distance, the demands that begin with sets.
    asked: Vec<Vec<Ahead>>,
    /// The pairs with sets that demands began with.
    began: FxHashMap<u32, u32>,
    /// For each vertex, the arcs into it from reachable ones.
    into: Vec<Vec<(Vertex, Label)>>,
    /// What becomes each demand or set by images, where that was wanted.
    demands_before: FxHashMap<Demand, Box<[(Image, Demand)]>>,
    sets_before: FxHashMap<Set, Box<[(Image, Set)]>>,
    asked_of: FxHashMap<Set, Box<[Demand]>>,
    /// Up to which length it matters how long strings are, and up to which they are followed.
    lengths: (u32, Option<u32>),
}

/// A shortest execution that breaks a clause and has fewer than `known` events, if there is one.
///
/// # Errors
/// The limit that was hit.
pub(crate) fn shortest(
    tracked: &Tracked<'_>,
    map: &LabelMap,
    tracker: Tracker<'_>,
    demands: Demands,
    known: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Label>>, Limit> {
    let mut search = Search::new(&tracked.graph, map, tracker, demands);
    let mut polls = 0;
    let mut poll = |explored: usize| {
        if explored / POLL < polls {
            return Ok(());
        }
        polls = explored / POLL + 1;
        let (explored, doing) = (explored as u64, "looking for fewer events");
        monitor.poll(&Progress { doing, explored, stored: explored, ..Progress::default() })
    };
    for length in 0..known {
        if length > 0 {
            search.look_back(&mut poll)?;
            if search.forth.cost <= search.back.cost {
                search.forwards(&mut poll)?;
            } else {
                search.backwards(&mut poll)?;
            }
        }
        if let Some(found) = search.meet(length) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

type Poll<'p> = &'p mut dyn FnMut(usize) -> Result<(), Limit>;

impl<'a, 'b> Search<'a, 'b> {
    fn new(graph: &'a PGraph, map: &'a LabelMap, tracker: Tracker<'b>, mut demands: Demands) -> Self {
        demands.be_exact();
        let mut into = vec![Vec::new(); graph.len()];
        for (v, arc) in graph.all_arcs().filter(|(v, _)| demands.reversed.place(*v).is_some()) {
            into[arc.to.index()].push((v, arc.label));
        }
        let mut search = Self {
            graph,
            map,
            forth: Side::new(),
            back: Side::new(),
            sets: Side::new(),
            asked: vec![Vec::new()],
            began: FxHashMap::default(),
            into,
            demands_before: FxHashMap::default(),
            sets_before: FxHashMap::default(),
            asked_of: FxHashMap::default(),
            lengths: demands.back.as_ref().map_or((0, Some(0)), LookingBack::lengths),
            tracker,
            demands,
        };
        for &v in graph.initial() {
            search.forth.add(v, search.tracker.initial(), None);
        }
        // Those of hindsight of the empty string are among them.
        for demand in 0..search.demands.len() as u32 {
            for v in graph.vertices() {
                search.add_demand(v, demand, None);
            }
        }
        if search.lengths.1 != Some(0) {
            for v in graph.vertices().filter(|v| search.demands.reversed.place(*v).is_some()) {
                search.sets.add(v, (0, 0), None);
            }
        }
        search
    }

    /// How many pairs there are.
    fn len(&self) -> usize {
        self.forth.pairs.len() + self.back.pairs.len() + self.sets.pairs.len()
    }

    /// One event further from the start.
    fn forwards(&mut self, poll: Poll<'_>) -> Result<(), Limit> {
        let (work, mut followed) = (self.tracker.work(), 0);
        for number in self.forth.go_on() {
            poll(self.len())?;
            let Pair { at, with: state, .. } = self.forth.pairs[number];
            for arc in self.graph.arcs(at) {
                followed += 1;
                if let Some(next) = self.tracker.step(state, self.map.image(arc.label)) {
                    self.forth.add(arc.to, next, Some((number as u32, arc.label)));
                }
            }
        }
        self.forth.cost = self.tracker.work() - work + followed;
        Ok(())
    }

    /// One event further back from the violation.
    fn backwards(&mut self, poll: Poll<'_>) -> Result<(), Limit> {
        let (work, mut followed) = (self.demands.work(), 0);
        for number in self.back.go_on() {
            poll(self.len())?;
            let Pair { at, with: demand, .. } = self.back.pairs[number];
            for i in 0..self.into[at.index()].len() {
                followed += 1;
                let (v, label) = self.into[at.index()][i];
                let before = match self.map.image(label) {
                    None => Some(demand),
                    Some(image) => self.demand_before(demand, image),
                };
                if let Some(before) = before {
                    self.add_demand(v, before, Some((number as u32, label)));
                }
            }
        }
        for i in 0..self.asked[self.back.distance()].len() {
            let Ahead { at, demand, number } = self.asked[self.back.distance()][i];
            if let Some(pair) = self.add_demand(at, demand, None) {
                self.began.insert(pair, number);
            }
        }
        self.back.cost = self.demands.work() - work + followed;
        Ok(())
    }

    /// One event further back from the end of what is seen after the moment.
    fn look_back(&mut self, poll: Poll<'_>) -> Result<(), Limit> {
        let mut asked = Vec::new();
        for number in self.sets.go_on() {
            poll(self.len())?;
            let Pair { at, with: set, .. } = self.sets.pairs[number];
            for &(v, label) in &self.into[at.index()] {
                let before = match self.map.image(label) {
                    None => Some(set),
                    Some(image) => {
                        set_before(&mut self.demands, &mut self.sets_before, self.lengths, set, image)
                    }
                };
                let Some(before) = before else { continue };
                let from = Some((number as u32, label));
                let Some(number) = self.sets.add(v, before, from) else { continue };
                let demands = &mut self.demands;
                let of_set =
                    self.asked_of.entry(before).or_insert_with(|| demands.asked_of(before.0, before.1));
                asked.extend(of_set.iter().map(|&demand| Ahead { at: v, demand, number }));
            }
        }
        self.asked.push(asked);
        Ok(())
    }

    /// Adds a vertex with a demand, unless no belief that meets the demand has it; tells its number if it is new.
    fn add_demand(&mut self, v: Vertex, demand: Demand, from: Option<(u32, Label)>) -> Option<u32> {
        let place = self.demands.reversed.place(v)?;
        self.demands.may_contain(demand, place).then(|| self.back.add(v, demand, from)).flatten()
    }

    /// What becomes a demand by an image, if anything does.
    fn demand_before(&mut self, demand: Demand, image: Image) -> Option<Demand> {
        let demands = &mut self.demands;
        let before = self.demands_before.entry(demand).or_insert_with(|| {
            let mut found = Vec::new();
            demands.precede(demand as usize, |image, before| found.push((image, before)));
            found.into_boxed_slice()
        });
        let at = before.binary_search_by_key(&image, |(image, _)| *image).ok()?;
        Some(before[at].1)
    }

    /// Compares pairs of both ends at this distance from each other, all those of smaller ones having been compared: the events of an execution that
    /// breaks a clause, if there is one.
    fn meet(&self, distance: usize) -> Option<Vec<Label>> {
        let back = self.back.at(self.back.distance()).map(|number| {
            let Pair { at, with: demand, .. } = self.back.pairs[number];
            Ahead { at, demand, number: number as u32 }
        });
        if let Some((pair, ahead)) = self.compare(self.forth.distance(), back) {
            let mut events = self.events_to(pair);
            events.extend(self.back.events(ahead.number));
            let began = self.began.get(&self.back.end(ahead.number));
            events.extend(began.into_iter().flat_map(|&set| self.sets.events(set)));
            return Some(events);
        }
        for later in self.back.distance() + 1..=distance {
            if let Some((pair, ahead)) = self.compare(distance - later, self.asked[later].iter().copied()) {
                let mut events = self.events_to(pair);
                events.extend(self.sets.events(ahead.number));
                return Some(events);
            }
        }
        None
    }

    fn events_to(&self, pair: u32) -> Vec<Label> {
        let mut events: Vec<Label> = self.forth.events(pair).collect();
        events.reverse();
        events
    }

    /// The first of the pairs at this distance from the start that has the vertex of one of these, and a belief that meets its demand.
    fn compare(&self, distance: usize, ahead: impl Iterator<Item = Ahead>) -> Option<(u32, Ahead)> {
        let mut by_vertex: FxHashMap<Vertex, Vec<Ahead>> = FxHashMap::default();
        ahead.for_each(|ahead| by_vertex.entry(ahead.at).or_default().push(ahead));
        let shared = self.forth.at(distance).filter(|&p| by_vertex.contains_key(&self.forth.pairs[p].at));
        let mut shared: Vec<(StateId, usize)> = shared.map(|p| (self.forth.pairs[p].with, p)).collect();
        shared.sort_unstable();
        let reversed = &self.demands.reversed;
        for same in shared.chunk_by(|a, b| a.0 == b.0) {
            let belief = self.tracker.members(same[0].0);
            let places: Vec<u32> = belief.iter().filter_map(|v| reversed.place(Vertex(v))).collect();
            for &(_, pair) in same {
                let at = self.forth.pairs[pair].at;
                let meets =
                    |ahead: &&Ahead| self.demands.meets(ahead.demand as usize, reversed.kind(at), &places);
                if let Some(&met) = by_vertex[&at].iter().find(meets) {
                    return Some((pair as u32, met));
                }
            }
        }
        None
    }
}

/// What becomes a set by an image, if anything does.
fn set_before(
    demands: &mut Demands,
    known: &mut FxHashMap<Set, Box<[(Image, Set)]>>,
    (matters, most): (u32, Option<u32>),
    set: Set,
    image: Image,
) -> Option<Set> {
    if most == Some(set.1) {
        return None;
    }
    let before = known.entry(set).or_insert_with(|| {
        let length = (set.1 + 1).min(matters);
        demands.sets_before(set.0).into_iter().map(|(image, set)| (image, (set, length))).collect()
    });
    let at = before.binary_search_by_key(&image, |(image, _)| *image).ok()?;
    Some(before[at].1)
}

/// An execution in which so many images are seen, all of them as expected, with the fewest events. There must be one.
pub(crate) fn fewest(
    graph: &PGraph,
    map: &LabelMap,
    images: usize,
    expected: impl Fn(usize, Image) -> bool,
) -> Vec<Label> {
    // Pairs by number: those of few images as bits.
    let mut few = BitSet::new(graph.len().saturating_mul(images + 1).min(BITS));
    let mut more = FxHashSet::default();
    let mut is_new =
        |number: usize| if number < few.bound() { few.insert(number) } else { more.insert(number) };
    let mut pairs: Vec<Pair<usize>> = Vec::new();
    let mut add = |pairs: &mut Vec<_>, at: Vertex, with: usize, from| {
        if is_new(with * graph.len() + at.index()) {
            pairs.push(Pair { at, with, from });
        }
    };
    graph.initial().iter().for_each(|&v| add(&mut pairs, v, 0, None));
    let mut next = 0;
    while let Some(&Pair { at, with, .. }) = pairs.get(next) {
        if with == images {
            break;
        }
        for arc in graph.arcs(at) {
            let with = match map.image(arc.label) {
                None => with,
                Some(image) if expected(with, image) => with + 1,
                Some(_) => continue,
            };
            add(&mut pairs, arc.to, with, Some((next as u32, arc.label)));
        }
        next += 1;
    }
    let from = |number: usize| pairs.get(number).and_then(|pair| pair.from);
    let mut events: Vec<Label> = std::iter::successors(from(next), |&(before, _)| from(before as usize))
        .map(|(_, label)| label)
        .collect();
    events.reverse();
    events
}
