//! What the program and the Python package need of the machine they run on: files that models include, and the memory in use.

mod files;
mod memory;

pub use files::{Files, short};
pub use memory::{peak, resident};
