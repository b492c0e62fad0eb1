//! Languages: tracing executions, and inclusion with a shortest separating execution.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::{
    limit::{Limit, Monitor, Progress},
    problem::{Label, PGraph, Vertex},
    sets::{SetId, SetStore},
};

/// The vertices that one more event reaches from a set, ascending.
pub fn follow(graph: &PGraph, set: &[Vertex], label: Label) -> Vec<Vertex> {
    let mut next: Vec<Vertex> = set.iter().flat_map(|&v| graph.step(v, label)).map(|arc| arc.to).collect();
    next.sort_unstable();
    next.dedup();
    next
}

/// The vertices that `execution` reaches; empty if it is none of the graph's executions.
pub fn trace(graph: &PGraph, execution: &[Label]) -> Vec<Vertex> {
    execution.iter().fold(graph.initial().to_vec(), |reached, &label| follow(graph, &reached, label))
}

/// The vertices that one more event reaches from a set.
pub(crate) fn post(graph: &PGraph, set: &[u32], label: Label, out: &mut Vec<u32>) {
    out.clear();
    out.extend(set.iter().flat_map(|&v| graph.step(Vertex(v), label)).map(|arc| arc.to.0));
    out.sort_unstable();
    out.dedup();
}

/// Sets of vertices of one graph, each stored once, and where events lead from those that were asked about.
#[derive(Debug)]
pub(crate) struct Followed<'g> {
    graph: &'g PGraph,
    /// The sets.
    pub sets: SetStore,
    next: FxHashMap<(SetId, Label), Option<SetId>>,
    post: Vec<u32>,
}

impl<'g> Followed<'g> {
    /// The initial vertices, as the first set.
    pub fn new(graph: &'g PGraph) -> Self {
        let mut sets = SetStore::new();
        sets.intern(&graph.initial().iter().map(|v| v.0).collect::<Vec<_>>());
        Self { graph, sets, next: FxHashMap::default(), post: Vec::new() }
    }

    /// Where the graph begins.
    pub fn start(&self) -> SetId {
        SetId(0)
    }

    /// The set that an event leads to from a set; `None` if it leads nowhere. Many nodes share a large set, so that is found once.
    pub fn step(&mut self, set: SetId, label: Label) -> Option<SetId> {
        let Self { graph, sets, next, post: out } = self;
        let one = sets.get(set).len() == 1;
        let mut find = || {
            post(graph, sets.get(set), label, out);
            (!out.is_empty()).then(|| sets.intern(out))
        };
        if one {
            return find();
        }
        *next.entry((set, label)).or_insert_with(find)
    }
}

/// The node before, and the event from there; nothing for a start.
type Came = Option<(Vertex, SetId, Label)>;

/// How many arcs are followed between two looks at the monitor.
const POLL: u64 = 4096;

/// `None` if every execution of `small` is one of `large`; else a shortest one that is not. There may be exponentially many sets of
/// vertices of `large` to visit.
///
/// # Errors
/// The limit that was hit.
pub fn separating_execution(
    small: &PGraph,
    large: &PGraph,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Label>>, Limit> {
    let mut followed = Followed::new(large);
    let start = followed.start();
    let mut from: FxHashMap<(Vertex, SetId), Came> = FxHashMap::default();
    let mut queue: VecDeque<(Vertex, SetId)> = VecDeque::new();
    for &v in small.initial() {
        from.insert((v, start), None);
        queue.push_back((v, start));
    }
    let mut explored = 0;
    while let Some((v, set)) = queue.pop_front() {
        for arc in small.arcs(v) {
            if explored % POLL == 0 {
                let (doing, stored) = ("comparing languages", followed.sets.len() as u64);
                monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
            }
            explored += 1;
            let Some(next) = followed.step(set, arc.label) else {
                let mut back = vec![arc.label];
                let mut at = (v, set);
                while let Some((v, set, label)) = from[&at] {
                    back.push(label);
                    at = (v, set);
                }
                back.reverse();
                return Ok(Some(back));
            };
            let to = (arc.to, next);
            from.entry(to).or_insert_with(|| {
                queue.push_back(to);
                Some((v, set, arc.label))
            });
        }
    }
    Ok(None)
}
