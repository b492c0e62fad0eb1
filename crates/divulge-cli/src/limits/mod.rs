//! Limits on time and memory, and Ctrl-C.
//!
//! A thread of its own looks at the clock and the memory and raises a flag, which the engines poll. What does not poll (reading a
//! large file, for example) is not waited for: the thread itself says `unknown` and ends the process.
//!
//! Where there is no limit and nobody to show progress to, nothing is set up for questions that are answered at once: starting
//! threads would take longer than the answer.

mod amounts;
mod patience;
mod shared;
mod turn;

use std::{
    sync::{
        Arc, Once,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::limit::{Limit, Milestone, Monitor, Progress};
use divulge_render::json;

use self::shared::Shared;
pub use self::{
    amounts::{seconds, size},
    patience::Patience,
    turn::Turn,
};
use crate::{
    arguments::Limits,
    output::{self, Terminal},
    progress,
    status::{Failure, Status},
};

const TICK: Duration = Duration::from_millis(20);
/// How often progress is shown.
const SHOWN_EVERY: Duration = Duration::from_millis(200);
/// How long an engine that polls may take to notice.
const GRACE: Duration = Duration::from_millis(700);
/// How long an engine that has noticed may take to come back with the best that it found: it has memory to give back first.
const RETURN: Duration = Duration::from_secs(5);
/// The same where nothing was found, so that nobody has to wait for it.
const RETURN_WITH_NOTHING: Duration = Duration::from_millis(200);
/// What takes no longer than this is not watched, unless there is something to watch for.
const SHORT: Duration = Duration::from_millis(30);
/// No program fills more bytes than this in a microsecond.
const FASTEST: u64 = 4000;

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
    threads: usize,
    memory: Option<u64>,
    /// Whether the answer is one JSON object.
    json: bool,
    /// Whether progress is shown.
    showing: bool,
    /// Where people are told.
    terminal: Terminal,
}

impl Watch {
    /// Begins to watch. `json`: whether an answer is one JSON object on standard output.
    pub fn start(limits: &Limits, json: bool, terminal: &Terminal) -> Self {
        let &Limits { time_limit: time, memory_limit: memory, threads } = limits;
        let showing = terminal.shows_progress();
        let task = Task { begin: Instant::now(), time, memory, threads, json, showing, terminal: *terminal };
        let watch = Self {
            shared: Arc::default(),
            answered: AtomicBool::new(false),
            task,
            watching: AtomicBool::new(false),
            set_up: Once::new(),
        };
        if time.is_some() || memory.is_some() || showing {
            watch.attend();
        }
        watch
    }

    /// How many threads may be used; 0 for as many as there are processors.
    pub fn threads(&self) -> usize {
        self.task.threads
    }

    /// From now on the question is watched, also if nothing is polled for a while. An interrupt is noticed too.
    pub fn attend(&self) {
        self.set_up.call_once(|| {
            // A limit that is hit already is hit before anything begins.
            self.shared.look(&self.task);
            let for_signal = Arc::clone(&self.shared);
            // Without a handler Ctrl-C still ends the process, only less politely.
            let _ = ctrlc::set_handler(move || for_signal.interrupt());
            let (for_thread, task) = (Arc::clone(&self.shared), self.task);
            std::thread::spawn(move || watch(&for_thread, &task));
            self.watching.store(true, Ordering::Relaxed);
        });
    }

    /// Looks at the limits, for what is done in pieces.
    ///
    /// # Errors
    /// If one is hit.
    pub fn look(&self) -> Result<(), Limit> {
        self.shared.look(&self.task);
        self.shared.raised().map_or(Ok(()), Err)
    }

    /// Whether so many bytes more are within the limit on memory.
    ///
    /// # Errors
    /// If they are not.
    pub fn room_for(&self, bytes: u64) -> Result<(), Failure> {
        self.look().map_err(Failure::Limit)?;
        let too_much = self.task.memory.is_some_and(|most| {
            let in_use = divulge_host::resident().unwrap_or(0);
            in_use.saturating_add(bytes) > most
        });
        if too_much { Err(Failure::Limit(Limit::Memory)) } else { Ok(()) }
    }

    /// The problem has been read.
    pub fn has_read(&self) {
        self.shared.read.store(true, Ordering::Relaxed);
    }

    /// From now on an interrupt ends the process: somebody leaves who has nothing to wait for.
    pub fn leave_on_interrupt(&self) {
        self.shared.leaving.store(true, Ordering::Relaxed);
    }

    /// What to try if a limit is hit.
    pub fn advise(&self, advice: impl Fn(Limit) -> String) {
        if self.task.time.is_some() || self.task.memory.is_some() {
            self.shared.advise([Limit::Time, Limit::Memory].map(advice));
        }
    }

    /// What is said when a limit was hit.
    pub fn stopped(&self, limit: Limit) -> String {
        stopped(&self.shared, &self.task, limit)
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
        self.shared.count(progress);
        self.shared.polls.store(true, Ordering::Relaxed);
        if !self.watching.load(Ordering::Relaxed) && self.task.begin.elapsed() > SHORT {
            self.attend();
        }
        match self.shared.raised() {
            None => Ok(()),
            Some(limit) => {
                self.shared.told.store(true, Ordering::Relaxed);
                Err(limit)
            }
        }
    }

    fn reached(&self, milestone: Milestone) {
        match milestone {
            Milestone::Found { .. } | Milestone::Classified { .. } => self.shared.found(milestone),
            Milestone::Checking => {}
            // No limit ends the process any more; what explains the answer ends if one is hit.
            Milestone::Decided(what) => self.shared.decide(what),
        }
    }
}

/// How long to wait before looking again: memory may fill up fast when there is little left.
fn pause(task: &Task, in_use: Option<u64>) -> Duration {
    match (task.memory, in_use) {
        (Some(most), Some(now)) => {
            let left = Duration::from_micros(most.saturating_sub(now) / FASTEST);
            left.clamp(Duration::from_millis(1), TICK)
        }
        _ => TICK,
    }
}

fn watch(shared: &Shared, task: &Task) {
    let &Task { begin, showing, .. } = task;
    let mut shown = begin;
    let mut raised_at: Option<Instant> = None;
    let mut in_use = shared.look(task);
    loop {
        std::thread::sleep(pause(task, in_use));
        if showing && shown.elapsed() >= SHOWN_EVERY && begin.elapsed() >= progress::SHOWN_AFTER {
            shared.show(begin);
            shown = Instant::now();
        }
        in_use = shared.look(task);
        let Some(limit) = shared.raised() else { continue };
        if shared.decided() {
            continue;
        }
        let since = *raised_at.get_or_insert_with(Instant::now);
        if waited_enough(shared, task, since.elapsed(), in_use) {
            if shared.claim(showing) {
                if task.json {
                    let _ = output::answer(|out| json::unknown(out, limit));
                }
                task.terminal.note(&stopped(shared, task, limit));
                std::process::exit(Status::Unknown as i32);
            }
            return;
        }
    }
}

/// Whether the process is ended although the engine has not come back since a limit was hit.
fn waited_enough(shared: &Shared, task: &Task, waited: Duration, in_use: Option<u64>) -> bool {
    if shared.told.load(Ordering::Relaxed) {
        return waited >= if shared.has_best() { RETURN } else { RETURN_WITH_NOTHING };
    }
    let beyond = |most: u64| in_use.is_some_and(|now| now > most + most / 32);
    !shared.polls.load(Ordering::Relaxed) || task.memory.is_some_and(beyond) || waited >= GRACE
}

/// What is said when a limit was hit; how far it came, if somebody is looking or has stopped it.
fn stopped(shared: &Shared, task: &Task, limit: Limit) -> String {
    let by = match limit {
        Limit::Time => "stopped by the time limit",
        Limit::Memory => "stopped by the memory limit",
        Limit::Interrupt => "interrupted",
    };
    let reading = if shared.read.load(Ordering::Relaxed) { "" } else { " while reading the problem" };
    let mut text = format!("unknown: {by}{reading}\n");
    text += &shared.advice(limit);
    if task.showing || limit == Limit::Interrupt {
        text += &format!("so far: {}\n", shared.so_far(task.begin));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unlimited() -> Watch {
        Watch::start(&Limits { time_limit: None, memory_limit: None, threads: 0 }, false, &Terminal::silent())
    }

    #[test]
    fn memory_in_use_is_known() {
        let now = divulge_host::resident();
        assert!(now.is_some_and(|bytes| bytes > 100_000));
        assert!(divulge_host::peak() >= now);
    }

    #[test]
    fn the_first_limit_stays() {
        let watch = unlimited();
        assert!(watch.poll(&Progress::default()).is_ok());
        watch.shared.raise(Limit::Memory);
        watch.shared.raise(Limit::Time);
        assert_eq!(watch.poll(&Progress::default()), Err(Limit::Memory));
    }

    #[test]
    fn what_was_being_done_is_said() {
        let watch = unlimited();
        assert_eq!(
            watch.stopped(Limit::Time),
            "unknown: stopped by the time limit while reading the problem\n"
        );
        watch.has_read();
        assert_eq!(watch.stopped(Limit::Memory), "unknown: stopped by the memory limit\n");
        let said = watch.stopped(Limit::Interrupt);
        assert!(said.starts_with("unknown: interrupted\nso far: "), "{said}");
    }

    #[test]
    fn an_engine_that_found_nothing_is_not_waited_for() {
        let watch = unlimited();
        let enough = |waited| waited_enough(&watch.shared, &watch.task, waited, None);
        watch.shared.raise(Limit::Time);
        assert!(watch.poll(&Progress::default()).is_err());
        assert!(enough(RETURN_WITH_NOTHING) && !enough(RETURN_WITH_NOTHING / 2));
        watch.reached(Milestone::Found { events: 3 });
        assert!(enough(RETURN) && !enough(RETURN / 2));
    }

    #[test]
    fn memory_is_looked_at_more_often_when_little_is_left() {
        let task = Task { memory: Some(1 << 30), ..unlimited().task };
        assert_eq!(pause(&task, Some(0)), TICK);
        assert_eq!(pause(&task, Some(1 << 30)), Duration::from_millis(1));
        assert!(pause(&task, Some((1 << 30) - (20 << 20))) < TICK);
    }
}
