//! The JSON interchange document: one document holds a whole question.
//!
//! # Background
//! The format is fixed: other programs read and write it. `docs/schema/divulge-1.schema.json` describes its shape; the
//! reader checks more than a schema can say, such as edges that name vertices.
//!
//! # Practical
//! ```
//! use divulge_model::document;
//! let text = r#"{"format": "divulge/1",
//!   "world": {"vertices": {"u": {"kind": "action", "goal": true}}, "initial": ["u"], "edges": []},
//!   "observers": [{"map": {}, "knows": "world", "stipulations": []}]}"#;
//! let document = document::read("tiny.json", text).map_err(|found| found.render(false)).unwrap();
//! let written = document::to_string(&document.problem);
//! assert_eq!(document::read("again.json", &written).unwrap().problem, document.problem);
//! ```
//!
//! [`read`] pulls values out of the text as they come and builds nothing but the problem, so a world of ten million edges
//! takes seconds. The sections may come in any order: those that refer to others are passed over first and read when
//! these are known.

mod quotes;
mod read;
pub mod write;

use divulge::problem::Problem;

use crate::diagnostic::{Diagnostic, Diagnostics};

pub use read::{read, read_for, read_with};
pub use write::{to_string, write};

/// What a document's `format` field says.
pub const FORMAT: &str = "divulge/1";

/// A document as read.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it says.
    pub problem: Problem,
    /// What is probably not meant.
    pub warnings: Diagnostics,
    /// For each observer, those in question first, that its map is partial.
    gaps: Vec<Option<Diagnostic>>,
}

/// Which of a document's observers are in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom<'a> {
    /// All of them.
    Everybody,
    /// The one of this name alone; the others are put aside.
    Named(&'a str),
    /// All of them, and nothing is asked yet: several may lack a map.
    Anybody,
}

impl Document {
    /// Whether the maps of those in question, where there are any, give an image of every label of the world, or say that it is unseen.
    /// Questions that take a map need that; where one does not, the labels that it misses stand in [`Problem`] as their own images.
    ///
    /// # Errors
    /// The finding that it is partial, with the place of the map.
    pub fn total_map(&self) -> Result<(), Diagnostics> {
        self.gap_among(1 + self.problem.others.len())
    }

    /// As [`total_map`](Self::total_map), of every observer: for those who write the document again.
    ///
    /// # Errors
    /// Alike.
    pub fn total_maps(&self) -> Result<(), Diagnostics> {
        self.gap_among(usize::MAX)
    }

    fn gap_among(&self, observers: usize) -> Result<(), Diagnostics> {
        let Some(gap) = self.gaps.iter().take(observers).flatten().next() else { return Ok(()) };
        let mut found = Diagnostics::new();
        for source in self.warnings.sources() {
            found.add_source(source.name.clone(), source.text.clone());
        }
        found.push(gap.clone());
        Err(found)
    }
}
