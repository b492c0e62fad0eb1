//! The observer: what it knows of the plan, and what it believes as it watches.

mod beliefs;
mod divulged;
mod signatures;
mod successors;
mod tracker;

pub use beliefs::Members;
pub use divulged::{Admits, Divulged, Tracked};
pub use tracker::{StateId, Tracker, check_filter};
