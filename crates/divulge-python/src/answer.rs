//! Answers: what was found, with the problem that it answers.

use std::{
    borrow::Cow,
    io,
    sync::{Arc, OnceLock},
};

use divulge::{
    Verdict,
    ask::{Checked, What, Why},
    explain::{Explanation, Twin, Why as RuledOutBy},
    problem::{Label, Observer, Vertex},
    verdict::{Choices, FoundMap, NoMap, NoPlan, Part, QuestionError},
};
use divulge_render::{
    itf, json,
    words::{self, Style},
};
use pyo3::{exceptions::PyRuntimeError, prelude::*};

use crate::{
    error,
    graph::{Spec, plan_spec},
    limits::{Given, Limits, Patience, ask, compute},
    look::{MomentSpec, moments},
    observer::images,
    problem::Problem,
};

/// The problem that an answer belongs to.
pub type Asked = Arc<divulge::Problem>;

fn labels(all: &[Label]) -> Vec<u32> {
    all.iter().map(|l| l.0).collect()
}

fn vertices(all: &[Vertex]) -> Vec<u32> {
    all.iter().map(|v| v.0).collect()
}

/// What is written, as a text.
pub fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<String> {
    let mut out = Vec::new();
    write(&mut out)?;
    Ok(String::from_utf8_lossy(&out).trim_end().to_owned())
}

/// An answer, and what explains it once somebody has asked for that. What is made of it keeps to the limits of the question.
pub struct Answered {
    pub problem: Asked,
    pub answer: Arc<divulge::Answer>,
    pub limits: Limits,
    told: OnceLock<Arc<divulge::Answer>>,
}

impl Answered {
    /// Nobody has asked for more yet.
    pub fn new(problem: &Asked, answer: divulge::Answer, limits: Limits) -> Self {
        Self { problem: Arc::clone(problem), answer: Arc::new(answer), limits, told: OnceLock::new() }
    }

    /// The observer whose map is sought, or the first.
    pub fn sought(&self) -> &Observer {
        self.problem.observers().nth(self.problem.sought()).unwrap_or(&self.problem.observer)
    }

    /// The same question with another plan and map as its answer: one of several.
    pub fn with(&self, found: FoundMap) -> Self {
        let checked = Checked::Sample;
        let verdict = Verdict::Found { found: Box::new(found), checked, account: None };
        Self::new(&self.problem, divulge::Answer { verdict, ..(*self.answer).clone() }, self.limits.again())
    }

    /// The answer with all that explains it, found out when it is first asked for, within a few seconds and the limits. What was
    /// not found out by then is left out.
    pub fn told(&self, py: Python<'_>) -> PyResult<&Arc<divulge::Answer>> {
        if self.told.get().is_none() {
            let (answer, problem) = (Arc::clone(&self.answer), Arc::clone(&self.problem));
            let told = ask(py, &self.limits, move |monitor| {
                Ok(Arc::new((*answer).clone().explained(&problem, &Patience::new(monitor))))
            })?;
            let told = match told.0 {
                Err(QuestionError::Limit(_)) => Arc::clone(&self.answer),
                told => told.map_err(|e| error::question(py, &self.problem, &e))?,
            };
            let _ = self.told.set(told);
        }
        Ok(self.told.get().unwrap_or(&self.answer))
    }

    /// In words, as the command line says it.
    pub fn words(&self, py: Python<'_>) -> PyResult<String> {
        let (problem, told) = (Arc::clone(&self.problem), Arc::clone(self.told(py)?));
        // The explanation was limited; what is left is as long as the text.
        compute(py, &self.problem, &Limits::default(), move |_| {
            Ok(words::answer(&problem, &told, Style::plain()))
        })
    }

    /// As the command line's `--json`.
    pub fn json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        let (problem, answer) = (Arc::clone(&self.problem), Arc::clone(&self.answer));
        let text = compute(py, &self.problem, &Limits::read(py, given)?, move |_| {
            Ok(text(|out| json::answer(out, &problem, &answer)))
        })?;
        Ok(text?)
    }
}

/// A violation and the problem whose plan and map it concerns.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Violation {
    pub answered: Answered,
}

/// A run: its events, and the world vertices that it passes.
type Run = (Vec<u32>, Vec<u32>);

fn run(twin: &Twin) -> Run {
    (labels(&twin.execution), vertices(&twin.path))
}

