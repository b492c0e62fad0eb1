//! Problems.

use std::sync::Arc;

use divulge::formula::Stipulations;
use divulge::problem::{self as core, Grid, Label, Scope, Stipulation, Value, Vertex};
use divulge_model::{
    diagnostic::{Code, Diagnostics},
    document, language, lint,
};
use divulge_render::dot;
use pyo3::{prelude::*, types::PyBytes};

use crate::{
    error::{self, plain},
    graph::{self, Spec},
    limits::{Given, Limits, make},
    observer::Observer,
    world::{Condition, World, declare, with_conditions},
};

/// The properties that are the row and the column of a picture, and places with names.
pub type GridSpec = (String, String, Vec<(String, i64, i64)>);

/// A whole question: a world, perhaps a plan, one observer or more.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct Problem {
    /// The problem.
    pub inner: Arc<core::Problem>,
    /// Why the observers' maps cannot be used, if that is so.
    pub gap: Option<Gap>,
}

/// Why maps cannot be used.
pub enum Gap {
    /// As it was found where the problem was read.
    Read(Diagnostics),
    /// The exception that says so, where the problem was sent from another process.
    Sent(Py<PyAny>),
}

/// Looks for probable mistakes in a problem that was not written as a model. One without a goal is there to be audited.
pub fn lint(problem: &core::Problem, audit: bool, found: &mut Diagnostics) {
    let look = if audit || problem.world.goal.is_empty() { lint::lint_for_audit } else { lint::lint };
    look(problem, &lint::Places::default(), found);
}

impl Problem {
    /// A problem as it is.
    pub fn of(problem: core::Problem) -> Self {
        Self::read(problem, None)
    }

    /// A problem that was read; `gap`: why a map cannot be used. Observers that no question is about are not kept.
    pub fn read(mut problem: core::Problem, gap: Option<Diagnostics>) -> Self {
        problem.aside.clear();
        Self { inner: Arc::new(problem), gap: gap.map(Gap::Read) }
    }

    /// One of its observers by number.
    pub fn observer(&self, py: Python<'_>, number: usize) -> PyResult<&core::Observer> {
        let observer = self.inner.observers().nth(number);
        observer.ok_or_else(|| plain(py, "there is no observer of this number", None))
    }

    /// For questions that take the maps: they must give an image of every label of the world, or say that it is unseen.
    pub fn total_map(&self, py: Python<'_>) -> PyResult<()> {
        match &self.gap {
            None => Ok(()),
            Some(Gap::Read(found)) => Err(error::input(py, found)),
            Some(Gap::Sent(exception)) => Err(PyErr::from_value(exception.bind(py).clone())),
        }
    }
}

/// One of the graphs for Graphviz.
fn drawn(problem: &core::Problem, part: &str) -> std::io::Result<Option<String>> {
    let mut out = Vec::new();
    let there = match (part, &problem.plan) {
        ("world", _) => dot::world(&mut out, problem).map(|()| true)?,
        ("plan", Some(plan)) => dot::plan(&mut out, plan, &problem.alphabet).map(|()| true)?,
        ("divulged", _) => dot::divulged(&mut out, problem)?,
        ("filter", _) => dot::filter(&mut out, problem)?,
        _ => false,
    };
    Ok(there.then(|| String::from_utf8_lossy(&out).into_owned()))
}

