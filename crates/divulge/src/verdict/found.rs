//! What was found by a search for plans or maps.

use crate::problem::{LabelMap, Plan};

/// How bad it can get before a plan terminates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorstCase {
    /// The number of events, actions and observations alike, of a longest joint execution.
    pub events: u64,
    /// The cost of a dearest joint execution, which need not be the longest.
    pub cost: u64,
}

/// What is known of the actions that a plan offers beside others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choices {
    /// Some of them might be left out.
    #[default]
    Open,
    /// Each of them is needed: without any one of them, something would break. A plan that never chooses has none.
    Needed,
}

impl Choices {
    /// What is known by looking at a plan.
    pub fn of(plan: &Plan) -> Self {
        if plan.choosing().is_empty() { Choices::Needed } else { Choices::Open }
    }
}

/// A plan that solves the world and keeps the stipulations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPlan {
    /// The plan: state-determined, acyclic, every vertex reachable, no two vertices alike.
    pub plan: Plan,
    /// How long and how dear it can get.
    pub worst_case: WorstCase,
    /// Whether the choices that it leaves the robot are needed.
    pub choices: Choices,
}

/// A map under which a plan, given or found with it, keeps the stipulations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMap {
    /// The map.
    pub map: LabelMap,
    /// The plan.
    pub plan: Plan,
    /// How long and how dear the plan can get.
    pub worst_case: WorstCase,
    /// Whether the choices that the plan leaves the robot are needed.
    pub choices: Choices,
    /// What the merges cost in all, as the constraints say.
    pub merge_cost: u64,
}

/// Every map that would do, by its extremes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    /// How many maps would do.
    pub feasible: u128,
    /// How many maps there are that respect the constraints.
    pub maps: u128,
    /// The maps that would do of which no finer one would.
    pub finest: Vec<FoundMap>,
    /// The maps that would do of which no coarser one would.
    pub coarsest: Vec<FoundMap>,
    /// How many regions of maps had to be decided one by one.
    pub regions: u64,
}

/// How many maps have been decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classified {
    /// Maps known to do, at least.
    pub feasible: u128,
    /// Maps known not to do, at least.
    pub infeasible: u128,
    /// How many maps there are that respect the constraints.
    pub maps: u128,
}

/// What a search has found before it is finished. It holds, but it is not proven to be the best or all there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoFar {
    /// The best plan so far.
    Plan(FoundPlan),
    /// The best map so far, with its plan.
    Map(FoundMap),
    /// Every map is sought, and so many are decided.
    Maps(Classified),
}
