//! Work that is shared out to threads, where the crate may use any. What comes out does not depend on how many there are.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(feature = "parallel")]
use std::thread::ScopedJoinHandle;

#[cfg(feature = "parallel")]
use super::account::{note, timed};

/// Whether even the least work is shared out.
static LEAST: AtomicBool = AtomicBool::new(false);

/// Has even the least work shared out to threads from now on, wherever several are allowed: for tests, in which there is little of it.
#[doc(hidden)]
pub fn share_out_the_least() {
    LEAST.store(true, Relaxed);
}

/// How much work is worth a thread, where it is this much unless even the least is.
pub(crate) fn worth(much: usize) -> usize {
    if LEAST.load(Relaxed) { 1 } else { much }
}

/// How many threads to use for so much work, if `allowed` may be used and `each` is worth one; 0 stands for as many as there are processors.
/// One, unless the crate may use threads.
pub fn threads(allowed: usize, work: usize, each: usize) -> usize {
    let each = worth(each);
    if !cfg!(feature = "parallel") || allowed == 1 || work < 2 * each {
        return 1;
    }
    match allowed {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        allowed => allowed,
    }
    .min(work / each)
}

/// Does something to each of the parts, all at the same time.
///
/// # Errors
/// That of the first part that fails.
pub fn together<T: Send, E: Send>(
    parts: &mut [T],
    each: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    #[cfg(feature = "parallel")]
    if let [first, others @ ..] = parts
        && !others.is_empty()
    {
        let each = &each;
        return std::thread::scope(|scope| {
            let own = |part| scope.spawn(move || timed(|| each(part)));
            let running: Vec<_> = others.iter_mut().map(own).collect();
            let (mut result, leader) = timed(|| each(first));
            let join = |thread: ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let (all, waiting) = timed(|| running.into_iter().map(join).collect::<Vec<_>>());
            note(leader, waiting, all.iter().map(|&(_, took)| took));
            for (other, _) in all {
                result = result.and(other);
            }
            result
        });
    }
    parts.iter_mut().try_for_each(each)
}

/// Does two things, at the same time where the crate may use threads.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return std::thread::scope(|scope| {
        let running = scope.spawn(|| timed(second));
        let (own, leader) = timed(first);
        let (other, waiting) = timed(|| running.join());
        let (other, took) = other.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        note(leader, waiting, std::iter::once(took));
        (own, other)
    });
    #[cfg(not(feature = "parallel"))]
    (first(), second())
}
