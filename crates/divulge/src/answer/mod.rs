//! Answers: verdicts with their witnesses.

mod violation;

pub use violation::{Reason, Violation};
