//! Plans written as programs.
//!
//! A program has a place before each of its actions and at each stop. From the place before an action, the action leads
//! to an observation vertex, and each observation from there to the places that the control flow comes to next, given
//! that observation. So the plan remembers its place and the last observation's consequences, nothing else.

use super::super::ast::{Name, Seen, Statement, StatementKind};
use super::super::scope::{Checked, Failed, Scope};
use super::labels::Labels;
use crate::diagnostic::{Code, Diagnostic, Span};
use divulge::{
    problem::{Kind, Label, Names, PGraphBuilder, Plan, Vertex},
    sets::BitSet,
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The instructions of a flattened program: jumps are indices of instructions.
enum Op {
    Act { labels: Vec<Label>, next: usize },
    Test { seen: Vec<Label>, negated: bool, yes: usize, no: usize, span: Span },
    Choose(Vec<usize>),
    Stop,
}

struct Flat {
    ops: Vec<Op>,
    spans: Vec<Span>,
}

/// Programs that unroll to more instructions than this are refused.
const MAX_OPS: usize = 1_000_000;
/// Plans with more edges than this are refused.
const MAX_ARCS: usize = 10_000_000;
/// Where only the text is looked at, plans with more edges than this are left for later.
const SOON: usize = 100_000;
/// So many steps are made between two looks at the limits.
const POLL: usize = 256;

pub(super) fn compile(
    statements: &[Statement],
    span: Span,
    start: Kind,
    labels: &Labels,
    scope: &mut Scope,
) -> Checked<Plan> {
    let mut code = Flat { ops: vec![Op::Stop], spans: vec![span] };
    let entry = code.sequence(statements, 0, labels, scope)?;
    let mut reached = vec![false; code.ops.len()];
    let plan = Builder::new(&code, labels, &mut reached).build(entry, start, scope)?;
    let idle =
        (1..code.ops.len()).rev().find(|&i| !reached[i] && matches!(code.ops[i], Op::Act { .. } | Op::Stop));
    if let Some(i) = idle {
        scope.diagnostics.push(
            Diagnostic::new(Code::UnreachableStatement, "this part of the plan is never reached")
                .at(code.spans[i], "")
                .help("remove it, or check the `stop` or the test before it"),
        );
    }
    Ok(plan)
}

impl Flat {
    fn push(&mut self, op: Op, span: Span, scope: &mut Scope) -> Checked<usize> {
        if self.ops.len() >= MAX_OPS {
            return scope.fail(
                Diagnostic::new(Code::TooManyStates, format!("the plan has more than {MAX_OPS} steps"))
                    .at(span, "stopped here")
                    .help("repeat less often, or use `while`"),
            );
        }
        if self.ops.len().is_multiple_of(POLL) {
            scope.poll(self.ops.len())?;
        }
        self.ops.push(op);
        self.spans.push(span);
        Ok(self.ops.len() - 1)
    }

    /// Adds statements that continue at `next`; returns where they begin. From the last to the first, so that each
    /// knows where it continues.
    fn sequence(
        &mut self,
        statements: &[Statement],
        next: usize,
        labels: &Labels,
        scope: &mut Scope,
    ) -> Checked<usize> {
        let mut next = Ok(next);
        for statement in statements.iter().rev() {
            // After a mistake the statements before it are looked at too, for theirs.
            let continues = next.unwrap_or(0);
            let begins = self.statement(statement, continues, labels, scope);
            next = match (next, begins) {
                (Ok(_), Ok(begins)) => Ok(begins),
                _ => Err(Failed),
            };
        }
        next
    }

    fn statement(
        &mut self,
        statement: &Statement,
        next: usize,
        labels: &Labels,
        scope: &mut Scope,
    ) -> Checked<usize> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Act(names) => {
                let labels = labels.find_all(names, Some(Kind::Action), scope)?;
                self.push(Op::Act { labels, next }, span, scope)
            }
            StatementKind::Stop => self.push(Op::Stop, span, scope),
            StatementKind::If(tests, otherwise) => {
                let mut no = self.sequence(otherwise, next, labels, scope);
                for (seen, body) in tests.iter().rev() {
                    let yes = self.sequence(body, next, labels, scope);
                    no = self.test(seen, yes, no, labels, scope);
                }
                no
            }
            StatementKind::While(seen, body) => {
                // The loop's test is there before its body, which comes back to it.
                let head = self.push(Op::Stop, span, scope)?;
                let yes = self.sequence(body, head, labels, scope);
                let test = self.test(seen, yes, Ok(next), labels, scope)?;
                self.ops[head] = Op::Choose(vec![test]);
                Ok(head)
            }
            StatementKind::Repeat(count, body) => {
                let times = scope.constant_int(count, "the number of times")?;
                if times < 0 {
                    let finding = Diagnostic::new(
                        Code::BadCount,
                        format!("a part of a plan cannot be repeated {times} times"),
                    );
                    return scope.fail(finding.at(count.span, ""));
                }
                let mut next = next;
                for _ in 0..times {
                    let begins = self.sequence(body, next, labels, scope)?;
                    // An empty body may be repeated for ever at no cost.
                    if begins == next {
                        break;
                    }
                    next = begins;
                }
                Ok(next)
            }
            StatementKind::Choose(options) => {
                let begins: Vec<_> = options.iter().map(|o| self.sequence(o, next, labels, scope)).collect();
                let begins: Checked<Vec<usize>> = begins.into_iter().collect();
                self.push(Op::Choose(begins?), span, scope)
            }
        }
    }

    fn test(
        &mut self,
        seen: &Seen,
        yes: Checked<usize>,
        no: Checked<usize>,
        labels: &Labels,
        scope: &mut Scope,
    ) -> Checked<usize> {
        let found = labels.find_all(&seen.labels, Some(Kind::Observation), scope);
        let span = match (seen.labels.first(), seen.labels.last()) {
            (Some(Name { span: first, .. }), Some(Name { span: last, .. })) => first.to(*last),
            _ => Span::default(),
        };
        self.push(Op::Test { seen: found?, negated: seen.negated, yes: yes?, no: no?, span }, span, scope)
    }
}

