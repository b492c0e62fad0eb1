//! Answers: verdicts with their witnesses.

mod found;
mod violation;

pub use found::{FoundPlan, WorstCase};
pub use violation::{Reason, Violation};
