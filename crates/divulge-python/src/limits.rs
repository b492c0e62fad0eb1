//! Questions that can be stopped: by a limit, by Ctrl-C, by an exception of the caller's progress function.
//!
//! The engine works on a thread of its own; the thread that asked waits, without Python's lock, and looks at the clock, the
//! memory and the signals a few dozen times a second. An engine that does not notice in time is left to notice later:
//! whoever asked does not wait for it. Pictures, pages, explanations, reading and writing are done in the same way ([`compute`]).

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::{
    limit::{Limit, Milestone, Monitor, Progress},
    verdict::QuestionError,
};
use divulge_host::resident;
use pyo3::{exceptions::PyRuntimeError, prelude::*};

use crate::error::{self, plain};

const TICK: Duration = Duration::from_millis(20);
/// How long an engine may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(100);
/// How long it may take to come back with the best that it found.
const RETURN: Duration = Duration::from_secs(5);
/// How often the caller hears how far the engine has come.
const REPORT: Duration = Duration::from_millis(100);
/// How long an explanation may be sought, which is not worth waiting longer for.
const PATIENCE: Duration = Duration::from_secs(5);

const LIMITS: [Limit; 3] = [Limit::Time, Limit::Memory, Limit::Interrupt];

/// Seconds, bytes and whom to tell, as they come from Python.
pub type Given = (Option<f64>, Option<u64>, Option<Py<PyAny>>);

/// When to give up, and whom to tell.
#[derive(Default)]
pub struct Limits {
    /// Time allowed.
    pub time: Option<Duration>,
    /// Bytes by which the process may grow.
    pub memory: Option<u64>,
    /// Called with (doing, explored, stored, maps, learnt, seconds).
    pub progress: Option<Py<PyAny>>,
}

impl Limits {
    /// What was given.
    pub fn read(py: Python<'_>, (seconds, memory, progress): Given) -> PyResult<Self> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
            plain(py, "the time limit is not a number of seconds", Some("give seconds such as 10 or 0.5"))
        })?;
        Ok(Self { time, memory, progress })
    }

    /// As they would come from Python.
    pub fn given(&self) -> Given {
        (self.time.map(|time| time.as_secs_f64()), self.memory, None)
    }

    /// As much time and memory once more, for what is made of the answer; nobody is told.
    pub fn again(&self) -> Self {
        Self { time: self.time, memory: self.memory, progress: None }
    }
}

/// What is told of a question beside its answer.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// How long it took.
    pub seconds: f64,
    /// The most that was reported of each count, whatever was being done.
    pub most: Progress,
}

/// The flag that stops the engine, and how far it has come.
#[derive(Default)]
struct Flag {
    raised: AtomicU8,
    progress: Mutex<Progress>,
    told: Mutex<Told>,
    /// Whether something was found that is worth waiting for.
    found: AtomicBool,
}

impl Flag {
    fn raise(&self, limit: Limit) {
        let number = LIMITS.iter().position(|l| *l == limit).map_or(1, |i| i as u8 + 1);
        let _ = self.raised.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn raised(&self) -> Option<Limit> {
        LIMITS.get(usize::from(self.raised.load(Ordering::Relaxed)).checked_sub(1)?).copied()
    }

    fn told(&self, begin: Instant) -> Told {
        Told { seconds: begin.elapsed().as_secs_f64(), ..lock(&self.told).clone() }
    }
}

impl Monitor for Flag {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if let Ok(mut last) = self.progress.try_lock() {
            *last = *progress;
        }
        if let Ok(mut told) = self.told.try_lock() {
            let most = &mut told.most;
            most.explored = most.explored.max(progress.explored);
            most.stored = most.stored.max(progress.stored);
            most.maps = most.maps.max(progress.maps);
            most.learnt = most.learnt.max(progress.learnt);
        }
        self.raised().map_or(Ok(()), Err)
    }

    fn reached(&self, milestone: Milestone) {
        if matches!(milestone, Milestone::Found { .. } | Milestone::Classified { .. }) {
            self.found.store(true, Ordering::Relaxed);
        }
    }
}

/// Gives up early: for explanations.
pub struct Patience<'a> {
    monitor: &'a dyn Monitor,
    until: Instant,
}

impl<'a> Patience<'a> {
    /// From now on.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, until: Instant::now() + PATIENCE }
    }
}

impl Monitor for Patience<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.monitor.poll(progress)?;
        if Instant::now() < self.until { Ok(()) } else { Err(Limit::Time) }
    }
}

