//! The questions.

use std::sync::{Arc, Mutex, PoisonError};

use divulge::{
    Question, Verdict,
    ask::{Engine, What},
    expansion::{self, Actions, expand},
    maps::Prefer,
    problem::Label,
    seek::{Minimize, Offers},
    verdict::QuestionError,
};
use divulge_render::words::{self, Style};
use pyo3::prelude::*;

use crate::{
    answer::{Answered, Found, Frontier, Nothing, Violation},
    crew::{Again, Away},
    error::{self, plain},
    limits::{Given, Limits, Told, ask, compute, make},
    problem::Problem,
    unknown::Unknown,
};

/// What may be answered.
#[derive(IntoPyObject)]
pub enum Answer {
    /// It holds, in words.
    Holds(Py<Holds>),
    /// It does not.
    Violated(Py<Violation>),
    /// It was found.
    Found(Py<Found>),
    /// All maps that would do.
    Frontier(Py<Frontier>),
    /// There is none.
    Nothing(Py<Nothing>),
    /// A limit was hit first.
    Unknown(Py<Unknown>),
}

/// An answer, and what it took: seconds, nodes explored, beliefs stored, maps decided, nogoods learnt.
type Reply = (Answer, (f64, u64, u64, u64, u64));

/// That everything holds.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Holds {
    pub answered: Answered,
}

