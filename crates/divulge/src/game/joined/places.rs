//! What the robot moves on.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    expansion::Expansion,
    game::arena::{Arena, Node},
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Label, Vertex},
};

/// How many steps are taken between two looks at the monitor.
const POLL: usize = 1 << 12;

/// Where the robot may be, as far as it counts for what may follow.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The expanded vertex.
    pub at: Vertex,
    /// Whether it may stop.
    pub stops: bool,
    /// What may happen, ascending. There is nothing where going on is lost.
    pub labels: &'a [Label],
}

impl Place<'_> {
    /// Whether an event may happen.
    pub fn bears(&self, label: Label) -> bool {
        self.labels.binary_search(&label).is_ok()
    }
}

/// Places, by number.
pub(crate) trait Places {
    /// Where executions start.
    fn start(&self) -> u32;
    /// A place.
    fn place(&mut self, number: u32) -> Place<'_>;
    /// The place that follows an event, if it may happen.
    fn after(&mut self, number: u32, label: Label) -> Option<u32>;
    /// How many events it takes at least to reach the goal from there, in the worst case.
    fn needs(&self, number: u32) -> u32;
    /// What it took to know the places that were asked for.
    fn effort(&self) -> u64;
    /// Looks at the monitor now and then.
    ///
    /// # Errors
    /// If it says so.
    fn poll(&mut self) -> Result<(), Limit>;
}

/// The nodes of an arena: whatever follows a node keeps what everybody stipulates.
pub(crate) struct InArena<'g, 'a> {
    game: &'g mut Arena<'a>,
    number: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    places: Vec<Option<Looked>>,
    /// The labels of all nodes that were looked at, where each leads, and the numbers of these places, or `NONE` before anybody has asked.
    labels: Vec<Label>,
    to: Vec<(Node, u32)>,
    looked_from: FxHashSet<u32>,
}

/// A node that was looked at.
#[derive(Clone, Copy)]
struct Looked {
    stops: bool,
    /// Where its labels begin and end.
    begin: usize,
    end: usize,
}

const NONE: u32 = u32::MAX;

impl<'g, 'a> InArena<'g, 'a> {
    pub fn new(game: &'g mut Arena<'a>) -> Self {
        let first = game.first();
        let (number, nodes) = (FxHashMap::from_iter([(first, 0)]), vec![first]);
        let (places, looked_from) = (vec![None], FxHashSet::default());
        Self { game, number, nodes, places, labels: Vec::new(), to: Vec::new(), looked_from }
    }

    fn look(&mut self, (observer, robot): Node) -> Looked {
        let Self { game, looked_from, labels, to, .. } = self;
        looked_from.insert(observer);
        game.look_at(observer, 1);
        let graph = &game.robot.graph;
        let stops = game.view().may_end() && game.robot.goal.contains(robot as usize);
        let begin = labels.len();
        for (label, observer, robot) in game.arcs(robot) {
            labels.push(label);
            to.push(((observer, robot), NONE));
        }
        let must_all = graph.kind(Vertex(robot)) == Kind::Observation;
        let barred = labels.len() - begin < graph.arcs(Vertex(robot)).len();
        if must_all && (barred || game.robot.lost.contains(robot as usize)) {
            labels.truncate(begin);
            to.truncate(begin);
        }
        Looked { stops, begin, end: labels.len() }
    }

    /// A node with what follows it.
    fn looked(&mut self, number: u32) -> Looked {
        let own = number as usize;
        if let Some(looked) = self.places[own] {
            return looked;
        }
        let looked = self.look(self.nodes[own]);
        self.places[own] = Some(looked);
        looked
    }
}

impl Places for InArena<'_, '_> {
    fn start(&self) -> u32 {
        0
    }

    fn place(&mut self, number: u32) -> Place<'_> {
        let Looked { stops, begin, end } = self.looked(number);
        let at = self.game.robot.expanded(self.nodes[number as usize].1);
        Place { at, stops, labels: &self.labels[begin..end] }
    }

    fn after(&mut self, number: u32, label: Label) -> Option<u32> {
        let Looked { begin, end, .. } = self.looked(number);
        let at = begin + self.labels[begin..end].binary_search(&label).ok()?;
        let (node, known) = self.to[at];
        if known != NONE {
            return Some(known);
        }
        let found = *self.number.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.places.push(None);
            self.nodes.len() as u32 - 1
        });
        self.to[at].1 = found;
        Some(found)
    }

    fn needs(&self, number: u32) -> u32 {
        self.game.robot.rank[self.nodes[number as usize].1 as usize]
    }

    fn effort(&self) -> u64 {
        // What an observer thinks possible is no more than what the world has.
        self.looked_from.len() as u64 * (1 + self.game.robot.graph.len() as u64 / 64)
    }

    fn poll(&mut self) -> Result<(), Limit> {
        self.game.poll("joining branches", 1, self.nodes.len())
    }
}

/// The vertices of the expanded world: what is stipulated is not looked at.
pub(crate) struct InWorld<'e> {
    expansion: &'e Expansion,
    monitor: &'e dyn Monitor,
    rank: &'e [u32],
    labels: FxHashMap<u32, Vec<Label>>,
    steps: usize,
}

impl<'e> InWorld<'e> {
    pub fn new(expansion: &'e Expansion, monitor: &'e dyn Monitor) -> Self {
        Self { expansion, monitor, rank: expansion.ranks(), labels: FxHashMap::default(), steps: 0 }
    }
}

impl Places for InWorld<'_> {
    fn start(&self) -> u32 {
        self.expansion.initial().0
    }

    fn place(&mut self, number: u32) -> Place<'_> {
        let Expansion { graph, goal, stuck, .. } = self.expansion;
        let (at, own) = (Vertex(number), number as usize);
        let all = || if stuck.contains(own) { Vec::new() } else { graph.labels(at).collect() };
        let labels = self.labels.entry(number).or_insert_with(all);
        Place { at, stops: goal.contains(own), labels }
    }

    fn after(&mut self, number: u32, label: Label) -> Option<u32> {
        let lost = self.expansion.stuck.contains(number as usize);
        self.expansion.next(Vertex(number), label).filter(|_| !lost).map(|to| to.0)
    }

    fn needs(&self, number: u32) -> u32 {
        self.rank[number as usize]
    }

    fn effort(&self) -> u64 {
        0
    }

    fn poll(&mut self) -> Result<(), Limit> {
        self.steps += 1;
        match self.steps % POLL {
            0 => self.monitor.poll(&Progress { doing: "joining branches", ..Progress::default() }),
            _ => Ok(()),
        }
    }
}
