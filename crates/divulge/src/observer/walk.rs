//! One breadth-first walk of executions together with the observer who watches them.

use rustc_hash::FxHashSet;

use crate::{
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracker},
    problem::{Label, LabelMap, PGraph, Scope, Vertex},
    verdict::{Reason, Violation},
};
/// How many nodes are explored between two looks at the monitor.
const POLL: usize = 1024;

/// Where a walk found a stipulation broken.
pub(crate) struct Broken {
    pub at: Vertex,
    pub state: StateId,
    pub scope: Scope,
    pub execution: Vec<Label>,
}

impl Broken {
    /// The violation as an answer.
    pub fn violation(self, tracker: &Tracker<'_>) -> Violation {
        let mut violation = Violation::new(Reason::Stipulation, self.execution);
        violation.stipulation = tracker.broken(self.state, self.scope);
        violation.estimate = Some(tracker.estimate(self.state));
        violation
    }
}

struct Node {
    at: Vertex,
    state: StateId,
    came: Option<(u32, Label)>,
}

/// Visits every pair (vertex of `graph`, observer's state) that an execution of `graph` reaches, shortest executions first, and
/// stops at the first whose estimate breaks a stipulation of one of the scopes that `scopes` names for the vertex.
/// The observer must expect every execution of `graph`.
pub(crate) fn walk(
    graph: &PGraph,
    tracker: &mut Tracker<'_>,
    map: &LabelMap,
    scopes: impl Fn(Vertex) -> &'static [Scope],
    monitor: &dyn Monitor,
) -> Result<Option<Broken>, Limit> {
    let start = tracker.initial();
    let mut nodes: Vec<Node> =
        graph.initial().iter().map(|&at| Node { at, state: start, came: None }).collect();
    let mut seen: FxHashSet<(Vertex, StateId)> = nodes.iter().map(|n| (n.at, n.state)).collect();
    let mut next = 0;
    while let Some(&Node { at, state, .. }) = nodes.get(next) {
        if next % POLL == 0 {
            let (explored, stored) = (next as u64, tracker.len() as u64);
            monitor.poll(&Progress {
                doing: "following executions",
                explored,
                stored,
                ..Progress::default()
            })?;
        }
        if let Some(&scope) = scopes(at).iter().find(|&&scope| !tracker.holds(state, scope)) {
            return Ok(Some(Broken { at, state, scope, execution: execution(&nodes, next) }));
        }
        for arc in graph.arcs(at) {
            let to = tracker.step(state, map.image(arc.label)).expect("the observer expects every execution");
            if seen.insert((arc.to, to)) {
                nodes.push(Node { at: arc.to, state: to, came: Some((next as u32, arc.label)) });
            }
        }
        next += 1;
    }
    Ok(None)
}

fn execution(nodes: &[Node], mut at: usize) -> Vec<Label> {
    let mut back = Vec::new();
    while let Some((from, label)) = nodes[at].came {
        back.push(label);
        at = from as usize;
    }
    back.reverse();
    back
}
