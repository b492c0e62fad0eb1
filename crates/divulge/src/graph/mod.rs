//! Operations on p-graphs.

mod reach;
pub use reach::reachable;
