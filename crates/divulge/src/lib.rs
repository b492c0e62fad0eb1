//! divulge: the formalism.

pub mod expansion;
pub mod formula;
pub mod graph;
pub mod problem;

mod nearest;
pub use nearest::nearest;
