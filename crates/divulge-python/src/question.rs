//! The questions.

use std::{sync::Arc, time::Duration};

use divulge::{
    and_or,
    expansion::{Actions, expand_within},
    maps::{MapOptions, Prefer},
    problem::LabelMap,
    seek::{self, Minimize, SeekOptions},
    verdict::{FoundMap, QuestionError},
};
use divulge_render::words::{self, Style};
use pyo3::prelude::*;

use crate::{
    answer::{self, Found, Frontier, Nothing, Violation},
    error::{self, plain},
    limits::{Limits, Told, ask},
    problem::Problem,
    unknown::Unknown,
};

/// Seconds, bytes and whom to tell.
type Given = (Option<f64>, Option<u64>, Option<Py<PyAny>>);

fn limits(py: Python<'_>, (seconds, memory, progress): Given) -> PyResult<Limits> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
        plain(py, "the time limit is not a number of seconds", Some("give seconds such as 10 or 0.5"))
    })?;
    Ok(Limits { time, memory, progress })
}

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
    problem: answer::Asked,
    plan: bool,
}

#[pymethods]
impl Holds {
    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> String {
        py.detach(|| answer::holds(&self.problem, self.plan))
    }
}

/// Asks; a limit is an answer.
fn put<T: Send + 'static>(
    py: Python<'_>,
    problem: &Problem,
    sought: &'static str,
    given: Given,
    question: impl FnOnce(&divulge::Problem, &dyn divulge::Monitor) -> Result<T, QuestionError> + Send + 'static,
    answer: impl FnOnce(T) -> PyResult<Answer>,
) -> PyResult<Reply> {
    let on_thread = Arc::clone(&problem.inner);
    let (found, told) = ask(py, &limits(py, given)?, move |monitor| question(&on_thread, monitor))?;
    let Told { seconds, most, best: so_far } = told;
    let answer = match found {
        Ok(found) => answer(found)?,
        Err(QuestionError::Limit(limit)) => {
            let problem = Arc::clone(&problem.inner);
            Answer::Unknown(Py::new(py, Unknown { problem, sought, limit, so_far })?)
        }
        Err(e) => return Err(error::question(py, &problem.inner, &e)),
    };
    Ok((answer, (seconds, most.explored, most.stored, most.maps, most.learnt)))
}

fn verdict(
    py: Python<'_>,
    problem: &Problem,
    plan: bool,
    violation: Option<divulge::Violation>,
) -> PyResult<Answer> {
    let problem = Arc::clone(&problem.inner);
    Ok(match violation {
        None => Answer::Holds(Py::new(py, Holds { problem, plan })?),
        Some(inner) => Answer::Violated(Py::new(py, Violation { problem, plan, inner })?),
    })
}

/// Does the problem's plan solve the world, and does every stipulation hold?
#[pyfunction]
pub fn check(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<Reply> {
    problem.total_map(py)?;
    put(py, problem, "", given, divulge::check, |violation| verdict(py, problem, true, violation))
}

/// Do the stipulations of scope `always` hold whatever the robot does?
#[pyfunction]
pub fn audit(py: Python<'_>, problem: &Problem, given: Given) -> PyResult<Reply> {
    problem.total_map(py)?;
    put(py, problem, "", given, divulge::audit, |violation| verdict(py, problem, false, violation))
}

/// How something is sought.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    cost: bool,
    shortest: bool,
    prefer: Option<String>,
    and_or: bool,
    threads: usize,
}

impl Options {
    fn read(&self, py: Python<'_>) -> PyResult<MapOptions> {
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
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let minimize = if self.cost { Minimize::Cost } else { Minimize::Events };
        Ok(MapOptions {
            prefer,
            shortest: self.shortest,
            plan: SeekOptions { minimize, threads, ..SeekOptions::default() },
            ..MapOptions::default()
        })
    }
}

fn found(
    py: Python<'_>,
    problem: &Problem,
    sought: &'static str,
    options: MapOptions,
    found: Option<FoundMap>,
) -> PyResult<Answer> {
    let asked = Arc::clone(&problem.inner);
    Ok(match found {
        Some(found) => Answer::Found(Py::new(py, Found { problem: asked, inner: Arc::new(found), sought })?),
        None => {
            let given = sought == "map";
            Answer::Nothing(Py::new(py, Nothing { problem: asked, options, sought, given })?)
        }
    })
}

