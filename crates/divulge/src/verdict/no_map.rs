//! Why there is no map.

use crate::{
    problem::Label,
    verdict::{Part, Unsolvable, Violation},
};

/// Why under no map a plan, the one given or any, would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMap {
    /// No plan solves the world, whatever is stipulated.
    Unsolvable(Unsolvable),
    /// The plan given does not solve the world, whatever is stipulated. What is seen of it is left out.
    PlanFails(Violation),
    /// The observer does not expect the given plan, or expects no plan that solves the world.
    NotAdmitted,
    /// What is stipulated and demanded cannot be had together.
    Conflict(MapConflict),
}

/// Stipulations and demands on the map that no map meets all of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapConflict {
    /// Parts of the stipulations.
    pub parts: Vec<Part>,
    /// Demands on the map.
    pub demands: Vec<Demand>,
    /// Whether any one of all these may be left out, and some map meets the others; false if the effort allowed was spent before
    /// that was shown.
    pub minimal: bool,
}

/// One thing that the map constraints demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// These look alike.
    Merge(Label, Label),
    /// These look different.
    Separate(Label, Label),
    /// This has that image.
    Fixed(Label, String),
    /// There are at most so many images.
    MaxImages(usize),
    /// There are at least so many images.
    MinImages(usize),
}
