//! The `divulge` program.
fn main() {}
