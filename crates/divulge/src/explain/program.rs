//! A plan as a program: events in turn, choices, and parts that several places lead to.
//!
//! *Background.* A plan is a graph in which many branches may come together again; written out as a tree it would grow
//! exponentially. So a part that several places lead to is written once, under a name, unless it is only a few events long.
//!
//! *Practical.* [`Program::of`] finds the parts and follows them; each `stop` gets a vertex of its own in [`Program::plan`], so that what
//! is true there can be found out. Of a plan of very many vertices only the beginning is spelled.

use crate::{
    graph::reachable,
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Label, Names, PGraph, PGraphBuilder, Plan, Vertex},
    sets::BitSet,
};

/// A part that several places lead to is repeated if it is a straight line of at most so many vertices.
const REPEATED: usize = 7;

/// Branches are indented at most so many times; what lies deeper becomes a part of its own.
const DEEPEST: usize = 8;

/// No more vertices than this are spelled: nobody reads on.
const MOST: usize = 20_000;

/// How many vertices are looked at between two looks at the monitor.
const POLL: usize = 1024;

/// A plan as a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What is done from each start.
    pub starts: Vec<Passage>,
    /// The parts, in the order of their names.
    pub parts: Vec<Passage>,
    /// The plan with a terminal vertex for each `stop` that is written; it does what the plan does. `None` if not all was spelled.
    pub plan: Option<Plan>,
}

/// What is done from some place on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passage {
    /// Actions in turn, each any of some.
    pub events: Vec<Vec<Label>>,
    /// What comes after them.
    pub then: Then,
}

/// How a passage ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Then {
    /// The plan terminates; the vertex of the spelled plan.
    Stop(Vertex),
    /// It goes on with a part.
    GoTo(usize),
    /// There is nothing to go on with.
    Nothing,
    /// One of some events comes, each with what follows.
    Choice(Kind, Vec<(Vec<Label>, Passage)>),
    /// The rest is not spelled.
    Cut,
}

impl Program {
    /// Writes a plan as a program.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(plan: &Plan, monitor: &dyn Monitor) -> Result<Self, Limit> {
        Parts::new(plan, monitor)?.spell(monitor)
    }
}

fn poll(monitor: &dyn Monitor, at: usize) -> Result<(), Limit> {
    if at.is_multiple_of(POLL) {
        let (doing, explored) = ("writing the plan as a program", at as u64);
        monitor.poll(&Progress { doing, explored, ..Progress::default() })?;
    }
    Ok(())
}

/// A plan and where its parts begin.
struct Parts<'a> {
    plan: &'a Plan,
    graph: PGraph,
    /// The number of the part that begins at each vertex.
    part: Vec<Option<usize>>,
    /// Where the parts begin, in order.
    parts: Vec<Vertex>,
}

/// Labels that lead to the same vertex, and that vertex.
type Branch = (Vec<Label>, Vertex);

impl<'a> Parts<'a> {
    fn new(plan: &'a Plan, monitor: &dyn Monitor) -> Result<Self, Limit> {
        let graph = plan.effective();
        let part = vec![None; graph.len()];
        let mut parts = Self { plan, graph, part, parts: Vec::new() };
        let mut entries = vec![0usize; parts.graph.len()];
        for &v in parts.graph.initial() {
            entries[parts.spoken(v).index()] += 1;
        }
        let mut targets = Vec::new();
        for v in reachable(&parts.graph).iter().map(|v| Vertex(v as u32)) {
            poll(monitor, v.index())?;
            if parts.spoken(v) == v {
                parts.targets(v, &mut targets);
                for &(to, _) in &targets {
                    entries[parts.spoken(to).index()] += 1;
                }
            }
        }
        parts.find(&entries, monitor)?;
        Ok(parts)
    }

