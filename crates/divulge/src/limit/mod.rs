//! Limits and progress: what may stop an engine, and how far it has come.
//!
//! *Practical.* Everything that may take long takes a [`Monitor`] and polls it at least once in a few thousand steps. There is no way of
//! leaving it out: whoever wants no limit says so with [`Unlimited`]. Monitors are put together from parts: [`Both`] stops when either
//! does, [`Polls`] after so many looks, [`Tally`] adds up what was done.

#[cfg(feature = "parallel")]
mod account;
mod aside;
mod monitor;
mod parts;
mod team;
mod threads;

#[cfg(feature = "parallel")]
#[doc(hidden)]
pub use account::{Taken, account, taken};
pub(crate) use aside::Aside;
pub use monitor::{Limit, Milestone, Monitor, Progress, Unlimited};
pub use parts::{Both, Polls, Tally};
#[doc(hidden)]
pub use team::{Team, with_team};
pub(crate) use threads::worth;
pub use threads::{both, share_out_the_least, threads, together};