/// Where the engine's thread leaves its answer; `None` inside means that it panicked.
type Slot<T> = (Mutex<Option<Option<T>>>, Condvar);

/// Asks on another thread. `Ok((Err(_), _))` is a question that cannot be asked or a limit that was hit.
pub fn ask<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    question: impl FnOnce(&dyn Monitor) -> Result<T, QuestionError> + Send + 'static,
) -> PyResult<(Result<T, QuestionError>, Told)> {
    let flag = Arc::new(Flag::default());
    let slot: Arc<Slot<Result<T, QuestionError>>> = Arc::new((Mutex::new(None), Condvar::new()));
    let (for_engine, answer) = (Arc::clone(&flag), Arc::clone(&slot));
    let begin = Instant::now();
    let before = limits.memory.and_then(|_| resident());
    // A limit that is hit already is hit before anything begins.
    if limits.time.is_some_and(|time| time.is_zero()) {
        flag.raise(Limit::Time);
    }
    std::thread::Builder::new().name("divulge".to_owned()).spawn(move || {
        let found = catch_unwind(AssertUnwindSafe(|| question(&*for_engine))).ok();
        *lock(&answer.0) = Some(found);
        answer.1.notify_all();
    })?;
    let mut since_report = begin;
    let mut stopped: Option<Instant> = None;
    loop {
        if let Some(found) = py.detach(|| wait(&slot)) {
            let found = found.ok_or_else(|| {
                PyRuntimeError::new_err("divulge failed; this is a mistake in divulge itself")
            })?;
            return Ok((found, flag.told(begin)));
        }
        let grace = if flag.found.load(Ordering::Relaxed) { RETURN } else { GRACE };
        if stopped.is_some_and(|at| at.elapsed() >= grace) {
            let limit = QuestionError::Limit(flag.raised().unwrap_or(Limit::Time));
            return Ok((Err(limit), flag.told(begin)));
        }
        let heard = py.check_signals().and_then(|()| report(py, limits, &flag, begin, &mut since_report));
        if let Err(e) = heard {
            flag.raise(Limit::Interrupt);
            return Err(e);
        }
        if limits.time.is_some_and(|time| begin.elapsed() >= time) {
            flag.raise(Limit::Time);
        }
        let grown = || resident().zip(before).map(|(now, before)| now.saturating_sub(before));
        if limits.memory.is_some_and(|most| grown().is_some_and(|grown| grown > most)) {
            flag.raise(Limit::Memory);
        }
        if flag.raised().is_some() {
            stopped.get_or_insert_with(Instant::now);
        }
    }
}

/// Does something on another thread, so that Ctrl-C and the limits hold. A limit that was hit is an exception.
pub fn compute<T: Send + 'static>(
    py: Python<'_>,
    problem: &divulge::Problem,
    limits: &Limits,
    work: impl FnOnce(&dyn Monitor) -> Result<T, QuestionError> + Send + 'static,
) -> PyResult<T> {
    ask(py, limits, begun(work))?.0.map_err(|e| error::question(py, problem, &e))
}

/// Not even begun if a limit is hit already.
fn begun<T>(
    work: impl FnOnce(&dyn Monitor) -> Result<T, QuestionError>,
) -> impl FnOnce(&dyn Monitor) -> Result<T, QuestionError> {
    |monitor| {
        monitor.poll(&Progress::default())?;
        work(monitor)
    }
}

/// The same for what is about no problem, or about none yet.
pub fn make<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&dyn Monitor) -> Result<T, Limit> + Send + 'static,
) -> PyResult<T> {
    ask(py, limits, begun(|monitor| Ok(work(monitor)?)))?.0.map_err(|e| match e {
        QuestionError::Limit(limit) => error::limit(py, limit),
        e => plain(py, &e.to_string(), None),
    })
}

fn wait<T>(slot: &Slot<T>) -> Option<Option<T>> {
    let guard = lock(&slot.0);
    let waited = slot.1.wait_timeout_while(guard, TICK, |found| found.is_none());
    let (mut guard, _) = waited.unwrap_or_else(PoisonError::into_inner);
    guard.take()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(py: Python<'_>, limits: &Limits, flag: &Flag, begin: Instant, last: &mut Instant) -> PyResult<()> {
    let Some(tell) = limits.progress.as_ref().filter(|_| last.elapsed() >= REPORT) else { return Ok(()) };
    *last = Instant::now();
    let Progress { doing, explored, stored, maps, learnt, .. } = *lock(&flag.progress);
    tell.call1(py, (doing, explored, stored, maps, learnt, begin.elapsed().as_secs_f64()))?;
    Ok(())
}
