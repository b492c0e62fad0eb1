//! Graphs while they are being made.

use std::{collections::BTreeSet, ops::RangeInclusive};

use divulge::{
    problem::{Kind, Label, NamedGraph, Names, PGraph, PGraphBuilder, Plan, Props, Vertex, World},
    sets::BitSet,
};

use super::{Labels, rng::Rng};

/// What random graphs look like; chances are in a hundred.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many arcs a vertex has that is no dead end.
    pub arcs: RangeInclusive<usize>,
    /// The chance of a graph to be deterministic.
    pub deterministic: u32,
    /// The chance of a vertex to be a dead end.
    pub dead_ends: u32,
    /// The chance of a vertex to be marked: a goal of a world, a terminal vertex of a plan.
    pub marks: u32,
}

/// A p-graph with marked vertices that can still be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// The kinds of the vertices.
    pub kinds: Vec<Kind>,
    /// The initial vertices, of one kind.
    pub initial: BTreeSet<usize>,
    /// The arcs.
    pub arcs: BTreeSet<(usize, Label, usize)>,
    /// The goal or the terminal vertices.
    pub marked: BTreeSet<usize>,
}

impl Sketch {
    /// A random graph of `n` vertices, of which one or several of the kind `first` are initial.
    ///
    /// Some vertices are dead ends and some are unreachable. A deterministic graph has one initial vertex, and no vertex
    /// bears a label twice.
    pub fn random(rng: &mut Rng, n: usize, first: Kind, labels: &Labels, shape: &Shape) -> Self {
        let kinds: Vec<Kind> =
            (0..n).map(|v| if v == 0 || rng.chance(50) { first } else { first.other() }).collect();
        let mut sketch = Self { kinds, initial: [0].into(), arcs: BTreeSet::new(), marked: BTreeSet::new() };
        let deterministic = rng.chance(shape.deterministic);
        for v in 0..n {
            if !deterministic && sketch.kinds[v] == first && rng.chance(25) {
                sketch.initial.insert(v);
            }
            if rng.chance(shape.marks) {
                sketch.marked.insert(v);
            }
            let arcs = if rng.chance(shape.dead_ends) { 0 } else { rng.within(&shape.arcs) };
            for _ in 0..arcs {
                sketch.random_arc(rng, v, labels, deterministic);
            }
        }
        sketch
    }

    /// Adds a random arc out of `v`, if there is where to.
    pub fn random_arc(&mut self, rng: &mut Rng, v: usize, labels: &Labels, deterministic: bool) {
        let kind = self.kinds[v];
        let targets: Vec<usize> = (0..self.kinds.len()).filter(|&t| self.kinds[t] != kind).collect();
        let labels = labels.of(kind);
        if targets.is_empty() || labels.is_empty() {
            return;
        }
        let (label, to) = (*rng.pick(labels), *rng.pick(&targets));
        if !deterministic || !self.arcs.iter().any(|&(from, l, _)| from == v && l == label) {
            self.arcs.insert((v, label, to));
        }
    }

    /// Merges vertices at random, like with like: every execution of the graph stays one.
    pub fn coarsened(&self, rng: &mut Rng) -> Self {
        let n = self.kinds.len();
        let mut into: Vec<usize> = (0..n).collect();
        for v in 1..n {
            let earlier: Vec<usize> = (0..v).filter(|&t| self.kinds[t] == self.kinds[v]).collect();
            if !earlier.is_empty() && rng.chance(40) {
                into[v] = into[*rng.pick(&earlier)];
            }
        }
        Self {
            kinds: self.kinds.clone(),
            initial: self.initial.iter().map(|&v| into[v]).collect(),
            arcs: self.arcs.iter().map(|&(from, l, to)| (into[from], l, into[to])).collect(),
            marked: self.marked.iter().map(|&v| into[v]).collect(),
        }
    }

