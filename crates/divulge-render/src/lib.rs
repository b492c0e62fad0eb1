//! Answers to words, pictures and JSON.
//!
//! Nothing is decided here: what a sentence says was found by the crate `divulge`, and this crate chooses the words. [`words`] is for
//! people, [`json`] for programs (the objects that `divulge --json` prints), [`dot`] for Graphviz.

pub mod dot;
pub mod json;
mod smv;
pub mod words;

pub use smv::smv;
