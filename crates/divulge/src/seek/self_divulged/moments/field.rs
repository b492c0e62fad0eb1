//! What the game is played on: the arena of the robot and of all observers whose divulged plan is fixed.
//!
//! *Background.* Whatever such an observer believes is a function of the execution. So its state is part of the node, and its stipulations say of
//! a single node whether it may be visited and whether a plan may end there. An observer who knows the plan plays on sets of nodes.

use crate::{
    expansion::Expansion,
    formula::Stipulations,
    game::{Robot, Single},
    graph::induction,
    limit::{Limit, Monitor, Progress},
    observer::{StateId, Tracker},
    problem::{Arc, Image, Kind, Label, LabelMap, PGraph, Vertex},
    seek::self_divulged::Ground,
    sets::{BitSet, Grouped},
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

/// What is found of a field, node by node.
pub(super) struct Explorer<'a> {
    expansion: &'a Expansion,
    monitor: &'a dyn Monitor,
    robot: &'a Robot<'a>,
    fixed: Option<(Tracker<'a>, &'a LabelMap)>,
    map: &'a LabelMap,
    /// What those who know the plan stipulate.
    known: &'a Stipulations,
    nodes: Vec<(u32, StateId)>,
    /// Their numbers, by the state of those who do not know the plan.
    number: Grouped,
    steps: Vec<Step>,
    /// Where the steps of each node begin, and how many there are.
    places: Vec<(u32, u32)>,
    /// Whether nodes were explored in their order, so that their steps are, too.
    in_order: bool,
    /// How many nodes were explored, at least all before `first`.
    explored: usize,
    first: usize,
    /// Room for what may happen next.
    next: Vec<(Label, (u32, StateId))>,
}

/// The steps of a node that was not explored begin here.
const UNEXPLORED: u32 = u32::MAX;

impl<'a> Explorer<'a> {
    /// Explores the field of a robot whose observers in `fixed` do not know the plan that is sought; the others see through `map` and stipulate
    /// `known`. `None` if no plan can even begin.
    pub fn new(
        (expansion, monitor): (&'a Expansion, &'a dyn Monitor),
        robot: &'a Robot<'a>,
        fixed: Option<(Tracker<'a>, &'a LabelMap)>,
        map: &'a LabelMap,
        known: &'a Stipulations,
    ) -> Option<Self> {
        let mut explorer = Self {
            expansion,
            monitor,
            robot,
            fixed,
            map,
            known,
            nodes: Vec::new(),
            number: Grouped::default(),
            steps: Vec::new(),
            places: Vec::new(),
            in_order: true,
            explored: 0,
            first: 0,
            next: Vec::new(),
        };
        let start = (robot.graph.initial()[0].0, StateId(0));
        explorer.enter(start);
        (explorer.kept(start.1) && explorer.least() != u32::MAX).then_some(explorer)
    }

    /// No plan has fewer events, as far as the robot alone tells.
    pub fn least(&self) -> u32 {
        self.rank(0)
    }

    /// How many nodes are known.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether all of the field was found.
    pub fn is_done(&self) -> bool {
        self.explored == self.nodes.len()
    }

    /// Goes on until so many nodes have been explored, or all.
    pub fn explore(&mut self, until: usize) -> Result<(), Limit> {
        while self.explored < until && self.first < self.nodes.len() {
            self.look_into(self.first as u32)?;
            self.first += 1;
        }
        Ok(())
    }

    /// The same; if all have been, tells what the field is.
    pub fn look_about(&mut self, until: usize) -> Result<Option<Field>, Limit> {
        self.explore(until)?;
        Ok(self.is_done().then(|| self.field()))
    }

