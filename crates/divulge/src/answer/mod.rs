//! Answers: verdicts with their witnesses, and what explains them.

mod alternatives;
mod ending;
mod explain;
mod found;
mod no_map;
mod no_plan;
mod replay;
mod twin;
mod violation;
mod witness;

pub use ending::{Ending, Held, Known, endings};
pub use explain::{Breach, Explanation, Met, Missed, explain};
pub use found::{FoundMap, FoundPlan, Frontier, WorstCase};
pub use no_map::{Demand, MapConflict, NoMap};
pub use no_plan::{Change, Conflict, NoPlan, Obstacle, Part, Remedy, StuckPlace, Unsolvable};
pub use replay::{Moment, Replay, Standing, replay};
pub use twin::{RuledOut, Twin, Why};
pub use violation::{Reason, Violation};
pub use witness::confirms;
