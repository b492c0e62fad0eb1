//! Model text to problem: the modelling language, the JSON document, and the diagnostics that both share.
//!
//! The crate does no file I/O: callers hand over text, and a loader where a text may include others.
//!
//! [`language::load`] reads a model, [`document::read`] a problem document; both give a
//! [`Problem`](divulge::problem::Problem) and what is to be said of the text, with places and stable codes ([`diagnostic`]).
//! [`foreign::read`] reads the files of other tools.
//! [`options`] reads what the options of a question say.
//! [`document::write()`] writes a problem, [`lint`] looks for probable mistakes, and [`families`] makes problems of any size.

pub mod diagnostic;
pub mod document;
pub mod families;
mod fault;
pub mod foreign;
pub mod language;
pub mod lint;
pub mod options;
