//! The playground: a page in which a model is written on one side and answered on the other.
//!
//! *Practical.* [`Playground`] is the session: it answers requests in JSON about texts. It reads them ([`Request::Read`]: what is wrong,
//! where, how to mend it, which names there are), asks ([`Request::Ask`]), draws, formats and translates. It runs in the page, compiled
//! to WebAssembly, in a worker of its own; the page shows what it is told and decides nothing. `page` makes the page, one HTML file
//! with everything in it.
//!
//! Nothing is asked of a clock: whoever runs a session hands over a [`Monitor`](divulge::Monitor).

mod asked;
mod export;
mod names;
#[cfg(feature = "page")]
pub mod page;
mod pictures;
mod read;
mod session;

pub use asked::{Asked, Refused};
pub use names::{Outline, outline};
pub use read::{Files, Given, Origin};
pub use session::{Playground, Request};
