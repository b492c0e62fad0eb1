//! Sde(W): the state-determined expansion, by the subset construction.

use crate::{
    expansion::steps::Steps,
    limit::{Limit, Monitor, Progress},
    problem::{InOrder, Kind, Label, PGraph, Vertex, World},
    sets::{BitSet, SetId, SetStore},
};

/// What is said to be done while the vertices of the expanded world are found.
pub const EXPANDING: &str = "expanding the world";

/// How many sets are expanded between two looks at the monitor.
const POLL: usize = 1024;

/// Which actions an expansion follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// Those that some world vertex of a set has: the language is the world's.
    Some,
    /// Those that *every* world vertex of a set has: what a plan may do.
    Safe,
}

/// The sets of world vertices that the robot cannot tell apart, as a state-determined p-graph.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The structure: one initial vertex, no label twice at a vertex.
    pub graph: PGraph,
    /// The set that each vertex is: vertex i is the set with id i.
    pub sets: SetStore,
    /// The vertices all of whose members are goals.
    pub goal: BitSet,
    /// The observation vertices some member of which bears nothing: whoever goes on there may wait for ever, so a plan
    /// must terminate there or keep away.
    pub stuck: BitSet,
}

impl Expansion {
    /// The world vertices that an expanded vertex consists of, ascending.
    pub fn members(&self, v: Vertex) -> &[u32] {
        self.sets.get(SetId(v.0))
    }

    /// The one initial vertex.
    pub fn initial(&self) -> Vertex {
        self.graph.initial()[0]
    }

    /// Where an event leads, if it is borne at `v`.
    pub fn next(&self, v: Vertex, label: Label) -> Option<Vertex> {
        self.graph.step(v, label).first().map(|arc| arc.to)
    }
}

/// Expands a world, unless the monitor stops that: there may be exponentially many sets.
///
/// # Errors
/// The limit that was hit.
pub fn expand(world: &World, actions: Actions, monitor: &dyn Monitor) -> Result<Expansion, Limit> {
    let (graph, sets) = subsets(&world.graph, actions, monitor)?;
    let goal =
        BitSet::from_fn(graph.len(), |s| sets.get(SetId(s as u32)).iter().all(|&v| world.is_goal(Vertex(v))));
    let silent = |v: u32| world.graph.arcs(Vertex(v)).is_empty();
    let stuck = BitSet::from_fn(graph.len(), |s| {
        let set = SetId(s as u32);
        graph.kind(Vertex(set.0)) == Kind::Observation && sets.get(set).iter().any(|&v| silent(v))
    });
    Ok(Expansion { graph, sets, goal, stuck })
}

/// The subset construction of any p-graph.
///
/// # Errors
/// The limit that was hit.
pub fn subsets(graph: &PGraph, actions: Actions, monitor: &dyn Monitor) -> Result<(PGraph, SetStore), Limit> {
    let mut sets = SetStore::new();
    sets.intern(&graph.initial().iter().map(|v| v.0).collect::<Vec<_>>());
    let mut expanded = InOrder::new(graph.initial_kind());
    let mut steps = Steps::new(graph);
    let mut at = 0;
    while at < sets.len() {
        if at % POLL == 0 {
            monitor.poll(&Progress { doing: EXPANDING, explored: at as u64, ..Progress::default() })?;
        }
        let kind = expanded.kind(Vertex(at as u32));
        let by_all = kind == Kind::Action && actions == Actions::Safe;
        steps.of(sets.get(SetId(at as u32)), by_all).each(|label, next| {
            let to = sets.intern(next);
            if to.index() == expanded.len() {
                expanded.vertex(kind.other());
            }
            expanded.arc(label, Vertex(to.0));
        });
        // As many arcs as this would not fit into memory either.
        expanded.end().map_err(|_| Limit::Memory)?;
        at += 1;
    }
    Ok((expanded.build(), sets))
}
