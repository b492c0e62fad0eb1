//! A plan as a short indented program.
//!
//! *Background.* A plan is a graph in which many branches may come together again; written out as a tree it would grow
//! exponentially. So a part that several places lead to is written once, under a name, unless it is only a few events long.
//!
//! *Practical.* [`Program::new`] finds the parts; [`Program::spell`] follows them, part by part, and gives each `stop` a vertex of
//! its own, so that what is true there can be found out; [`Spelled::lines`] writes them.

use divulge::{
    problem::{Alphabet, Kind, Label, Names, PGraph, PGraphBuilder, Plan, Vertex},
    sets::BitSet,
};

use super::{
    layout::list,
    passage::{Passage, Spelled, Then},
};

/// A part that several places lead to is repeated if it is a straight line of at most so many vertices.
const REPEATED: usize = 7;

/// Branches are indented at most so many times; what lies deeper becomes a part of its own.
const DEEPEST: usize = 8;

/// A plan, ready to be written as a program.
pub(super) struct Program<'a> {
    plan: &'a Plan,
    alphabet: &'a Alphabet,
    graph: PGraph,
    /// The name of each vertex where a part begins.
    part: Vec<Option<usize>>,
    /// Where the parts begin, in the order of their names.
    parts: Vec<Vertex>,
}

/// Labels that lead to the same vertex, and that vertex.
type Branch = (Vec<Label>, Vertex);

impl<'a> Program<'a> {
    pub fn new(plan: &'a Plan, alphabet: &'a Alphabet) -> Self {
        let graph = plan.effective();
        let part = vec![None; graph.len()];
        let mut program = Self { plan, alphabet, graph, part, parts: Vec::new() };
        let mut entries = vec![0usize; program.graph.len()];
        for &v in program.graph.initial() {
            entries[program.spoken(v).index()] += 1;
        }
        for v in program.reached().into_iter().filter(|&v| program.spoken(v) == v) {
            for (_, to) in program.branches(v) {
                entries[program.spoken(to).index()] += 1;
            }
        }
        program.find_parts(&entries);
        program
    }

    fn reached(&self) -> Vec<Vertex> {
        divulge::graph::reachable(&self.graph).iter().map(|v| Vertex(v as u32)).collect()
    }

    /// Makes a part of what several places lead to, and of what lies too deep; numbered as they are met.
    fn find_parts(&mut self, entries: &[usize]) {
        let mut seen = vec![false; self.graph.len()];
        let mut todo: Vec<(Vertex, usize)> = self.graph.initial().iter().rev().map(|&v| (v, 0)).collect();
        while let Some((v, mut depth)) = todo.pop() {
            if std::mem::replace(&mut seen[v.index()], true) {
                continue;
            }
            if (entries[v.index()] > 1 || depth >= DEEPEST) && !self.is_short(v) {
                self.part[v.index()] = Some(self.parts.len());
                self.parts.push(v);
                depth = 0;
            }
            let branches = self.branches(v);
            let deeper = depth + usize::from(branches.len() > 1);
            todo.extend(branches.into_iter().rev().map(|(_, to)| (to, deeper)));
        }
    }

    /// What may come at a vertex: labels that lead to the same vertex together.
    fn branches(&self, v: Vertex) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut arcs = self.graph.arcs(v).to_vec();
        arcs.sort_unstable_by_key(|arc| (arc.to, arc.label));
        for group in arcs.chunk_by(|a, b| a.to == b.to) {
            branches.push((group.iter().map(|arc| arc.label).collect(), group[0].to));
        }
        branches.sort();
        branches
    }

    /// The vertex itself, or the one after it if it is an observation vertex without a choice, which says nothing.
    fn spoken(&self, v: Vertex) -> Vertex {
        match self.branches(v)[..] {
            [(_, to)] if self.graph.kind(v) == Kind::Observation && !self.plan.is_terminal(v) => to,
            _ => v,
        }
    }

    /// Whether the part that begins here is a short straight line to a stop.
    fn is_short(&self, mut v: Vertex) -> bool {
        for _ in 0..REPEATED {
            if self.plan.is_terminal(v) {
                return true;
            }
            match self.branches(v)[..] {
                [] => return true,
                [(_, to)] => v = to,
                _ => return false,
            }
        }
        false
    }

    /// The plan, spelled out.
    pub fn spell(&self) -> Spelled {
        let mut out = Spelling::default();
        for &v in &self.parts {
            out.part.push(out.graph.vertex(self.graph.kind(v)));
        }
        let mut starts = Vec::new();
        for &v in self.graph.initial() {
            let (passage, node) = self.passage(v, &mut out);
            out.graph.initial(node);
            starts.push(passage);
        }
        let mut parts = Vec::new();
        for (part, &v) in self.parts.iter().enumerate() {
            let node = out.part[part];
            parts.push(self.passage_from(v, node, &mut out));
        }
        let graph = out.graph.build().expect("a plan spelled out alternates as the plan does");
        let mut names = Names::new();
        for v in graph.vertices() {
            names.intern(&v.0.to_string());
        }
        out.stops.sort_unstable();
        let terminal = BitSet::from_fn(graph.len(), |v| out.stops.binary_search(&(v as u32)).is_ok());
        Spelled { starts, parts, plan: Plan { graph, names, terminal } }
    }

    /// What is said where something leads to `v`, and the vertex of the spelled plan for it.
    fn passage(&self, v: Vertex, out: &mut Spelling) -> (Passage, Vertex) {
        if let Some(part) = self.part[v.index()] {
            return (Passage { events: Vec::new(), then: Then::GoTo(part) }, out.part[part]);
        }
        let node = out.graph.vertex(self.graph.kind(v));
        (self.passage_from(v, node, out), node)
    }

    /// The events from `v` on until there is a choice or an end. Choices nest at most [`DEEPEST`] deep: then there is a part.
    fn passage_from(&self, mut v: Vertex, mut node: Vertex, out: &mut Spelling) -> Passage {
        let mut events: Vec<String> = Vec::new();
        loop {
            if self.plan.is_terminal(v) {
                out.stops.push(node.0);
                return Passage { events, then: Then::Stop(node.index()) };
            }
            let branches = self.branches(v);
            match &branches[..] {
                [] => return Passage { events, then: Then::Nothing },
                [(labels, to)] => {
                    if self.graph.kind(v) == Kind::Action {
                        events.push(self.names(labels));
                    }
                    if let Some(part) = self.part[to.index()] {
                        out.arcs(node, labels, out.part[part]);
                        return Passage { events, then: Then::GoTo(part) };
                    }
                    let next = out.graph.vertex(self.graph.kind(*to));
                    out.arcs(node, labels, next);
                    (v, node) = (*to, next);
                }
                _ => {
                    let mut choices = Vec::new();
                    for (labels, to) in branches {
                        let (passage, next) = self.passage(to, out);
                        out.arcs(node, &labels, next);
                        choices.push((labels, passage));
                    }
                    return Passage { events, then: Then::Choice(self.graph.kind(v), choices) };
                }
            }
        }
    }

    pub fn names(&self, labels: &[Label]) -> String {
        let names: Vec<&str> = labels.iter().map(|&l| self.alphabet.name(l)).collect();
        list(&names, "or")
    }
}

/// The plan being spelled out.
#[derive(Default)]
struct Spelling {
    graph: PGraphBuilder,
    /// Where each part begins.
    part: Vec<Vertex>,
    stops: Vec<u32>,
}

impl Spelling {
    fn arcs(&mut self, from: Vertex, labels: &[Label], to: Vertex) {
        for &label in labels {
            self.graph.arc(from, label, to);
        }
    }
}
