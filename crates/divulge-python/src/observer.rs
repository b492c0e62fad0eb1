//! Observers between the two halves.

use divulge::{
    formula::Formula,
    problem::{
        self as core, Alphabet, Filter, FilterGraph, Knows, Label, LabelMap, MapConstraints, NamedGraph,
        Names, Scope, Stipulation, World,
    },
    sets::BitSet,
};
use divulge_model::diagnostic::Code;
use pyo3::prelude::*;

use crate::{
    error::{self, plain},
    graph::{self, Parts, Spec},
};

/// What a sought map must respect, in numbers of labels.
#[derive(Clone, Debug, Default, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct Constraints {
    merge: Vec<Vec<u32>>,
    separate: Vec<Vec<u32>>,
    fixed: Vec<(u32, String)>,
    max_images: Option<usize>,
    min_images: Option<usize>,
    merge_cost: Vec<(u32, u32, u64)>,
    unseen: Vec<u32>,
}

/// An observer as a dictionary.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct Observer<'py> {
    name: Option<String>,
    /// The image of each label, if it is seen.
    map: Option<Vec<Option<String>>>,
    constraints: Constraints,
    /// One of the words of a document, or `plans` or `graph` with graphs.
    knows: (String, Vec<Spec<'py>>),
    /// One of the words of a document, or `graph` with a graph and the names of its images.
    filter: (String, Vec<Spec<'py>>, Vec<String>),
    stipulations: Vec<StipulationSpec>,
}

/// Name, scope, how many images later it is looked back at most, formula.
type StipulationSpec = (String, String, Option<u32>, String);

impl<'py> Observer<'py> {
    /// The observer of the core; stipulations are compared with the world at once.
    pub fn build(&self, py: Python<'_>, alphabet: &Alphabet, world: &World) -> PyResult<core::Observer> {
        let map = self.map.as_ref().map(|images| map(py, alphabet, images)).transpose()?;
        let all = self.stipulations.iter().map(|one| stipulation(py, world, one));
        Ok(core::Observer {
            name: self.name.clone(),
            map,
            constraints: self.constraints.build(),
            filter: self.filter(py)?,
            knows: self.knows(py, alphabet)?,
            stipulations: all.collect::<PyResult<_>>()?,
        })
    }

    fn knows(&self, py: Python<'_>, alphabet: &Alphabet) -> PyResult<Knows> {
        let (word, graphs) = &self.knows;
        Ok(match (word.as_str(), graphs.first()) {
            ("plan", _) => Knows::Plan,
            ("goal-directed", _) => Knows::GoalDirected,
            ("world", _) => Knows::World,
            ("plans", _) => {
                Knows::Plans(graphs.iter().map(|g| graph::plan(g, alphabet.len())).collect::<PyResult<_>>()?)
            }
            ("graph", Some(given)) => {
                let Parts { graph, names, .. } = graph::build(given, alphabet.len(), "the divulged graph")?;
                Knows::Graph(NamedGraph { graph, names })
            }
            _ => {
                let help =
                    "an observer knows \"plan\", \"goal-directed\", \"world\", a list of plans or a graph";
                return Err(plain(py, &format!("an observer cannot know `{word}`"), Some(help)));
            }
        })
    }

    fn filter(&self, py: Python<'_>) -> PyResult<Filter> {
        let (word, graphs, images) = &self.filter;
        Ok(match (word.as_str(), graphs.first()) {
            ("strongest", _) => Filter::Strongest,
            ("image", _) => Filter::Image,
            ("graph", Some(given)) => {
                let Parts { graph, names, .. } = graph::build(given, images.len(), "the filter")?;
                let images: Names = images.iter().map(String::as_str).collect();
                Filter::Graph(Box::new(FilterGraph { graph: NamedGraph { graph, names }, images }))
            }
            _ => {
                let help = "a filter is \"strongest\", \"image\" or a graph over images";
                return Err(plain(py, &format!("there is no filter `{word}`"), Some(help)));
            }
        })
    }

    /// The dictionary of an observer.
    pub fn of(py: Python<'py>, observer: &core::Observer, alphabet: &Alphabet) -> Self {
        let unmarked = |g: &NamedGraph| graph::spec(py, &g.graph, &g.names, &BitSet::new(0));
        let knows = match &observer.knows {
            Knows::Plan => ("plan", Vec::new()),
            Knows::GoalDirected => ("goal-directed", Vec::new()),
            Knows::World => ("world", Vec::new()),
            Knows::Plans(plans) => ("plans", plans.iter().map(|p| graph::plan_spec(py, p)).collect()),
            Knows::Graph(g) => ("graph", vec![unmarked(g)]),
        };
        let filter = match &observer.filter {
            Filter::Strongest => ("strongest", Vec::new(), Vec::new()),
            Filter::Image => ("image", Vec::new(), Vec::new()),
            Filter::Graph(filter) => {
                ("graph", vec![unmarked(&filter.graph)], filter.images.iter().map(str::to_owned).collect())
            }
        };
        let each = observer.stipulations.iter();
        Self {
            name: observer.name.clone(),
            map: observer.map.as_ref().map(|map| images(map, alphabet)),
            constraints: Constraints::of(&observer.constraints),
            knows: (knows.0.to_owned(), knows.1),
            filter: (filter.0.to_owned(), filter.1, filter.2),
            stipulations: each
                .map(|s| (s.name.clone(), s.scope.word().to_owned(), within(s.scope), s.formula.to_string()))
                .collect(),
        }
    }
}

impl Constraints {
    fn build(&self) -> MapConstraints {
        let groups =
            |all: &[Vec<u32>]| all.iter().map(|group| group.iter().map(|&l| Label(l)).collect()).collect();
        MapConstraints {
            merge: groups(&self.merge),
            separate: groups(&self.separate),
            fixed: self.fixed.iter().map(|(l, image)| (Label(*l), image.clone())).collect(),
            max_images: self.max_images,
            min_images: self.min_images,
            merge_cost: self.merge_cost.iter().map(|&(a, b, cost)| (Label(a), Label(b), cost)).collect(),
            unseen: self.unseen.iter().map(|&l| Label(l)).collect(),
        }
    }

    fn of(constraints: &MapConstraints) -> Self {
        let groups =
            |all: &[Vec<Label>]| all.iter().map(|group| group.iter().map(|l| l.0).collect()).collect();
        Self {
            merge: groups(&constraints.merge),
            separate: groups(&constraints.separate),
            fixed: constraints.fixed.iter().map(|(l, image)| (l.0, image.clone())).collect(),
            max_images: constraints.max_images,
            min_images: constraints.min_images,
            merge_cost: constraints.merge_cost.iter().map(|&(a, b, cost)| (a.0, b.0, cost)).collect(),
            unseen: constraints.unseen.iter().map(|l| l.0).collect(),
        }
    }

    /// Whether every label is one of the first `labels`.
    pub fn within(&self, labels: usize) -> bool {
        let groups = self.merge.iter().chain(&self.separate).flatten().copied();
        let fixed = self.fixed.iter().map(|(l, _)| *l);
        let pairs = self.merge_cost.iter().flat_map(|&(a, b, _)| [a, b]);
        let unseen = self.unseen.iter().copied();
        groups.chain(fixed).chain(pairs).chain(unseen).all(|l| (l as usize) < labels)
    }
}

impl Observer<'_> {
    /// Whether the constraints speak of the first `labels` labels alone.
    pub fn constraints_within(&self, labels: usize) -> bool {
        self.constraints.within(labels)
    }
}

