//! What the game is played on: the arena of the robot and of all observers whose divulged plan is fixed.
//!
//! *Background.* Whatever such an observer believes is a function of the execution. So its state is part of the node, and its stipulations say of
//! a single node whether it may be visited and whether a plan may end there. An observer who knows the plan plays on sets of nodes.

use crate::{
    formula::Stipulations,
    game::{Robot, Single},
    graph::induction,
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracker},
    problem::{Arc, Image, Kind, Label, LabelMap, PGraph, Vertex},
    seek::self_divulged::Ground,
    sets::{BitSet, Grouped},
    setting::Setting,
    verdict::QuestionError,
};

/// How many nodes are explored between two looks at the monitor.
const POLL: usize = 1024;

/// What may happen at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub label: Label,
    /// What those who know the plan see of it, or [`Image::UNSEEN`].
    pub image: Image,
    pub to: u32,
}

/// The nodes that plans may visit, as far as single nodes tell; the first is where executions start.
pub(super) struct Field {
    pub kinds: Vec<Kind>,
    /// Where plans may end, the estimate permitting.
    pub goal: BitSet,
    /// The least worst-case number of events to such a node.
    pub rank: Vec<u32>,
    /// The expanded vertex that the robot is at.
    pub at: Vec<Vertex>,
    /// Whether those who know the plan do not see every step.
    pub hides: bool,
    steps: Vec<Step>,
    starts: Vec<u32>,
    signatures: Vec<u64>,
    words: usize,
}