/// The problem's map, which is there.
fn given_map(problem: &divulge::Problem) -> Result<LabelMap, QuestionError> {
    problem.observer.map.clone().ok_or(QuestionError::NeedsMap)
}

/// Seeks a plan; the map is given.
#[pyfunction]
pub fn seek_plan(py: Python<'_>, problem: &Problem, options: Options, given: Given) -> PyResult<Reply> {
    problem.total_map(py)?;
    let (read, and_or) = (options.read(py)?, options.and_or);
    let question = move |problem: &divulge::Problem, monitor: &dyn divulge::Monitor| {
        let map = given_map(problem)?;
        let found = match and_or {
            false => seek::seek_plan(problem, &read.plan, monitor)?,
            true => and_or::seek_plan(problem, &map, monitor)?,
        };
        Ok(found.map(|f| FoundMap { map, plan: f.plan, worst_case: f.worst_case, merge_cost: 0 }))
    };
    put(py, problem, "plan", given, question, |answer| found(py, problem, "plan", read, answer))
}

/// Seeks a map for the problem's plan.
#[pyfunction]
pub fn seek_map(py: Python<'_>, problem: &Problem, options: Options, given: Given) -> PyResult<Reply> {
    let read = options.read(py)?;
    let question = move |problem: &divulge::Problem, monitor: &dyn divulge::Monitor| {
        divulge::maps::seek_map(problem, &read, monitor)
    };
    put(py, problem, "map", given, question, |answer| found(py, problem, "map", read, answer))
}

/// Seeks a plan and a map.
#[pyfunction]
pub fn seek_both(py: Python<'_>, problem: &Problem, options: Options, given: Given) -> PyResult<Reply> {
    let (read, and_or) = (options.read(py)?, options.and_or);
    let question = move |problem: &divulge::Problem, monitor: &dyn divulge::Monitor| match and_or {
        false => divulge::maps::seek_both(problem, &read, monitor),
        true => and_or::seek_both(problem, monitor),
    };
    put(py, problem, "both", given, question, |answer| found(py, problem, "both", read, answer))
}

/// Seeks every map, for the problem's plan if `keep_plan`.
#[pyfunction]
pub fn seek_maps(
    py: Python<'_>,
    problem: &Problem,
    keep_plan: bool,
    options: Options,
    given: Given,
) -> PyResult<Reply> {
    let read = options.read(py)?;
    let keeps = keep_plan && problem.inner.plan.is_some();
    let question = move |problem: &divulge::Problem, monitor: &dyn divulge::Monitor| {
        divulge::maps::seek_maps(problem, problem.plan.as_ref().filter(|_| keep_plan), &read, monitor)
    };
    put(py, problem, "maps", given, question, |frontier| {
        let asked = Arc::clone(&problem.inner);
        Ok(Answer::Frontier(Py::new(
            py,
            Frontier { problem: asked, inner: Arc::new(frontier), given: keeps },
        )?))
    })
}

/// Why `seek_maps` found none.
#[pyfunction]
pub fn no_maps(py: Python<'_>, problem: &Problem, keep_plan: bool, options: Options) -> PyResult<Nothing> {
    let problem = Arc::clone(&problem.inner);
    let given = keep_plan && problem.plan.is_some();
    Ok(Nothing { problem, options: options.read(py)?, sought: "maps", given })
}

/// How large the problem is, in words; the sizes of the expanded world, and whether the world is state-determined.
#[pyfunction]
pub fn info(py: Python<'_>, problem: &Problem) -> PyResult<(String, usize, usize, bool)> {
    let on_thread = Arc::clone(&problem.inner);
    let none = Limits { time: None, memory: None, progress: None };
    let asked = ask(py, &none, move |monitor| {
        let expanded =
            expand_within(&on_thread.world, Actions::Some, monitor).map_err(QuestionError::from)?;
        let text = words::info(&on_thread, &expanded, Style::plain());
        let (vertices, arcs) = (expanded.graph.len(), expanded.graph.arc_count());
        Ok((text, vertices, arcs, on_thread.world.graph.is_state_determined()))
    })?;
    asked.0.map_err(|e| error::question(py, &problem.inner, &e))
}