/// An answer that was given.
#[derive(FromPyObject)]
pub enum Native<'py> {
    /// It holds.
    Holds(PyRef<'py, Holds>),
    /// It does not.
    Violated(PyRef<'py, Violation>),
    /// It was found.
    Found(PyRef<'py, Found>),
    /// All maps that would do.
    Frontier(PyRef<'py, Frontier>),
    /// There is none.
    Nothing(PyRef<'py, Nothing>),
    /// A limit was hit first.
    Unknown(PyRef<'py, Unknown>),
}

impl Native<'_> {
    /// What all of them have.
    pub fn answered(&self) -> &Answered {
        match self {
            Native::Holds(one) => &one.answered,
            Native::Violated(one) => &one.answered,
            Native::Found(one) => &one.answered,
            Native::Frontier(one) => &one.answered,
            Native::Nothing(one) => &one.answered,
            Native::Unknown(one) => &one.answered,
        }
    }
}

/// An answer as the class that its verdict asks for.
pub fn native(py: Python<'_>, answered: Answered) -> PyResult<Answer> {
    let what = answered.answer.question.what;
    Ok(match &answered.answer.verdict {
        Verdict::Holds { .. } => Answer::Holds(Py::new(py, Holds { answered })?),
        Verdict::Violated { .. } => Answer::Violated(Py::new(py, Violation { answered })?),
        Verdict::Found { .. } => Answer::Found(Py::new(py, Found { answered })?),
        Verdict::Frontier { .. } => Answer::Frontier(Py::new(py, Frontier { answered })?),
        Verdict::None { .. } if what == What::Maps => Answer::Frontier(Py::new(py, Frontier { answered })?),
        Verdict::None { .. } => Answer::Nothing(Py::new(py, Nothing { answered })?),
        Verdict::Unknown { .. } => Answer::Unknown(Py::new(py, Unknown { answered })?),
    })
}

#[pymethods]
impl Holds {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.answered.words(py)
    }
}

/// Asks; a limit is an answer. The tasks of a long search over maps are carried out by `crew`, if there is one.
fn put(
    py: Python<'_>,
    problem: &Problem,
    question: Question,
    given: Given,
    crew: Option<Py<PyAny>>,
) -> PyResult<Reply> {
    let on_thread = Arc::clone(&problem.inner);
    let asked = question.clone();
    let limits = Limits::read(py, given)?;
    let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
    let for_crew = Arc::clone(&raised);
    let (found, Told { seconds, most }) = ask(py, &limits, move |monitor| {
        let asking = divulge::ask(&on_thread).question(asked);
        let Some(crew) = &crew else { return asking.within(monitor) };
        let monitor = Again::new(monitor);
        asking.crew(&Away { crew, monitor: &monitor, raised: &for_crew }).within(&monitor)
    })?;
    if let Some(e) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(e);
    }
    let answer = match found {
        Ok(answer) => answer,
        // Whoever was to answer did not come back in time.
        Err(QuestionError::Limit(limit)) => {
            let stipulations = Arc::default();
            divulge::Answer {
                question,
                verdict: Verdict::Unknown { limit, best: None },
                work: most,
                stipulations,
            }
        }
        Err(e) => return Err(error::question(py, &problem.inner, &e)),
    };
    let work = answer.work;
    let answer = native(py, Answered::new(&problem.inner, answer, limits.again()))?;
    Ok((answer, (seconds, work.explored, work.stored, work.maps, work.learnt)))
}

/// Does the problem's plan solve the world, and does every stipulation hold?
#[pyfunction]
pub fn check(py: Python<'_>, problem: &Problem, threads: usize, given: Given) -> PyResult<Reply> {
    problem.total_map(py)?;
    put(py, problem, Question { threads, ..Question::new(What::Check) }, given, None)
}

/// Do the stipulations of scope `always` hold whatever the robot does?
#[pyfunction]
pub fn audit(py: Python<'_>, problem: &Problem, threads: usize, given: Given) -> PyResult<Reply> {
    problem.total_map(py)?;
    put(py, problem, Question { threads, ..Question::new(What::Audit) }, given, None)
}

/// Whether going on trying reaches the goal with probability 1, if whatever can happen keeps a chance.
#[pyfunction]
pub fn almost_surely(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<bool> {
    let inner = Arc::clone(&problem.inner);
    make(py, &Limits::read(py, given)?, move |monitor| expansion::almost_surely(&inner.world, monitor))
}

/// How something is sought.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    cost: bool,
    shortest: bool,
    prefer: Option<String>,
    and_or: bool,
    offers: String,
    threads: usize,
}

impl Options {
    fn read(&self, py: Python<'_>, what: What) -> PyResult<Question> {
        let prefer = match self.prefer.as_deref() {
            None => Prefer::First,
            Some("finest") => Prefer::Finest,
            Some("coarsest") => Prefer::Coarsest,
            Some("cheapest") => Prefer::Cheapest,
            Some(other) => {
                let help = "prefer the \"finest\", the \"coarsest\" or the \"cheapest\" map";
                return Err(plain(py, &format!("there is no preference `{other}`"), Some(help)));
            }
        };
        let offers = match self.offers.as_str() {
            "permissive" => Offers::Permissive,
            "deterministic" => Offers::Deterministic,
            _ => Offers::Sparing,
        };
        Ok(Question {
            prefer,
            offers,
            shortest: self.shortest,
            minimize: if self.cost { Minimize::Cost } else { Minimize::Events },
            engine: if self.and_or { Engine::AndOr } else { Engine::Native },
            threads: self.threads,
            // The Python half has set aside what is to be set aside.
            any_map: true,
            ..Question::new(what)
        })
    }
}

/// Seeks a plan that goes on after some events, by number; the map is given.
#[pyfunction]
#[pyo3(signature = (problem, options, given, after=Vec::new()))]
pub fn seek_plan(
    py: Python<'_>,
    problem: &Problem,
    options: Options,
    given: Given,
    after: Vec<u32>,
) -> PyResult<Reply> {
    problem.total_map(py)?;
    let after: Vec<Label> = after.into_iter().map(Label).collect();
    if after.iter().any(|l| l.index() >= problem.inner.alphabet.len()) {
        return Err(plain(py, "an event is no label of the problem", None));
    }
    put(py, problem, Question { after, ..options.read(py, What::Plan)? }, given, None)
}

/// A question about maps: `map`, `both` or `maps`; all maps are sought for the problem's plan if `keep_plan`.
pub fn about_maps(py: Python<'_>, what: &str, keep_plan: bool, options: &Options) -> PyResult<Question> {
    let what = match what {
        "map" => What::Map,
        "both" => What::Both,
        _ => What::Maps,
    };
    Ok(Question { any_plan: what == What::Maps && !keep_plan, ..options.read(py, what)? })
}

/// Seeks a map for the problem's plan (`map`), or a plan and a map (`both`).
#[pyfunction]
#[pyo3(signature = (problem, what, options, given, crew=None))]
pub fn seek_map(
    py: Python<'_>,
    problem: &Problem,
    what: &str,
    options: Options,
    given: Given,
    crew: Option<Py<PyAny>>,
) -> PyResult<Reply> {
    put(py, problem, about_maps(py, what, true, &options)?, given, crew)
}

/// Seeks every map, for the problem's plan if `keep_plan`.
#[pyfunction]
#[pyo3(signature = (problem, keep_plan, options, given, crew=None))]
pub fn seek_maps(
    py: Python<'_>,
    problem: &Problem,
    keep_plan: bool,
    options: Options,
    given: Given,
    crew: Option<Py<PyAny>>,
) -> PyResult<Reply> {
    put(py, problem, about_maps(py, "maps", keep_plan, &options)?, given, crew)
}

/// What a search over maps is called in a store.
#[pyfunction]
pub fn search_name(
    py: Python<'_>,
    problem: &Problem,
    what: &str,
    keep_plan: bool,
    options: Options,
) -> PyResult<String> {
    let question = about_maps(py, what, keep_plan, &options)?;
    let problem = Arc::clone(&problem.inner);
    Ok(py.detach(move || divulge_host::store::search(&problem, &question)))
}

/// How large the problem is, in words; the sizes of the expanded world, and whether the world is state-determined.
#[pyfunction]
pub fn info(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<(String, usize, usize, bool)> {
    let on_thread = Arc::clone(&problem.inner);
    compute(py, &problem.inner, &Limits::read(py, given)?, move |monitor| {
        let expanded = expand(&on_thread.world, Actions::Some, 0, monitor).map_err(QuestionError::from)?;
        let (vertices, arcs) = (expanded.graph.len(), expanded.graph.arc_count());
        let text = words::info(&on_thread, Ok([vertices, arcs]), "problem.about(name)", Style::plain());
        Ok((text, vertices, arcs, on_thread.world.graph.is_state_determined()))
    })
}
