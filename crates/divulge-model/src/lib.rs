//! Model text to problem: the modelling language, the JSON document, and the diagnostics that both share.
//!
//! The crate does no file I/O: callers hand over text, and a loader where a text may include others.

pub mod diagnostic;
pub mod document;
pub mod families;
pub mod language;
pub mod lint;
