//! Pictures of worlds, plans, estimates and maps.
//!
//! - [`layout`] lays out any directed graph in layers.
//! - [`scene`] makes a picture's contents of a world: a grid, or a graph in layers.
//! - [`text`] measures texts.
//!
//! Everything here computes, and nothing reads or writes files; the crate compiles for `wasm32-unknown-unknown`.

pub mod layout;
pub mod scene;
pub mod text;
