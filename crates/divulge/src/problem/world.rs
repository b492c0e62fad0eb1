//! Worlds: what the robot can do, what it may observe, and where it should get to.

use crate::{
    problem::{
        alphabet::{Alphabet, Kind, KindConflict},
        formula::Test,
        names::Names,
        pgraph::{GraphError, PGraph, PGraphBuilder, Vertex},
        props::{Props, Value},
    },
    sets::BitSet,
};

/// A p-graph whose vertices have names. The labels are those of some [`Alphabet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGraph {
    /// The structure.
    pub graph: PGraph,
    /// Vertex names, in the order of the vertex ids.
    pub names: Names,
}

impl NamedGraph {
    /// A vertex's name.
    pub fn name(&self, v: Vertex) -> &str {
        self.names.name(v.0)
    }
}

/// A world: a p-graph with goal vertices and properties on vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The structure.
    pub graph: PGraph,
    /// Vertex names, in the order of the vertex ids.
    pub names: Names,
    /// The goal vertices, of either kind.
    pub goal: BitSet,
    /// Properties of the vertices.
    pub props: Props,
    /// For a world whose vertices also tell what the way to them was like: the world it comes from.
    pub past: Option<Box<Past>>,
}

/// What an unfolded world comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The world itself.
    pub base: World,
    /// The vertex of that world that each unfolded vertex is.
    pub of: Vec<Vertex>,
    /// What is asked about the past, each with the unfolded vertices where it is so.
    pub tests: Vec<(Test, BitSet)>,
}

impl Past {
    /// Whether something asked about the past is so at an unfolded vertex.
    pub fn holds(&self, test: &Test, v: Vertex) -> bool {
        self.tests.iter().any(|(asked, set)| asked == test && set.contains(v.index()))
    }
}

impl World {
    /// A vertex's name.
    pub fn name(&self, v: Vertex) -> &str {
        self.names.name(v.0)
    }

    /// The vertex called `name`.
    pub fn vertex(&self, name: &str) -> Option<Vertex> {
        self.names.get(name).map(Vertex)
    }

    /// The world whose vertices people named: this one, or the one that it was unfolded from.
    pub fn base(&self) -> &World {
        self.past.as_ref().map_or(self, |past| &past.base)
    }

    /// The vertex of [`base`](Self::base) that `v` is.
    pub fn base_vertex(&self, v: Vertex) -> Vertex {
        self.past.as_ref().map_or(v, |past| past.of[v.index()])
    }

    /// The name that people gave the vertex.
    pub fn base_name(&self, v: Vertex) -> &str {
        self.base().name(self.base_vertex(v))
    }

    /// Whether `v` is a goal vertex.
    pub fn is_goal(&self, v: Vertex) -> bool {
        self.goal.contains(v.index())
    }
}

/// A plan: a p-graph with terminal vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The structure. Edges out of terminal vertices may be there, but never count: see [`Plan::effective`].
    pub graph: PGraph,
    /// Vertex names, in the order of the vertex ids.
    pub names: Names,
    /// The terminal vertices, of either kind.
    pub terminal: BitSet,
}

impl Plan {
    /// A vertex's name.
    pub fn name(&self, v: Vertex) -> &str {
        self.names.name(v.0)
    }

    /// Whether the plan terminates at `v`.
    pub fn is_terminal(&self, v: Vertex) -> bool {
        self.terminal.contains(v.index())
    }

    /// The action vertices that offer more than one action.
    pub fn choosing(&self) -> Vec<Vertex> {
        let offers = |v: Vertex| self.graph.labels(v).nth(1).is_some() && !self.is_terminal(v);
        let acting = self.graph.vertices().filter(|&v| self.graph.kind(v) == Kind::Action);
        acting.filter(|&v| offers(v)).collect()
    }

    /// The graph without the edges out of terminal vertices: an execution stops where the plan terminates.
    pub fn effective(&self) -> PGraph {
        self.graph.ending_at(|v| self.is_terminal(v))
    }
}