    /// Makes a part of what several places lead to, and of what lies too deep; numbered as they are met.
    fn find(&mut self, entries: &[usize], monitor: &dyn Monitor) -> Result<(), Limit> {
        let mut seen = vec![false; self.graph.len()];
        let mut todo: Vec<(Vertex, usize)> = self.graph.initial().iter().rev().map(|&v| (v, 0)).collect();
        let (mut steps, mut targets) = (0, Vec::new());
        while let Some((v, mut depth)) = todo.pop() {
            if std::mem::replace(&mut seen[v.index()], true) {
                continue;
            }
            poll(monitor, steps)?;
            steps += 1;
            if (entries[v.index()] > 1 || depth >= DEEPEST) && !self.is_short(v) {
                self.part[v.index()] = Some(self.parts.len());
                self.parts.push(v);
                depth = 0;
            }
            self.targets(v, &mut targets);
            let deeper = depth + usize::from(targets.len() > 1);
            todo.extend(targets.iter().rev().map(|&(to, _)| (to, deeper)));
        }
        Ok(())
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

    /// Where the branches lead, in their order, each with a number that tells it; in room that is used again, for this is done at every vertex.
    fn targets(&self, v: Vertex, targets: &mut Vec<(Vertex, usize)>) {
        let arcs = self.graph.arcs(v);
        targets.clear();
        if arcs.is_sorted_by(|a, b| a.label < b.label) {
            // A branch comes where the first of its labels does.
            targets.extend(arcs.iter().enumerate().map(|(i, arc)| (arc.to, i)));
            targets.sort_unstable();
            targets.dedup_by_key(|(to, _)| *to);
            targets.sort_unstable_by_key(|&(_, i)| i);
        } else {
            targets.extend(self.branches(v).into_iter().enumerate().map(|(i, (_, to))| (to, i)));
        }
    }

    /// The one vertex that all arcs of a vertex lead to, if there is one.
    fn only(&self, v: Vertex) -> Option<Vertex> {
        let (first, rest) = self.graph.arcs(v).split_first()?;
        rest.iter().all(|arc| arc.to == first.to).then_some(first.to)
    }

    /// The vertex itself, or the one after it if it is an observation vertex without a choice, which says nothing.
    fn spoken(&self, v: Vertex) -> Vertex {
        let silent = self.graph.kind(v) == Kind::Observation && !self.plan.is_terminal(v);
        self.only(v).filter(|_| silent).unwrap_or(v)
    }

    /// Whether the part that begins here is a short straight line to a stop.
    fn is_short(&self, mut v: Vertex) -> bool {
        for _ in 0..REPEATED {
            if self.plan.is_terminal(v) {
                return true;
            }
            match self.only(v) {
                Some(to) => v = to,
                None => return self.graph.arcs(v).is_empty(),
            }
        }
        false
    }

    /// The plan, spelled out.
    fn spell(&self, monitor: &dyn Monitor) -> Result<Program, Limit> {
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
            if out.written > MOST {
                out.cut = true;
                break;
            }
            poll(monitor, part)?;
            let node = out.part[part];
            parts.push(self.passage_from(v, node, &mut out));
        }
        let plan = (!out.cut).then(|| out.plan());
        Ok(Program { starts, parts, plan })
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
        let mut events: Vec<Vec<Label>> = Vec::new();
        loop {
            out.written += 1;
            if out.written > MOST {
                out.cut = true;
                return Passage { events, then: Then::Cut };
            }
            if self.plan.is_terminal(v) {
                out.stops.push(node.0);
                return Passage { events, then: Then::Stop(node) };
            }
            let branches = self.branches(v);
            match &branches[..] {
                [] => return Passage { events, then: Then::Nothing },
                [(labels, to)] => {
                    if self.graph.kind(v) == Kind::Action {
                        events.push(labels.clone());
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
}

/// The plan being spelled out.
#[derive(Default)]
struct Spelling {
    graph: PGraphBuilder,
    /// Where each part begins.
    part: Vec<Vertex>,
    stops: Vec<u32>,
    /// How many vertices were written.
    written: usize,
    /// Whether something was left out.
    cut: bool,
}

impl Spelling {
    fn arcs(&mut self, from: Vertex, labels: &[Label], to: Vertex) {
        for &label in labels {
            self.graph.arc(from, label, to);
        }
    }

    fn plan(mut self) -> Plan {
        let graph = self.graph.build().expect("a plan spelled out alternates as the plan does");
        let mut names = Names::new();
        for v in graph.vertices() {
            names.intern(&v.0.to_string());
        }
        self.stops.sort_unstable();
        let terminal = BitSet::from_fn(graph.len(), |v| self.stops.binary_search(&(v as u32)).is_ok());
        Plan { graph, names, terminal }
    }
}
