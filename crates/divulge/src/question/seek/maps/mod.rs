//! SEEK a map: partial maps, and the search over them.

mod pairs;
mod partial;

pub use pairs::{PairIndex, Pairs};
pub use partial::{PartialMap, Undecided};
