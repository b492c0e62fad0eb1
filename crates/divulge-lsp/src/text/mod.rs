//! The texts that are being edited, and places in them.

mod document;
mod lines;
mod store;
mod uri;

pub use document::Document;
pub use lines::Lines;
pub use store::Texts;
pub use uri::{name_of, uri_of};
