//! Sde(W): the state-determined expansion, by the subset construction.

use std::sync::OnceLock;

use crate::{
    expansion::{goal_directed::ranks_on, known::Sets, subsets::subsets},
    limit::{self, Limit, Monitor},
    problem::{Kind, Label, PGraph, Vertex, World},
    sets::{BitSet, Members},
};

/// So many sets are worth a thread, when each is looked at.
const MUCH: usize = 1 << 14;

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
    /// The set that each vertex is.
    sets: Sets,
    /// The vertices all of whose members are goals.
    pub goal: BitSet,
    /// The observation vertices some member of which bears nothing: whoever goes on there may wait for ever, so a plan
    /// must terminate there or keep away.
    pub stuck: BitSet,
    /// The ranks of its vertices, once somebody has asked.
    ranks: OnceLock<Vec<u32>>,
    /// How many threads may look for them.
    threads: usize,
}

impl Expansion {
    /// What [`ranks`](super::ranks) tells of a safe expansion that nobody has changed, found once.
    pub(crate) fn ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| ranks_on(self.threads, self))
    }

    /// The world vertices that an expanded vertex consists of, ascending.
    pub fn members(&self, v: Vertex) -> Members<'_> {
        self.sets.get(v.index())
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
    let goal = where_all(graph.len(), threads, |s| match sets.get(s) {
        Members::List(list) => list.iter().all(|&v| world.goal.contains(v as usize)),
        bits => bits.iter().all(|v| world.goal.contains(v as usize)),
    });
    let stuck = stuck(world, &graph, &sets, threads);
    Ok(Expansion { graph, sets, goal, stuck, ranks: OnceLock::new(), threads })
}

/// The observation vertices some member of which bears nothing. Most worlds have no such member, and then no set is looked at.
fn stuck(world: &World, graph: &PGraph, sets: &Sets, threads: usize) -> BitSet {
    let world = &world.graph;
    let silent = BitSet::from_fn(world.len(), |v| {
        let v = Vertex(v as u32);
        world.kind(v) == Kind::Observation && world.arcs(v).is_empty()
    });
    if silent.is_empty() {
        return BitSet::new(graph.len());
    }
    where_all(graph.len(), threads, |s| {
        graph.kind(Vertex(s as u32)) == Kind::Observation
            && sets.get(s).iter().any(|v| silent.contains(v as usize))
    })
}

/// The numbers below `len` of which something is true, on so many threads.
fn where_all(len: usize, threads: usize, holds: impl Fn(usize) -> bool + Sync) -> BitSet {
    let count = limit::threads(threads, len, MUCH);
    let first = |share: usize| len.div_ceil(64) * share / count;
    let mut shares: Vec<_> = (0..count).map(|share| (first(share)..first(share + 1), Vec::new())).collect();
    let done: Result<(), ()> = limit::together(&mut shares, |(range, words)| {
        words.extend(range.clone().map(|word| {
            let of_word = (word * 64..len.min(word * 64 + 64)).rev();
            of_word.fold(0, |bits, n| bits << 1 | u64::from(holds(n)))
        }));
        Ok(())
    });
    debug_assert!(done.is_ok(), "nothing goes wrong");
    BitSet::from_words(shares.into_iter().flat_map(|(_, words)| words).collect(), len)
}
