//! The lines that go in and come out, version 1: one JSON object each.
//!
//! In: `{"event": "right"}`, `{"heartbeat": true}`, `{"end": true}`. Out, to the robot: `{"guard": …}` once,
//! `{"do": ["right"]}` (an empty list: stop), `{"held": …}`, `{"would_hold": …}`, `{"ended": true}`; to an observer:
//! `{"to": "public", "image": "move", "n": 1}` and, on a beat without an image, `{"to": "public", "beat": true}`.

mod read;
mod write;

pub use read::{Line, LineError, MOST, Shown, read, read_shown};
pub use write::Writer;
pub(crate) use write::object;

/// The name and version of these lines.
pub const FORMAT: &str = "divulge-guard/1";
