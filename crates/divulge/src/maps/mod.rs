//! SEEK a map: partial maps, and the search over them.
//!
//! *Practical.* `space` is what maps there are, `games` judges many at once, `search` looks through them, `tasks` shares that out; `questions`
//! is what can be asked, `posed`, `first` and `best` turn maps into answers.

mod best;
mod first;
mod games;
mod posed;
mod questions;
mod search;
pub(crate) mod space;
mod tasks;

pub use games::{MapGame, SelfDivulgedGame};
pub use questions::{Helpers, MapOptions, Prefer, possible_images, seek_all, seek_one, with_hands};
pub use search::{Existence, Search, Statistics};
pub use space::{
    Counter, ImageCount, Lesson, Lessons, PairIndex, Pairs, PartialMap, Symmetries, Threshold, Undecided,
    coarsest, demanded, finest, images, merge_cost, named,
};
pub use tasks::{Aim, Crew, Done, Hands, Keep, Malformed, Office, Region, Sharing, Task};
