//! Limits and progress: what may stop an engine, and how far it has come.
//!
//! *Practical.* Everything that may take long takes a [`Monitor`] and polls it at least once in a few thousand steps. There is no way of
//! leaving it out: whoever wants no limit says so with [`Unlimited`].

mod monitor;

pub use monitor::{Limit, Monitor, Progress, Unlimited};
