//! SEEK a map: partial maps, and the search over them.
//!
//! *Practical.* `space` is what maps there are, `games` judges many at once, `search` looks through them; `questions` is what can be
//! asked, `asked` and `one` turn maps into answers, `why_none` tells what stands in the way.

mod asked;
mod games;
mod one;
mod questions;
mod search;
mod space;
mod why_none;

pub use games::{Divulged, MapGame};
pub use questions::{MapOptions, Prefer, seek_both, seek_map, seek_maps};
pub use search::{Search, Statistics};
pub use space::{
    Counter, Lessons, PairIndex, Pairs, PartialMap, Symmetries, Threshold, Undecided, coarsest, demanded,
    finest, merge_cost, named,
};
pub use why_none::why_none;
