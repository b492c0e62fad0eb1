//! Answers to words, pictures and JSON.
//!
//! Nothing is decided here: what a sentence says was found by the crate `divulge`, and this crate chooses the words. [`words`] is for
//! people, [`json`] for programs (the objects that `divulge --json` prints), [`dot`] for Graphviz, [`bt`] for
//! robots, [`itf`] for trace viewers.

pub mod bt;
pub mod dot;
pub mod itf;
pub mod json;
pub mod look;
mod prism;
mod smv;
pub mod words;

pub use prism::prism;
pub use smv::smv;
