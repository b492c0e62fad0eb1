//! What the robot may do and must foresee, as far as the divulged plan admits it: the game without the observer.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::{
    expansion::Expansion,
    graph::{Followed, induction},
    limit::{Limit, Monitor, Progress},
    observer::Admits,
    problem::{Kind, Knows, Label, PGraph, PGraphBuilder, Vertex},
    sets::{BitSet, SetId},
    setting::Setting,
    verdict::QuestionError,
};

/// How many vertices are expanded between two looks at the monitor.
const POLL: usize = 1024;

/// The robot's states, each an expanded vertex and the vertices of D that its execution reached, as a state-determined graph
/// whose actions are safe and admitted.
pub(crate) struct Robot<'a> {
    pub graph: Cow<'a, PGraph>,
    /// Where executions start.
    pub start: u32,
    /// The expanded vertex of each state; if absent, states are the expanded vertices themselves.
    pub(super) at: Option<Vec<Vertex>>,
    /// Where the robot may stop, as far as the world is concerned.
    pub goal: Cow<'a, BitSet>,
    /// Observation vertices where going on is lost: the world may stay silent, or answer what D does not admit.
    pub lost: Cow<'a, BitSet>,
    /// The least worst-case number of events to the goal, whatever the observer learns; `u32::MAX` where it cannot be forced.
    pub rank: Cow<'a, [u32]>,
}

impl<'a> Robot<'a> {
    /// The robot of a setting; `None` if nothing that it could do is admitted. What an observer knows who knows the plan that is sought
    /// admits everything.
    pub fn of(setting: &'a Setting<'_>) -> Result<Option<Self>, QuestionError> {
        Self::after(setting, &[])
    }

    /// The same where these events have happened, which the expanded world must have; `None` also if somebody did not expect them.
    pub fn after(setting: &'a Setting<'_>, events: &[Label]) -> Result<Option<Self>, QuestionError> {
        let expansion = setting.expansion()?;
        let (mut pursuing, mut graphs) = (None, Vec::new());
        for (number, posed) in setting.observers().iter().enumerate() {
            if posed.observer.knows == Knows::Plan && setting.plan().is_none() {
                continue;
            }
            match &setting.divulged_to(number)?.admits {
                Admits::Nothing => return Ok(None),
                Admits::Everything => {}
                Admits::Graph(graph) if posed.observer.knows == Knows::GoalDirected => pursuing = Some(graph),
                Admits::Graph(graph) => graphs.push(graph),
            }
        }
        let mut robot = match pursuing {
            Some(graph) => Self::pursuing(expansion, graph),
            None => Self::free(expansion),
        };
        for &label in events {
            let Some(arc) = robot.graph.step(Vertex(robot.start), label).first() else { return Ok(None) };
            robot.start = arc.to.0;
        }
        for graph in graphs {
            robot = match Self::joint(&robot, graph, events, setting.monitor())? {
                Some(joint) => joint,
                None => return Ok(None),
            };
        }
        Ok(Some(robot))
    }

    /// The robot whose states are the expanded vertices.
    fn free(expansion: &'a Expansion) -> Self {
        let (goal, lost) = (Cow::Borrowed(&expansion.goal), Cow::Borrowed(&expansion.stuck));
        let (graph, start) = (Cow::Borrowed(&expansion.graph), expansion.initial().0);
        Self { graph, start, at: None, goal, lost, rank: Cow::Borrowed(expansion.ranks()) }
    }

    /// The robot that follows a part of the expanded world with the same vertices.
    fn pursuing(expansion: &'a Expansion, graph: &'a PGraph) -> Self {
        let (goal, stuck) = (&expansion.goal, &expansion.stuck);
        let fewer = |v: Vertex| graph.arcs(v).len() < expansion.graph.arcs(v).len();
        let lost = BitSet::from_fn(graph.len(), |v| {
            let v = Vertex(v as u32);
            graph.kind(v) == Kind::Observation && (stuck.contains(v.index()) || fewer(v))
        });
        // It has all that can be won, and all ways to win it.
        let rank = Cow::Borrowed(expansion.ranks());
        debug_assert_eq!(rank, induction::ranks(graph, goal, &lost, &BitSet::default()));
        let (goal, start) = (Cow::Borrowed(goal), graph.initial()[0].0);
        Self { graph: Cow::Borrowed(graph), start, at: None, goal, lost: Cow::Owned(lost), rank }
    }

