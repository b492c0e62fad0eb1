//! The problem document: what is written reads back, what cannot be read is said, and nothing does harm.

mod fixtures;
mod hostile;
mod round_trip;
