//! A strategy as it is joined: its vertices, and where they are visited.

use rustc_hash::FxHashSet;

use super::places::{Place, Places};
use crate::{
    expansion::Expansion,
    game::strategy::{Behaviour, Merged, Strategy, StrategyNode},
    problem::{Kind, Label, Vertex},
    verdict::WorstCase,
};

/// What is done at a vertex.
pub(super) struct Doing {
    pub kind: Kind,
    pub terminal: bool,
    pub arcs: Vec<(Label, u32)>,
    /// An expanded vertex where it is done.
    at: Vertex,
}

impl Doing {
    /// Whether it can be done in a place, as far as that alone tells; that the robot may stop there is not looked at.
    pub fn can_be_done(&self, place: Place<'_>) -> bool {
        let mut labels = self.arcs.iter().map(|&(label, _)| label);
        match self.kind {
            _ if self.terminal => true,
            Kind::Observation => labels.eq(place.labels.iter().copied()),
            Kind::Action => labels.all(|label| place.bears(label)),
        }
    }
}

/// Vertices, each after all that follow it; the last is the start.
pub(super) struct Program {
    pub vertices: Vec<Doing>,
    /// The places in which each is visited, ascending.
    pub visits: Vec<Vec<u32>>,
    /// How many events it takes at least to reach the goal from there, wherever it is visited.
    needs: Vec<u32>,
    /// How bad it can get before each, and from there on.
    before: Vec<WorstCase>,
    after: Vec<WorstCase>,
}

impl Program {
    /// The program of a strategy, whose places these are.
    pub fn new(strategy: &Strategy, expansion: &Expansion, costs: &[u64], places: &mut impl Places) -> Self {
        let merged = Merged::new(strategy, expansion);
        let doing = |(at, (kind, terminal, arcs)): (Vec<Vertex>, Behaviour)| Doing {
            kind,
            terminal,
            arcs: arcs.into_vec(),
            at: at[0],
        };
        let after = merged.worst_cases(costs);
        let vertices: Vec<Doing> = merged.at.into_iter().zip(merged.classes).map(doing).collect();
        let len = vertices.len();
        let (visits, before) = (vec![Vec::new(); len], vec![WorstCase::default(); len]);
        let mut program = Self { vertices, visits, needs: Vec::new(), before, after };
        program.visits[len - 1].push(places.start());
        program.walk(costs, places);
        let most = |visits: &Vec<u32>| visits.iter().map(|&place| places.needs(place)).max().unwrap_or(0);
        program.needs = program.visits.iter().map(most).collect();
        program
    }

    /// Finds where each vertex is visited, and how bad it can get before.
    fn walk(&mut self, costs: &[u64], places: &mut impl Places) {
        for vertex in (0..self.vertices.len()).rev() {
            let mut visits = std::mem::take(&mut self.visits[vertex]);
            visits.sort_unstable();
            visits.dedup();
            for &(label, to) in &self.vertices[vertex].arcs {
                let here = self.before[vertex];
                let then = &mut self.before[to as usize];
                then.events = then.events.max(here.events + 1);
                then.cost = then.cost.max(here.cost.saturating_add(costs[label.index()]));
                let follows = visits
                    .iter()
                    .map(|&place| places.after(place, label).expect("a strategy does what can be done"));
                self.visits[to as usize].extend(follows);
            }
            self.visits[vertex] = visits;
        }
    }

    fn start(&self) -> u32 {
        self.vertices.len() as u32 - 1
    }

    /// How often its vertices are visited, in different places.
    pub fn size(&self) -> u64 {
        self.visits.iter().map(|visits| visits.len() as u64).sum()
    }

    /// How bad it can get.
    pub fn worst_case(&self) -> WorstCase {
        self.after[self.start() as usize]
    }

    /// How many events may follow a vertex that takes the place of this one, if it is not to get worse than that: at least and at most.
    pub fn may_follow(&self, vertex: u32, worst: WorstCase) -> (u64, u64) {
        let before = self.before[vertex as usize];
        (u64::from(self.needs[vertex as usize]), worst.events - before.events)
    }

    /// How many events may follow a vertex.
    pub fn events_after(&self, vertex: u32) -> u64 {
        self.after[vertex as usize].events
    }

    /// Whether going to one vertex and then on from another costs no more than that.
    pub fn costs_no_more(&self, vertex: u32, other: u32, worst: WorstCase) -> bool {
        let (before, after) = (self.before[vertex as usize], self.after[other as usize]);
        before.cost.saturating_add(after.cost) <= worst.cost
    }

    /// The vertices, nearest to the start first.
    pub fn breadth_first(&self) -> Vec<u32> {
        let mut met = vec![false; self.vertices.len()];
        met[self.start() as usize] = true;
        let (mut order, mut at) = (vec![self.start()], 0);
        while let Some(&vertex) = order.get(at) {
            for &(_, to) in &self.vertices[vertex as usize].arcs {
                if !std::mem::replace(&mut met[to as usize], true) {
                    order.push(to);
                }
            }
            at += 1;
        }
        order
    }

    /// Whether one vertex leads to another, and how many were looked at.
    pub fn leads(&self, from: u32, to: u32) -> (bool, u64) {
        let (mut todo, mut met) = (vec![from], FxHashSet::from_iter([from]));
        while let Some(vertex) = todo.pop() {
            if vertex == to {
                return (true, met.len() as u64);
            }
            // Whatever leads there comes after it.
            let next =
                self.vertices[vertex as usize].arcs.iter().map(|&(_, next)| next).filter(|&next| next >= to);
            todo.extend(next.filter(|&next| met.insert(next)));
        }
        (false, met.len() as u64)
    }

    /// The strategy in which whatever led to one vertex leads to another.
    pub fn redirected(&self, vertex: u32, other: u32) -> Strategy {
        let start = self.start();
        let node = |to: u32| start - if to == vertex { other } else { to };
        let mut strategy = Strategy::new();
        for Doing { terminal, arcs, at, .. } in self.vertices.iter().rev() {
            let arcs = arcs.iter().map(|&(label, to)| (label, node(to))).collect();
            strategy.push(StrategyNode { at: *at, terminal: *terminal, arcs });
        }
        strategy
    }

    /// The strategy, with a node for each visit.
    pub fn strategy(&self, places: &mut impl Places) -> Strategy {
        let mut strategy = Strategy::new();
        // The start comes first, and everything before what follows it.
        let mut first = vec![0_u32; self.vertices.len()];
        let mut nodes = 0;
        for vertex in (0..self.vertices.len()).rev() {
            first[vertex] = nodes;
            nodes += self.visits[vertex].len() as u32;
        }
        for (own, visits) in self.vertices.iter().zip(&self.visits).rev() {
            for &place in visits {
                let node = |(label, to): (Label, u32)| {
                    let next = places.after(place, label).expect("a strategy does what can be done");
                    let at = self.visits[to as usize].binary_search(&next).expect("it is visited");
                    (label, first[to as usize] + at as u32)
                };
                let arcs = own.arcs.iter().copied().map(node).collect();
                strategy.push(StrategyNode { at: places.place(place).at, terminal: own.terminal, arcs });
            }
        }
        strategy
    }
}