fn map(py: Python<'_>, alphabet: &Alphabet, images: &[Option<String>]) -> PyResult<LabelMap> {
    if images.len() != alphabet.len() {
        return Err(plain(py, "the map must give an image of every label", None));
    }
    Ok(LabelMap::seen_from_fn(alphabet, |l| images[l.index()].as_ref()))
}

/// The name of each label's image, if it is seen.
pub fn images(map: &LabelMap, alphabet: &Alphabet) -> Vec<Option<String>> {
    alphabet.labels().map(|l| map.look(l).map(str::to_owned)).collect()
}

/// How many images later a stipulation in hindsight is looked back at most.
fn within(scope: Scope) -> Option<u32> {
    if let Scope::Hindsight { within } = scope { within } else { None }
}

fn stipulation(py: Python<'_>, world: &World, given: &StipulationSpec) -> PyResult<Stipulation> {
    let (name, word, within, text) = given;
    let scope = match word.as_str() {
        "always" => Scope::Always,
        "end" => Scope::End,
        "run" => Scope::Run,
        "hindsight" => Scope::Hindsight { within: *within },
        other => {
            let help = "a stipulation must hold \"always\", at the \"end\", of a \"run\" or in \"hindsight\"";
            return Err(plain(py, &format!("there is no scope `{other}`"), Some(help)));
        }
    };
    let read = Stipulation::new(name, scope, text)
        .map_err(|e| error::formula(py, name, text, &e, Code::DocFormula))?;
    divulge::formula::resolve::check(world, &read.formula)
        .map_err(|e| error::formula(py, name, text, &e, Code::DocFormulaWorld))?;
    if read.formula.is_temporal() && scope != Scope::Run {
        let message =
            format!("the stipulation `{name}` speaks of several moments, and its scope is `{word}`");
        return Err(plain(py, &message, Some("leave the scope out: it is \"run\" then")));
    }
    Ok(read)
}

/// Whether a text is a formula that speaks of other moments than the present one.
#[pyfunction]
pub fn is_temporal(text: &str) -> bool {
    text.parse::<Formula>().is_ok_and(|formula| formula.is_temporal())
}
