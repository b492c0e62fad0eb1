//! Work that is shared out to threads, where the crate may use any. What comes out does not depend on how many there are.

use crate::limit::Limit;

/// Less than this is not worth a thread.
const MUCH: usize = 1 << 16;

/// How many threads to use for so much work, if `allowed` may be used; 0 stands for as many as there are processors.
pub(crate) fn threads(allowed: usize, work: usize) -> usize {
    if !cfg!(feature = "parallel") || work < MUCH {
        return 1;
    }
    match allowed {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        allowed => allowed,
    }
    .min(work / MUCH + 1)
}

/// Does something to each of the parts, all at the same time, and gives the first limit that was hit.
pub(crate) fn together<T: Send>(
    parts: &mut [T],
    each: impl Fn(&mut T) -> Result<(), Limit> + Sync,
) -> Result<(), Limit> {
    #[cfg(feature = "parallel")]
    if let [first, others @ ..] = parts
        && !others.is_empty()
    {
        let each = &each;
        return std::thread::scope(|scope| {
            let running: Vec<_> = others.iter_mut().map(|part| scope.spawn(move || each(part))).collect();
            let mut result = each(first);
            for thread in running {
                let other = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(other);
            }
            result
        });
    }
    parts.iter_mut().try_for_each(each)
}
