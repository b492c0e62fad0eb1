//! The observer: what it knows of the plan, and what it believes as it watches.
//!
//! *Practical.* [`Divulged`] is what the observer knows beforehand, with the graph of the executions that it reckons with
//! ([`Tracked`]). [`Tracker`] then follows what it sees, image by image, and tells which stipulations hold of its estimate.

mod divulged;
mod signatures;
mod successors;
mod tracker;
pub(crate) mod walk;

pub use divulged::{Admits, Divulged, Tracked};
pub use tracker::{StateId, Tracker, check_filter};
