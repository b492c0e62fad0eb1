//! The modelling language, `*.divulge`: worlds as rules over variables, plans as programs, observers and stipulations.
//!
//! # Background
//! `docs/language.md` is the language's manual. A text goes one way: lexer, parser (a tree of what is written), includes
//! put in, names and types checked, and the reachable part of the world worked out into the core's [`Problem`].
//!
//! # Practical
//! [`load`] gives the problem and the findings; [`format()`] the canonical layout; [`looks_like_json`] tells the language
//! from the JSON document.
//!
//! # How to add to the language
//! 1. The tree in `ast.rs` and the parser in `parser/`, with marks for the formatter where spacing is special.
//! 2. Its meaning in `elaborate/`, with a diagnostic (and its fixture) for each mistake that can be made.
//! 3. `docs/language.md`, and an example in the tests.

mod ast;
mod call;
mod check;
mod elaborate;
mod facts;
mod foreign;
mod format;
mod formula;
mod include;
mod lexer;
mod model;
mod parser;
mod reading;
mod scope;
mod settings;
mod suggest;
mod survey;
mod temporal;
mod term;
mod tokens;
mod write;
mod written;

pub use facts::{Constant, Facts, Variable};
pub use format::format;
pub use include::{Included, Loader, NoIncludes};
pub use reading::{Depth, Reading, read};
pub use settings::misset;
pub use suggest::{Suggestion, meaning, suggestions};
pub use survey::{Mention, Part, Region, Sort, Survey, survey};
pub use tokens::{Shape, Token, tokens};
pub use write::{Unwritable, write};

use crate::diagnostic::Diagnostics;
use divulge::problem::Problem;

/// Reads a model.
///
/// `name` is what the model is called in findings, and where includes start from. `overrides` are pairs of a constant's
/// name and the text of its value, as given by `--set`, each name once; `plan` and `observer` choose one of several. There is a problem
/// unless there are errors; warnings may come with it.
pub fn load(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    overrides: &[(String, String)],
) -> (Option<Problem>, Diagnostics) {
    load_on(name, text, loader, overrides, false, 1)
}

/// As [`load`], for those who ask nothing: several observers may lack a map.
pub fn load_all(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    overrides: &[(String, String)],
) -> (Option<Problem>, Diagnostics) {
    load_on(name, text, loader, overrides, true, 1)
}

/// As [`load`], or for `anybody` as [`load_all`], on so many threads; 0 stands for as many as there are processors. What comes of it does not depend on
/// how many there are.
pub fn load_on(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    overrides: &[(String, String)],
    anybody: bool,
    threads: usize,
) -> (Option<Problem>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let source = diagnostics.add_source(name, text);
    let items = include::items(source, loader, &mut diagnostics);
    // Names cannot be judged while parts of the text are not understood.
    if diagnostics.has_errors() {
        return (None, diagnostics);
    }
    let model = model::collect(items, source, &mut diagnostics);
    let within = scope::Within::all(threads);
    let read = elaborate::elaborate(&model, overrides, anybody, source, within, &mut diagnostics);
    (read.problem.filter(|_| !diagnostics.has_errors()), diagnostics)
}

/// Whether a word is part of the language's expressions, so that it cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    parser::RESERVED.contains(&word)
}

/// Whether a text is meant as a JSON document rather than as a model: JSON starts with a brace, a model with a word.
pub fn looks_like_json(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with(['{', '['])
}
