//! The guard: it stands between a robot and everybody outside.
//!
//! *Background.* A plan that keeps its stipulations keeps them only if the robot runs it, in the world that was modelled, and if
//! nobody sees more of it than their images. The guard knows the plan, the world, every observer's map and stipulations. An event goes
//! in; if the plan foresees it here, the world allows it and no stipulation would break, each observer's image of it comes out. Else nothing
//! comes out, then or later: the guard *holds*.
//!
//! *Practical.* [`Guard`] is the heart: where plan, world and observers are, and what an event would lead to. [`Gate`] is the
//! heart with a latch: lines in, lines out, a [`Journal`] in between, synced before anything is shown. Neither knows clocks or
//! threads; whoever opens a gate reads its input, writes its output and tells it when a heartbeat is missing.

mod audit;
mod chance;
mod digest;
mod gate;
mod guard;
mod held;
mod journal;
pub mod lines;
mod table;

pub use audit::{Audit, Finding, Known, Log, audit, audit_images, read_log};
pub use chance::Chance;
pub use digest::digest;
pub use gate::{Gate, Mode, OpenError, Options, Out, Recall, Standing};
pub use guard::{Guard, Told};
pub use held::{Held, Reason};
pub use journal::{Journal, JournalError};
pub use table::Refusal;