/// A run that the observer takes for the execution: what makes it matter, the run, whether it looks the same.
type Alike = (String, Run, bool);
/// Runs that an event ruled out: what they would have made possible, the event's number, where they were, one of them, why
/// it cannot go on (a word and labels).
type Gone = (String, usize, Vec<u32>, Run, (&'static str, Vec<u32>));

impl Violation {
    fn inner(&self) -> PyResult<&divulge::Violation> {
        self.answered.answer.violation().ok_or_else(|| PyRuntimeError::new_err("there is no violation"))
    }

    fn explained(&self, py: Python<'_>) -> PyResult<Option<&Explanation>> {
        match &self.answered.told(py)?.verdict {
            Verdict::Violated { explanation, .. } => Ok(explanation.as_deref()),
            _ => Ok(None),
        }
    }
}

#[pymethods]
impl Violation {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    /// Reason, execution, cycle, event, (plan vertex, world vertex), stipulation, estimate, observer, moment.
    #[allow(clippy::type_complexity)]
    fn parts(
        &self,
    ) -> PyResult<(
        &'static str,
        Vec<u32>,
        Option<Vec<u32>>,
        Option<u32>,
        Option<(u32, u32)>,
        Option<usize>,
        Option<Vec<u32>>,
        Option<usize>,
        Option<usize>,
    )> {
        let v = self.inner()?;
        Ok((
            v.reason.word(),
            labels(&v.execution),
            v.cycle.as_deref().map(labels),
            v.event.map(|l| l.0),
            v.at.map(|(p, w)| (p.0, w.0)),
            v.stipulation,
            v.estimate.as_deref().map(vertices),
            v.is_observers().then_some(v.observer),
            v.moment,
        ))
    }

    /// The execution as a trace in the Informal Trace Format.
    fn itf(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        let (problem, violation) = (Arc::clone(&self.answered.problem), self.inner()?.clone());
        let planned = self.answered.answer.question.what == What::Check;
        let written = compute(py, &self.answered.problem, &Limits::read(py, given)?, move |monitor| {
            let trace = itf::Trace::new(&problem, &violation, planned, monitor)?;
            Ok(text(|out| trace.write(out)))
        })?;
        Ok(written?)
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.answered.words(py)
    }

    /// As the command line's `--json`.
    fn json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        self.answered.json(py, given)
    }

    /// The execution, moment by moment.
    fn trace(&self, py: Python<'_>) -> PyResult<Vec<MomentSpec>> {
        let violation = self.inner()?;
        let (number, execution) = (violation.observer, violation.execution.clone());
        let (problem, plan) =
            (Arc::clone(&self.answered.problem), self.answered.answer.question.what == What::Check);
        compute(py, &self.answered.problem, &self.answered.limits, move |monitor| {
            Ok(moments(&problem, number, plan, &execution, monitor)?.0)
        })
    }

    /// Runs that explain a broken stipulation.
    fn twins(&self, py: Python<'_>) -> PyResult<(Vec<Alike>, Vec<Gone>)> {
        let told = self.explained(py)?;
        if let Some(uneven) = told.and_then(|told| told.uneven.as_ref()) {
            let alike = uneven.left.iter().map(|(p, twin)| (p.to_string(), run(twin), true));
            let gone = uneven.gone.iter().filter_map(|gone| {
                let twin = gone.twin.as_ref()?;
                let why = ("given-away", Vec::new());
                Some((
                    gone.predicate.to_string(),
                    gone.last_possible? + 1,
                    vec![twin.end().0],
                    run(twin),
                    why,
                ))
            });
            return Ok((alike.collect(), gone.collect()));
        }
        let Some(breach) = told.and_then(|told| told.breach.as_ref()) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let alike = breach.met.iter().map(|m| (m.predicate.to_string(), run(&m.twin), m.same_image));
        let gone = breach.missed.iter().flat_map(|missed| {
            let predicate = missed.predicate.to_string();
            missed.ruled_out.iter().map(move |gone| {
                let why = match &gone.why {
                    RuledOutBy::LooksDifferent(all) => ("looks-different", labels(all)),
                    RuledOutBy::NotDivulged(all) => ("not-divulged", labels(all)),
                    RuledOutBy::PlanStops => ("plan-stops", Vec::new()),
                    RuledOutBy::WorldStops => ("world-stops", Vec::new()),
                };
                (predicate.clone(), gone.event, vertices(&gone.vertices), run(&gone.twin), why)
            })
        });
        Ok((alike.collect(), gone.collect()))
    }
}

/// A plan and a map that hold, one or both of them found.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Found {
    pub answered: Answered,
}

impl Found {
    fn inner(&self) -> PyResult<&FoundMap> {
        self.answered.answer.found().ok_or_else(|| PyRuntimeError::new_err("nothing was found"))
    }
}

