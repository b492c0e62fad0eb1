//! `.aut`: Aldebaran's transition systems, as CADP, mCRL2 and LTSmin write them.
//!
//! The first line is `des (FIRST, TRANSITIONS, STATES)`; then follows a line `(FROM, LABEL, TO)` for each transition.

mod read;
mod write;

pub use read::read;
pub use write::write;
