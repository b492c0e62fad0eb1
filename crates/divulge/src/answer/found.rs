//! What was found by a search for plans.

use crate::problem::Plan;

/// How bad it can get before a plan terminates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorstCase {
    /// The number of events, actions and observations alike, of a longest joint execution.
    pub events: u64,
    /// The cost of a dearest joint execution, which need not be the longest.
    pub cost: u64,
}

/// A plan that solves the world and keeps the stipulations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPlan {
    /// The plan: state-determined, acyclic, every vertex reachable, no two vertices alike.
    pub plan: Plan,
    /// How long and how dear it can get.
    pub worst_case: WorstCase,
}
