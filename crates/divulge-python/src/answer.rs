//! Answers: what was found, with the problem that it answers.

use std::{io, sync::Arc};

use divulge::{
    explain::{Moment, Standing, Twin, Why, explain, replay, why_no_map, why_no_plan},
    formula::Stipulations,
    game::worst_case,
    limit::Monitor,
    maps::MapOptions,
    problem::{Label, LabelMap, Plan, Vertex},
    verdict::{FoundMap, NoMap, NoPlan, Part, QuestionError},
};
use divulge_render::{
    json,
    words::{self, Ends, Style},
};
use pyo3::prelude::*;

use crate::{
    error,
    graph::{Spec, plan_spec},
    limits::{Limits, Patience, ask},
    observer::images,
    problem::Problem,
};

/// The problem that an answer belongs to.
pub type Asked = Arc<divulge::Problem>;

const UNLIMITED: Limits = Limits { time: None, memory: None, progress: None };

fn labels(all: &[Label]) -> Vec<u32> {
    all.iter().map(|l| l.0).collect()
}

fn vertices(all: &[Vertex]) -> Vec<u32> {
    all.iter().map(|v| v.0).collect()
}

/// What is written, as a text.
pub fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> PyResult<String> {
    let mut out = Vec::new();
    write(&mut out)?;
    Ok(String::from_utf8_lossy(&out).trim_end().to_owned())
}

/// Computes on another thread, so that Ctrl-C works.
fn compute<T: Send + 'static>(
    py: Python<'_>,
    problem: &Asked,
    f: impl FnOnce(&divulge::Problem, &dyn Monitor) -> Result<T, QuestionError> + Send + 'static,
) -> PyResult<T> {
    let on_thread = Arc::clone(problem);
    ask(py, &UNLIMITED, move |monitor| f(&on_thread, monitor))?
        .0
        .map_err(|e| error::question(py, problem, &e))
}

/// The answer that all holds, in words; `plan` tells whether a plan was checked.
pub fn holds(problem: &divulge::Problem, plan: bool) -> String {
    match problem.plan.as_ref().filter(|_| plan) {
        Some(plan) => words::check_holds(problem, plan, worst_case(problem, plan), Style::plain()),
        None => words::audit_holds(problem, Style::plain()),
    }
}

/// One moment of a replayed execution: the event and its image, where the world and the plan may be, whether the plan
/// terminates, the estimate, and how each stipulation stands (0 not asked, 1 holds, 2 broken).
pub type MomentSpec = (Option<(u32, String)>, Vec<u32>, Vec<u32>, bool, Option<Vec<u32>>, Vec<u8>);

/// A moment in numbers.
pub fn moment(moment: &Moment, map: &LabelMap) -> MomentSpec {
    let standing = |s: &Standing| match s {
        Standing::NotAsked => 0,
        Standing::Holds => 1,
        Standing::Broken(_) => 2,
    };
    (
        moment.event.map(|(label, image)| (label.0, map.name(image).to_owned())),
        vertices(&moment.world),
        vertices(&moment.plan),
        moment.terminates,
        moment.estimate.as_deref().map(vertices),
        moment.stipulations.iter().map(standing).collect(),
    )
}

/// A violation and the problem whose plan and map it concerns.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Violation {
    pub problem: Asked,
    /// Whether a plan was checked; else the question was an audit.
    pub plan: bool,
    pub inner: divulge::Violation,
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
    fn with_plan(problem: &divulge::Problem, plan: bool) -> Option<&Plan> {
        problem.plan.as_ref().filter(|_| plan)
    }

    fn explained(&self, py: Python<'_>) -> PyResult<divulge::explain::Explanation> {
        let (violation, plan) = (self.inner.clone(), self.plan);
        compute(py, &self.problem, move |problem, _| {
            let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
            explain(problem, map, Self::with_plan(problem, plan), &violation)
        })
    }
}

#[pymethods]
impl Violation {
    /// Reason, execution, cycle, event, (plan vertex, world vertex), stipulation, estimate.
    #[allow(clippy::type_complexity)]
    fn parts(
        &self,
    ) -> (
        &'static str,
        Vec<u32>,
        Option<Vec<u32>>,
        Option<u32>,
        Option<(u32, u32)>,
        Option<usize>,
        Option<Vec<u32>>,
    ) {
        let v = &self.inner;
        (
            v.reason.word(),
            labels(&v.execution),
            v.cycle.as_deref().map(labels),
            v.event.map(|l| l.0),
            v.at.map(|(p, w)| (p.0, w.0)),
            v.stipulation,
            v.estimate.as_deref().map(vertices),
        )
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        let explanation = self.explained(py)?;
        let problem = &self.problem;
        let Some(map) = &problem.observer.map else { return Ok(String::new()) };
        let plan = Self::with_plan(problem, self.plan);
        Ok(words::violated(problem, map, plan, &self.inner, &explanation, Style::plain()))
    }

