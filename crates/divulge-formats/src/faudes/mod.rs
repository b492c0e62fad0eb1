//! `.gen`: libFAUDES generators, in its token format.
//!
//! Sections in tags: `<Alphabet>`, `<States>`, `<TransRel>`, `<InitStates>`, `<MarkedStates>`. Names may be in quotes; `%` starts a
//! comment. A word such as `+o+` after a name is its attributes: `o` makes an event unobservable.

mod read;
mod token;
mod write;

pub use read::read;
pub use write::write;
