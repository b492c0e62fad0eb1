//! A plan as a short indented program.
//!
//! *Background.* A plan is a graph in which many branches may come together again; written out as a tree it would grow
//! exponentially. So a part that several places lead to is written once, under a name, unless it is only a few events long.
//!
//! *Practical.* [`Program::new`] finds the parts; [`Program::lines`] writes them, part by part, without recursion.

use divulge::problem::{Alphabet, Kind, Label, PGraph, Plan, Vertex};

use super::layout::list;

/// A part that several places lead to is repeated if it is a straight line of at most so many vertices.
const REPEATED: usize = 7;

/// Branches are indented at most so many times; what lies deeper becomes a part of its own.
const DEEPEST: usize = 8;

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// How far it is indented, in steps.
    pub indent: usize,
    /// What it says.
    pub text: String,
    /// The terminal vertex of the plan where it ends, if it ends with `stop`.
    pub stops: Option<Vertex>,
    /// Whether it is the heading of a part.
    pub heading: bool,
}

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

    /// The whole program.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let starts = self.graph.initial();
        for (i, &v) in starts.iter().enumerate() {
            let lead = if starts.len() > 1 { format!("start {}: ", i + 1) } else { String::new() };
            match self.part[v.index()] {
                Some(part) => lines.push(line(0, format!("{lead}go to {}", name(part)), None)),
                None => self.part_lines(v, lead, 0, &mut lines),
            }
        }
        for (part, &v) in self.parts.iter().enumerate() {
            lines.push(Line { indent: 0, text: format!("{}:", name(part)), stops: None, heading: true });
            self.part_lines(v, String::new(), 1, &mut lines);
        }
        lines
    }

    /// The lines of one part.
    fn part_lines(&self, start: Vertex, lead: String, indent: usize, lines: &mut Vec<Line>) {
        let mut todo = vec![(start, lead, indent)];
        let mut first = true;
        while let Some((v, lead, indent)) = todo.pop() {
            let (text, end) = self.straight(v, std::mem::take(&mut first));
            let stops = match &end {
                End::Stop(at) => Some(*at),
                End::Choice(_) | End::Other => None,
            };
            let whole = format!("{lead}{text}");
            let empty = whole.is_empty();
            if !empty {
                lines.push(line(indent, whole.trim_end().to_owned(), stops));
            }
            if let End::Choice(at) = end {
                let deeper = indent + usize::from(!lead.is_empty());
                for (labels, to) in self.branches(at).into_iter().rev() {
                    todo.push((to, self.lead(at, &labels), deeper));
                }
            }
        }
    }

    /// The events from `v` on until there is a choice or an end.
    fn straight(&self, mut v: Vertex, mut begins: bool) -> (String, End) {
        let mut events: Vec<String> = Vec::new();
        loop {
            let end = |mut events: Vec<String>, last: String, end| {
                events.push(last);
                (joined(&events), end)
            };
            if let Some(part) = self.part[v.index()].filter(|_| !begins) {
                return end(events, format!("go to {}", name(part)), End::Other);
            }
            begins = false;
            if self.plan.is_terminal(v) {
                return end(events, "stop".to_owned(), End::Stop(v));
            }
            let branches = self.branches(v);
            match &branches[..] {
                [] => return end(events, "(nothing to go on with)".to_owned(), End::Other),
                [(labels, to)] => {
                    if self.graph.kind(v) == Kind::Action {
                        events.push(self.names(labels));
                    }
                    v = *to;
                }
                _ => return (joined(&events), End::Choice(v)),
            }
        }
    }

    fn lead(&self, at: Vertex, labels: &[Label]) -> String {
        match self.graph.kind(at) {
            Kind::Observation => format!("if {}: ", self.names(labels)),
            Kind::Action => format!("either {}: ", self.names(labels)),
        }
    }

    fn names(&self, labels: &[Label]) -> String {
        let names: Vec<&str> = labels.iter().map(|&l| self.alphabet.name(l)).collect();
        list(&names, "or")
    }
}

/// Events in turn; one that is repeated often is written once.
fn joined(events: &[String]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in events.chunk_by(|a, b| a == b) {
        match run.len() {
            times @ 3.. => texts.push(format!("{} ({times} times)", run[0])),
            _ => texts.extend_from_slice(run),
        }
    }
    texts.join(", ")
}

enum End {
    Stop(Vertex),
    Choice(Vertex),
    Other,
}

fn line(indent: usize, text: String, stops: Option<Vertex>) -> Line {
    Line { indent, text, stops, heading: false }
}

/// A, B, …, Z, A1, B1, …
fn name(part: usize) -> String {
    let letter = char::from(b'A' + (part % 26) as u8);
    match part / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
