//! What stipulations mean: formulas tied to a world, evaluated, and put into the paper's clausal form.
//!
//! *Background.* A formula speaks of an estimate, a set of world vertices: `state(v)`, `possible(p)`, `knows(p)`, combined by `!`, `&`, `|`,
//! `->` and `<->`. Every atom says of some set of vertices, its *mask*, that the estimate meets it, or that it does not.
//!
//! *Practical.* A [`Formula`] is parsed from text and printed as text. [`Stipulations::compile`] ties formulas to a world; an estimate
//! is then evaluated by its signature, one bit for each mask that it meets. [`Clause`] tells whether it is dual-Horn.

mod clause;
mod compile;
mod course;
pub mod resolve;
mod run;

pub use crate::problem::formula::{
    Atom, Comparison, Formula, FormulaError, Logic, MAX_DEPTH, Predicate, Quoted, Span, Temporal, Test,
    is_plain_word,
};
pub use clause::{Clause, PlainClause};
pub use compile::{Compiled, Stipulations};
pub use course::{Course, Courses, Due, RunStanding};
pub use run::Run;
