//! Stipulations' formulas: read, printed, tied to a world, evaluated, and put into the paper's clausal form.

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
