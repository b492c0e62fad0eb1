//! Operations on p-graphs: reachable part, product, union, image, preimage, tracing, inclusion of languages.

mod components;
mod image;
mod joint;
mod language;
mod product;

pub use crate::problem::reachable;
pub use components::components;
pub use image::{image, preimage};
pub use joint::Joint;
pub(crate) use language::{Followed, post};
pub use language::{separating_execution, separating_execution_within, trace};
pub use product::{Product, product, union};
