//! Answers in words, for people.
//!
//! Each function takes a typed answer and gives text that ends with a line break; the same answer always gives the same
//! text. A [`Style`] says how wide lines may be and whether colours may be used. One kind of answer, one file: a new
//! kind needs a file here and a line below.

mod answer;
mod choices;
mod clause;
mod ends;
mod estimate;
mod headline;
mod holds;
mod info;
mod layout;
mod map;
mod maps;
mod needs;
mod no_map;
mod no_plan;
mod observer;
mod plan;
mod program;
mod refusal;
mod steps;
mod style;
mod twins;
mod uneven;
mod violated;

pub use answer::{advice, answer};
pub use headline::headline;
pub use info::{Over, clauses, has_clauses, info};
pub use map::label_map;
pub use observer::observer;
pub use plan::plan;
pub use refusal::refusal;
pub use steps::{seen, steps};
pub use style::Style;
pub use violated::sentence as violation;
