//! Parts that monitors are put together from.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{Limit, Milestone, Monitor, Progress};

/// Two monitors as one: whichever stops first. The first hears of everything before the second.
#[derive(Clone, Copy)]
pub struct Both<'a>(pub &'a dyn Monitor, pub &'a dyn Monitor);

impl Monitor for Both<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.0.poll(progress)?;
        self.1.poll(progress)
    }

    fn reached(&self, milestone: Milestone) {
        self.0.reached(milestone);
        self.1.reached(milestone);
    }
}

/// Stops after so many polls, where there is no clock.
#[derive(Debug)]
pub struct Polls(AtomicU64);

impl Polls {
    /// Allows so many polls.
    pub fn new(most: u64) -> Self {
        Self(most.into())
    }
}

impl Monitor for Polls {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        match self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => Ok(()),
            Err(_) => Err(Limit::Time),
        }
    }
}

/// Passes everything on to another monitor, and adds up what was done.
pub struct Tally<'a> {
    monitor: &'a dyn Monitor,
    most: u64,
    sums: Mutex<Sums>,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    /// What was last heard of the part of the work that is being done.
    last: Progress,
    /// What was done in all parts before.
    done: Progress,
}

impl<'a> Tally<'a> {
    /// Adds up what is done under `monitor`.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self::at_most(monitor, u64::MAX)
    }

    /// The same; as if time were over, it stops when more than so many nodes were explored.
    pub fn at_most(monitor: &'a dyn Monitor, most: u64) -> Self {
        Self { monitor, most, sums: Mutex::default() }
    }

    /// All that was done: nodes explored, beliefs stored and so on, each the sum over the parts of the work.
    pub fn sum(&self) -> Progress {
        let Sums { last, done } = *self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        add(&done, &last)
    }
}

fn add(a: &Progress, b: &Progress) -> Progress {
    Progress {
        doing: b.doing,
        explored: a.explored.saturating_add(b.explored),
        stored: a.stored.saturating_add(b.stored),
        arcs: a.arcs.saturating_add(b.arcs),
        members: a.members.saturating_add(b.members),
        maps: a.maps.saturating_add(b.maps),
        learnt: a.learnt.saturating_add(b.learnt),
        again: false,
    }
}

impl Monitor for Tally<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.monitor.poll(progress)?;
        if progress.again {
            return Ok(());
        }
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        // Counts that begin anew are those of another part.
        if progress.explored < sums.last.explored || progress.maps < sums.last.maps {
            sums.done = add(&sums.done, &sums.last);
        }
        sums.last = *progress;
        let explored = sums.done.explored.saturating_add(sums.last.explored);
        if explored > self.most { Err(Limit::Time) } else { Ok(()) }
    }

    fn reached(&self, milestone: Milestone) {
        self.monitor.reached(milestone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Unlimited;

    fn explored(explored: u64) -> Progress {
        Progress { explored, ..Progress::default() }
    }

    #[test]
    fn whichever_stops_first() {
        let (few, many) = (Polls::new(1), Polls::new(5));
        let both = Both(&many, &few);
        assert_eq!((both.poll(&explored(0)), both.poll(&explored(0))), (Ok(()), Err(Limit::Time)));
    }

    #[test]
    fn parts_of_the_work_add_up() {
        let tally = Tally::at_most(&Unlimited, 24);
        for n in [0, 5, 10, 2, 9, 0, 5] {
            assert_eq!(tally.poll(&explored(n)), Ok(()));
            // What others tell meanwhile counts for nothing.
            assert_eq!(tally.poll(&Progress { again: true, ..explored(3) }), Ok(()));
        }
        assert_eq!(tally.sum().explored, 24);
        assert_eq!(tally.poll(&explored(6)), Err(Limit::Time));
    }
}
