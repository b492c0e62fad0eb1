//! One breadth-first walk of executions together with the observer who watches them.

use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashSet;

use crate::{
    limit::{Limit, Monitor, Progress, Team, with_team, worth},
    observer::{Ahead, StateId, Tracker, Unknown, shares},
    problem::{Label, LabelMap, PGraph, Vertex},
    verdict::{Reason, Violation},
};

/// How many nodes are explored between two looks at the monitor.
const POLL: usize = 1024;

/// So many nodes are looked ahead at most.
const BLOCK: usize = 256;

/// So many words of beliefs are worth a thread, and so many that nodes may have in all are worth a team.
const BELIEFS: usize = 1 << 10;
const MUCH: usize = 1 << 18;

/// A pair of a vertex and the observer's state that some execution reaches.
struct Node {
    at: Vertex,
    state: StateId,
    came: Option<(u32, Label)>,
}

/// The pairs that were reached. Most vertices are reached with one state, which is kept beside the vertex.
struct Seen {
    first: Vec<Option<StateId>>,
    more: FxHashSet<(Vertex, StateId)>,
}

impl Seen {
    fn new(graph: &PGraph) -> Self {
        Self { first: vec![None; graph.len()], more: FxHashSet::default() }
    }

    /// Adds a pair; tells whether it was new.
    fn insert(&mut self, at: Vertex, state: StateId) -> bool {
        match &mut self.first[at.index()] {
            Some(first) => *first != state && self.more.insert((at, state)),
            none => {
                *none = Some(state);
                true
            }
        }
    }
}

/// The pairs (vertex of a graph, observer's state) that executions of the graph reach, shortest executions first.
pub struct Walk {
    nodes: Vec<Node>,
    next: usize,
}

/// Somebody who looks ahead: from which of the observer's states, and what was found.
#[derive(Default)]
struct Scout {
    some: Vec<Unknown>,
    ahead: Ahead,
}

/// Those who look ahead for a walk.
struct Scouts<'s, 't, 'a> {
    shared: &'s RwLock<&'t mut Tracker<'a>>,
    team: &'s Team<'s, Scout>,
    all: Vec<Scout>,
}

impl<'s, 't, 'a> Scouts<'s, 't, 'a> {
    fn tracker(&self) -> impl std::ops::DerefMut<Target = &'t mut Tracker<'a>> + use<'s, 't, 'a> {
        self.shared.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds where states lead that the walk is about to come to, if that is worth it.
    fn look_ahead(&mut self, states: impl Iterator<Item = StateId>) {
        if self.team.pieces(usize::MAX, 1) == 1 {
            return;
        }
        let mut tracker = self.tracker();
        let all = tracker.unknown(&states.collect::<Vec<_>>());
        let count = self.team.pieces(all.len() * tracker.words(), BELIEFS).min(all.len());
        if count < 2 {
            return;
        }
        drop(tracker);
        self.all.resize_with(self.all.len().max(count), Scout::default);
        let rest = self.all.split_off(count);
        let mut shares = shares(&all, count);
        for scout in &mut self.all {
            scout.some = shares.next().unwrap_or_default().to_vec();
        }
        self.team.round(&mut self.all);
        tracker = self.tracker();
        self.all.iter_mut().for_each(|scout| scout.ahead.write_down(&mut tracker));
        drop(tracker);
        self.all.extend(rest);
    }
}

/// What a walk comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The vertex of the graph.
    pub at: Vertex,
    /// The observer's state.
    pub state: StateId,
    number: usize,
}

impl Walk {
    /// Visits every pair and stops at the first for which `found` holds, if there is one. It also
    /// ends at an execution that the observer does not expect. As many threads as `threads` help, 0 for all there are.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn until(
        graph: &PGraph,
        tracker: &mut Tracker<'_>,
        map: &LabelMap,
        (threads, monitor): (usize, &dyn Monitor),
        found: impl FnMut(&Tracker<'_>, Met) -> bool,
    ) -> Result<(Self, Outcome), Limit> {
        let threads = if graph.len().saturating_mul(tracker.words()) < worth(MUCH) { 1 } else { threads };
        let shared = RwLock::new(tracker);
        with_team(
            threads,
            |scout: &mut Scout| {
                let tracker = shared.read().unwrap_or_else(PoisonError::into_inner);
                tracker.look_ahead(&scout.some, &mut scout.ahead);
            },
            |team| {
                Self::led(graph, map, &mut Scouts { shared: &shared, team, all: Vec::new() }, monitor, found)
            },
        )
    }

