//! Answers to words, pictures and JSON.
