//! Limits on time and memory, and Ctrl-C.
//!
//! A thread of its own looks at the clock and the memory and raises a flag, which the engines poll. What does not poll (reading a
//! large file, for example) is given a short grace; then the thread itself says `unknown` and ends the process.
//!
//! Where there is no limit and nobody to show progress to, nothing is set up for questions that are answered at once: starting
//! threads would take longer than the answer.

use std::{
    sync::{
        Arc, Mutex, Once,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::{
    answer::SoFar,
    question::{Limit, Monitor, Progress},
};
use divulge_host::resident;
use divulge_render::json;

use crate::{arguments::Limits, output, progress, status::Status};

const TICK: Duration = Duration::from_millis(20);
/// How long an engine may take to notice.
const GRACE: Duration = Duration::from_millis(700);
/// What takes no longer than this is not watched, unless there is something to watch for.
const SHORT: Duration = Duration::from_millis(3);

/// The flag, and who may answer.
#[derive(Debug, Default)]
struct Shared {
    /// 0, or one more than the number of the limit in [`LIMITS`].
    raised: AtomicU8,
    /// Taken by whoever answers, for good.
    answering: Mutex<bool>,
    /// How far the engine last said it had come.
    progress: Mutex<Progress>,
    /// The best that it has found.
    best: Mutex<Option<SoFar>>,
}

const LIMITS: [Limit; 3] = [Limit::Time, Limit::Memory, Limit::Interrupt];

impl Shared {
    fn raise(&self, limit: Limit) {
        let number = LIMITS.iter().position(|l| *l == limit).map_or(1, |i| i as u8 + 1);
        // The first limit that is hit is the one that is reported.
        let _ = self.raised.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn look(&self, task: &Task) {
        if task.time.is_some_and(|time| task.begin.elapsed() >= time) {
            self.raise(Limit::Time);
        }
        if task.memory.is_some_and(|most| resident().is_some_and(|now| now > most)) {
            self.raise(Limit::Memory);
        }
    }

    fn raised(&self) -> Option<Limit> {
        match self.raised.load(Ordering::Relaxed) {
            0 => None,
            n => LIMITS.get(usize::from(n) - 1).copied(),
        }
    }

    /// Whether the caller is the first who wants to answer. A line of progress is wiped away.
    fn claim(&self, showing: bool) -> bool {
        let mut taken = self.answering.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let first = !std::mem::replace(&mut *taken, true);
        if first && showing {
            eprint!("\r\x1b[K");
        }
        first
    }

    fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Shows how far the engine has come, unless somebody is answering.
    fn show(&self, begin: Instant) {
        let taken = self.answering.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !*taken {
            eprint!("\r\x1b[K{}", self.words(begin));
        }
    }

    fn best(&self) -> Option<SoFar> {
        self.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn words(&self, begin: Instant) -> String {
        progress::words(&self.progress(), self.best().as_ref(), begin.elapsed(), resident())
    }
}

/// Watches a question from its beginning.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    answered: AtomicBool,
    task: Task,
    watching: AtomicBool,
    set_up: Once,
}

/// What there is to watch for.
#[derive(Clone, Copy, Debug)]
struct Task {
    begin: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    /// What is said on standard output when an engine does not notice a limit in time.
    json: bool,
    /// Whether progress is shown.
    showing: bool,
}

impl Watch {
    /// Begins to watch. `json`: what is said on standard output when an engine does not notice a limit in time; `showing`: whether
    /// progress is shown on standard error.
    pub fn start(limits: &Limits, json: bool, showing: bool) -> Self {
        let &Limits { time_limit: time, memory_limit: memory } = limits;
        let task = Task { begin: Instant::now(), time, memory, json, showing };
        let watch = Self {
            shared: Arc::default(),
            answered: AtomicBool::new(false),
            task,
            watching: AtomicBool::new(false),
            set_up: Once::new(),
        };
        // A limit that is hit already is hit before anything begins.
        watch.shared.look(&task);
        if time.is_some() || memory.is_some() || showing {
            watch.attend();
        }
        watch
    }

    /// From now on the question is watched, also if nothing is polled for a while. An interrupt is noticed too.
    pub fn attend(&self) {
        self.set_up.call_once(|| {
            let for_signal = Arc::clone(&self.shared);
            // Without a handler Ctrl-C still ends the process, only less politely.
            let _ = ctrlc::set_handler(move || for_signal.raise(Limit::Interrupt));
            let (for_thread, task) = (Arc::clone(&self.shared), self.task);
            std::thread::spawn(move || watch(&for_thread, &task));
            self.watching.store(true, Ordering::Relaxed);
        });
    }

    /// How far the question has come, in words.
    pub fn so_far(&self) -> String {
        self.shared.words(self.task.begin)
    }

    /// The best that was found so far.
    pub fn best(&self) -> Option<SoFar> {
        self.shared.best()
    }

    /// Must be called before an answer is printed: from then on no limit ends the process.
    pub fn answered(&self) {
        if !self.answered.swap(true, Ordering::Relaxed) && !self.shared.claim(self.task.showing) {
            // The thread is answering, and is about to end the process.
            std::thread::sleep(Duration::from_secs(60));
        }
    }
}

impl Monitor for Watch {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        // Whoever reads it at this moment gets the next report.
        if let Ok(mut last) = self.shared.progress.try_lock() {
            // Games report what they do, and leave how many maps are decided to the search above them.
            let Progress { maps, learnt, .. } = *last;
            *last =
                Progress { maps: progress.maps.max(maps), learnt: progress.learnt.max(learnt), ..*progress };
        }
        if !self.watching.load(Ordering::Relaxed) && self.task.begin.elapsed() > SHORT {
            self.attend();
        }
        self.shared.raised().map_or(Ok(()), Err)
    }

    fn found(&self, so_far: &SoFar) {
        *self.shared.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(so_far.clone());
    }
}

/// Stops what only adds to an answer that is known already.
pub struct Patience<'a> {
    monitor: &'a dyn Monitor,
    until: Instant,
}

impl<'a> Patience<'a> {
    /// Ends with `monitor`, and in a few seconds at the latest.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, until: Instant::now() + Duration::from_secs(5) }
    }
}

