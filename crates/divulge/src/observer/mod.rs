//! The observer: what it knows of the plan, and what it believes as it watches.

mod divulged;
mod successors;
mod tracker;

pub use divulged::{Admits, Divulged, Tracked};
pub use tracker::{StateId, Tracker, check_filter};
