//! What people are told.

mod answers;
mod problems;
mod programs;
