//! What is said about an observer in a problem.

use crate::problem::{
    formula::{Formula, FormulaError},
    map::{LabelMap, MapConstraints},
    names::Names,
    world::{NamedGraph, Plan},
};

/// What the observer knows of the plan beforehand: the divulged plan D, as the problem states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Knows {
    /// The plan itself (case I).
    Plan,
    /// That the plan is one of these (case II).
    Plans(Vec<Plan>),
    /// That the robot pursues the goal by some plan that solves the world (case III).
    GoalDirected,
    /// Nothing but the world (case IV).
    World,
    /// That executions are among those of this graph.
    Graph(NamedGraph),
}

/// A p-graph over images: its arcs' labels number the names in `images`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterGraph {
    /// The structure, with vertex names.
    pub graph: NamedGraph,
    /// The images' names, in the order of the label ids of the arcs.
    pub images: Names,
}

/// How the observer remembers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// Perfect recall.
    #[default]
    Strongest,
    /// The paper's h⟨W⟩, read to the letter.
    Image,
    /// An I-state graph.
    Graph(Box<FilterGraph>),
}

/// When a stipulation must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Scope {
    /// After every joint execution, the empty one included.
    #[default]
    Always,
    /// Wherever the plan terminates.
    End,
    /// Of the moments of every run, one after the other: the formula may be temporal.
    Run,
    /// Always, and still of what the observer makes of a moment later on.
    Hindsight {
        /// How many images later at most; `None` for any number.
        within: Option<u32>,
    },
}

impl Scope {
    /// The word used for it in documents.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Always => "always",
            Scope::End => "end",
            Scope::Run => "run",
            Scope::Hindsight { .. } => "hindsight",
        }
    }
}

/// A stipulation: what must be so of the observer's estimate, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stipulation {
    /// Its name; given or made.
    pub name: String,
    /// When it must hold.
    pub scope: Scope,
    /// What must hold.
    pub formula: Formula,
}

impl Stipulation {
    /// A stipulation whose formula is written in `text`.
    ///
    /// # Errors
    /// If the text is no formula. Whether it fits a world is found out when a question is asked.
    pub fn new(name: &str, scope: Scope, text: &str) -> Result<Self, FormulaError> {
        Ok(Self { name: name.to_owned(), scope, formula: text.parse()? })
    }
}

/// An observer: what it sees, what it knows, how it remembers, and what is stipulated of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// Its name, for people.
    pub name: Option<String>,
    /// The label map, absent where one is sought.
    pub map: Option<LabelMap>,
    /// What a sought map must respect.
    pub constraints: MapConstraints,
    /// How it remembers.
    pub filter: Filter,
    /// What it knows of the plan.
    pub knows: Knows,
    /// What is stipulated.
    pub stipulations: Vec<Stipulation>,
}

impl Observer {
    /// An observer of whom nothing is stipulated yet, without a name and without a map, who remembers all that it sees.
    pub fn new(knows: Knows) -> Self {
        Self {
            name: None,
            map: None,
            constraints: MapConstraints::default(),
            filter: Filter::Strongest,
            knows,
            stipulations: Vec::new(),
        }
    }
}