impl Monitor for Patience<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.monitor.poll(progress)?;
        if Instant::now() < self.until { Ok(()) } else { Err(Limit::Time) }
    }
}

fn watch(shared: &Shared, task: &Task) {
    let &Task { begin, json, showing, .. } = task;
    let mut raised_at: Option<Instant> = None;
    for tick in 1u32.. {
        std::thread::sleep(TICK);
        if showing && tick.is_multiple_of(10) && begin.elapsed() >= progress::SHOWN_AFTER {
            shared.show(begin);
        }
        shared.look(task);
        let Some(limit) = shared.raised() else { continue };
        let since = *raised_at.get_or_insert_with(Instant::now);
        if since.elapsed() >= GRACE {
            if shared.claim(showing) {
                if json {
                    let _ = output::answer(|out| json::unknown(out, limit));
                }
                std::process::exit(Status::Unknown as i32);
            }
            return;
        }
    }
}

/// Reads a time limit in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds, such as 10 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| wrong())?;
    if seconds < 0.0 {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Reads an amount of memory such as `512M`, `2GiB` or `1000000`; K, M, G and T are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not an amount of memory, such as 512M or 2G");
    let lower = text.trim().to_ascii_lowercase();
    let unit_at = lower.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(lower.len());
    let (number, unit) = lower.split_at(unit_at);
    let power = match unit.trim() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Ok((number * 1024f64.powi(power)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_seconds() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5 GiB"), Ok(3 << 29));
        assert_eq!(size("1000"), Ok(1000));
        assert!(size("many").is_err() && size("").is_err() && size("-1").is_err() && size("1X").is_err());
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("NaN").is_err() && seconds("soon").is_err());
    }

    #[test]
    fn memory_in_use_is_known() {
        assert!(resident().is_some_and(|bytes| bytes > 100_000));
    }

    #[test]
    fn the_first_limit_stays() {
        let watch = Watch::start(&Limits { time_limit: None, memory_limit: None }, false, false);
        assert!(watch.poll(&Progress::default()).is_ok());
        watch.shared.raise(Limit::Memory);
        watch.shared.raise(Limit::Time);
        assert_eq!(watch.poll(&Progress::default()), Err(Limit::Memory));
    }
}
