//! What an editor can ask for, a file each: from what is known of a text to what the protocol says.

pub mod actions;
pub mod completion;
pub mod diagnostics;
pub mod folding;
pub mod format;
pub mod hover;
pub mod lenses;
pub mod navigate;
pub mod rename;
pub mod symbols;
pub mod tokens;
