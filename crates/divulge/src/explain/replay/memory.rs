//! What the observer remembers, written out straight from the definitions, for the replayer.

use std::collections::{BTreeMap, BTreeSet};

use super::{EXPLAINING, POLL};
use crate::{
    explain::replay::divulged::{Expected, Pair},
    limit::Monitor,
    problem::{Alphabet, Filter, Image, Kind, Label, LabelMap, PGraph, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

/// The observer's memory.
pub(crate) enum Memory<'a> {
    /// Perfect recall: the images themselves.
    Recall,
    /// A filter, with every pair that executions reach together with each of its states.
    Filter(Box<Filtered<'a>>),
}

/// The number of a state of a filter: a set of vertices of its graph.
pub(crate) type StateNumber = usize;

/// A filter and what executions reach together with it.
pub(crate) struct Filtered<'a> {
    filter: IGraph<'a>,
    states: Vec<Vec<Vertex>>,
    numbers: BTreeMap<Vec<Vertex>, StateNumber>,
    /// Every (pair, state) that an execution reaches, shortest executions first.
    nodes: Vec<Node>,
    /// The nodes of each state.
    of_state: Vec<Vec<usize>>,
}

struct Node {
    pair: Pair,
    state: StateNumber,
    /// The node before and the event; nothing for a start.
    came: Option<(usize, Label)>,
}

/// The filter's graph, read by images.
struct IGraph<'a> {
    graph: &'a PGraph,
    alphabet: &'a Alphabet,
    map: &'a LabelMap,
    /// The number that the graph's arcs use for each image of the map; `None` for h⟨W⟩, whose arcs bear labels.
    images: Option<Vec<Option<u32>>>,
}

impl IGraph<'_> {
    /// Where the filter starts.
    fn start(&self) -> Vec<Vertex> {
        self.still(self.graph.initial().iter().copied().collect())
    }

    /// Where an event that looks like `image`, if it is seen, and is of this kind leads. Unless every event is seen, its kind is unknown.
    fn follow(&self, state: &[Vertex], image: Option<Image>, kind: Kind) -> Vec<Vertex> {
        let Some(image) = image else { return state.to_vec() };
        let looks = |label: Label| match &self.images {
            None => self.map.image(label) == Some(image),
            Some(images) => images[image.index()] == Some(label.0),
        };
        let here = state.iter().filter(|&&v| self.map.hides() || self.graph.kind(v) == kind);
        self.still(
            here.flat_map(|&v| self.graph.arcs(v)).filter(|arc| looks(arc.label)).map(|arc| arc.to).collect(),
        )
    }

    /// What unseen events lead to is reached as well.
    fn still(&self, mut reached: BTreeSet<Vertex>) -> Vec<Vertex> {
        if self.images.is_none() && self.map.hides() {
            let mut todo: Vec<Vertex> = reached.iter().copied().collect();
            while let Some(v) = todo.pop() {
                let unseen = self.graph.arcs(v).iter().filter(|arc| self.map.image(arc.label).is_none());
                todo.extend(unseen.map(|arc| arc.to).filter(|&to| reached.insert(to)));
            }
        }
        reached.into_iter().collect()
    }
}

impl<'a> Memory<'a> {
    /// The memory of the setting's observer, who sees through `map` and expects `expected`.
    pub fn new(
        setting: &'a Setting<'_>,
        map: &'a LabelMap,
        expected: &Expected<'a>,
    ) -> Result<Self, QuestionError> {
        let (graph, images) = match &setting.observer().filter {
            Filter::Strongest => return Ok(Memory::Recall),
            // A question about the past gives the observer no better memory.
            Filter::Image => (&setting.world().base().graph, None),
            Filter::Graph(filter) => {
                let images = (0..map.len() as u32).map(|i| filter.images.get(map.name(Image(i)))).collect();
                (&filter.graph.graph, Some(images))
            }
        };
        let filter = IGraph { graph, alphabet: &setting.problem().alphabet, map, images };
        Ok(Memory::Filter(Box::new(Filtered::new(filter, expected, setting.monitor())?)))
    }
}

