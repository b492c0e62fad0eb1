//! Operations on p-graphs: reachable part, product, union, image, preimage, tracing, inclusion of languages; arcs that lead equally far.

mod components;
mod image;
pub(crate) mod induction;
mod joint;
mod language;
mod moves;
mod product;
mod shifts;

pub use crate::problem::reachable;
pub use components::components;
pub use image::{image, preimage};
pub use joint::Joint;
pub(crate) use joint::from_label;
pub(crate) use language::{Followed, post};
pub use language::{follow, separating_execution, trace};
pub(crate) use moves::{Moves, words_where};
pub use product::{Product, product, union};
pub(crate) use shifts::Shifts;