    fn led(
        graph: &PGraph,
        map: &LabelMap,
        scouts: &mut Scouts<'_, '_, '_>,
        monitor: &dyn Monitor,
        mut found: impl FnMut(&Tracker<'_>, Met) -> bool,
    ) -> Result<(Self, Outcome), Limit> {
        let start = scouts.tracker().initial();
        let initial = graph.initial().iter();
        let nodes: Vec<Node> = initial.map(|&at| Node { at, state: start, came: None }).collect();
        let mut seen = Seen::new(graph);
        for node in &nodes {
            seen.insert(node.at, node.state);
        }
        let mut walk = Self { nodes, next: 0 };
        let mut ahead = 0;
        while walk.next < walk.nodes.len() {
            if walk.next == ahead {
                ahead = walk.nodes.len().min(ahead + BLOCK);
                let sees =
                    |node: &&Node| graph.arcs(node.at).iter().any(|arc| map.image(arc.label).is_some());
                scouts.look_ahead(walk.nodes[walk.next..ahead].iter().filter(sees).map(|node| node.state));
            }
            let tracker = &mut *scouts.tracker();
            while walk.next < ahead {
                let number = walk.next;
                let Node { at, state, .. } = walk.nodes[number];
                if number.is_multiple_of(POLL) {
                    let (doing, explored, stored) =
                        ("following executions", number as u64, tracker.len() as u64);
                    monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
                }
                let met = Met { at, state, number };
                if found(tracker, met) {
                    return Ok((walk, Outcome::Found(met)));
                }
                let mut last = None;
                for arc in graph.arcs(at) {
                    // Arcs that look alike often stand side by side.
                    let image = map.image(arc.label);
                    let known = last.filter(|&(other, _)| other == image).map(|(_, to)| to);
                    let Some(to) = known.or_else(|| tracker.step(state, image)) else {
                        return Ok((walk, Outcome::Unexpected));
                    };
                    last = Some((image, to));
                    if seen.insert(arc.to, to) {
                        walk.nodes.push(Node {
                            at: arc.to,
                            state: to,
                            came: Some((number as u32, arc.label)),
                        });
                    }
                }
                walk.next += 1;
            }
        }
        Ok((walk, Outcome::Everything))
    }

    /// A shortest execution that leads there.
    pub fn execution(&self, met: Met) -> Vec<Label> {
        let mut back = Vec::new();
        let mut at = met.number;
        while let Some((from, label)) = self.nodes[at].came {
            back.push(label);
            at = from as usize;
        }
        back.reverse();
        back
    }
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What was looked for was found.
    Found(Met),
    /// Every pair was visited.
    Everything,
    /// There is an execution that the observer does not expect.
    Unexpected,
}

/// A shortest execution of `graph` that breaks a stipulation, as a violation, with the vertex where it ends. `ends` tells where a plan
/// terminates; `limits` are the threads and the monitor. The observer must expect every execution.
pub(crate) fn broken(
    graph: &PGraph,
    tracker: &mut Tracker<'_>,
    map: &LabelMap,
    ends: impl Fn(Vertex) -> bool,
    limits: (usize, &dyn Monitor),
) -> Result<Option<(Vertex, Violation)>, Limit> {
    let (walk, outcome) = Walk::until(graph, tracker, map, limits, |tracker, met| {
        tracker.course(met.state).broken(ends(met.at)).is_some()
    })?;
    debug_assert_ne!(outcome, Outcome::Unexpected, "the observer expects every execution");
    let Outcome::Found(met) = outcome else { return Ok(None) };
    Ok(Some((met.at, violation(tracker, map, met.state, ends(met.at), walk.execution(met)))))
}

/// The violation that an execution shows after which the observer is in this state.
pub(crate) fn violation(
    tracker: &mut Tracker<'_>,
    map: &LabelMap,
    state: StateId,
    ends: bool,
    execution: Vec<Label>,
) -> Violation {
    let mut violation = Violation::new(Reason::Stipulation, execution);
    violation.stipulation = tracker.broken(state, ends);
    violation.estimate = Some(tracker.estimate(state));
    if let Some((moment, estimate)) =
        violation.stipulation.and_then(|s| tracker.in_hindsight(s, map, &violation.execution))
    {
        (violation.moment, violation.estimate) = (Some(moment), Some(estimate));
    }
    violation
}
