//! What the program and the Python package need of the machine they run on: files that models include, the memory in use, what a store is, and who
//! is at work on it.

mod files;
mod memory;
pub mod store;
mod worker;

pub use files::{Files, short};
pub use memory::{peak, resident};
pub use worker::{Worker, is_alive};