    /// As the command line's `--json`.
    fn json(&self) -> PyResult<String> {
        let Some(map) = &self.problem.observer.map else { return Ok(String::new()) };
        text(|out| json::verdict(out, &self.problem, map, Some(&self.inner)))
    }

    /// The execution, moment by moment.
    fn trace(&self, py: Python<'_>) -> PyResult<Vec<MomentSpec>> {
        let Some(map) = &self.problem.observer.map else { return Ok(Vec::new()) };
        Ok(self.explained(py)?.replay.moments.iter().map(|m| moment(m, map)).collect())
    }

    /// Runs that explain a broken stipulation.
    fn twins(&self, py: Python<'_>) -> PyResult<(Vec<Alike>, Vec<Gone>)> {
        let Some(breach) = self.explained(py)?.breach else { return Ok((Vec::new(), Vec::new())) };
        let alike = breach.met.iter().map(|m| (m.predicate.to_string(), run(&m.twin), m.same_image));
        let gone = breach.missed.iter().flat_map(|missed| {
            let predicate = missed.predicate.to_string();
            missed.ruled_out.iter().map(move |gone| {
                let why = match &gone.why {
                    Why::LooksDifferent(all) => ("looks-different", labels(all)),
                    Why::NotDivulged(all) => ("not-divulged", labels(all)),
                    Why::PlanStops => ("plan-stops", Vec::new()),
                    Why::WorldStops => ("world-stops", Vec::new()),
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
    pub problem: Asked,
    pub inner: Arc<FoundMap>,
    /// What was sought: `plan`, `map` or `both`.
    pub sought: &'static str,
}

#[pymethods]
impl Found {
    fn plan<'py>(&self, py: Python<'py>) -> Spec<'py> {
        plan_spec(py, &self.inner.plan)
    }

    /// The name of each label's image.
    fn images(&self) -> Vec<String> {
        images(&self.inner.map, &self.problem.alphabet)
    }

    /// Events and cost in the worst case, and what the merges cost.
    fn worst_case(&self) -> (u64, u64, u64) {
        (self.inner.worst_case.events, self.inner.worst_case.cost, self.inner.merge_cost)
    }

    /// In words, as the command line says it.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        let (found, sought) = (Arc::clone(&self.inner), self.sought);
        compute(py, &self.problem, move |problem, monitor| {
            let FoundMap { plan, map, worst_case, .. } = &*found;
            // What the observer can tell at the end is worth saying, but not worth missing the answer for.
            let ends = Ends::of(problem, plan, map, &Patience::new(monitor)).ok().flatten();
            let (ends, style) = (ends.as_ref(), Style::plain());
            Ok(match sought {
                "plan" => words::plan(problem, plan, Some(*worst_case), ends, style),
                _ => words::found_map(problem, &found, sought == "map", ends, style),
            })
        })
    }

    /// As the command line's `--json`.
    fn json(&self) -> PyResult<String> {
        let FoundMap { plan, map, worst_case, .. } = &*self.inner;
        text(|out| json::found(out, &self.problem, plan, map, *worst_case))
    }

    /// The problem with the answer filled in.
    fn filled_in(&self) -> Problem {
        let mut problem = (*self.problem).clone();
        problem.plan = Some(self.inner.plan.clone());
        problem.observer.map = Some(self.inner.map.clone());
        problem.observer.constraints = Default::default();
        Problem::of(problem, None)
    }
}

/// That there is none.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Nothing {
    pub problem: Asked,
    pub options: MapOptions,
    /// What was sought: `plan`, `map`, `both` or `maps`.
    pub sought: &'static str,
    /// Whether the problem's plan was to be kept.
    pub given: bool,
}

/// Why there is none: a word, parts of stipulations (number, clause), and the whole in words.
type Reason = (&'static str, Vec<(usize, String)>, String);

impl Nothing {
    fn reason(
        problem: &divulge::Problem,
        options: &MapOptions,
        sought: &str,
        given: bool,
        monitor: &dyn Monitor,
    ) -> Reason {
        let patience = Patience::new(monitor);
        if sought == "plan" {
            return match why_no_plan(problem, &options.plan, &patience) {
                Ok(reason) => {
                    let (word, all) = match &reason {
                        NoPlan::Unsolvable(_) => ("unsolvable", Vec::new()),
                        NoPlan::NotAdmitted { .. } => ("not-admitted", Vec::new()),
                        NoPlan::Conflict(conflict) => ("conflict", parts(problem, &conflict.parts)),
                    };
                    (word, all, words::no_plan(problem, &reason, Style::plain()))
                }
                Err(_) => ("unknown", Vec::new(), words::NO_PLAN.to_owned()),
            };
        }
        let plan = problem.plan.as_ref().filter(|_| given);
        match why_no_map(problem, plan, &options.plan, &patience) {
            Ok(reason) => {
                let (word, all) = match &reason {
                    NoMap::Unsolvable(_) => ("unsolvable", Vec::new()),
                    NoMap::PlanFails(_) => ("plan-fails", Vec::new()),
                    NoMap::NotAdmitted => ("not-admitted", Vec::new()),
                    NoMap::Conflict(conflict) => ("conflict", parts(problem, &conflict.parts)),
                };
                (word, all, words::no_map(problem, &reason, plan.is_some(), Style::plain()))
            }
            Err(_) => ("unknown", Vec::new(), words::NO_MAP.to_owned()),
        }
    }
}

#[pymethods]
impl Nothing {
    /// Why there is none; `unknown` if that could not be told within a few seconds.
    fn why(&self, py: Python<'_>) -> PyResult<Reason> {
        let (options, sought, given) = (self.options, self.sought, self.given);
        compute(py, &self.problem, move |problem, monitor| {
            Ok(Self::reason(problem, &options, sought, given, monitor))
        })
    }
}

/// Parts of stipulations as text.
fn parts(problem: &divulge::Problem, all: &[Part]) -> Vec<(usize, String)> {
    let Ok(compiled) = Stipulations::compile(&problem.world, &problem.observer.stipulations) else {
        return Vec::new();
    };
    let one = |part: &Part| {
        let whole = || problem.observer.stipulations[part.stipulation].formula.to_string();
        (part.stipulation, part.clause.as_ref().map_or_else(whole, |c| json::clause(c, compiled.masks())))
    };
    all.iter().map(one).collect()
}

/// Every map that would do, by its extremes.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Frontier {
    pub problem: Asked,
    pub inner: Arc<divulge::Frontier>,
    /// Whether the plan was given.
    pub given: bool,
}

#[pymethods]
impl Frontier {
    /// How many maps would do, and how many there are.
    fn counts(&self) -> (u128, u128) {
        (self.inner.feasible, self.inner.maps)
    }

    /// The finest, or the coarsest.
    fn extremes(&self, finest: bool) -> Vec<Found> {
        let all = if finest { &self.inner.finest } else { &self.inner.coarsest };
        let sought = if self.given { "map" } else { "both" };
        let one = |found: &FoundMap| Found {
            problem: Arc::clone(&self.problem),
            inner: Arc::new(found.clone()),
            sought,
        };
        all.iter().map(one).collect()
    }

    /// In words, as the command line says it.
    fn explain(&self) -> String {
        words::frontier(&self.problem, &self.inner, self.given, Style::plain())
    }

    /// As the command line's `--json`.
    fn json(&self) -> PyResult<String> {
        text(|out| json::frontier(out, &self.problem, &self.inner))
    }
}

/// Follows an execution of the world, under the problem's map and observer; `plan`: its plan is followed too.
#[pyfunction]
pub fn follow(
    py: Python<'_>,
    problem: &Problem,
    execution: Vec<u32>,
    plan: bool,
) -> PyResult<(Vec<MomentSpec>, bool)> {
    problem.total_map(py)?;
    let known = problem.inner.alphabet.len();
    let execution: Vec<Label> = execution.into_iter().filter(|l| (*l as usize) < known).map(Label).collect();
    let replayed = compute(py, &problem.inner, move |problem, _| {
        let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
        replay(problem, map, problem.plan.as_ref().filter(|_| plan), &execution)
    })?;
    let Some(map) = &problem.inner.observer.map else { return Ok((Vec::new(), false)) };
    Ok((replayed.moments.iter().map(|m| moment(m, map)).collect(), replayed.admitted))
}
