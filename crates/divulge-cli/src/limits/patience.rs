//! How long what only adds to an answer may take.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::limit::{Limit, Milestone, Monitor, Progress};

use super::Watch;

/// How long an explanation may take if nobody has set a limit.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a longer limit might be, if there was none.
const LONGER: u64 = 60;

/// Stops what only adds to an answer that is known already: after a few seconds, or when the limit is hit that was given.
pub struct Patience<'a> {
    watch: &'a Watch,
    /// When it is over, from when the answer is known.
    until: OnceLock<Instant>,
    /// What is being found out.
    finding: OnceLock<&'static str>,
    /// 0, or what stopped it.
    cut: AtomicU8,
}

const OUT_OF_PATIENCE: u8 = 1;
const LIMIT: u8 = 2;

impl<'a> Patience<'a> {
    /// From when the answer is known.
    pub fn new(watch: &'a Watch) -> Self {
        Self { watch, until: OnceLock::new(), finding: OnceLock::new(), cut: AtomicU8::new(0) }
    }

    /// If it was cut short: by what, and how to allow more.
    pub fn cut_short(&self) -> Option<String> {
        let what = match self.finding.get().is_some_and(|what| what.starts_with("found")) {
            true => "Finding out what the observer knows at each stop",
            false => "Finding out why",
        };
        let why = match (self.cut.load(Ordering::Relaxed), self.watch.shared.raised()) {
            (0, _) => return None,
            (OUT_OF_PATIENCE, _) => {
                format!("after {} s; --time-limit {LONGER} would allow more", PATIENCE.as_secs())
            }
            (_, Some(Limit::Memory)) => "by the memory limit; a larger one would allow more".to_owned(),
            (_, Some(Limit::Interrupt)) => return Some(format!("{what} was interrupted.\n")),
            (_, _) => {
                let given = self.watch.task.time.unwrap_or_default().as_secs_f64();
                let more = ((given * 4.0).ceil() as u64).max(LONGER);
                format!("by the time limit; --time-limit {more} would allow more")
            }
        };
        Some(format!("{what} was cut short {why}.\n"))
    }
}

impl Monitor for Patience<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        let (cut, result) = match self.watch.poll(progress) {
            Err(limit) => (LIMIT, Err(limit)),
            Ok(()) if self.until.get().is_some_and(|&until| Instant::now() >= until) => {
                (OUT_OF_PATIENCE, Err(Limit::Time))
            }
            Ok(()) => return Ok(()),
        };
        self.cut.store(cut, Ordering::Relaxed);
        result
    }

    /// What is found on the way to an explanation is no answer.
    fn reached(&self, milestone: Milestone) {
        let Milestone::Decided(what) = milestone else { return };
        self.watch.reached(milestone);
        let _ = self.finding.set(what);
        if self.watch.task.time.is_none() {
            let _ = self.until.set(Instant::now() + PATIENCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arguments::Limits, output::Terminal};

    #[test]
    fn how_to_allow_more_is_said() {
        let limits = |time_limit| Limits { time_limit, memory_limit: None, threads: 0 };
        let watch = Watch::start(&limits(Some(Duration::from_secs(40))), false, &Terminal::silent());
        let patience = Patience::new(&watch);
        patience.reached(Milestone::Decided("there is none"));
        assert!(patience.poll(&Progress::default()).is_ok() && patience.cut_short().is_none());
        watch.shared.raise(Limit::Time);
        assert!(patience.poll(&Progress::default()).is_err());
        let said = "Finding out why was cut short by the time limit; --time-limit 160 would allow more.\n";
        assert_eq!(patience.cut_short().as_deref(), Some(said));

        let watch = Watch::start(&limits(None), false, &Terminal::silent());
        let patience = Patience { until: Instant::now().into(), ..Patience::new(&watch) };
        assert_eq!(patience.poll(&Progress::default()), Err(Limit::Time));
        let said = "Finding out why was cut short after 5 s; --time-limit 60 would allow more.\n";
        assert_eq!(patience.cut_short().as_deref(), Some(said));
        let patience = Patience::new(&watch);
        patience.reached(Milestone::Decided("found"));
        assert!(patience.until.get().is_some_and(|&until| until > Instant::now()));
    }
}
