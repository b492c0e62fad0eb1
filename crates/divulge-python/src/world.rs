//! Worlds.

use std::borrow::Cow;

use divulge::{
    formula::{Formula, Predicate, resolve},
    problem::{self as core, Alphabet, Kind, Props, Value, Vertex},
    sets::BitSet,
};
use divulge_model::{
    diagnostic::Code,
    lint::{Odd, odd_comparisons},
};
use pyo3::{prelude::*, types::PyBytes};

use crate::{
    error::{self, plain},
    graph::{self, Parts, Spec, bytes, numbers},
};

/// A property's value, in either half.
#[derive(Clone, Debug, FromPyObject, IntoPyObject)]
pub enum Scalar {
    /// A boolean; before integers, since Python's booleans are integers.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::Int(i),
            Scalar::Text(s) => Value::Text(s),
        }
    }
}

impl From<&Value> for Scalar {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(b) => Scalar::Bool(*b),
            Value::Int(i) => Scalar::Int(*i),
            Value::Text(s) => Scalar::Text(s.clone()),
        }
    }
}

/// A property: its name, its values, and for each vertex the number of its value, from one (0: it has none).
pub type Column<'py> = (String, Vec<Scalar>, Bound<'py, PyBytes>);

/// A world and the labels that it bears or lists.
#[pyclass(frozen, module = "divulge._divulge")]
pub struct World {
    /// The labels; those of the world are numbered first.
    pub alphabet: Alphabet,
    /// Which of them are the world's.
    pub labels: BitSet,
    /// The world.
    pub world: core::World,
}

#[pymethods]
impl World {
    /// `labels`: their names, and whether they are observations.
    #[new]
    fn new(
        py: Python<'_>,
        labels: Vec<(String, bool)>,
        graph: Spec<'_>,
        props: Vec<Column<'_>>,
    ) -> PyResult<Self> {
        let mut alphabet = Alphabet::new();
        declare(py, &mut alphabet, &labels)?;
        let Parts { graph, names, marked } = graph::build(&graph, alphabet.len(), "the world")?;
        let mut columns = Props::new();
        for column in &props {
            fill(&mut columns, column, graph.len());
        }
        let world = core::World { graph, names, goal: marked, props: columns, past: None };
        Ok(Self { labels: BitSet::full(alphabet.len()), alphabet, world })
    }

    /// The labels' names, whether they are observations, and whether they are the world's.
    fn labels(&self) -> Vec<(String, bool, bool)> {
        let one = |l: core::Label| {
            let observation = self.alphabet.kind(l) == Kind::Observation;
            (self.alphabet.name(l).to_owned(), observation, self.labels.contains(l.index()))
        };
        self.alphabet.labels().map(one).collect()
    }

    /// The graph, its goal vertices marked.
    fn graph<'py>(&self, py: Python<'py>) -> Spec<'py> {
        graph::spec(py, &self.world.graph, &self.world.names, &self.world.goal)
    }

    /// The properties.
    fn props<'py>(&self, py: Python<'py>) -> Vec<Column<'py>> {
        let props = &self.world.props;
        let column = |name: &str| {
            let column = props.column(name)?;
            let values = column.values().iter().map(Scalar::from).collect();
            let code = |v: Vertex| column.code(v).map_or(0, |code| code as u32 + 1);
            Some((name.to_owned(), values, bytes(py, self.world.graph.vertices().map(code))))
        };
        props.names().iter().filter_map(column).collect()
    }

    /// The vertices that satisfy a predicate; `conditions` are boolean properties besides the world's own.
    fn satisfying(
        &self,
        py: Python<'_>,
        predicate: &str,
        conditions: Vec<Condition<'_>>,
    ) -> PyResult<Vec<u32>> {
        let wrong = |e, code| error::formula(py, "predicate", predicate, &e, code);
        let read: Predicate = predicate.parse().map_err(|e| wrong(e, Code::DocFormula))?;
        let found = resolve::vertices(&with_conditions(&self.world, &conditions), &read)
            .map_err(|e| wrong(e, Code::DocFormulaWorld))?;
        Ok(found.iter().map(|v| v as u32).collect())
    }

    /// Comparisons in a formula with values that no vertex has: what is odd, and what may have been meant.
    fn odd_comparisons(&self, py: Python<'_>, formula: &str) -> PyResult<Vec<(String, String)>> {
        let read: Formula =
            formula.parse().map_err(|e| error::formula(py, "asked", formula, &e, Code::DocFormula))?;
        let all = odd_comparisons(&self.world, &read);
        Ok(all.into_iter().map(|Odd { message, help }| (message, help)).collect())
    }

    /// The same world with these goal vertices.
    fn with_goal(&self, goal: Vec<u32>) -> Self {
        let mut world = self.world.clone();
        world.goal = BitSet::new(world.graph.len());
        for v in goal.into_iter().filter(|v| (*v as usize) < world.graph.len()) {
            world.goal.insert(v as usize);
        }
        Self { alphabet: self.alphabet.clone(), labels: self.labels.clone(), world }
    }

    /// How many vertices and arcs there are.
    fn size(&self) -> (usize, usize) {
        (self.world.graph.len(), self.world.graph.arc_count())
    }
}

/// A boolean property: its name, and a byte for each vertex.
pub type Condition<'py> = (String, Bound<'py, PyBytes>);

/// The world with more boolean properties.
pub fn with_conditions<'w>(world: &'w core::World, conditions: &[Condition<'_>]) -> Cow<'w, core::World> {
    let mut world = Cow::Borrowed(world);
    for (name, truth) in conditions {
        let world = world.to_mut();
        let column = world.props.column_mut(name);
        let codes = [false, true].map(|b| column.intern(Value::Bool(b)));
        for (v, &byte) in truth.as_bytes().iter().enumerate().take(world.graph.len()) {
            column.set_code(Vertex(v as u32), codes[usize::from(byte != 0)]);
        }
    }
    world
}

/// Declares labels by name.
pub fn declare(py: Python<'_>, alphabet: &mut Alphabet, labels: &[(String, bool)]) -> PyResult<()> {
    for (name, observation) in labels {
        alphabet.declare(name, graph::kind(*observation)).map_err(|e| {
            plain(py, &e.to_string(), Some("give the action and the observation different names"))
        })?;
    }
    Ok(())
}

/// Adds a property.
pub fn fill(props: &mut Props, (name, values, codes): &Column<'_>, vertices: usize) {
    let column = props.column_mut(name);
    let interned: Vec<usize> = values.iter().map(|value| column.intern(value.clone().into())).collect();
    for (v, code) in numbers(codes.as_bytes()).take(vertices).enumerate() {
        if let Some(&code) = (code as usize).checked_sub(1).and_then(|code| interned.get(code)) {
            column.set_code(Vertex(v as u32), code);
        }
    }
}
