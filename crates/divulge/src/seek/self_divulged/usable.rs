//! The part of the expanded world that a plan which everybody knows can use at all.
//!
//! *Background.* An expanded vertex S is part of every estimate that its own execution leads to. So where S alone breaks a clause
//! without positive literals, every estimate with S in it breaks it, and no plan may go there; the same at the end. What is left
//! after removing such vertices, and all from which the goal can then no longer be forced, is what is usable of the world. The ranks on
//! it are lower bounds on the length of any plan. With a budget, a usable vertex is an expanded vertex together with what
//! has been spent on the way, for two ways to the same place may be able to afford different things.

use rustc_hash::FxHashMap;

use crate::{
    expansion::Expansion,
    formula::{Clause, Stipulations},
    game::{self, Robot, Single},
    graph::induction::{self, Before, NEVER, waits},
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Label, Scope, Vertex},
    sets::BitSet,
};

/// How many arcs are followed between two looks at the monitor.
const POLL: usize = 1 << 16;

/// The most that a plan may cost in the worst case.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// What each label costs.
    pub costs: &'a [u64],
    /// What is still to be spent at least at each expanded vertex.
    pub needed: &'a [u64],
    /// The most that may be spent.
    pub most: u64,
}

/// What is played on: nodes, each a state of the robot, and what single nodes tell of the plans that visit them.
pub trait Ground {
    /// Where executions start.
    fn initial(&self) -> Vertex;
    /// Who chooses at a node.
    fn kind(&self, node: Vertex) -> Kind;
    /// What may happen at a node, by label.
    fn arcs(&self, node: Vertex) -> impl ExactSizeIterator<Item = (Label, Vertex)>;
    /// Whether the robot may get stuck at a node where the world chooses.
    fn is_stuck(&self, node: Vertex) -> bool;
    /// The least worst-case number of events to a goal; `u32::MAX` where none can be forced.
    fn rank(&self, node: Vertex) -> u32;
    /// Whether a plan may terminate here, the rest of the estimate permitting.
    fn is_goal(&self, node: Vertex) -> bool;
    /// Which masks of the stipulations the world vertices of a node meet.
    fn signature(&self, node: Vertex) -> &[u64];
    /// The expanded vertex of a node.
    fn expanded(&self, node: Vertex) -> Vertex;
    /// What a plan must still spend at least at each node; `u64::MAX` where no goal can be forced.
    fn needed(&self, costs: &[u64], monitor: &dyn Monitor) -> Result<Vec<u64>, Limit>;
}

/// The usable part of a ground.
#[derive(Debug)]
pub struct Usable<'a> {
    stipulations: &'a Stipulations,
    /// The expanded vertex that each vertex of the usable is at.
    pub base: Vec<Vertex>,
    kinds: Vec<Kind>,
    /// Whether a plan may terminate here, the rest of the estimate permitting.
    pub goal: BitSet,
    /// Least worst-case number of events to the goal, as far as single vertices tell; `u32::MAX` where unusable.
    pub rank: Vec<u32>,
    /// Usable arcs: at an action vertex those to usable vertices; at an observation vertex all, or none if the plan must stop.
    arcs: Vec<(Label, u32)>,
    offsets: Vec<u32>,
    signatures: Vec<u64>,
    /// Whether there are stipulations of scope `end`.
    pub has_end: bool,
    /// What a plan costs at least that goes where the budget does not.
    pub beyond: u64,
}

/// The vertex of every usable where executions start.
pub const START: u32 = 0;

impl<'a> Usable<'a> {
    /// The usable part of a ground on which this is stipulated.
    pub fn new(ground: &impl Ground, stipulations: &'a Stipulations, budget: Option<Budget<'_>>) -> Self {
        let mut usable = Self {
            stipulations,
            base: Vec::new(),
            kinds: Vec::new(),
            goal: BitSet::default(),
            rank: Vec::new(),
            arcs: Vec::new(),
            offsets: vec![0],
            signatures: Vec::new(),
            has_end: stipulations.all().iter().any(|s| s.scope == Scope::End),
            beyond: u64::MAX,
        };
        usable.explore(ground, budget);
        if budget.is_some() {
            usable.settle();
        }
        usable
    }

    /// Finds the vertices and arcs, breadth first.
    fn explore(&mut self, ground: &impl Ground, budget: Option<Budget<'_>>) {
        let mut ids: FxHashMap<(Vertex, u64), u32> = FxHashMap::default();
        let mut spent: Vec<u64> = vec![0];
        ids.insert((ground.initial(), 0), START);
        self.base.push(ground.initial());
        let mut at = 0;
        while let Some(&v) = self.base.get(at) {
            let start = self.arcs.len();
            let arcs = ground.arcs(v);
            let every = arcs.len();
            for (label, to) in arcs.filter(|_| ground.rank(v) != u32::MAX) {
                let cost = budget.map_or(0, |b| b.costs[label.index()]).saturating_add(spent[at]);
                if ground.rank(to) == u32::MAX {
                    continue;
                }
                let all = budget.map_or(0, |b| b.needed[to.index()].saturating_add(cost));
                if budget.is_some_and(|b| all > b.most) {
                    self.beyond = self.beyond.min(all);
                    continue;
                }
                let to = *ids.entry((to, cost)).or_insert_with(|| {
                    self.base.push(to);
                    spent.push(cost);
                    self.base.len() as u32 - 1
                });
                self.arcs.push((label, to));
            }
            let whole = self.arcs.len() - start == every && !ground.is_stuck(v);
            if ground.kind(v) == Kind::Observation && !whole {
                self.arcs.truncate(start);
            }
            self.offsets.push(self.arcs.len() as u32);
            at += 1;
        }
        self.kinds = self.base.iter().map(|&v| ground.kind(v)).collect();
        self.rank = self.base.iter().map(|&v| ground.rank(v)).collect();
        self.goal = BitSet::from_fn(self.base.len(), |i| ground.is_goal(self.base[i]));
        self.signatures = self.base.iter().flat_map(|&v| ground.signature(v)).copied().collect();
        self.base.iter_mut().for_each(|v| *v = ground.expanded(*v));
    }

