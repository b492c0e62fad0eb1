//! SEEK a map: partial maps, and the search over them.
//!
//! *Practical.* `space` is what maps there are, `games` judges many at once, `search` looks through them; `questions` is what can be
//! asked, `posed` and `best` turn maps into answers.

mod best;
mod games;
mod posed;
mod questions;
mod search;
pub(crate) mod space;

pub use games::{MapGame, SelfDivulgedGame};
pub use questions::{MapOptions, Prefer, possible_images, seek_all, seek_one};
pub use search::{Search, Statistics};
pub use space::{
    Counter, ImageCount, Lessons, PairIndex, Pairs, PartialMap, Symmetries, Threshold, Undecided, coarsest,
    demanded, finest, images, merge_cost, named,
};
