//! Answers to words, pictures and JSON.

pub mod dot;
pub mod json;
pub mod words;
