//! Why there is no plan, and what would make one possible.

use crate::{
    formula::PlainClause,
    problem::{Knows, Label, Vertex},
    verdict::WorstCase,
};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPlan {
    /// No plan solves the world, whatever is stipulated.
    Unsolvable(Unsolvable),
    /// Plans solve the world, but the divulged plan admits none of them.
    NotAdmitted {
        /// What would make a plan possible: the observer's knowing something else, the stipulations being as they are.
        remedies: Vec<Remedy>,
        /// Whether it was tried what an observer could know who expects every plan.
        all_tried: bool,
    },
    /// Plans keep the stipulations, but none that takes one action for each pair of what the robot knows and what was seen; the shortest has
    /// this worst case.
    OnlyByChance(WorstCase),
    /// Plans solve the world and are admitted, but none keeps the stipulations.
    Conflict(Conflict),
}

/// Where the robot gets stuck in a world that no plan solves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsolvable {
    /// Some of the places that the robot cannot be sure to avoid and cannot get past, nearest first.
    pub places: Vec<StuckPlace>,
    /// Whether the robot can go on for ever without being able to force the goal.
    pub circling: bool,
    /// Actions that it can nowhere be sure of, in the order in which it comes across them.
    pub unsure: Vec<UnsureAction>,
}

/// An action that some of the vertices have which the robot cannot tell apart, but wherever it may be, not all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsureAction {
    /// The action.
    pub action: Label,
    /// The world vertices that the robot cannot tell apart where it comes across the action first, ascending.
    pub vertices: Vec<Vertex>,
}

/// What the robot knows at a place that it cannot get past, and how it gets there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckPlace {
    /// A shortest execution that leads there.
    pub execution: Vec<Label>,
    /// The world vertices that the robot cannot tell apart there, ascending.
    pub vertices: Vec<Vertex>,
    /// What keeps it there.
    pub obstacle: Obstacle,
}

/// What keeps the robot from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obstacle {
    /// The place is a dead end: no vertex has an action.
    DeadEnd,
    /// Vertices have actions, but no action is available at all of them.
    NoSafeAction,
    /// Some vertex gives no observation, so the robot may wait for ever.
    Silence,
}

/// Stipulations that cannot be kept together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflict {
    /// Parts of the stipulations that no plan keeps all of. If `minimal`, any of them may be left out and a plan keeps the others.
    pub parts: Vec<Part>,
    /// Whether `parts` was shown to be minimal before the effort allowed was spent.
    pub minimal: bool,
    /// Single changes to the problem, with all its stipulations, that make a plan possible.
    pub remedies: Vec<Remedy>,
    /// Whether all the single changes that count were tried.
    pub all_tried: bool,
}

/// A clause of a stipulation, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the observer whose stipulation it is.
    pub observer: usize,
    /// The stipulation's number, among that observer's.
    pub stipulation: usize,
    /// The clause; `None` if the stipulation was too long to put into clauses, or speaks of several moments.
    pub clause: Option<PlainClause>,
}

/// A change that makes a plan possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The change.
    pub change: Change,
    /// The worst case of the shortest plan that there would be.
    pub worst_case: WorstCase,
}

/// A single change to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Leaving out this one of the conflict's parts.
    Drop(usize),
    /// The observer's knowing this (the one whose map is sought, or the first), which is less; or something else, if it expects no plan that solves the world.
    Know(Knows),
    /// These two labels, with all that already look like either, looking alike: the second as the first does now.
    Merge(Label, Label),
}
