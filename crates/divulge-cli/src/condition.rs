//! Conditions on a state, as options give them.

use divulge::formula::{FormulaError, Predicate};
use divulge_model::options;

use crate::status::Failure;

/// A condition in the words of a document; `x in {a, b}` is short for `x = a | x = b`.
pub fn condition(option: &str, text: &str) -> Result<Predicate, Failure> {
    options::condition(text).map_err(|e| wrong(option, e))
}

/// A condition that cannot be read, or does not fit.
pub fn wrong(option: &str, e: FormulaError) -> Failure {
    Failure::Message(format!("{option}: {e}"), e.help)
}
