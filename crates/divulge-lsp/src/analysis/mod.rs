//! What is known of a text: its names at once, its findings and its world after a while.

mod names;
mod places;
mod question;
mod reader;

pub use names::Names;
pub use places::Places;
pub use question::{Ask, Asked, Told};
pub use reader::{Read, Reader, Stop};
