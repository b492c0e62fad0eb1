//! divulge: the formalism.

pub mod answer;
pub mod expansion;
pub mod formula;
pub mod graph;
pub mod observer;
pub mod problem;
pub mod question;

mod nearest;
pub use nearest::nearest;
