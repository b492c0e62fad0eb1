//! The problem: a world, a plan or none, and an observer with stipulations; all that a question is asked of.
//!
//! *Background.* World, plan, divulged plan and filter are all p-graphs: action and observation vertices that alternate, edges
//! that bear labels, one or more initial vertices of one kind. They may be nondeterministic.
//!
//! *Practical.* [`Builder`] makes worlds and plans from names; [`PGraphBuilder`] makes graphs from numbers. Vertices, labels and
//! images are small numbers ([`Vertex`], [`Label`], [`Image`]) that their graph, [`Alphabet`] or [`LabelMap`] knows the names of.

mod alphabet;
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
pub use world::{BuildError, Builder, NamedGraph, Plan, World};

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
    /// The observer that questions are about.
    pub observer: Observer,
    /// Whoever else watches: no question is about them, and they stay with the problem where it is written.
    pub others: Vec<Observer>,
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
            grid: None,
        }
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
