//! Reading a model in the background: what is wrong with its text at once, what its world shows when it has been explored.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::{Limit, Monitor, Progress, problem::Problem};
use divulge_model::{
    diagnostic::Diagnostics,
    document::{self, Whom},
    language::{Depth, Facts, Reading, looks_like_json, read},
    lint::{self, lint, lint_for_audit},
};

use crate::text::Texts;

/// The world is waited for so long before the findings about the text are shown alone.
const PATIENCE: Duration = Duration::from_millis(10);

/// An editor's server takes no more memory than this.
const MEMORY: u64 = 3 << 30;

/// Tells threads to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    stopped: Arc<AtomicBool>,
    polls: Arc<AtomicU64>,
}

impl Stop {
    /// Stops all that look at it.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Monitor for Stop {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        if self.stopped() {
            return Err(Limit::Interrupt);
        }
        // Looking costs more than a poll should.
        let look = self.polls.fetch_add(1, Ordering::Relaxed) % 128 == 127;
        if look && divulge_host::resident().is_some_and(|used| used > MEMORY) {
            return Err(Limit::Memory);
        }
        Ok(())
    }
}

/// What was read of a model.
#[derive(Debug)]
pub struct Read {
    /// What is to be said of it.
    pub diagnostics: Diagnostics,
    /// What its names stand for.
    pub facts: Facts,
    /// The problem, once the world has been explored without errors.
    pub problem: Option<Arc<Problem>>,
    /// Whether there is more to come.
    pub partial: bool,
    /// Whether the world was too large to be explored here.
    pub too_large: bool,
}

impl Read {
    fn of(reading: Reading, partial: bool) -> Read {
        let Reading { problem, diagnostics, facts, stopped } = reading;
        let too_large = stopped == Some(Limit::Memory);
        Read { diagnostics, facts, problem: problem.map(Arc::new), partial, too_large }
    }
}

/// Reads a model: shows what there is to show as soon as it is known.
pub struct Reader<'a> {
    /// Stops the exploration of the world.
    pub stop: &'a Stop,
    /// Is given what was read, at most twice.
    pub show: &'a (dyn Fn(Read) + Sync),
}

impl Reader<'_> {
    /// Reads the text of that name.
    pub fn read(&self, name: &str, texts: &Texts) {
        let Some(text) = texts.text(name) else { return };
        if looks_like_json(&text) {
            return (self.show)(of_document(name, &text));
        }
        let begin = Instant::now();
        let quick = read(name, &text, texts, &[], Depth::Text, self.stop);
        // Nobody wants to know any longer.
        if self.stop.stopped() {
            return;
        }
        if quick.diagnostics.has_errors() || quick.stopped.is_some() {
            return (self.show)(Read::of(quick, false));
        }
        let mut quick = Some(quick);
        if begin.elapsed() > PATIENCE {
            // A long text: nobody is to wait for its world to be begun.
            quick.take().into_iter().for_each(|quick| (self.show)(Read::of(quick, true)));
        }
        let waiting = Waiting { reader: self, begin, quick: Mutex::new(quick) };
        let all = read(name, &text, texts, &[], Depth::World, &waiting);
        if all.stopped != Some(Limit::Interrupt) && !self.stop.stopped() {
            (self.show)(Read::of(all, false));
        }
    }
}

/// A problem document, which has neither names nor layout of the language: what is wrong with it is all that is said. Of JSON that is something
/// else nothing is said.
fn of_document(name: &str, text: &str) -> Read {
    let mut read = Read {
        diagnostics: Diagnostics::new(),
        facts: Facts::default(),
        problem: None,
        partial: false,
        too_large: false,
    };
    if text.contains("\"divulge/") {
        read.diagnostics = match document::read_for(name, text, Whom::Anybody) {
            Err(found) => found,
            Ok(mut document) => {
                // A document without a goal is there to be audited.
                let look = if document.problem.world.goal.is_empty() { lint_for_audit } else { lint };
                look(&document.problem, &lint::Places::default(), &mut document.warnings);
                document.warnings
            }
        };
    }
    read
}

/// Shows what is known of the text if the world takes long.
struct Waiting<'a> {
    reader: &'a Reader<'a>,
    begin: Instant,
    quick: Mutex<Option<Reading>>,
}

impl Monitor for Waiting<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if self.begin.elapsed() > PATIENCE
            && let Ok(mut quick) = self.quick.lock()
            && let Some(quick) = quick.take()
        {
            (self.reader.show)(Read::of(quick, true));
        }
        self.reader.stop.poll(progress)
    }
}