struct Builder<'c> {
    code: &'c Flat,
    labels: &'c Labels,
    reached: &'c mut [bool],
    /// The walk that passed an instruction last, and how many there have been: a plan takes a walk for each place and observation.
    passed: Vec<u32>,
    walks: u32,
    todo: Vec<usize>,
}

impl<'c> Builder<'c> {
    fn new(code: &'c Flat, labels: &'c Labels, reached: &'c mut [bool]) -> Self {
        let passed = vec![0; code.ops.len()];
        Builder { code, labels, reached, passed, walks: 0, todo: Vec::new() }
    }

    /// The places that control flow comes to from `op`, given the last observation: actions and stops, ascending.
    fn places(
        &mut self,
        op: usize,
        last: Option<Label>,
        places: &mut Vec<usize>,
        scope: &mut Scope,
    ) -> Checked<()> {
        places.clear();
        self.next_walk();
        self.todo.clear();
        self.todo.push(op);
        while let Some(i) = self.todo.pop() {
            if std::mem::replace(&mut self.passed[i], self.walks) == self.walks {
                continue;
            }
            self.reached[i] = true;
            match &self.code.ops[i] {
                Op::Act { .. } | Op::Stop => places.push(i),
                Op::Choose(options) => self.todo.extend(options),
                Op::Test { seen, negated, yes, no, span } => match last {
                    Some(label) => self.todo.push(if seen.contains(&label) != *negated { *yes } else { *no }),
                    None => {
                        return scope.fail(
                            Diagnostic::new(Code::NothingObservedYet, "nothing has been observed yet")
                                .at(*span, "this asks what was observed last")
                                .help("act first, because the world starts with an action"),
                        );
                    }
                },
            }
        }
        if places.is_empty() {
            return scope.fail(
                Diagnostic::new(Code::IdleLoop, "this loop never acts, so it never ends")
                    .at(self.code.spans[op], "")
                    .help("put an action or a `stop` into the loop"),
            );
        }
        places.sort_unstable();
        Ok(())
    }

