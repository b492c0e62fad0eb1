//! What stipulations say: formulas, read from text and printed as text. What they mean in a world is in [`crate::formula`].

mod ast;
mod lex;
mod parse;
mod print;

pub use ast::{Atom, Comparison, Formula, Logic, Predicate, Span, Temporal, Test};
pub use parse::{FormulaError, MAX_DEPTH};
pub use print::{Quoted, is_plain_word};
