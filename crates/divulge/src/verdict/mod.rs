//! The types of answers: violations with their witnesses, what was found, why there is none, and what could not be asked.

mod error;
mod found;
mod no_map;
mod no_plan;
mod violation;

pub use error::{Disagreement, QuestionError};
pub use found::{Choices, Classified, FoundMap, FoundPlan, Frontier, SoFar, WorstCase};
pub use no_map::{Demand, MapConflict, NoMap};
pub use no_plan::{Change, Conflict, NoPlan, Obstacle, Part, Remedy, StuckPlace, Unsolvable, UnsureAction};
pub use violation::{Reason, Violation};
