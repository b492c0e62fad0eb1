//! The grammar of divulge models for [tree-sitter](https://tree-sitter.github.io).
//!
//! `parser.set_language(&tree_sitter_divulge::LANGUAGE.into())` has a parser read models.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_divulge() -> *const ();
}

/// The language.
// SAFETY: the function is made by tree-sitter itself, and takes nothing.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_divulge) };

/// What is coloured how.
pub const HIGHLIGHTS: &str = include_str!("../../queries/highlights.scm");
/// What can be folded.
pub const FOLDS: &str = include_str!("../../queries/folds.scm");
/// What is defined and used where.
pub const LOCALS: &str = include_str!("../../queries/locals.scm");
/// How lines are indented.
pub const INDENTS: &str = include_str!("../../queries/indents.scm");