#[pymethods]
impl Found {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    fn plan<'py>(&self, py: Python<'py>) -> PyResult<Spec<'py>> {
        Ok(plan_spec(py, &self.inner()?.plan))
    }

    /// The name of each label's image, if it is seen.
    fn images(&self) -> PyResult<Vec<Option<String>>> {
        Ok(images(&self.inner()?.map, &self.answered.problem.alphabet))
    }

    /// Events and cost in the worst case, and what the merges cost.
    fn worst_case(&self) -> PyResult<(u64, u64, u64)> {
        let FoundMap { worst_case, merge_cost, .. } = self.inner()?;
        Ok((worst_case.events, worst_case.cost, *merge_cost))
    }

    /// The vertices at which the plan offers several actions, and whether each of these is needed.
    fn choices(&self) -> PyResult<(Vec<String>, bool)> {
        let FoundMap { plan, choices, .. } = self.inner()?;
        let names = plan.choosing().into_iter().map(|v| plan.name(v).to_owned());
        Ok((names.collect(), *choices == Choices::Needed))
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.answered.words(py)
    }

    /// As the command line's `--json`.
    fn json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        self.answered.json(py, given)
    }

    /// The problem with the answer filled in.
    fn filled_in(&self) -> PyResult<Problem> {
        let filled = self.answered.answer.filled_in(&self.answered.problem);
        let filled = filled.ok_or_else(|| PyRuntimeError::new_err("nothing was found"))?;
        Ok(Problem::of(filled))
    }
}

/// That there is none.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Nothing {
    pub answered: Answered,
}

/// Why there is none: a word, parts of stipulations (observer, number, clause), and the whole in words.
type Reason = (&'static str, Vec<(usize, usize, String)>, String);

#[pymethods]
impl Nothing {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    /// Where a plan was sought that never chooses: whether there is one that may, if that was found out.
    fn otherwise(&self) -> Option<bool> {
        match self.answered.answer.verdict {
            Verdict::None { otherwise, .. } => otherwise,
            _ => None,
        }
    }

    /// Why there is none; `unknown` if that could not be told within a few seconds.
    fn why(&self, py: Python<'_>) -> PyResult<Reason> {
        let told = self.answered.told(py)?;
        let why = match &told.verdict {
            Verdict::None { why, .. } => why.as_deref(),
            _ => None,
        };
        let all = |parts: &[Part]| self::parts(&self.answered.problem, parts);
        let (word, parts) = match why {
            None => ("unknown", Vec::new()),
            Some(Why::Plan(NoPlan::Unsolvable(_)) | Why::Map(NoMap::Unsolvable(_))) => {
                ("unsolvable", Vec::new())
            }
            Some(Why::Plan(NoPlan::NotAdmitted { .. }) | Why::Map(NoMap::NotAdmitted)) => {
                ("not-admitted", Vec::new())
            }
            Some(Why::Map(NoMap::PlanFails(_))) => ("plan-fails", Vec::new()),
            Some(Why::Plan(NoPlan::OnlyByChance(_))) => ("chance", Vec::new()),
            Some(Why::Plan(NoPlan::Conflict(conflict))) => ("conflict", all(&conflict.parts)),
            Some(Why::Map(NoMap::Conflict(conflict))) => ("conflict", all(&conflict.parts)),
        };
        Ok((word, parts, self.answered.words(py)?))
    }
}

/// Parts of stipulations as text.
fn parts(problem: &divulge::Problem, all: &[Part]) -> Vec<(usize, usize, String)> {
    let one = |part: &Part| {
        let observer = || problem.observers().nth(part.observer);
        let stipulation = || observer().and_then(|observer| observer.stipulations.get(part.stipulation));
        let whole = || stipulation().map(|one| one.formula.to_string()).unwrap_or_default();
        (part.observer, part.stipulation, part.clause.as_ref().map_or_else(whole, json::clause))
    };
    all.iter().map(one).collect()
}

/// Every map that would do, by its extremes.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Frontier {
    pub answered: Answered,
}

/// The frontier of an answer; empty if no map would do.
pub fn frontier(answer: &divulge::Answer) -> Cow<'_, divulge::Frontier> {
    match &answer.verdict {
        Verdict::Frontier { frontier, .. } => Cow::Borrowed(frontier),
        Verdict::None { maps, .. } => {
            Cow::Owned(divulge::Frontier { maps: maps.unwrap_or(0), ..Default::default() })
        }
        _ => Cow::Owned(divulge::Frontier::default()),
    }
}

#[pymethods]
impl Frontier {
    /// The limits of the question, for what is made of its answer: seconds, bytes, nobody to tell.
    fn limits(&self) -> Given {
        self.answered.limits.given()
    }

    /// How many maps would do, and how many there are.
    fn counts(&self) -> (u128, u128) {
        let frontier = frontier(&self.answered.answer);
        (frontier.feasible, frontier.maps)
    }

    /// The finest, or the coarsest.
    fn extremes(&self, finest: bool) -> Vec<Found> {
        let frontier = frontier(&self.answered.answer);
        let all = if finest { &frontier.finest } else { &frontier.coarsest };
        all.iter().map(|found| Found { answered: self.answered.with(found.clone()) }).collect()
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.answered.words(py)
    }

    /// As the command line's `--json`.
    fn json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        self.answered.json(py, given)
    }
}
