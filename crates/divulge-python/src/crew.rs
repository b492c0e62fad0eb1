//! Tasks of a search over maps, carried out elsewhere: who gives them out, and who carries them out.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
};

use divulge::{
    Question, Unlimited,
    limit::{Limit, Milestone, Monitor, Progress},
    maps::{Crew, Done, Office, Task},
    verdict::QuestionError,
};
use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::{
    error,
    problem::Problem,
    question::{Options, about_maps},
};

/// How long the Python half waits before it looks whether it should stop.
const TICK: f64 = 0.05;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes on what is polled, and polls it again while others work.
pub struct Again<'a> {
    monitor: &'a dyn Monitor,
    last: Mutex<Progress>,
}

impl<'a> Again<'a> {
    /// Nothing was polled yet.
    pub fn new(monitor: &'a dyn Monitor) -> Self {
        Self { monitor, last: Mutex::default() }
    }
}

impl Monitor for Again<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        *lock(&self.last) = *progress;
        self.monitor.poll(progress)
    }

    fn reached(&self, milestone: Milestone) {
        self.monitor.reached(milestone);
    }
}

/// Has tasks carried out by an object of the Python half: `begin(tasks)` when there are new ones, `wait(seconds)` until it gives what came of the
/// first that was not given yet, and `forget()` when the rest are not needed.
pub struct Away<'a> {
    /// The object.
    pub crew: &'a Py<PyAny>,
    /// What may stop it.
    pub monitor: &'a Again<'a>,
    /// What it raised.
    pub raised: &'a Mutex<Option<PyErr>>,
}

impl Away<'_> {
    fn call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, QuestionError> {
        Python::attach(|py| work(self.crew.bind(py))).map_err(|e| {
            *lock(self.raised) = Some(e);
            QuestionError::Refused("the tasks were not carried out".to_owned())
        })
    }

    fn first(&self) -> Result<Done, QuestionError> {
        loop {
            let done: Option<Vec<u8>> = self.call(|crew| crew.call_method1("wait", (TICK,))?.extract())?;
            if let Some(done) = done {
                return Done::from_bytes(&done).map_err(|_| {
                    QuestionError::Refused(
                        "what came of a task cannot be read: is it the same version of divulge?".to_owned(),
                    )
                });
            }
            let last = *lock(&self.monitor.last);
            self.monitor.poll(&last)?;
        }
    }
}

impl Crew for Away<'_> {
    fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
        let mut under_way = 0;
        loop {
            let new: Vec<Task> = std::iter::from_fn(|| office.give()).collect();
            under_way += new.len();
            if under_way == 0 {
                return Ok(());
            }
            if !new.is_empty() {
                self.call(|crew| {
                    let py = crew.py();
                    let all = PyList::new(py, new.iter().map(|task| PyBytes::new(py, &task.to_bytes())))?;
                    crew.call_method1("begin", (all,)).map(drop)
                })?;
            }
            let done = self.first()?;
            under_way -= 1;
            if !office.take(done)? {
                return self.call(|crew| crew.call_method0("forget").map(drop));
            }
        }
    }
}

/// Whether these bytes say what came of a task: a store may be damaged, or somebody else's.
#[pyfunction]
pub fn readable(done: &[u8]) -> bool {
    Done::from_bytes(done).is_ok()
}

/// Whoever carries out tasks of one question, one after the other. The question is posed once.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Hands {
    problem: Arc<divulge::Problem>,
    line: Mutex<Line>,
}

type Came = Result<Vec<u8>, QuestionError>;

struct Line {
    tasks: Sender<Vec<u8>>,
    done: Receiver<Came>,
}

#[pymethods]
impl Hands {
    /// `what`: `map`, `both` or `maps`.
    #[new]
    fn new(
        py: Python<'_>,
        problem: &Problem,
        what: &str,
        keep_plan: bool,
        options: Options,
    ) -> PyResult<Self> {
        let question = Question { threads: 1, ..about_maps(py, what, keep_plan, &options)? };
        let problem = Arc::clone(&problem.inner);
        let (tasks, for_hands) = channel();
        let (came, done) = channel();
        let on_thread = Arc::clone(&problem);
        std::thread::Builder::new()
            .name("divulge hands".to_owned())
            .spawn(move || work(&question, &on_thread, &for_hands, &came))?;
        Ok(Self { problem, line: Mutex::new(Line { tasks, done }) })
    }

    /// Carries out a task.
    fn one<'py>(&self, py: Python<'py>, task: Vec<u8>) -> PyResult<Bound<'py, PyBytes>> {
        let came = py.detach(|| {
            let line = lock(&self.line);
            line.tasks.send(task).ok()?;
            line.done.recv().ok()
        });
        let came = came
            .ok_or_else(|| PyRuntimeError::new_err("a task failed; this is a mistake in divulge itself"))?;
        came.map(|bytes| PyBytes::new(py, &bytes)).map_err(|e| error::question(py, &self.problem, &e))
    }
}

/// Works until nobody asks any more. Who cannot even begin says so to whoever asks.
fn work(question: &Question, problem: &divulge::Problem, tasks: &Receiver<Vec<u8>>, came: &Sender<Came>) {
    let worked = catch_unwind(AssertUnwindSafe(|| {
        question.with_hands(problem, &Unlimited, |hands| {
            while let Ok(bytes) = tasks.recv() {
                let unread = || {
                    QuestionError::Refused(
                        "a task cannot be read: is it the same version of divulge?".to_owned(),
                    )
                };
                let task = Task::from_bytes(&bytes).map_err(|_| unread());
                let done = task.and_then(|task| hands.one(&task)).map(|done| done.to_bytes());
                if came.send(done).is_err() {
                    break;
                }
            }
            Ok(())
        })
    }));
    if let Ok(Err(e)) = worked
        && tasks.recv().is_ok()
    {
        let _ = came.send(Err(e));
    }
}