/// Why a graph could not be built from names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A name that no vertex has.
    #[error("there is no vertex called `{0}`")]
    NoSuchVertex(String),
    /// Two vertices of one name.
    #[error("there are two vertices called `{0}`")]
    Twice(String),
    /// A label of both kinds.
    #[error(transparent)]
    Kind(#[from] KindConflict),
    /// The structure is not a p-graph's.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Builds a world or a plan from names, for programs that compute their worlds.
///
/// The first mistake is kept and reported by [`world`](Self::world) or [`plan`](Self::plan), so calls can be chained.
#[derive(Debug)]
pub struct Builder<'a> {
    alphabet: &'a mut Alphabet,
    graph: PGraphBuilder,
    names: Names,
    marked: Vec<Vertex>,
    props: Props,
    error: Option<BuildError>,
}

impl<'a> Builder<'a> {
    /// Nothing yet; labels are declared in `alphabet`.
    pub fn new(alphabet: &'a mut Alphabet) -> Self {
        Self {
            alphabet,
            graph: PGraphBuilder::new(),
            names: Names::new(),
            marked: Vec::new(),
            props: Props::new(),
            error: None,
        }
    }

    /// Adds a vertex.
    pub fn vertex(&mut self, name: &str, kind: Kind) -> &mut Self {
        if self.names.intern(name).1 {
            self.graph.vertex(kind);
        } else {
            self.fail(BuildError::Twice(name.to_owned()));
        }
        self
    }

    /// Adds action vertices.
    pub fn actions<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            self.vertex(name, Kind::Action);
        }
        self
    }

    /// Adds observation vertices.
    pub fn observations<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            self.vertex(name, Kind::Observation);
        }
        self
    }

    /// Makes a vertex initial.
    pub fn initial(&mut self, name: &str) -> &mut Self {
        if let Some(v) = self.find(name) {
            self.graph.initial(v);
        }
        self
    }

    /// Marks a vertex: a goal of a world, a terminal vertex of a plan.
    pub fn mark(&mut self, name: &str) -> &mut Self {
        if let Some(v) = self.find(name) {
            self.marked.push(v);
        }
        self
    }

    /// Sets a property of a vertex of a world.
    pub fn prop(&mut self, name: &str, property: &str, value: impl Into<Value>) -> &mut Self {
        if let Some(v) = self.find(name) {
            self.props.set(v, property, value);
        }
        self
    }

    /// Adds an edge that bears `labels`, which are actions or observations as its source is.
    pub fn edge<'n>(&mut self, from: &str, labels: impl IntoIterator<Item = &'n str>, to: &str) -> &mut Self {
        let (Some(from), Some(to)) = (self.find(from), self.find(to)) else { return self };
        for name in labels {
            match self.alphabet.declare(name, self.graph.kind(from)) {
                Ok(label) => self.graph.arc(from, label, to),
                Err(e) => self.fail(e.into()),
            }
        }
        self
    }

    /// The world, its marked vertices the goal.
    ///
    /// # Errors
    /// The first mistake made while building.
    pub fn world(self) -> Result<World, BuildError> {
        let (graph, names, goal, props) = self.parts()?;
        Ok(World { graph, names, goal, props, past: None })
    }

    /// The plan, its marked vertices terminal.
    ///
    /// # Errors
    /// The first mistake made while building.
    pub fn plan(self) -> Result<Plan, BuildError> {
        let (graph, names, terminal, _) = self.parts()?;
        Ok(Plan { graph, names, terminal })
    }

    fn parts(self) -> Result<(PGraph, Names, BitSet, Props), BuildError> {
        if let Some(e) = self.error {
            return Err(e);
        }
        let graph = self.graph.build()?;
        let mut marked = BitSet::new(graph.len());
        for v in self.marked {
            marked.insert(v.index());
        }
        Ok((graph, self.names, marked, self.props))
    }

    fn find(&mut self, name: &str) -> Option<Vertex> {
        let found = self.names.get(name).map(Vertex);
        if found.is_none() {
            self.fail(BuildError::NoSuchVertex(name.to_owned()));
        }
        found
    }

    fn fail(&mut self, e: BuildError) {
        self.error.get_or_insert(e);
    }
}
