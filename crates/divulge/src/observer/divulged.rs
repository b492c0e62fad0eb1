//! The divulged plan D: what the observer knows of the plan beforehand, in the five ways of stating it.

use std::{borrow::Cow, sync::Arc};

use crate::{
    expansion::{Expansion, by_ranks},
    graph::{product, union},
    limit::{Limit, Monitor},
    problem::{Filter, Knows, PGraph, Plan, Vertex},
    sets::Members,
    verdict::QuestionError,
};

/// The executions in L(W) ∩ L(D) as a p-graph, whose vertices stand for world vertices.
#[derive(Clone, Debug)]
pub struct Tracked<'a> {
    /// The graph that the observer's beliefs are sets of vertices of.
    pub graph: Cow<'a, PGraph>,
    stands_for: StandsFor,
}

#[derive(Clone, Debug)]
enum StandsFor {
    /// The graph is the world.
    Itself,
    /// A vertex of W ⊗ D stands for its world vertex.
    One(Vec<u32>),
    /// An expanded vertex stands for all of its members.
    Set(Arc<Expansion>),
}

impl<'a> Tracked<'a> {
    /// The world itself: nothing is known of the plan.
    pub fn world(world: &'a PGraph) -> Self {
        Self { graph: Cow::Borrowed(world), stands_for: StandsFor::Itself }
    }

    /// Whether the graph is the world, and every vertex stands for itself.
    pub fn is_world(&self) -> bool {
        matches!(self.stands_for, StandsFor::Itself)
    }

    /// Whether an observer of `world` with this filter forgets nothing that bears on its estimate, so that its states are beliefs. Where the
    /// graph is the world, the executions that lead to exactly the vertices B of h⟨W⟩ are those after which B is the belief.
    pub fn recalled_by(&self, filter: &Filter, world: &PGraph) -> bool {
        match filter {
            Filter::Strongest => true,
            Filter::Image => self.is_world() && std::ptr::eq(&*self.graph, world),
            Filter::Graph(_) => false,
        }
    }

    /// The world vertices that a tracked vertex stands for.
    pub fn world_vertices(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let (one, many) = match &self.stands_for {
            StandsFor::Itself => (Some(v.0), Members::List(&[])),
            StandsFor::One(world) => (Some(world[v.index()]), Members::List(&[])),
            StandsFor::Set(expansion) => (None, expansion.members(v)),
        };
        one.into_iter().chain(many.iter()).map(Vertex)
    }
}

/// Which joint executions the divulged plan admits.
#[derive(Clone, Debug)]
pub enum Admits {
    /// All that there can be.
    Everything,
    /// Those of this graph.
    Graph(PGraph),
    /// None, not even the empty one: the goal cannot be forced, so there is no plan to expect.
    Nothing,
}

/// A divulged plan, ready to be used.
#[derive(Clone, Debug)]
pub struct Divulged<'a> {
    /// What the observer tracks; `None` where nothing is admitted.
    pub tracked: Option<Tracked<'a>>,
    /// What it admits.
    pub admits: Admits,
}

impl<'a> Divulged<'a> {
    /// What an observer who `knows` this expects; `plan` is the plan that `knows: plan` speaks of. `expansion` gives the world's safe
    /// expansion where it is needed. `single` asks that every tracked vertex stands for one world vertex.
    ///
    /// # Errors
    /// If that plan is missing, if a graph starts with another kind of vertex than the world, or the limit that was hit.
    pub fn new(
        world: &'a PGraph,
        knows: &Knows,
        plan: Option<&Plan>,
        expansion: impl FnOnce() -> Result<Arc<Expansion>, Limit>,
        single: bool,
        monitor: &dyn Monitor,
    ) -> Result<Self, QuestionError> {
        match knows {
            Knows::World => Ok(Self { tracked: Some(Tracked::world(world)), admits: Admits::Everything }),
            Knows::Plan => {
                let plan = plan.ok_or(QuestionError::NeedsPlan("the observer knows the plan"))?;
                let tracked = joint(world, &plan.effective(), "the plan", monitor)?;
                Ok(Self { tracked: Some(tracked), admits: Admits::Everything })
            }
            Knows::Plans(plans) => {
                let parts: Vec<PGraph> = plans.iter().map(Plan::effective).collect();
                for part in &parts {
                    same_kind(world, part, "a plan that the observer knows of")?;
                }
                let graph = union(&parts).map_err(|_| QuestionError::NoPlans)?;
                Self::of_graph(world, graph, "a plan that the observer knows of", monitor)
            }
            Knows::Graph(graph) => Self::of_graph(world, graph.graph.clone(), "the divulged graph", monitor),
            Knows::GoalDirected => {
                let expansion = expansion()?;
                let Some(graph) = by_ranks(&expansion, expansion.ranks()) else {
                    return Ok(Self { tracked: None, admits: Admits::Nothing });
                };
                if single {
                    return Self::of_graph(world, graph, "the divulged graph", monitor);
                }
                let stands_for = StandsFor::Set(expansion);
                let tracked = Some(Tracked { graph: Cow::Owned(graph.clone()), stands_for });
                Ok(Self { tracked, admits: Admits::Graph(graph) })
            }
        }
    }

    fn of_graph(
        world: &PGraph,
        graph: PGraph,
        what: &'static str,
        monitor: &dyn Monitor,
    ) -> Result<Self, QuestionError> {
        Ok(Self { tracked: Some(joint(world, &graph, what, monitor)?), admits: Admits::Graph(graph) })
    }
}

fn joint(
    world: &PGraph,
    divulged: &PGraph,
    what: &'static str,
    monitor: &dyn Monitor,
) -> Result<Tracked<'static>, QuestionError> {
    same_kind(world, divulged, what)?;
    let joint = product(world, divulged, monitor)?;
    let stands_for = StandsFor::One(joint.pairs.iter().map(|(w, _)| w.0).collect());
    Ok(Tracked { graph: Cow::Owned(joint.graph), stands_for })
}

fn same_kind(world: &PGraph, other: &PGraph, what: &'static str) -> Result<(), QuestionError> {
    if world.initial_kind() == other.initial_kind() { Ok(()) } else { Err(QuestionError::OtherKind(what)) }
}