    /// The robot in the part of the world where these ranks tell that a goal can be forced.
    pub fn usable(expansion: &'a Expansion, goal: BitSet, rank: Vec<u32>) -> Self {
        let graph = &expansion.graph;
        let lost = BitSet::from_fn(graph.len(), |v| {
            graph.kind(Vertex(v as u32)) == Kind::Observation
                && (rank[v] == u32::MAX || expansion.stuck.contains(v))
        });
        let (goal, lost, start) = (Cow::Owned(goal), Cow::Owned(lost), graph.initial()[0].0);
        let rank = Cow::Owned(rank);
        Self { graph: Cow::Borrowed(graph), start, at: None, goal, lost, rank }
    }

    /// The expanded vertex of a state.
    pub fn expanded(&self, state: u32) -> Vertex {
        self.at.as_ref().map_or(Vertex(state), |at| at[state as usize])
    }

    /// The robot as far as another divulged plan admits what it does after these events; `None` if it does not admit them.
    fn joint(
        robot: &Robot<'_>,
        divulged: &PGraph,
        events: &[Label],
        monitor: &dyn Monitor,
    ) -> Result<Option<Self>, Limit> {
        let (before, winnable) = (&robot.graph, &robot.rank);
        let mut followed = Followed::new(divulged);
        let mut reached = followed.start();
        for &label in events {
            let Some(next) = followed.step(reached, label) else { return Ok(None) };
            reached = next;
        }
        let mut builder = PGraphBuilder::new();
        let mut states = vec![(Vertex(robot.start), reached)];
        let mut number: FxHashMap<(Vertex, SetId), u32> = FxHashMap::default();
        number.insert(states[0], 0);
        let first = builder.vertex(before.kind(states[0].0));
        builder.initial(first);
        let (mut lost, mut arcs) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(&(v, reached)) = states.get(at) {
            if at % POLL == 0 {
                let doing = "joining the world and the divulged plan";
                monitor.poll(&Progress { doing, explored: at as u64, ..Progress::default() })?;
            }
            let waits = before.kind(v) == Kind::Observation;
            arcs.clear();
            for arc in before.arcs(v).iter().filter(|arc| winnable[arc.to.index()] != u32::MAX) {
                if let Some(next) = followed.step(reached, arc.label) {
                    arcs.push((arc.label, (arc.to, next)));
                }
            }
            if waits && (robot.lost.contains(v.index()) || arcs.len() < before.arcs(v).len()) {
                lost.push(at);
                arcs.clear();
            }
            for &(label, to) in &arcs {
                let to = *number.entry(to).or_insert_with(|| {
                    states.push(to);
                    builder.vertex(before.kind(to.0)).0
                });
                builder.arc(Vertex(at as u32), label, Vertex(to));
            }
            at += 1;
        }
        let graph = builder.build().expect("pairs of vertices of the same kind form a p-graph");
        let goal = BitSet::from_fn(graph.len(), |s| robot.goal.contains(states[s].0.index()));
        let lost = BitSet::from_fn(graph.len(), |s| lost.binary_search(&s).is_ok());
        let rank = Cow::Owned(induction::ranks(&graph, &goal, &lost, &BitSet::default()));
        let at = Some(states.into_iter().map(|(v, _)| robot.expanded(v.0)).collect());
        let (graph, goal, lost) = (Cow::Owned(graph), Cow::Owned(goal), Cow::Owned(lost));
        Ok(Some(Self { graph, start: 0, at, goal, lost, rank }))
    }
}
