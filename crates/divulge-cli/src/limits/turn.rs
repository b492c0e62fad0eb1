//! The limits of one turn of a conversation.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use divulge::limit::{Limit, Monitor, Progress};
use divulge_host::resident;

use super::{TICK, Watch};

/// What one command of a conversation may take: as much time as was allowed for the question itself, and as much memory. An
/// interrupt ends the conversation, and so needs nobody to notice it.
pub struct Turn<'a> {
    watch: &'a Watch,
    begin: Instant,
    /// When the memory was last looked at, in milliseconds from the beginning.
    looked: AtomicU64,
}

impl<'a> Turn<'a> {
    /// From now on.
    pub fn new(watch: &'a Watch) -> Self {
        Self { watch, begin: Instant::now(), looked: AtomicU64::new(0) }
    }
}

impl Monitor for Turn<'_> {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        let (task, passed) = (&self.watch.task, self.begin.elapsed());
        if task.time.is_some_and(|time| passed >= time) {
            return Err(Limit::Time);
        }
        let Some(most) = task.memory else { return Ok(()) };
        // Asking the system takes longer than most steps do.
        let (now, tick) = (passed.as_millis() as u64, TICK.as_millis() as u64);
        if now > 0 && now < self.looked.load(Ordering::Relaxed) + tick {
            return Ok(());
        }
        self.looked.store(now, Ordering::Relaxed);
        if resident().is_some_and(|in_use| in_use > most) { Err(Limit::Memory) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{arguments::Limits, output::Terminal};

    #[test]
    fn every_turn_has_the_limits_that_were_given() {
        let poll = |time_limit, memory_limit| {
            let watch =
                Watch::start(&Limits { time_limit, memory_limit, threads: 0 }, false, &Terminal::silent());
            watch.answered();
            Turn::new(&watch).poll(&Progress::default())
        };
        assert_eq!(poll(None, None), Ok(()));
        assert_eq!(poll(Some(Duration::from_secs(60)), Some(1 << 40)), Ok(()));
        assert_eq!(poll(Some(Duration::ZERO), None), Err(Limit::Time));
        assert_eq!(poll(None, Some(1)), Err(Limit::Memory));
    }

    #[test]
    fn a_turn_has_its_time_for_itself() {
        let limits = Limits { time_limit: Some(Duration::from_millis(200)), memory_limit: None, threads: 0 };
        let watch = Watch::start(&limits, false, &Terminal::silent());
        watch.answered();
        std::thread::sleep(Duration::from_millis(250));
        let turn = Turn::new(&watch);
        assert_eq!(turn.poll(&Progress::default()), Ok(()));
        std::thread::sleep(Duration::from_millis(250));
        assert_eq!(turn.poll(&Progress::default()), Err(Limit::Time));
    }
}
