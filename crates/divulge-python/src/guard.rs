//! The guard. It lives on a thread of its own: plan, world and observers borrow from one another there, as Python objects cannot.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Sender, channel},
    },
    thread::JoinHandle,
};

use divulge::{
    Unlimited,
    setting::{Setting, unfold},
    verdict::QuestionError,
};
use divulge_guard::{
    Chance, Gate, Guard as Heart, Held, Journal, JournalError, Mode, OpenError, Options, Out, Reason,
    Standing, digest,
};
use pyo3::prelude::*;

use crate::{
    error::{self, plain},
    problem::Problem,
};

/// Something to be done with the gate.
type Job = Box<dyn for<'g> FnOnce(&mut Gate<'g>) + Send>;

/// What was held back: the event, the reason, and words.
type HeldBack = (Option<String>, &'static str, String);

/// What the gate says: images (whose, which, its number); what would have been held back; what the robot is told (nothing, or the action
/// in a list, which is empty where it is to stop); how things stand, and why if it holds; the number of events.
type Said = (Vec<(u32, String, u64)>, Vec<HeldBack>, Option<Vec<u32>>, &'static str, Option<HeldBack>, u64);

/// Why there is no gate.
enum Trouble {
    Question(QuestionError),
    Open(OpenError),
}

impl From<QuestionError> for Trouble {
    fn from(e: QuestionError) -> Self {
        Trouble::Question(e)
    }
}

impl From<OpenError> for Trouble {
    fn from(e: OpenError) -> Self {
        Trouble::Open(e)
    }
}

impl From<JournalError> for Trouble {
    fn from(e: JournalError) -> Self {
        Trouble::Open(OpenError::Journal(e))
    }
}

/// A guard with a latch and perhaps a journal.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Guard {
    /// Nothing once it is being dropped.
    jobs: Mutex<Option<Sender<Job>>>,
    thread: Option<JoinHandle<()>>,
}

/// When it has gone, so has its hold on the journal: another one may go on from there.
impl Drop for Guard {
    fn drop(&mut self) {
        self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // The thread never waits for Python's lock.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Opens the gate, says whether that went well, and does whatever is asked until nobody can ask any more.
fn keep(
    problem: &divulge::Problem,
    options: Options,
    journal: Option<PathBuf>,
    opened: &Sender<Result<(), Trouble>>,
    jobs: &std::sync::mpsc::Receiver<Job>,
) -> Result<(), Trouble> {
    let unfolded = unfold(problem, &Unlimited)?;
    let setting = Setting::pose(unfolded.as_ref().unwrap_or(problem), problem.plan.as_ref(), &Unlimited)?;
    let heart = Heart::new(&setting)?;
    let journal = journal.map(|path| Journal::open(&path)).transpose()?;
    let mut gate = Gate::open(heart, options, &digest(problem), journal, None)?;
    let _ = opened.send(Ok(()));
    while let Ok(job) = jobs.recv() {
        job(&mut gate);
    }
    gate.mark();
    Ok(())
}

fn held_back(held: &Held) -> HeldBack {
    (held.event.clone(), held.reason.word(), held.message.clone())
}

/// Commits what waits, and says all there is to say; it counts as shown.
fn said(gate: &mut Gate<'_>) -> Said {
    gate.commit();
    let (mut images, mut would_hold) = (Vec::new(), Vec::new());
    for out in gate.take() {
        match out {
            Out::Image { observer, image, n } => {
                gate.shown(observer as usize, n);
                images.push((observer, gate.guard().maps()[observer as usize].name(image).to_owned(), n));
            }
            Out::WouldHold(held) => would_hold.push(held_back(&held)),
            _ => {}
        }
    }
    let told = match gate.told() {
        Some(divulge_guard::Told::Do(label)) => Some(vec![label.0]),
        Some(divulge_guard::Told::Stop) => Some(Vec::new()),
        Some(divulge_guard::Told::Observe) | None => None,
    };
    let (standing, held) = match gate.standing() {
        Standing::Open => ("open", None),
        Standing::Ended => ("ended", None),
        Standing::Held(held) => ("held", Some(held_back(held))),
    };
    (images, would_hold, told, standing, held, gate.guard().events())
}

impl Guard {
    /// Does something with the gate, without Python's lock.
    fn ask(
        &self,
        py: Python<'_>,
        work: impl for<'g> FnOnce(&mut Gate<'g>) + Send + 'static,
    ) -> PyResult<Said> {
        let (to, answer) = channel();
        let job: Job = Box::new(move |gate| {
            work(gate);
            let _ = to.send(said(gate));
        });
        let jobs = &self.jobs;
        let answer = py.detach(move || {
            jobs.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.send(job).ok()?;
            answer.recv().ok()
        });
        answer.ok_or_else(|| plain(py, "the guard has gone", None))
    }
}

#[pymethods]
impl Guard {
    /// At the start of the problem's plan, or where the journal left off.
    #[new]
    #[pyo3(signature = (problem, shadow, journal, seed))]
    fn new(
        py: Python<'_>,
        problem: &Problem,
        shadow: bool,
        journal: Option<PathBuf>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        problem.total_map(py)?;
        let mode = if shadow { Mode::Shadow } else { Mode::Enforce };
        let options = Options { mode, chance: seed.map_or(Chance::System, Chance::Seed) };
        let inner = Arc::clone(&problem.inner);
        let ((to, jobs), (opening, opened)) = (channel::<Job>(), channel());
        let thread = std::thread::spawn(move || {
            if let Err(trouble) = keep(&inner, options, journal, &opening, &jobs) {
                let _ = opening.send(Err(trouble));
            }
        });
        match py.detach(move || opened.recv()) {
            Ok(Ok(())) => Ok(Self { jobs: Mutex::new(Some(to)), thread: Some(thread) }),
            Ok(Err(Trouble::Question(e))) => Err(error::question(py, &problem.inner, &e)),
            Ok(Err(Trouble::Open(e))) => {
                Err(plain(py, &e.to_string(), Some("give the journal of this run, or begin a new one")))
            }
            Err(_) => Err(plain(py, "the guard cannot be set up", None)),
        }
    }

    /// What is to be said before anything happens.
    fn begin(&self, py: Python<'_>) -> PyResult<Said> {
        self.ask(py, |_| ())
    }

    /// An event, by name.
    fn event(&self, py: Python<'_>, name: String) -> PyResult<Said> {
        self.ask(py, move |gate| gate.event(&name))
    }

    /// A line, as on standard input.
    fn line(&self, py: Python<'_>, line: Vec<u8>) -> PyResult<Said> {
        self.ask(py, move |gate| gate.line(&line))
    }

    /// Something outside is wrong: a reason by its word, and words about it.
    fn hold(&self, py: Python<'_>, reason: &str, message: String) -> PyResult<Said> {
        let reason = Reason::from_word(reason).ok_or_else(|| plain(py, "there is no such reason", None))?;
        self.ask(py, move |gate| gate.hold(Held::new(reason, message)))
    }

    /// The robot has stopped.
    fn end(&self, py: Python<'_>) -> PyResult<Said> {
        self.ask(py, |gate| gate.end())
    }
}
