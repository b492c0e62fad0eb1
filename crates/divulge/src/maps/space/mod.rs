//! The maps there are: what is decided of one, what must be respected, how many there are; without asking what they are good for.

mod constraints;
mod count;
mod lessons;
mod pairs;
mod partial;
mod symmetry;

pub use constraints::{ImageCount, demanded, images, mapped, merge_cost, named};
pub use count::{Counter, coarsest, finest};
pub use lessons::{Lesson, Lessons, Threshold};
pub use pairs::{PairIndex, Pairs};
pub use partial::{PartialMap, Undecided};
pub use symmetry::Symmetries;