impl Field {
    /// The field of a setting whose observers in `fixed` do not know the plan that is sought; the others see through `map` and stipulate
    /// `known`. `None` if no plan can even begin.
    pub fn new(
        setting: &Setting<'_>,
        fixed: Option<(Tracker<'_>, &LabelMap)>,
        map: &LabelMap,
        known: &Stipulations,
    ) -> Result<Option<Self>, QuestionError> {
        let Some(robot) = Robot::of(setting)? else { return Ok(None) };
        let mut explorer =
            Explorer { robot: &robot, fixed, map, nodes: Vec::new(), number: Grouped::default() };
        let Some(found) = explorer.explore(setting.monitor())? else { return Ok(None) };
        let at: Vec<Vertex> = explorer.nodes.iter().map(|&(robot_at, _)| robot.expanded(robot_at)).collect();
        let expansion = setting.expansion()?;
        let single = Single::new(known, &found.goal, at.len(), |v| expansion.members(at[v]));
        Ok(Some(found.field(at, single, known.words())))
    }

    pub fn steps(&self, node: u32) -> &[Step] {
        &self.steps[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Which masks of the stipulations the world vertices of a node meet.
    pub fn signature(&self, node: u32) -> &[u64] {
        &self.signatures[node as usize * self.words..][..self.words]
    }

    pub fn words(&self) -> usize {
        self.words
    }
}

impl Ground for Field {
    fn initial(&self) -> Vertex {
        Vertex(0)
    }

    fn kind(&self, node: Vertex) -> Kind {
        self.kinds[node.index()]
    }

    fn arcs(&self, node: Vertex) -> impl ExactSizeIterator<Item = (Label, Vertex)> {
        self.steps(node.0).iter().map(|step| (step.label, Vertex(step.to)))
    }

    /// Nothing happens at all where the robot may get stuck.
    fn is_stuck(&self, _: Vertex) -> bool {
        false
    }

    fn rank(&self, node: Vertex) -> u32 {
        self.rank[node.index()]
    }

    fn is_goal(&self, node: Vertex) -> bool {
        self.goal.contains(node.index())
    }

    fn signature(&self, node: Vertex) -> &[u64] {
        self.signature(node.0)
    }

    fn expanded(&self, node: Vertex) -> Vertex {
        self.at[node.index()]
    }

    fn needed(&self, costs: &[u64], monitor: &dyn Monitor) -> Result<Vec<u64>, Limit> {
        let nodes = self.kinds.len();
        let mut needed: Vec<u64> =
            (0..nodes).map(|v| if self.goal.contains(v) { 0 } else { u64::MAX }).collect();
        let (doing, explored) = ("estimating costs", nodes as u64);
        let mut changed = true;
        while changed {
            monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
            changed = false;
            for v in (0..nodes).rev() {
                let each = self.steps(v as u32).iter();
                let each = each.map(|s| costs[s.label.index()].saturating_add(needed[s.to as usize]));
                let least = match self.kinds[v] {
                    Kind::Action => each.min(),
                    Kind::Observation => each.max(),
                };
                let least = least.unwrap_or(u64::MAX);
                if least < needed[v] {
                    (needed[v], changed) = (least, true);
                }
            }
        }
        Ok(needed)
    }
}

struct Explorer<'a, 'r> {
    robot: &'a Robot<'r>,
    fixed: Option<(Tracker<'a>, &'a LabelMap)>,
    map: &'a LabelMap,
    nodes: Vec<(u32, StateId)>,
    /// Their numbers, by the state of those who do not know the plan.
    number: Grouped,
}

/// Nodes and steps as they were found.
struct Found {
    kinds: Vec<Kind>,
    goal: BitSet,
    steps: Vec<Step>,
    /// Where the steps of each node begin, and where the last ones end.
    starts: Vec<u32>,
}

impl Explorer<'_, '_> {
    fn explore(&mut self, monitor: &dyn Monitor) -> Result<Option<Found>, QuestionError> {
        let start = (self.robot.graph.initial()[0].0, StateId(0));
        if !self.kept(start.1) || self.robot.rank[start.0 as usize] == u32::MAX {
            return Ok(None);
        }
        self.enter(start);
        let (mut kinds, mut goals) = (Vec::new(), Vec::new());
        let (mut all, mut starts, mut next) = (Vec::new(), vec![0], Vec::new());
        while let Some(&(robot, state)) = self.nodes.get(kinds.len()) {
            if kinds.len().is_multiple_of(POLL) {
                let (doing, explored) = ("exploring the game", kinds.len() as u64);
                monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
            }
            kinds.push(self.robot.graph.kind(Vertex(robot)));
            goals.push(self.robot.goal.contains(robot as usize) && self.may_end(state));
            self.steps(robot, state, &mut next, &mut all);
            starts.push(u32::try_from(all.len()).expect("more than four thousand million steps"));
        }
        let goal = BitSet::from_fn(goals.len(), |v| goals[v]);
        Ok(Some(Found { kinds, goal, steps: all, starts }))
    }

    fn kept(&self, state: StateId) -> bool {
        self.fixed.as_ref().is_none_or(|(tracker, _)| tracker.course(state).is_kept())
    }

    fn may_end(&self, state: StateId) -> bool {
        self.fixed.as_ref().is_none_or(|(tracker, _)| tracker.course(state).may_end())
    }

    fn enter(&mut self, node: (u32, StateId)) -> u32 {
        let (number, new) = self.number.number(node.1.0, node.0);
        if new {
            self.nodes.push(node);
        }
        number
    }

    /// What may happen: nothing at an observation node where something may happen that must not.
    fn steps(
        &mut self,
        robot: u32,
        state: StateId,
        next: &mut Vec<(Label, (u32, StateId))>,
        all: &mut Vec<Step>,
    ) {
        let waits = self.robot.graph.kind(Vertex(robot)) == Kind::Observation;
        if waits && self.robot.lost.contains(robot as usize) {
            return;
        }
        next.clear();
        for arc in self.robot.graph.arcs(Vertex(robot)) {
            let after = match &mut self.fixed {
                None => Some(state),
                Some((tracker, map)) => tracker.step(state, map.image(arc.label)),
            };
            let after =
                after.filter(|&after| self.kept(after) && self.robot.rank[arc.to.index()] != u32::MAX);
            match after {
                Some(after) => next.push((arc.label, (arc.to.0, after))),
                None if waits => return,
                None => {}
            }
        }
        for &(label, node) in next.iter() {
            all.push(Step { label, image: self.map.images()[label.index()], to: self.enter(node) });
        }
    }
}

impl Found {
    /// Without nodes from which no end can be forced.
    fn field(self, at: Vec<Vertex>, single: Single, words: usize) -> Field {
        let arcs = self.steps.iter().map(|step| Arc { label: step.label, to: Vertex(step.to) }).collect();
        let graph = PGraph::in_order(self.kinds.clone(), vec![Vertex(0)], self.starts.clone(), arcs);
        let graph = graph.expect("nodes alternate as the robot's states do");
        let rank = induction::ranks(&graph, &single.goal, &BitSet::new(at.len()), &single.banned);
        drop(graph);
        let (mut steps, mut starts) = (self.steps, self.starts);
        let mut kept = 0;
        for from in 0..self.kinds.len() {
            let own = starts[from] as usize..starts[from + 1] as usize;
            starts[from] = kept as u32;
            let usable = |step: &Step| rank[step.to as usize] != u32::MAX;
            let whole = self.kinds[from] == Kind::Action || steps[own.clone()].iter().all(usable);
            for i in own.filter(|_| whole && rank[from] != u32::MAX) {
                if usable(&steps[i]) {
                    steps[kept] = steps[i];
                    kept += 1;
                }
            }
        }
        steps.truncate(kept);
        if let Some(end) = starts.last_mut() {
            *end = kept as u32;
        }
        let hides = steps.iter().any(|step| step.image == Image::UNSEEN);
        let Single { signatures, goal, .. } = single;
        Field { kinds: self.kinds, goal, rank, at, hides, steps, starts, signatures, words }
    }
}
