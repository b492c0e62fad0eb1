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

/// The monitor of those who carry out tasks. What it tells of the work done is that of the tasks that were taken, so that it does not depend on who
/// is how far.
pub struct Watched<'a> {
    monitor: &'a dyn Monitor,
    taken: Mutex<Progress>,
    /// Whatever is under way is not needed any more.
    over: AtomicBool,
}

impl<'a> Watched<'a> {
    /// Passes on what is polled.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, taken: Mutex::default(), over: AtomicBool::new(false) }
    }

    /// So much work was taken in all, so many regions were decided, and so many lessons learnt.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn after(&self, explored: u64, maps: u64, learnt: u64) -> Result<(), Limit> {
        let progress = Progress { doing: "searching maps", explored, maps, learnt, ..Progress::default() };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken = progress;
        self.monitor.poll(&progress)
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
        let taken = *self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        self.monitor.poll(&Progress { doing: progress.doing, again: true, ..taken })
    }
}
