//! What the robot moves on.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    expansion::{Expansion, ranks},
    game::arena::{Arena, Node},
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Label, Vertex},
};

/// How many steps are taken between two looks at the monitor.
const POLL: usize = 1 << 12;

/// Where the robot may be, as far as it counts for what may follow.
#[derive(Clone)]
pub(crate) struct Place {
    /// The expanded vertex.
    pub at: Vertex,
    /// Whether it may stop.
    pub stops: bool,
    /// What may happen, ascending, and the places that follow. There is nothing where going on is lost.
    pub arcs: Vec<(Label, u32)>,
}

impl Place {
    /// What may happen.
    pub fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        self.arcs.iter().map(|&(label, _)| label)
    }

    /// The place that follows.
    pub fn after(&self, label: Label) -> Option<u32> {
        self.arcs.binary_search_by_key(&label, |&(own, _)| own).ok().map(|at| self.arcs[at].1)
    }
}

/// Places, by number.
pub(crate) trait Places {
    /// Where executions start.
    fn start(&self) -> u32;
    /// A place.
    fn place(&mut self, number: u32) -> &Place;
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
    places: Vec<Option<Place>>,
    looked_from: FxHashSet<u32>,
}

impl<'g, 'a> InArena<'g, 'a> {
    pub fn new(game: &'g mut Arena<'a>) -> Self {
        let first = game.first();
        let (number, nodes) = (FxHashMap::from_iter([(first, 0)]), vec![first]);
        Self { game, number, nodes, places: vec![None], looked_from: FxHashSet::default() }
    }

    fn look(&mut self, (observer, robot): Node) -> Place {
        let Self { game, number, nodes, places, .. } = self;
        self.looked_from.insert(observer);
        game.look_at(observer, 1);
        let graph = &game.robot.graph;
        let stops = game.view().may_end() && game.robot.goal.contains(robot as usize);
        let mut all: Vec<(Label, Node)> =
            game.arcs(robot).map(|(label, observer, robot)| (label, (observer, robot))).collect();
        let must_all = graph.kind(Vertex(robot)) == Kind::Observation;
        let barred = all.len() < graph.arcs(Vertex(robot)).len();
        if must_all && (barred || game.robot.lost.contains(robot as usize)) {
            all.clear();
        }
        all.sort_unstable();
        let mut named = |to: Node| {
            *number.entry(to).or_insert_with(|| {
                nodes.push(to);
                places.push(None);
                nodes.len() as u32 - 1
            })
        };
        let arcs = all.into_iter().map(|(label, to)| (label, named(to))).collect();
        Place { at: game.robot.expanded(robot), stops, arcs }
    }
}

impl Places for InArena<'_, '_> {
    fn start(&self) -> u32 {
        0
    }

    fn place(&mut self, number: u32) -> &Place {
        let own = number as usize;
        if self.places[own].is_none() {
            self.places[own] = Some(self.look(self.nodes[own]));
        }
        self.places[own].as_ref().expect("it was looked at")
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
    rank: Vec<u32>,
    places: FxHashMap<u32, Place>,
    steps: usize,
}

impl<'e> InWorld<'e> {
    pub fn new(expansion: &'e Expansion, monitor: &'e dyn Monitor) -> Self {
        Self { expansion, monitor, rank: ranks(expansion), places: FxHashMap::default(), steps: 0 }
    }
}

impl Places for InWorld<'_> {
    fn start(&self) -> u32 {
        self.expansion.initial().0
    }

    fn place(&mut self, number: u32) -> &Place {
        let Expansion { graph, goal, stuck, .. } = self.expansion;
        let (at, own) = (Vertex(number), number as usize);
        self.places.entry(number).or_insert_with(|| {
            let mut arcs: Vec<(Label, u32)> =
                graph.arcs(at).iter().map(|arc| (arc.label, arc.to.0)).collect();
            if stuck.contains(own) {
                arcs.clear();
            }
            arcs.sort_unstable();
            Place { at, stops: goal.contains(own), arcs }
        })
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
