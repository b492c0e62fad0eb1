//! What the program and the Python package need of the machine they run on: files that models include, the memory in use, and what a store is.

mod files;
mod memory;
pub mod store;

pub use files::{Files, short};
pub use memory::{peak, resident};
