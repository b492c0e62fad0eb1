//! Answers: verdicts with their witnesses, and what explains them.
//!
//! *Practical.* A [`Violation`] has an execution that shows it; [`confirms`] checks that it does, by [`replay`], which follows an
//! execution straight from the definitions and shares no search code with the engines. [`explain`] finds the clause that broke and twin
//! runs; [`endings`] what the observer can tell where a plan terminates.

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

pub use ending::{Ending, Known, Sure, endings};
pub use explain::{Breach, Explanation, Met, Missed, explain};
pub use found::{Classified, FoundMap, FoundPlan, Frontier, SoFar, WorstCase};
pub use no_map::{Demand, MapConflict, NoMap};
pub use no_plan::{Change, Conflict, NoPlan, Obstacle, Part, Remedy, StuckPlace, Unsolvable};
pub use replay::{Moment, Replay, Standing, replay};
pub use twin::{RuledOut, Twin, Why};
pub use violation::{Reason, Violation};
pub use witness::confirms;