    fn next_walk(&mut self) {
        if self.walks == u32::MAX {
            self.walks = 0;
            self.passed.fill(0);
        }
        self.walks += 1;
    }

    fn build(mut self, entry: usize, start: Kind, scope: &mut Scope) -> Checked<Plan> {
        let mut graph = PGraphBuilder::new();
        let mut names = Names::new();
        let mut vertex_of: Vec<Option<Vertex>> = vec![None; self.code.ops.len()];
        let mut order: Vec<usize> = Vec::new();
        let observations: Vec<Label> = self.labels.alphabet.of_kind(Kind::Observation).collect();
        // Where observations lead to, found before the vertices that they lead to are numbered.
        let mut arcs: Vec<(Vertex, Label, usize)> = Vec::new();
        let (mut found, mut places): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        // Places that go on at the same instruction lead to the same ones: the arcs of the first.
        let mut same: FxHashMap<usize, Range<usize>> = FxHashMap::default();
        if start == Kind::Action {
            self.places(entry, None, &mut found, scope)?;
            order.extend(&found);
        } else {
            let first = graph.vertex(Kind::Observation);
            names.intern("first");
            graph.initial(first);
            for &label in &observations {
                self.places(entry, Some(label), &mut places, scope)?;
                for &place in &places {
                    arcs.push((first, label, place));
                    order.push(place);
                }
            }
        }
        let mut at = 0;
        let (mut acts, mut stops) = (0, 0);
        let mut terminal = Vec::new();
        while at < order.len() {
            if at.is_multiple_of(POLL) {
                scope.poll(at)?;
            }
            let place = order[at];
            at += 1;
            if vertex_of[place].is_some() {
                continue;
            }
            let vertex = graph.vertex(Kind::Action);
            vertex_of[place] = Some(vertex);
            let Op::Act { labels, next } = &self.code.ops[place] else {
                stops += 1;
                names.intern(&format!("stop{stops}"));
                terminal.push(vertex);
                continue;
            };
            acts += 1;
            names.intern(&format!("p{acts}"));
            let then = graph.vertex(Kind::Observation);
            names.intern(&format!("q{acts}"));
            for &label in labels {
                graph.arc(vertex, label, then);
            }
            let begin = arcs.len();
            if let Some(others) = same.get(next) {
                arcs.extend_from_within(others.clone());
                arcs[begin..].iter_mut().for_each(|(from, _, _)| *from = then);
            } else {
                for &label in &observations {
                    self.places(*next, Some(label), &mut places, scope)?;
                    arcs.extend(places.iter().map(|&to| (then, label, to)));
                    order.extend(&places);
                    if arcs.len() > MAX_ARCS {
                        break;
                    }
                }
                same.insert(*next, begin..arcs.len());
            }
            if arcs.len() > SOON && !scope.within.world {
                return Err(Failed);
            }
            if arcs.len() > MAX_ARCS {
                return scope.fail(
                    Diagnostic::new(Code::TooManyStates, format!("the plan has more than {MAX_ARCS} edges"))
                        .at(self.code.spans[place], "stopped here")
                        .help("use fewer choices in a row"),
                );
            }
        }
        for (from, label, place) in arcs {
            if let Some(to) = vertex_of[place] {
                graph.arc(from, label, to);
            }
        }
        for place in found {
            if let Some(vertex) = vertex_of[place] {
                graph.initial(vertex);
            }
        }
        let mut set = BitSet::new(graph.len());
        for vertex in terminal {
            set.insert(vertex.index());
        }
        match graph.build() {
            Ok(graph) => Ok(Plan { graph, names, terminal: set }),
            Err(error) => {
                scope.fail(Diagnostic::new(Code::NoInitial, error.to_string()).at(self.code.spans[0], ""))
            }
        }
    }
}
