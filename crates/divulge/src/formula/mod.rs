//! Stipulations' formulas: read, printed, tied to a world, evaluated, and put into the paper's clausal form.
//!
//! *Background.* A formula speaks of an estimate, a set of world vertices: `state(v)`, `possible(p)`, `knows(p)`, combined by `!`, `&`, `|`,
//! `->` and `<->`. Every atom says of some set of vertices, its *mask*, that the estimate meets it, or that it does not.
//!
//! *Practical.* A [`Formula`] is parsed from text and printed as text. [`Stipulations::compile`] ties formulas to a world; an estimate
//! is then evaluated by its signature, one bit for each mask that it meets. [`Clause`] tells whether it is dual-Horn.

mod ast;
mod clause;
mod compile;
mod lex;
mod parse;
mod print;
pub mod resolve;

pub use ast::{Atom, Comparison, Formula, Logic, Predicate, Span, Test};
pub use clause::Clause;
pub use compile::{Compiled, Stipulations};
pub use parse::{FormulaError, MAX_DEPTH};
pub use print::{Quoted, is_plain_word};
