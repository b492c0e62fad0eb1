//! P-graphs between the two halves.

use divulge::{
    problem::{Arc, GraphError, Kind, Label, Names, PGraph, PGraphBuilder, Plan, Vertex},
    sets::BitSet,
};
use pyo3::{prelude::*, types::PyBytes};

use crate::error::plain;

/// A graph in numbers: the vertices' names, their kinds (a byte each, 1 for an observation vertex), the initial vertices, the
/// arcs (source, label, target), and the marked vertices (goal or terminal).
pub type Spec<'py> = (Vec<String>, Bound<'py, PyBytes>, Vec<u32>, Bound<'py, PyBytes>, Vec<u32>);

/// A graph whose vertices have names, and which of them are marked.
pub struct Parts {
    /// The structure.
    pub graph: PGraph,
    /// The names.
    pub names: Names,
    /// The marked vertices.
    pub marked: BitSet,
}

/// Numbers out of bytes.
pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|four| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]))
}

/// Numbers as bytes.
pub fn bytes<'py>(py: Python<'py>, numbers: impl IntoIterator<Item = u32>) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = numbers.into_iter().flat_map(u32::to_ne_bytes).collect();
    PyBytes::new(py, &all)
}

/// The kind that a byte stands for.
pub fn kind(observation: bool) -> Kind {
    if observation { Kind::Observation } else { Kind::Action }
}

/// Builds the graph; `labels` is how many labels there are, and `what` what it is called in messages.
pub fn build(spec: &Spec<'_>, labels: usize, what: &str) -> PyResult<Parts> {
    let (texts, kinds, initial, arcs, marked) = spec;
    let py = kinds.py();
    let names: Names = texts.iter().map(String::as_str).collect();
    if names.len() != texts.len() || kinds.as_bytes().len() != texts.len() {
        return Err(plain(py, &format!("two vertices of {what} have the same name"), None));
    }
    let mut b = PGraphBuilder::new();
    for &byte in kinds.as_bytes() {
        b.vertex(kind(byte != 0));
    }
    for &v in initial {
        b.initial(Vertex(v));
    }
    let mut arcs = numbers(arcs.as_bytes());
    while let (Some(from), Some(label), Some(to)) = (arcs.next(), arcs.next(), arcs.next()) {
        if label as usize >= labels {
            return Err(plain(py, &format!("an edge of {what} bears a label that is not known"), None));
        }
        b.arc(Vertex(from), Label(label), Vertex(to));
    }
    let graph = b.build().map_err(|e| wrong(py, &e, &names, what))?;
    let mut set = BitSet::new(graph.len());
    for &v in marked.iter().filter(|v| (**v as usize) < graph.len()) {
        set.insert(v as usize);
    }
    Ok(Parts { graph, names, marked: set })
}

fn wrong(py: Python<'_>, e: &GraphError, names: &Names, what: &str) -> PyErr {
    let name = |v: &Vertex| if v.index() < names.len() { names.name(v.0) } else { "?" };
    let (message, help) = match e {
        GraphError::NoInitial => (format!("{what} has no initial vertex"), "say where it starts"),
        GraphError::MixedInitial(a, b) => (
            format!("{what} starts with an action at `{}` and with an observation at `{}`", name(a), name(b)),
            "the initial vertices must all be of one kind",
        ),
        GraphError::NotAlternating(a, b) => (
            format!("in {what}, `{}` and `{}` are joined and of one kind", name(a), name(b)),
            "actions and observations must alternate",
        ),
        GraphError::NoSuchVertex(v) => {
            (format!("{what} has no vertex number {}", v.0), "say which vertices there are")
        }
        GraphError::TooLarge => (format!("{what} is too large"), "at most 2^32 - 2 vertices and arcs"),
    };
    plain(py, &message, Some(help))
}

/// The graph in numbers.
pub fn spec<'py>(py: Python<'py>, graph: &PGraph, names: &Names, marked: &BitSet) -> Spec<'py> {
    let kinds: Vec<u8> = graph.vertices().map(|v| u8::from(graph.kind(v) == Kind::Observation)).collect();
    let arcs = graph.all_arcs().flat_map(|(v, Arc { label, to })| [v.0, label.0, to.0]);
    (
        names.iter().map(str::to_owned).collect(),
        PyBytes::new(py, &kinds),
        graph.initial().iter().map(|v| v.0).collect(),
        bytes(py, arcs),
        marked.iter().map(|v| v as u32).collect(),
    )
}

/// A plan in numbers.
pub fn plan_spec<'py>(py: Python<'py>, plan: &Plan) -> Spec<'py> {
    spec(py, &plan.graph, &plan.names, &plan.terminal)
}

/// A plan out of numbers.
pub fn plan(given: &Spec<'_>, labels: usize) -> PyResult<Plan> {
    let Parts { graph, names, marked } = build(given, labels, "the plan")?;
    Ok(Plan { graph, names, terminal: marked })
}
