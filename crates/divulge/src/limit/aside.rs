//! What may be needed, done beside what tells whether it is.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[cfg(feature = "parallel")]
use super::account::{note, timed};
use super::{Limit, Milestone, Monitor, Progress};

/// The monitor of whoever does what may turn out not to be needed: it passes everything on to another one, and stops as soon as that is so.
pub(crate) struct Aside<'a> {
    monitor: &'a dyn Monitor,
    /// Whether what is done may not be needed, or somebody else counts meanwhile.
    open: AtomicBool,
    in_vain: AtomicBool,
}

impl<'a> Aside<'a> {
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, open: AtomicBool::new(false), in_vain: AtomicBool::new(false) }
    }

    /// What comes of one thing, and of another if the first needs it: that is done after the first, or `at_once` beside it. It must do nothing that can be
    /// told if it was not needed, and watch this monitor, which counts nothing of it: whoever asked for it does so afterwards, however many threads there were.
    pub fn run<A, B: Send>(
        &self,
        at_once: bool,
        first: impl FnOnce() -> A,
        needs: impl FnOnce(&A) -> bool,
        other: impl FnOnce() -> B + Send,
    ) -> (A, Option<B>) {
        #[cfg(feature = "parallel")]
        if at_once {
            return std::thread::scope(|scope| {
                self.open.store(true, Relaxed);
                let other = scope.spawn(|| timed(other));
                let (came, leader) = timed(first);
                let needed = needs(&came);
                self.in_vain.store(!needed, Relaxed);
                let (joined, waiting) = timed(|| other.join());
                let (others, took) = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                note(leader, waiting, std::iter::once(took));
                self.open.store(false, Relaxed);
                self.in_vain.store(false, Relaxed);
                (came, needed.then_some(others))
            });
        }
        _ = at_once;
        let came = first();
        self.open.store(true, Relaxed);
        let others = needs(&came).then(other);
        self.open.store(false, Relaxed);
        (came, others)
    }
}

impl Monitor for Aside<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if self.in_vain.load(Relaxed) {
            return Err(Limit::Interrupt);
        }
        let again = progress.again || self.open.load(Relaxed);
        self.monitor.poll(&Progress { again, ..*progress })
    }

    fn reached(&self, milestone: Milestone) {
        self.monitor.reached(milestone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Unlimited;

    #[test]
    fn what_is_not_needed_is_not_waited_for() {
        for at_once in [false, true] {
            let aside = Aside::new(&Unlimited);
            let endless = || while aside.poll(&Progress::default()).is_ok() {};
            assert_eq!(aside.run(at_once, || 1, |_| false, endless), (1, None));
            assert_eq!(aside.run(at_once, || 1, |_| true, || 2), (1, Some(2)));
            assert_eq!(aside.poll(&Progress::default()), Ok(()));
        }
    }
}