    /// Two copies of the graph, here and there with other labels in the second, and a way into both: the robot begins in
    /// either, or is told by the first event which it is in, or an arc of the first copy may lead into the second.
    pub fn doubled(&self, rng: &mut Rng, labels: &Labels) -> Self {
        let n = self.kinds.len();
        let mut both = self.clone();
        both.kinds.extend(self.kinds.clone());
        both.marked.extend(self.marked.iter().map(|v| v + n));
        for &(from, label, to) in &self.arcs {
            let other = *rng.pick(labels.of(self.kinds[from]));
            both.arcs.insert((from + n, if rng.chance(30) { other } else { label }, to + n));
        }
        let arcs: Vec<_> = self.arcs.iter().copied().collect();
        match rng.below(3) {
            0 => both.initial.extend(self.initial.iter().map(|v| v + n)),
            1 if !arcs.is_empty() => {
                let &(from, _, to) = rng.pick(&arcs);
                both.arcs.insert((from, *rng.pick(labels.of(self.kinds[from])), to + n));
            }
            _ => both.tell(rng, n, labels),
        }
        both
    }

    /// Keeps one initial vertex, and one arc of each label at a vertex.
    pub fn determine(&mut self) {
        self.initial = self.initial.iter().copied().take(1).collect();
        let mut seen = BTreeSet::new();
        self.arcs.retain(|&(from, label, _)| seen.insert((from, label)));
    }

    fn tell(&mut self, rng: &mut Rng, n: usize, labels: &Labels) {
        let kind = self.kinds[0].other();
        for v in std::mem::take(&mut self.initial) {
            self.arcs.insert((2 * n, *rng.pick(labels.of(kind)), v));
            self.arcs.insert((2 * n, *rng.pick(labels.of(kind)), v + n));
        }
        self.kinds.push(kind);
        self.initial.insert(2 * n);
    }

    /// The graph that admits every string of these labels that begins with the kind `first`.
    pub fn universal(first: Kind, labels: &Labels) -> Self {
        let arcs = [(0, first), (1, first.other())];
        Self {
            kinds: vec![first, first.other()],
            initial: [0].into(),
            arcs: arcs
                .into_iter()
                .flat_map(|(v, kind)| labels.of(kind).iter().map(move |&l| (v, l, 1 - v)))
                .collect(),
            marked: BTreeSet::new(),
        }
    }

    /// The structure of a p-graph that exists already.
    pub fn of(graph: &PGraph) -> Self {
        Self {
            kinds: graph.vertices().map(|v| graph.kind(v)).collect(),
            initial: graph.initial().iter().map(|v| v.index()).collect(),
            arcs: graph.all_arcs().map(|(v, a)| (v.index(), a.label, a.to.index())).collect(),
            marked: BTreeSet::new(),
        }
    }

    fn graph(&self) -> PGraph {
        let mut b = PGraphBuilder::new();
        for &kind in &self.kinds {
            b.vertex(kind);
        }
        for &v in &self.initial {
            b.initial(Vertex(v as u32));
        }
        for &(from, label, to) in &self.arcs {
            b.arc(Vertex(from as u32), label, Vertex(to as u32));
        }
        b.build().expect("a sketch is a p-graph")
    }

    fn names(&self, letters: [char; 2]) -> Names {
        let mut names = Names::new();
        for (v, &kind) in self.kinds.iter().enumerate() {
            names.intern(&format!("{}{v}", letters[usize::from(kind == Kind::Observation)]));
        }
        names
    }

    fn marks(&self) -> BitSet {
        BitSet::from_fn(self.kinds.len(), |v| self.marked.contains(&v))
    }

    /// The world with these properties; marked vertices are goals.
    pub fn world(&self, props: Props) -> World {
        World { graph: self.graph(), names: self.names(['u', 'y']), goal: self.marks(), props, past: None }
    }

    /// The plan; marked vertices are terminal.
    pub fn plan(&self) -> Plan {
        Plan { graph: self.graph(), names: self.names(['p', 'q']), terminal: self.marks() }
    }

    /// The graph with names.
    pub fn named(&self) -> NamedGraph {
        NamedGraph { graph: self.graph(), names: self.names(['d', 'e']) }
    }
}
