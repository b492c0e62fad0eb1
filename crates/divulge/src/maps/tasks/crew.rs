//! Who carries out tasks, who gives them out, and what remembers them.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use crate::{
    limit::{Limit, Monitor, Progress},
    maps::tasks::data::{Done, Task},
    verdict::QuestionError,
};

/// Gives out tasks, and takes what came of them in the order in which they were given out.
///
/// Which tasks there are depends on what was taken, but not on when that is asked for: the answer is the same whoever carries them out.
pub trait Office {
    /// A task that can begin now; `None` if there is none until more has been taken.
    fn give(&mut self) -> Option<Task>;

    /// Takes what came of the first task of those that were given out and not yet taken; tells whether to go on. If not, what is under way need not
    /// be finished.
    ///
    /// # Errors
    /// A limit, or that this did not come of one of its tasks.
    fn take(&mut self, done: Done) -> Result<bool, QuestionError>;
}

/// Carries out tasks, in any order and anywhere.
pub trait Crew {
    /// Carries out tasks until all that were given out are taken, and no more are given.
    ///
    /// # Errors
    /// Those of the office, a limit, or why it cannot be done.
    fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError>;
}

/// Remembers what came of tasks, for a search that is interrupted and asked again.
pub trait Keep: Sync {
    /// What came of a task that was carried out before.
    fn recall(&self, task: &Task) -> Option<Done>;

    /// Takes note of what came of a task.
    fn note(&self, task: &Task, done: &Done);
}

/// The monitor of all who play games of a question. What it tells of the work done is what was [added](Watched::add) to it, so that it does not
/// depend on who is how far, and nothing is counted twice.
pub struct Watched<'a> {
    monitor: &'a dyn Monitor,
    done: Mutex<Progress>,
    /// Whatever is under way is not needed any more.
    over: AtomicBool,
}

impl<'a> Watched<'a> {
    /// Passes on what is polled.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, done: Mutex::default(), over: AtomicBool::new(false) }
    }

    /// So much more was done: nodes explored, sets stored, regions decided and lessons learnt.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn add(&self, more: &Progress) -> Result<(), Limit> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.doing = more.doing;
        done.explored = done.explored.saturating_add(more.explored);
        done.stored = done.stored.saturating_add(more.stored);
        done.maps = done.maps.saturating_add(more.maps);
        done.learnt = done.learnt.saturating_add(more.learnt);
        let sum = *done;
        drop(done);
        self.monitor.poll(&sum)
    }

    /// What comes next is something else, whose counts are its own; or the search goes on after that. Either begins with nothing counted.
    pub fn part(&self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = Progress::default();
        // If it is to stop, it will hear of it when something is done.
        self.monitor.poll(&Progress { doing: "searching maps", ..Progress::default() }).ok();
    }

    /// A monitor for one search that tells its own work, which had this much effort behind it when it began: what it tells is added.
    pub fn counting(&'a self, effort: u64) -> Counting<'a> {
        let told = Progress { explored: effort, ..Progress::default() };
        Counting { watched: self, told: Mutex::new(told) }
    }

    /// Whether whatever is under way is to end.
    pub fn end(&self, over: bool) {
        self.over.store(over, Relaxed);
    }
}

impl Monitor for Watched<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if self.over.load(Relaxed) {
            return Err(Limit::Interrupt);
        }
        // When that is depends on who is how far.
        let done = *self.done.lock().unwrap_or_else(PoisonError::into_inner);
        self.monitor.poll(&Progress { doing: progress.doing, again: true, ..done })
    }
}

/// See [`Watched::counting`].
pub struct Counting<'a> {
    watched: &'a Watched<'a>,
    told: Mutex<Progress>,
}

impl Monitor for Counting<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *told, *progress);
        self.watched.add(&Progress {
            doing: progress.doing,
            explored: progress.explored.saturating_sub(before.explored),
            stored: progress.stored.saturating_sub(before.stored),
            maps: progress.maps.saturating_sub(before.maps),
            learnt: progress.learnt.saturating_sub(before.learnt),
            ..Progress::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{Tally, Unlimited};

    #[test]
    fn work_is_counted_once() {
        let tally = Tally::new(&Unlimited);
        let watched = Watched::new(&tally);
        let told = |explored, maps| Progress { explored, maps, ..Progress::default() };
        for _ in 0..2 {
            // A search in a game that was played before.
            let counting = watched.counting(100);
            for (explored, maps) in [(100, 0), (130, 1), (150, 4)] {
                counting.poll(&told(explored, maps)).unwrap();
                // What a game tells on the way is part of that.
                watched.poll(&told(7, 0)).unwrap();
            }
        }
        // A plan is sought in between.
        watched.part();
        tally.poll(&told(300, 0)).unwrap();
        watched.part();
        watched.add(&told(20, 2)).unwrap();
        assert_eq!((tally.sum().explored, tally.sum().maps), (420, 10));
    }
}
