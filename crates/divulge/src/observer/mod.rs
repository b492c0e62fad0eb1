//! The observer: what it knows of the plan, and what it believes as it watches.
//!
//! *Practical.* [`Divulged`] is what the observer knows beforehand, with the graph of the executions that it reckons with
//! ([`Tracked`]). [`Tracker`] then follows what it sees, image by image, and tells what becomes of its stipulations. [`Walk`] follows
//! executions beside it.

mod ahead;
mod divulged;
mod filter;
mod hindsight;
mod one;
mod several;
mod signatures;
mod successors;
mod tracker;
mod walk;

pub(crate) use ahead::{Ahead, Unknown, shares};
pub use divulged::{Admits, Divulged, Tracked};
pub use filter::check_filter;
pub(crate) use several::Part;
pub(crate) use successors::Successors;
pub use tracker::{StateId, Tracker};
pub use walk::{Met, Outcome, Walk};
pub(crate) use walk::{broken, violation};