impl<'a> Filtered<'a> {
    fn new(
        filter: IGraph<'a>,
        expected: &Expected<'a>,
        monitor: &dyn Monitor,
    ) -> Result<Self, QuestionError> {
        let initial = filter.start();
        let mut all = Self {
            filter,
            numbers: BTreeMap::from([(initial.clone(), 0)]),
            states: vec![initial],
            nodes: expected.start().into_iter().map(|pair| Node { pair, state: 0, came: None }).collect(),
            of_state: vec![Vec::new()],
        };
        let mut seen: BTreeSet<(Pair, StateNumber)> = all.nodes.iter().map(|n| (n.pair, n.state)).collect();
        let mut next: BTreeMap<(StateNumber, Option<Image>, Kind), StateNumber> = BTreeMap::new();
        let mut at = 0;
        while let Some(&Node { pair, state, .. }) = all.nodes.get(at) {
            if at.is_multiple_of(POLL) {
                monitor.poll(&EXPLAINING)?;
            }
            all.of_state[state].push(at);
            for (label, to) in expected.next(pair) {
                let (image, kind) = (all.filter.map.image(label), all.filter.alphabet.kind(label));
                let found = next.get(&(state, image, kind)).copied();
                let after = match found {
                    Some(after) => after,
                    None => all.number(state, image, kind).ok_or_else(|| all.untraceable(at, label))?,
                };
                next.insert((state, image, kind), after);
                if seen.insert((to, after)) {
                    all.nodes.push(Node { pair: to, state: after, came: Some((at, label)) });
                }
            }
            at += 1;
        }
        Ok(all)
    }

    /// The number of the state that follows; `None` if the filter cannot follow.
    fn number(&mut self, state: StateNumber, image: Option<Image>, kind: Kind) -> Option<StateNumber> {
        let after = self.filter.follow(&self.states[state], image, kind);
        if after.is_empty() {
            return None;
        }
        let fresh = self.states.len();
        let number = *self.numbers.entry(after.clone()).or_insert(fresh);
        if number == fresh {
            self.states.push(after);
            self.of_state.push(Vec::new());
        }
        Some(number)
    }

    fn untraceable(&self, node: usize, label: Label) -> QuestionError {
        let map = self.filter.map;
        let events = self.run(node).0.into_iter().chain([label]);
        QuestionError::FilterCannotTrace(events.filter_map(|l| map.look(l)).map(str::to_owned).collect())
    }

    /// The state after an event; `None` if no expected execution looks like that.
    pub fn follow(&self, state: StateNumber, label: Label) -> Option<StateNumber> {
        let (image, kind) = (self.filter.map.image(label), self.filter.alphabet.kind(label));
        self.numbers.get(&self.filter.follow(&self.states[state], image, kind)).copied()
    }

    /// The estimate of a state: world vertices, ascending.
    pub fn estimate(&self, state: StateNumber) -> Vec<Vertex> {
        let all: BTreeSet<Vertex> = self.reaching(state).map(|(w, _)| w).collect();
        all.into_iter().collect()
    }

    /// The world vertices that executions reach together with `state`, each with the number of a shortest such execution.
    pub fn reaching(&self, state: StateNumber) -> impl Iterator<Item = (Vertex, usize)> + '_ {
        self.of_state[state].iter().map(|&i| (self.nodes[i].pair.0, i))
    }

    /// The execution with this number, and the world vertices that it passes.
    pub fn run(&self, number: usize) -> (Vec<Label>, Vec<Vertex>) {
        let (mut events, mut path) = (Vec::new(), vec![self.nodes[number].pair.0]);
        let mut at = number;
        while let Some((from, label)) = self.nodes[at].came {
            events.push(label);
            path.push(self.nodes[from].pair.0);
            at = from;
        }
        events.reverse();
        path.reverse();
        (events, path)
    }
}
