//! The problem: a world, a plan or none, and an observer with stipulations; all that a question is asked of.
//!
//! *Background.* World, plan, divulged plan and filter are all p-graphs: action and observation vertices that alternate, edges
//! that bear labels, one or more initial vertices of one kind. They may be nondeterministic.
//!
//! *Practical.* [`Builder`] makes worlds and plans from names; [`PGraphBuilder`] makes graphs from numbers. Vertices, labels and
//! images are small numbers ([`Vertex`], [`Label`], [`Image`]) that their graph, [`Alphabet`] or [`LabelMap`] knows the names of.

mod alphabet;
mod by_value;
pub mod formula;
mod map;
mod names;
mod observer;
mod pgraph;
mod props;
mod reach;
mod world;

pub use alphabet::{Alphabet, Kind, KindConflict, Label};
pub use map::{Image, LabelMap, MapConstraints};
pub use names::Names;
pub use observer::{Filter, FilterGraph, Knows, Observer, Scope, Stipulation};
pub(crate) use pgraph::InOrder;
pub use pgraph::{Arc, GraphError, PGraph, PGraphBuilder, Vertex};
pub use props::{Column, Props, Value};
pub use reach::reachable;
pub use world::{BuildError, Builder, NamedGraph, Past, Plan, World};

use crate::sets::BitSet;

/// Everything that one problem document holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A title.
    pub name: Option<String>,
    /// The actions and observations that world, plans and divulged graphs share.
    pub alphabet: Alphabet,
    /// The labels that belong to the world: those it lists and those its edges bear. The map must cover these.
    pub world_labels: BitSet,
    /// The world.
    pub world: World,
    /// The plan, if one is given.
    pub plan: Option<Plan>,
    /// Costs that differ from the defaults.
    pub costs: Vec<(Label, u64)>,
    /// The observer, or the first of several.
    pub observer: Observer,
    /// Whoever else watches: a plan must keep everybody's stipulations.
    pub others: Vec<Observer>,
    /// Observers that no question is about: they stay with the problem where it is written.
    pub aside: Vec<Observer>,
    /// How a picture of the world may be laid out.
    pub grid: Option<Grid>,
}

/// A picture of the world as a grid: the properties that are the row and the column of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The property that is the row.
    pub row: String,
    /// The property that is the column.
    pub col: String,
    /// Places that have a name: the name, the row and the column.
    pub landmarks: Vec<(String, i64, i64)>,
}

impl From<(String, String)> for Grid {
    fn from((row, col): (String, String)) -> Self {
        Self { row, col, landmarks: Vec::new() }
    }
}

impl Problem {
    /// A problem without a name and without a plan, with the default costs. Every label declared in `alphabet` so far
    /// belongs to the world.
    pub fn new(alphabet: Alphabet, world: World, observer: Observer) -> Self {
        Self {
            name: None,
            world_labels: BitSet::full(alphabet.len()),
            alphabet,
            world,
            plan: None,
            costs: Vec::new(),
            observer,
            others: Vec::new(),
            aside: Vec::new(),
            grid: None,
        }
    }

    /// Everybody who watches, in order.
    pub fn observers(&self) -> impl DoubleEndedIterator<Item = &Observer> {
        std::iter::once(&self.observer).chain(&self.others)
    }

    /// Everybody who watches, in order.
    pub fn observers_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Observer> {
        std::iter::once(&mut self.observer).chain(&mut self.others)
    }

    /// What people call an observer: its name, else its number where there are several.
    pub fn observer_name(&self, number: usize) -> String {
        match self.observers().nth(number).and_then(|observer| observer.name.as_deref()) {
            Some(name) => name.to_owned(),
            None if self.others.is_empty() => "the observer".to_owned(),
            None => format!("observer {}", number + 1),
        }
    }

    /// An observer as sentences speak of it.
    pub fn called(&self, number: usize) -> String {
        match self.observers().nth(number).and_then(|observer| observer.name.as_deref()) {
            Some(name) => format!("`{name}`"),
            None => self.observer_name(number),
        }
    }

    /// The number of the observer whose map is sought: the first that has none, else the first of all.
    pub fn sought(&self) -> usize {
        self.observers().position(|observer| observer.map.is_none()).unwrap_or(0)
    }

    /// An observer by number.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn observer_mut(&mut self, number: usize) -> &mut Observer {
        self.observers_mut().nth(number).expect("there is an observer of this number")
    }

    /// The same problem about one of its observers; the others are put aside.
    pub fn about(mut self, number: usize) -> Self {
        let mut all: Vec<Observer> = std::iter::once(self.observer).chain(self.others).collect();
        self.observer = all.remove(number);
        self.others = Vec::new();
        all.extend(self.aside);
        Self { aside: all, ..self }
    }

    /// What an event costs: as the problem says, else 1 for an action and 0 for an observation.
    pub fn cost(&self, label: Label) -> u64 {
        match self.costs.iter().find(|(l, _)| *l == label) {
            Some(&(_, cost)) => cost,
            None => u64::from(self.alphabet.kind(label) == Kind::Action),
        }
    }

    /// The costs of all labels, in the order of the label ids.
    pub fn all_costs(&self) -> Vec<u64> {
        self.alphabet.labels().map(|l| self.cost(l)).collect()
    }
}
