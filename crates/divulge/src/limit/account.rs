//! What several threads do together, and what one does alone while the others have nothing to do: for those who measure.
//!
//! *Practical.* Nothing is counted until [`account`] is given a clock, since this crate has none. [`taken`] tells what came of it so far.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// Tells how much processor time the thread that asks has used, in nanoseconds.
pub type Clock = fn() -> u64;

static CLOCK: OnceLock<Clock> = OnceLock::new();
static TAKEN: [AtomicU64; 6] = [const { AtomicU64::new(0) }; 6];

/// What was done by several threads so far, in rounds: each does a piece of it, and whoever leads waits for all. Times are processor
/// time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// How many rounds there were.
    pub rounds: u64,
    /// How many pieces there were in all of them.
    pub pieces: u64,
    /// What all pieces took.
    pub all: u64,
    /// What the longest piece of each round took.
    pub longest: u64,
    /// What the pieces of whoever led took.
    pub leaders: u64,
    /// What whoever led took to wait for the others.
    pub waiting: u64,
}

/// Has everything that several threads do from now on counted by this clock.
#[doc(hidden)]
pub fn account(clock: Clock) {
    _ = CLOCK.set(clock);
}

/// What was counted so far.
#[doc(hidden)]
pub fn taken() -> Taken {
    let [rounds, pieces, all, longest, leaders, waiting] = TAKEN.each_ref().map(|sum| sum.load(Relaxed));
    Taken { rounds, pieces, all, longest, leaders, waiting }
}

/// Does something; tells how long it took, or nothing where nothing is counted.
pub(super) fn timed<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let Some(clock) = CLOCK.get() else { return (work(), 0) };
    let began = clock();
    let result = work();
    (result, clock() - began)
}

/// Takes note of a round: what whoever led took for its piece and to wait, and what the others took.
pub(super) fn note(leader: u64, waiting: u64, others: impl Iterator<Item = u64>) {
    if CLOCK.get().is_none() {
        return;
    }
    let (mut pieces, mut all, mut longest) = (1, leader, leader);
    for took in others {
        (pieces, all, longest) = (pieces + 1, all + took, longest.max(took));
    }
    for (sum, more) in TAKEN.iter().zip([1, pieces, all, longest, leader, waiting]) {
        sum.fetch_add(more, Relaxed);
    }
}
