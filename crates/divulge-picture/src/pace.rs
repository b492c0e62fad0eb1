//! How drawing keeps to limits: work is counted, and the monitor is polled now and then.

use std::cell::Cell;

use divulge::Progress;
pub(crate) use divulge::{Limit, Monitor};

/// How much work is done between two polls.
const EVERY: usize = 4096;

/// Counts work and polls a monitor.
pub(crate) struct Pace<'m> {
    pub monitor: &'m dyn Monitor,
    done: Cell<usize>,
}

impl<'m> Pace<'m> {
    pub fn new(monitor: &'m dyn Monitor) -> Self {
        // The first bit of work polls: what is over its limit does not begin.
        Self { monitor, done: Cell::new(EVERY) }
    }

    /// So much work comes next.
    pub fn work(&self, amount: usize) -> Result<(), Limit> {
        let done = self.done.get().saturating_add(amount.max(1));
        if done < EVERY {
            self.done.set(done);
            return Ok(());
        }
        self.done.set(0);
        self.monitor.poll(&Progress { doing: "drawing", ..Progress::default() })
    }
}
