//! Sde(W): the state-determined expansion, by the subset construction.

use crate::{
    expansion::subsets::subsets,
    limit::{Limit, Monitor},
    problem::{Kind, Label, PGraph, Vertex, World},
    sets::{BitSet, SetId, SetStore},
};

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

/// Expands a world on so many threads, 0 for all there are, unless the monitor stops that: there may be exponentially many sets.
///
/// # Errors
/// The limit that was hit.
pub fn expand(
    world: &World,
    actions: Actions,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<Expansion, Limit> {
    let (graph, sets) = subsets(&world.graph, actions, threads, monitor)?;
    let goal =
        BitSet::from_fn(graph.len(), |s| sets.get(SetId(s as u32)).iter().all(|&v| world.is_goal(Vertex(v))));
    let stuck = stuck(world, &graph, &sets);
    Ok(Expansion { graph, sets, goal, stuck })
}

/// The observation vertices some member of which bears nothing. Most worlds have no such member, and then no set is looked at.
fn stuck(world: &World, graph: &PGraph, sets: &SetStore) -> BitSet {
    let world = &world.graph;
    let silent = BitSet::from_fn(world.len(), |v| {
        let v = Vertex(v as u32);
        world.kind(v) == Kind::Observation && world.arcs(v).is_empty()
    });
    if silent.is_empty() {
        return BitSet::new(graph.len());
    }
    BitSet::from_fn(graph.len(), |s| {
        let set = SetId(s as u32);
        graph.kind(Vertex(set.0)) == Kind::Observation
            && sets.get(set).iter().any(|&v| silent.contains(v as usize))
    })
}
