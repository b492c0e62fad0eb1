//! SEEK a map: partial maps, and the search over them.

mod asked;
mod beliefs;
mod between;
mod constraints;
mod count;
mod divulged;
mod fixed;
mod given;
mod guess;
mod judged;
mod lessons;
mod one;
mod one_by_one;
mod pairs;
mod partial;
mod questions;
mod reasons;
mod rules;
mod search;
mod symmetry;
mod why_none;

pub use constraints::{demanded, merge_cost, named};
pub use count::{Counter, coarsest, finest};
pub use divulged::Divulged;
pub use lessons::{Lessons, Threshold};
pub use pairs::{PairIndex, Pairs};
pub use partial::{PartialMap, Undecided};
pub use questions::{MapOptions, Prefer, seek_both, seek_map, seek_maps};
pub use search::{Decided, MapGame, Search, Statistics};
pub use symmetry::Symmetries;
pub use why_none::why_none;
