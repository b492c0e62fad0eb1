//! What the question, the thread that watches it and the handler of Ctrl-C share.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::Instant,
};

use divulge::limit::{Limit, Milestone, Progress};
use divulge_host::resident;

use super::Task;
use crate::{
    progress::{self, Tally},
    status::Status,
};

/// The flag, how far things are, and who may answer.
#[derive(Debug, Default)]
pub struct Shared {
    /// 0, or one more than the number of the limit in [`LIMITS`].
    raised: AtomicU8,
    /// Taken by whoever answers, for good.
    answering: Mutex<bool>,
    /// How far the engines have come.
    tally: Mutex<Tally>,
    /// What was found so far.
    best: Mutex<Option<Milestone>>,
    /// What to try if the time, or the memory, is used up.
    advice: Mutex<[String; 2]>,
    /// Whether the problem has been read.
    pub read: AtomicBool,
    /// Whether an engine polls.
    pub polls: AtomicBool,
    /// Whether an engine was told that a limit was hit: it is on its way back.
    pub told: AtomicBool,
    /// Whether an interrupt simply ends the process.
    pub leaving: AtomicBool,
    /// What is added to the answer, which is known already; empty before.
    adding: Mutex<&'static str>,
}

const LIMITS: [Limit; 3] = [Limit::Time, Limit::Memory, Limit::Interrupt];

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub fn raise(&self, limit: Limit) {
        let number = LIMITS.iter().position(|l| *l == limit).map_or(1, |i| i as u8 + 1);
        // The first limit that is hit is the one that is reported.
        let _ = self.raised.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Somebody pressed Ctrl-C.
    pub fn interrupt(&self) {
        if self.leaving.load(Ordering::Relaxed) {
            // Standard output is in use by whoever is interrupted.
            eprintln!();
            std::process::exit(Status::Yes as i32);
        }
        self.raise(Limit::Interrupt);
    }

    /// Looks at the clock and the memory. Gives the memory in use, if there is a limit on it.
    pub fn look(&self, task: &Task) -> Option<u64> {
        if task.time.is_some_and(|time| task.begin.elapsed() >= time) {
            self.raise(Limit::Time);
        }
        let most = task.memory?;
        let now = resident()?;
        if now > most {
            self.raise(Limit::Memory);
        }
        Some(now)
    }

    pub fn raised(&self) -> Option<Limit> {
        match self.raised.load(Ordering::Relaxed) {
            0 => None,
            n => LIMITS.get(usize::from(n) - 1).copied(),
        }
    }

    /// Whether the caller is the first who wants to answer. A line of progress is wiped away.
    pub fn claim(&self, showing: bool) -> bool {
        let mut taken = lock(&self.answering);
        let first = !std::mem::replace(&mut *taken, true);
        if first && showing {
            eprint!("\r\x1b[K");
        }
        first
    }

    /// The answer is known; from now on only `what` is added to it, and no limit ends the process.
    pub fn decide(&self, what: &'static str) {
        *lock(&self.adding) = what;
    }

    pub fn decided(&self) -> bool {
        !lock(&self.adding).is_empty()
    }

    pub fn count(&self, progress: &Progress) {
        // Whoever reads it at this moment gets the next report.
        if let Ok(mut tally) = self.tally.try_lock() {
            tally.add(progress);
        }
    }

    /// Shows how far the engine has come, unless somebody is answering.
    pub fn show(&self, begin: Instant) {
        let taken = lock(&self.answering);
        if !*taken {
            let adding = *lock(&self.adding);
            let now = progress::now(&lock(&self.tally), adding, self.best(), begin.elapsed(), resident());
            eprint!("\r\x1b[K{now}");
        }
    }

    pub fn found(&self, so_far: Milestone) {
        *lock(&self.best) = Some(so_far);
    }

    pub fn has_best(&self) -> bool {
        lock(&self.best).is_some()
    }

    fn best(&self) -> Option<Milestone> {
        *lock(&self.best)
    }

    pub fn advise(&self, advice: [String; 2]) {
        *lock(&self.advice) = advice;
    }

    /// What to try if this limit is hit.
    pub fn advice(&self, limit: Limit) -> String {
        let [time, memory] = &*lock(&self.advice);
        match limit {
            Limit::Time => time.clone(),
            Limit::Memory => memory.clone(),
            Limit::Interrupt => String::new(),
        }
    }

    /// How far it came in all.
    pub fn so_far(&self, begin: Instant) -> String {
        progress::in_all(&lock(&self.tally), self.best(), begin.elapsed(), divulge_host::peak())
    }
}