    /// Removes what has run out of budget: ranks anew, and arcs to vertices that have none.
    fn settle(&mut self) {
        let n = self.base.len();
        let arcs = (0..n as u32).flat_map(|v| self.arcs(v).iter().map(move |&(_, to)| (v, to)));
        let before = Before::new(n, arcs);
        let open = |v: u32| match self.arcs(v).len() {
            0 => NEVER,
            count => waits(self.kind(v), count),
        };
        let mut rank: Vec<u32> = (0..n as u32).map(open).collect();
        induction::settle(&before, &mut rank, self.goal.iter().map(|v| v as u32).collect(), None);
        self.rank = rank;
        let (mut arcs, mut offsets) = (Vec::new(), vec![0]);
        for v in 0..n as u32 {
            let usable = |to: u32| self.rank[to as usize] != u32::MAX;
            let whole = self.arcs(v).iter().all(|&(_, to)| usable(to));
            if usable(v) && (self.kind(v) == Kind::Action || whole) {
                arcs.extend(self.arcs(v).iter().copied().filter(|&(_, to)| usable(to)));
            }
            offsets.push(arcs.len() as u32);
        }
        (self.arcs, self.offsets) = (arcs, offsets);
    }

    /// The kind of a vertex.
    pub fn kind(&self, v: u32) -> Kind {
        self.kinds[v as usize]
    }

    /// The usable arcs out of a vertex, by label.
    pub fn arcs(&self, v: u32) -> &[(Label, u32)] {
        &self.arcs[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// Which masks of the stipulations the world vertices of `v` meet.
    pub fn signature(&self, v: u32) -> &[u64] {
        let words = self.stipulations.words();
        &self.signatures[v as usize * words..][..words]
    }

    /// The signature of an estimate, into `out`.
    pub fn estimate(&self, set: &[u32], out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.stipulations.words(), 0);
        for &v in set {
            for (word, bits) in out.iter_mut().zip(self.signature(v)) {
                *word |= bits;
            }
        }
    }

    /// A clause of this scope that an estimate breaks.
    pub fn broken(&self, scope: Scope, signature: &[u64]) -> Option<Clause> {
        let mut scoped = self.stipulations.all().iter().filter(|s| s.scope == scope);
        scoped.find(|s| !s.holds(signature)).and_then(|s| s.broken_clause(signature))
    }
}

/// A safe expansion: what single expanded vertices tell, and how far the goal is if it is got to by the others alone.
pub struct Safe<'e> {
    expansion: &'e Expansion,
    single: Single,
    words: usize,
    rank: Vec<u32>,
}

impl<'e> Safe<'e> {
    /// The safe expansion where this is stipulated.
    pub fn new(expansion: &'e Expansion, stipulations: &Stipulations) -> Self {
        let single = Single::new(stipulations, &expansion.goal, expansion.graph.len(), |v| {
            expansion.members(Vertex(v as u32))
        });
        let rank = induction::ranks(&expansion.graph, &single.goal, &expansion.stuck, &single.banned);
        Self { expansion, single, words: stipulations.words(), rank }
    }
}

impl Ground for Safe<'_> {
    fn initial(&self) -> Vertex {
        self.expansion.initial()
    }

    fn kind(&self, node: Vertex) -> Kind {
        self.expansion.graph.kind(node)
    }

    fn arcs(&self, node: Vertex) -> impl ExactSizeIterator<Item = (Label, Vertex)> {
        self.expansion.graph.arcs(node).iter().map(|arc| (arc.label, arc.to))
    }

    fn is_stuck(&self, node: Vertex) -> bool {
        self.expansion.stuck.contains(node.index())
    }

    fn rank(&self, node: Vertex) -> u32 {
        self.rank[node.index()]
    }

    fn is_goal(&self, node: Vertex) -> bool {
        self.single.goal.contains(node.index())
    }

    fn signature(&self, node: Vertex) -> &[u64] {
        &self.single.signatures[node.index() * self.words..][..self.words]
    }

    fn expanded(&self, node: Vertex) -> Vertex {
        node
    }

    fn needed(&self, costs: &[u64], monitor: &dyn Monitor) -> Result<Vec<u64>, Limit> {
        let explored = self.rank.len() as u64;
        let progress = Progress { doing: "estimating costs", explored, ..Progress::default() };
        let mut since = 0;
        let robot = Robot::usable(self.expansion, self.single.goal.clone(), self.rank.clone());
        game::needed(&robot, costs, |steps| {
            since += steps;
            if since >= POLL {
                since = 0;
                monitor.poll(&progress)?;
            }
            Ok(())
        })
    }
}
