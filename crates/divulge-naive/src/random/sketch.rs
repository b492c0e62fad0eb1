//! Graphs while they are being made.

use std::collections::BTreeSet;

use divulge::problem::{
    BitSet, Kind, Label, NamedGraph, Names, PGraph, PGraphBuilder, Plan, Props, Vertex, World,
};

use super::{Labels, rng::Rng};

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
    /// A random graph of `n` vertices, of which those of the kind `first` are initial, one or several.
    ///
    /// Some vertices are dead ends and some are unreachable. A deterministic graph has one initial vertex, and no vertex
    /// bears a label twice.
    pub fn random(rng: &mut Rng, n: usize, first: Kind, labels: &Labels, deterministic: bool) -> Self {
        let kinds: Vec<Kind> =
            (0..n).map(|v| if v == 0 || rng.chance(50) { first } else { first.other() }).collect();
        let mut sketch = Self { kinds, initial: [0].into(), arcs: BTreeSet::new(), marked: BTreeSet::new() };
        for v in 0..n {
            if !deterministic && sketch.kinds[v] == first && rng.chance(25) {
                sketch.initial.insert(v);
            }
            if rng.chance(35) {
                sketch.marked.insert(v);
            }
            let arcs = if rng.chance(12) { 0 } else { rng.within(&(1..=3)) };
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
        World { graph: self.graph(), names: self.names(['u', 'y']), goal: self.marks(), props }
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