#[pymethods]
impl Problem {
    /// `more_labels` come after the world's; `conditions` are boolean properties, a byte for each vertex.
    #[new]
    #[pyo3(signature = (world, observers, *, name=None, more_labels=Vec::new(), costs=Vec::new(), plan=None,
                        conditions=Vec::new(), grid=None, gap=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        world: &World,
        observers: Vec<Observer<'_>>,
        name: Option<String>,
        more_labels: Vec<(String, bool)>,
        costs: Vec<(u32, u64)>,
        plan: Option<Spec<'_>>,
        conditions: Vec<Condition<'_>>,
        grid: Option<GridSpec>,
        gap: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut alphabet = world.alphabet.clone();
        declare(py, &mut alphabet, &more_labels)?;
        let count = alphabet.len();
        if !observers.iter().all(|one| one.constraints_within(count))
            || costs.iter().any(|(l, _)| *l as usize >= count)
        {
            return Err(plain(py, "a cost or a constraint mentions an unknown label", None));
        }
        let the_world = with_conditions(&world.world, &conditions).into_owned();
        let built = observers.iter().map(|one| one.build(py, &alphabet, &the_world));
        let mut observers = built.collect::<PyResult<Vec<_>>>()?;
        if observers.is_empty() {
            return Err(plain(py, "a problem needs an observer", None));
        }
        let mut labels = world.labels.clone();
        labels.grow(count);
        let problem = core::Problem {
            name,
            world_labels: labels,
            plan: plan.as_ref().map(|given| graph::plan(given, count)).transpose()?,
            alphabet,
            world: the_world,
            costs: costs.into_iter().map(|(l, cost)| (Label(l), cost)).collect(),
            observer: observers.remove(0),
            others: observers,
            aside: Vec::new(),
            grid: grid.map(|(row, col, landmarks)| Grid { row, col, landmarks }),
        };
        Ok(Self { gap: gap.map(Gap::Sent), ..Self::of(problem) })
    }

    /// The boolean properties that this problem has beside those of its world, a byte for each vertex.
    fn conditions<'py>(&self, py: Python<'py>, world: &World) -> Vec<Condition<'py>> {
        let (mine, known) = (&self.inner.world, world.world.props.names());
        let names = mine.props.names().iter().filter(|name| known.get(name).is_none());
        let truth = |name: &str| {
            let column = mine.props.column(name);
            let holds = |v: Vertex| column.and_then(|c| c.get(v)) == Some(&Value::Bool(true));
            mine.graph.vertices().map(|v| u8::from(holds(v))).collect::<Vec<u8>>()
        };
        names.map(|name| (name.to_owned(), PyBytes::new(py, &truth(name)))).collect()
    }

    /// The world alone.
    fn world(&self) -> World {
        World {
            alphabet: self.inner.alphabet.clone(),
            labels: self.inner.world_labels.clone(),
            world: self.inner.world.clone(),
        }
    }

    /// The name, the costs that differ from the defaults, and how a picture may be laid out.
    #[allow(clippy::type_complexity)]
    fn rest(&self) -> (Option<String>, Vec<(u32, u64)>, Option<GridSpec>) {
        let costs = self.inner.costs.iter().map(|(l, cost)| (l.0, *cost)).collect();
        let grid = self.inner.grid.clone().map(|Grid { row, col, landmarks }| (row, col, landmarks));
        (self.inner.name.clone(), costs, grid)
    }

    /// The observers.
    fn observers<'py>(&self, py: Python<'py>) -> Vec<Observer<'py>> {
        self.inner.observers().map(|one| Observer::of(py, one, &self.inner.alphabet)).collect()
    }

    /// The plan, if there is one.
    fn plan<'py>(&self, py: Python<'py>) -> Option<Spec<'py>> {
        self.inner.plan.as_ref().map(|plan| graph::plan_spec(py, plan))
    }

    /// Whether every map says of every label what it looks like.
    fn check_map(&self, py: Python<'_>) -> PyResult<()> {
        self.total_map(py)
    }

    /// The problem as a document.
    fn to_json(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        // A document that is written has a total map or none: images are not made up.
        self.total_map(py)?;
        let inner = Arc::clone(&self.inner);
        make(py, &Limits::read(py, given)?, move |_| Ok(document::to_string(&inner)))
    }

    /// The problem as a model in the divulge language.
    fn to_model(&self, py: Python<'_>, given: Given) -> PyResult<String> {
        self.total_map(py)?;
        let inner = Arc::clone(&self.inner);
        let written = make(py, &Limits::read(py, given)?, move |_| Ok(language::write(&inner)))?;
        written.map_err(|e| plain(py, &e.to_string(), None))
    }

    /// One of the graphs as a picture for Graphviz; `None` if there is no such graph.
    fn to_dot(&self, py: Python<'_>, part: &str, given: Given) -> PyResult<Option<String>> {
        let (inner, part) = (Arc::clone(&self.inner), part.to_owned());
        make(py, &Limits::read(py, given)?, move |_| Ok(drawn(&inner, &part)))?
            .map_err(|e| plain(py, &e.to_string(), None))
    }

    /// Whether a formula holds of a set of world vertices; `conditions` are boolean properties besides the world's.
    fn holds(
        &self,
        py: Python<'_>,
        formula: &str,
        estimate: Vec<u32>,
        conditions: Vec<Condition<'_>>,
    ) -> PyResult<bool> {
        let wrong = |e, code| error::formula(py, "asked", formula, &e, code);
        let asked =
            Stipulation::new("asked", Scope::Always, formula).map_err(|e| wrong(e, Code::DocFormula))?;
        let world = with_conditions(&self.inner.world, &conditions);
        if estimate.iter().any(|&v| v as usize >= world.graph.len()) {
            return Err(plain(py, "there is no such vertex", None));
        }
        let compiled =
            Stipulations::compile(&world, &[asked]).map_err(|(_, e)| wrong(e, Code::DocFormulaWorld))?;
        let signature = compiled.signature_of(estimate.into_iter().map(Vertex));
        Ok(compiled.all().iter().all(|s| s.holds(&signature)))
    }

    /// Probable mistakes, as diagnostics; `audit`: where a plan would fail does not matter.
    fn lint<'py>(&self, py: Python<'py>, audit: bool) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let inner = Arc::clone(&self.inner);
        let found = make(py, &Limits::default(), move |_| {
            let mut found = Diagnostics::new();
            lint(&inner, audit, &mut found);
            Ok(found)
        })?;
        error::list(py, &found)
    }
}
