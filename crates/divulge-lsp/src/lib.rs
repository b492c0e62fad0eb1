//! The language server of divulge models: what an editor shows while one writes.
//!
//! # Background
//! An editor sends every change of a text, and asks: what is wrong, what does this name stand for, what may stand here. Answers must come
//! within the blink of an eye, for texts that are broken most of the time. So whatever takes no longer than the text is long is done at once, and
//! what takes longer, exploring a world or answering a question, on a thread that stops when the text changes.
//!
//! # Practical
//! [`serve`] speaks to one client until it leaves; [`stdio`] does so over standard input and output.
//! `text/` has the documents and the two ways of counting places in them, `analysis/` what is known of a text, `feature/` a file for each thing that
//! an editor can ask for, `server/` the conversation. Each uses only those before it.

mod analysis;
mod feature;
mod server;
mod text;

pub use server::{serve, stdio};