    /// Finds all nodes that a plan of so many events may visit: those that are not too late for the goal, as far as the robot alone tells.
    pub fn explore_within(&mut self, events: u32) -> Result<(), Limit> {
        let (mut wave, mut next, mut seen) = (vec![0], Vec::new(), vec![true; 1]);
        let (mut depth, mut looked) = (0_u32, 0_usize);
        while !wave.is_empty() {
            for v in wave.drain(..) {
                looked += 1;
                if looked.is_multiple_of(POLL) {
                    self.poll()?;
                }
                if depth.saturating_add(self.rank(v)) > events {
                    continue;
                }
                if self.places[v as usize].0 == UNEXPLORED {
                    self.in_order = false;
                    self.look_into(v)?;
                }
                seen.resize(self.nodes.len(), false);
                let (start, len) = self.places[v as usize];
                let to = self.steps[start as usize..][..len as usize].iter().map(|step| step.to);
                next.extend(to.filter(|&to| !std::mem::replace(&mut seen[to as usize], true)));
            }
            std::mem::swap(&mut wave, &mut next);
            depth += 1;
        }
        Ok(())
    }

    /// The field as far as it was found; what was not explored yet leads nowhere.
    pub fn field(&mut self) -> Field {
        let at: Vec<Vertex> = self.nodes.iter().map(|&(robot, _)| self.robot.expanded(robot)).collect();
        let kinds = self.nodes.iter().map(|&(robot, _)| self.robot.graph.kind(Vertex(robot))).collect();
        let goal = BitSet::from_fn(at.len(), |v| {
            let (robot, state) = self.nodes[v];
            self.places[v].0 != UNEXPLORED && self.robot.goal.contains(robot as usize) && self.may_end(state)
        });
        let single = Single::new(self.known, &goal, at.len(), |v| self.expansion.members(at[v]));
        let (starts, steps) = self.in_order();
        Found { kinds, steps, starts }.field(at, single, self.known.words())
    }

    /// Where the steps of each node begin, and the steps in this order. If everything was found, they are handed over.
    fn in_order(&mut self) -> (Vec<u32>, Vec<Step>) {
        let (mut starts, mut steps) = (Vec::with_capacity(self.nodes.len() + 1), Vec::new());
        if self.in_order && self.is_done() {
            starts.extend(self.places.iter().map(|&(start, _)| start));
            steps = std::mem::take(&mut self.steps);
        } else {
            for &(start, len) in &self.places {
                starts.push(steps.len() as u32);
                if start != UNEXPLORED {
                    steps.extend_from_slice(&self.steps[start as usize..][..len as usize]);
                }
            }
        }
        starts.push(steps.len() as u32);
        (starts, steps)
    }

    /// Looks whether to go on.
    pub fn poll(&self) -> Result<(), Limit> {
        let (doing, explored) = ("exploring the game", self.explored as u64);
        self.monitor.poll(&Progress { doing, explored, ..Progress::default() })
    }

    fn rank(&self, node: u32) -> u32 {
        self.robot.rank[self.nodes[node as usize].0 as usize]
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
            self.places.push((UNEXPLORED, 0));
        }
        number
    }

    /// Finds out what may happen at a node, if that is not known.
    fn look_into(&mut self, node: u32) -> Result<(), Limit> {
        if self.places[node as usize].0 != UNEXPLORED {
            return Ok(());
        }
        if self.explored.is_multiple_of(POLL) {
            self.poll()?;
        }
        let start = self.steps.len();
        let (robot, state) = self.nodes[node as usize];
        self.find_steps(robot, state);
        let first = u32::try_from(start).ok().filter(|&first| first != UNEXPLORED);
        let first = first.expect("more than four thousand million steps");
        self.places[node as usize] = (first, (self.steps.len() - start) as u32);
        self.explored += 1;
        Ok(())
    }

    /// What may happen: nothing at an observation node where something may happen that must not.
    fn find_steps(&mut self, robot: u32, state: StateId) {
        let waits = self.robot.graph.kind(Vertex(robot)) == Kind::Observation;
        if waits && self.robot.lost.contains(robot as usize) {
            return;
        }
        let mut next = std::mem::take(&mut self.next);
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
                None if waits => {
                    next.clear();
                    break;
                }
                None => {}
            }
        }
        for &(label, node) in &next {
            let to = self.enter(node);
            self.steps.push(Step { label, image: self.map.images()[label.index()], to });
        }
        self.next = next;
    }
}

/// Nodes and steps as they were found.
struct Found {
    kinds: Vec<Kind>,
    steps: Vec<Step>,
    /// Where the steps of each node begin, and where the last ones end.
    starts: Vec<u32>,
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
