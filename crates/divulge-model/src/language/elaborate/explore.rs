//! The reachable part of a world given by rules: an action and an observation vertex for each valuation met.

use super::super::scope::{Checked, Domain, Failed, Scope};
use super::super::term::{Fault, Term};
use super::describe::{describe, names};
use super::labels::Labels;
use super::rules::{Assign, Line, Offer, Rules};
use super::states::{Codec, States, code};
use super::waves::Piece;
use crate::diagnostic::{Code, Diagnostic, Span};
use divulge::{
    limit::{Team, with_team},
    problem::{self, Kind, PGraph, Props, Vertex, World},
};
use rustc_hash::FxHashSet;
use std::{
    ops::Range,
    sync::{Arc, RwLock},
};

/// More combinations of starting values than this are refused.
const MAX_STARTS: u128 = 50_000_000;
/// More vertices than this are refused: nothing could be asked of such a world.
const MAX_VERTICES: usize = 10_000_000;

/// More edges than this are refused, for the same reason.
const MAX_ARCS: usize = 30_000_000;

/// How many states each thread looks at between two polls.
const POLL: usize = 4096;

/// So many states are worth a thread.
const MUCH: usize = 512;

/// A world and the valuation of each of its vertices.
pub(super) struct Explored {
    pub world: World,
    pub vertices: Arc<Vertices>,
}

/// The valuations of vertices.
pub(super) struct Vertices {
    pub states: States,
    pub codec: Codec,
}

pub(super) fn explore(
    rules: &Rules,
    labels: &mut Labels,
    scope: &mut Scope,
    world_span: Span,
) -> Checked<Explored> {
    let codec = Codec::new(&scope.variables, scope.words.len());
    let Some(codec) = codec else {
        return scope.fail(
            Diagnostic::new(Code::TooManyStates, "the variables have too many combinations of values")
                .at(world_span, "more than 2^127 combinations")
                .help("narrow the ranges, or split the world"),
        );
    };
    let mut explorer = Explorer {
        rules,
        scope,
        states: States::new(codec.combinations()),
        codec,
        initial: Vec::new(),
        offsets: vec![0],
        arcs: Vec::new(),
        found: 0,
        next: Vec::new(),
        reported: FxHashSet::default(),
        world_span,
    };
    explorer.start()?;
    explorer.run()?;
    explorer.finish(labels)
}

struct Explorer<'r, 's, 'm> {
    rules: &'r Rules,
    scope: &'s mut Scope<'m>,
    codec: Codec,
    states: States,
    initial: Vec<Vertex>,
    /// Where the arcs of each state begin that was looked at, and where the last ones end.
    offsets: Vec<u32>,
    arcs: Vec<problem::Arc>,
    /// How many arcs were found, those that were found twice counted twice.
    found: usize,
    /// Room for the state that an outcome leads to.
    next: Vec<i64>,
    /// Places whose mistakes were reported: once is enough, however many states show them.
    reported: FxHashSet<Span>,
    world_span: Span,
}

/// What a thread does in a round: the arcs of the last round get their numbers, and others are found.
#[derive(Default)]
struct Job {
    before: Piece,
    now: Piece,
}

impl Explorer<'_, '_, '_> {
    /// Every combination of the values that are not given, as far as the start condition admits it.
    fn start(&mut self) -> Checked<()> {
        let free: Vec<usize> =
            (0..self.rules.values.len()).filter(|&v| self.rules.values[v].is_none()).collect();
        let combinations =
            free.iter().try_fold(1u128, |n, &v| n.checked_mul(self.scope.variables[v].domain.size()));
        if combinations.is_none_or(|n| n > MAX_STARTS) {
            let names = free
                .iter()
                .map(|&v| format!("`{}`", self.scope.variables[v].name))
                .collect::<Vec<_>>()
                .join(", ");
            let at = self.rules.start_span.unwrap_or(self.world_span);
            return self.scope.fail(
                Diagnostic::new(
                    Code::TooManyStates,
                    format!("there are more than {MAX_STARTS} ways to start"),
                )
                .at(at, "")
                .note(format!("these have no starting value: {names}"))
                .help("give the variables starting values, or narrow their ranges"),
            );
        }
        let mut state: Vec<i64> = self.rules.values.iter().map(|v| v.unwrap_or(0)).collect();
        for n in 0..combinations.unwrap_or(0) {
            let mut rest = n;
            for &v in free.iter().rev() {
                let size = self.scope.variables[v].domain.size();
                state[v] = self.codec.value(v, (rest % size) as u64);
                rest /= size;
            }
            if n.is_multiple_of(POLL as u128) {
                self.scope.poll(self.states.len())?;
            }
            if self.holds(&self.rules.start_condition, &state)? {
                let vertex = self.vertex(self.rules.start, &state)?;
                self.initial.push(vertex);
            }
        }
        if self.initial.is_empty() {
            let at = self.rules.start_span.unwrap_or(self.world_span);
            return self.scope.fail(
                Diagnostic::new(Code::NoInitial, "no state satisfies the start condition")
                    .at(at, "")
                    .help("starting values count as well: `x: 0..3 = 0` starts with x = 0 only"),
            );
        }
        Ok(())
    }

    /// Looks at every state, by several threads if there are enough of them.
    fn run(&mut self) -> Checked<()> {
        let (rules, codec) = (self.rules, &self.codec);
        let states = RwLock::new(std::mem::replace(&mut self.states, States::new(0)));
        let work = |job: &mut Job| {
            job.before.settle();
            job.now.fill(rules, codec, &states.read().expect(WHOLE));
        };
        let mut trouble = None;
        let explored = with_team(self.scope.within.threads, work, |team| {
            let mut rounds = Rounds { states: &states, team, next: 0, jobs: vec![Job::default()] };
            loop {
                self.scope.poll(rounds.next)?;
                let round = rounds.next;
                if !rounds.one(&mut self.offsets, &mut self.arcs) {
                    trouble = Some(round);
                    return Ok(());
                }
                self.found += rounds.jobs.iter().map(|job| job.now.arcs.len()).sum::<usize>();
                let states = states.read().expect(WHOLE);
                within(self.found, states.len(), self.world_span, self.scope)?;
                if rounds.next == states.len() && rounds.jobs.iter().all(|job| job.now.ends.is_empty()) {
                    return Ok(());
                }
            }
        });
        self.states = states.into_inner().expect(WHOLE);
        explored?;
        trouble.map_or(Ok(()), |first| self.find_faults(first))
    }

    /// Looks at states one by one, from the first of a round in which something was wrong, to tell of all mistakes in order.
    fn find_faults(&mut self, first: usize) -> Checked<()> {
        let mut state = vec![0; self.rules.values.len()];
        let mut next = first;
        while next < self.states.len() {
            if next.is_multiple_of(POLL) {
                self.scope.poll(next)?;
            }
            self.codec.decode(self.states.key(next), &mut state);
            match self.states.kind(next) {
                Kind::Action => self.act(&state)?,
                Kind::Observation => self.observe(&state)?,
            }
            next += 1;
        }
        if self.scope.diagnostics.has_errors() { Err(Failed) } else { Ok(()) }
    }

    fn act(&mut self, state: &[i64]) -> Checked<()> {
        let rules = self.rules;
        for action in &rules.actions {
            if self.holds(&action.guard, state)? {
                self.outcomes(Kind::Observation, &action.outcomes, state)?;
            }
        }
        Ok(())
    }

    fn observe(&mut self, state: &[i64]) -> Checked<()> {
        let rules = self.rules;
        let mut some = false;
        for line in &rules.lines {
            if self.holds(&line.guard, state)? {
                some = true;
                self.line(line, state)?;
            }
        }
        if !some {
            for line in &rules.otherwise {
                self.line(line, state)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &Line, state: &[i64]) -> Checked<()> {
        let labels = match &line.offer {
            Offer::Any(labels) => labels.len(),
            Offer::By(term, table) => {
                let value = self.value(term, state)?;
                usize::from(table.iter().any(|(v, _)| *v == value))
            }
            Offer::Shown(variables, table) => {
                let values: Vec<i64> = variables.iter().map(|&v| state[v]).collect();
                usize::from(table.contains_key(&values))
            }
        };
        (0..labels).try_for_each(|_| self.outcomes(Kind::Action, &line.outcomes, state))
    }

    /// Looks at what one label leads to, at vertices of this kind.
    fn outcomes(&mut self, kind: Kind, outcomes: &[Vec<Assign>], state: &[i64]) -> Checked<()> {
        for outcome in outcomes {
            let mut next = std::mem::take(&mut self.next);
            next.clear();
            next.extend_from_slice(state);
            let mut fits = true;
            for assign in outcome {
                let value = self.value(&assign.value, state)?;
                if !self.codec.contains(assign.variable, value) {
                    fits = false;
                    if self.reported.insert(assign.span) {
                        let _ =
                            out_of_range::<()>(self.scope, assign.variable, value, assign.span, Some(state));
                    }
                }
                next[assign.variable] = value;
            }
            if fits {
                self.vertex(kind, &next)?;
                self.found += 1;
                within(self.found, self.states.len(), self.world_span, self.scope)?;
            }
            self.next = next;
        }
        Ok(())
    }

    fn vertex(&mut self, kind: Kind, state: &[i64]) -> Checked<Vertex> {
        let vertex = self.states.intern(code(kind, self.codec.encode(state)));
        within(0, self.states.len(), self.world_span, self.scope)?;
        Ok(Vertex(vertex))
    }

    fn value(&mut self, term: &Term, state: &[i64]) -> Checked<i64> {
        term.eval(state).or_else(|fault| self::fault(self.scope, fault, state))
    }

    fn holds(&mut self, term: &Term, state: &[i64]) -> Checked<bool> {
        Ok(self.value(term, state)? != 0)
    }

    /// Looks at the goals state by state, to tell of the first in which one has no value.
    fn find_faults_of_goals(&mut self) -> Checked<()> {
        let rules = self.rules;
        let mut state = vec![0; rules.values.len()];
        for v in 0..self.states.len() {
            self.codec.decode(self.states.key(v), &mut state);
            for (when, term) in &rules.goals {
                if when.is_at(self.states.kind(v)) {
                    self.holds(term, &state)?;
                }
            }
        }
        Err(Failed)
    }

    fn finish(mut self, labels: &mut Labels) -> Checked<Explored> {
        let Some((goal, columns)) = describe(self.rules, self.scope, &self.codec, &self.states) else {
            return self.find_faults_of_goals().and(Err(Failed));
        };
        let mut used = vec![false; labels.spans.len()];
        for arc in &self.arcs {
            used[arc.label.index()] = true;
        }
        // Labels keep their order, so arcs keep theirs.
        let numbers = labels.drop_unused(&used);
        let Explorer { scope, codec, mut states, initial, offsets, mut arcs, world_span, .. } = self;
        arcs.iter_mut().for_each(|arc| arc.label = numbers[arc.label.index()]);
        let mut props = Props::new();
        for (variable, column) in scope.variables.iter().zip(columns) {
            *props.column_mut(&variable.name) = column;
        }
        let kinds = (0..states.len()).map(|v| states.kind(v)).collect();
        states.without_index();
        let vertices = Arc::new(Vertices { states, codec });
        let names = names(scope, &vertices);
        match PGraph::in_order(kinds, initial, offsets, arcs) {
            Ok(graph) => Ok(Explored { world: World { graph, names, goal, props, past: None }, vertices }),
            Err(error) => {
                scope.fail(Diagnostic::new(Code::TooManyStates, error.to_string()).at(world_span, ""))
            }
        }
    }
}

/// Nobody panics while states are numbered.
const WHOLE: &str = "states are numbered by one thread";

/// The rounds in which states are looked at.
struct Rounds<'a, 't> {
    states: &'a RwLock<States>,
    team: &'a Team<'t, Job>,
    /// The first state that was not looked at.
    next: usize,
    /// What was found in the last round.
    jobs: Vec<Job>,
}

impl Rounds<'_, '_> {
    /// One round: what was found in the last one goes to its place, and new states are looked at and what they lead to is numbered. False if
    /// something is wrong with one of them.
    fn one(&mut self, offsets: &mut Vec<u32>, arcs: &mut Vec<problem::Arc>) -> bool {
        let end = self.states.read().expect(WHOLE).len();
        let most = self.team.pieces(usize::MAX, 1).saturating_mul(POLL);
        let states = self.next..end.min(self.next.saturating_add(most));
        let count = self.team.pieces(states.len(), MUCH);
        let last = self.jobs.iter().rposition(|job| !job.now.ends.is_empty());
        self.jobs.resize_with(last.map_or(0, |last| last + 1).max(count), Job::default);
        for (i, job) in self.jobs.iter_mut().enumerate() {
            std::mem::swap(&mut job.before, &mut job.now);
            job.now.begin(part(&states, i, count));
        }
        self.next = states.end;
        self.team.round(&mut self.jobs);
        for Job { before, .. } in &self.jobs {
            let start = arcs.len() as u32;
            offsets.extend(before.ends.iter().map(|end| start + end));
            arcs.extend_from_slice(&before.arcs);
        }
        if self.jobs.iter().any(|job| job.now.trouble) {
            return false;
        }
        let mut states = self.states.write().expect(WHOLE);
        for Job { now, .. } in &mut self.jobs {
            let Piece { fresh, numbers, .. } = now;
            numbers.extend(fresh.iter().map(|&code| states.intern(code)));
        }
        true
    }
}

/// One of so many parts of a range of states; nothing if there are fewer.
fn part(states: &Range<usize>, i: usize, count: usize) -> Range<usize> {
    let at = |i: usize| states.start + states.len() * i.min(count) / count;
    at(i)..at(i + 1)
}

/// Refuses worlds that are too large.
fn within(arcs: usize, vertices: usize, world_span: Span, scope: &mut Scope) -> Checked<()> {
    let (many, help) = if vertices > MAX_VERTICES {
        let help = "narrow the ranges of the variables, or leave out what the question does not need";
        (format!("{MAX_VERTICES} vertices"), help)
    } else if arcs > MAX_ARCS {
        let help = "narrow the ranges of the variables, or leave out actions and outcomes";
        (format!("{MAX_ARCS} edges"), help)
    } else {
        return Ok(());
    };
    let finding = Diagnostic::new(Code::TooManyStates, format!("the world has more than {many}"));
    scope.fail(finding.at(world_span, "").help(help))
}

/// The finding that an expression has no value in some state.
pub(super) fn fault<T>(scope: &mut Scope, fault: Fault, state: &[i64]) -> Checked<T> {
    let (message, span) = match fault {
        Fault::Overflow(span) => ("the result does not fit into a 64-bit integer", span),
        Fault::DivisionByZero(span) => ("this divides by zero", span),
    };
    let shown = show(scope, state);
    scope.fail(
        Diagnostic::new(Code::Arithmetic, message)
            .at(span, "")
            .note(format!("this happens in the state {shown}"))
            .help("add a condition that rules this out"),
    )
}

/// The finding that a variable would leave its range.
pub(super) fn out_of_range<T>(
    scope: &mut Scope,
    v: usize,
    value: i64,
    span: Span,
    state: Option<&[i64]>,
) -> Checked<T> {
    let name = scope.variables[v].name.clone();
    let (shown, range) = match &scope.variables[v].domain {
        Domain::Int(low, high) => (value.to_string(), format!("{low}..{high}")),
        Domain::Enum(values) => {
            let names: Vec<&str> = values.iter().map(|&w| scope.words.name(w as u32)).collect();
            (scope.words.name(value as u32).to_owned(), format!("{{{}}}", names.join(", ")))
        }
        _ => (value.to_string(), "its values".to_owned()),
    };
    let verb = if state.is_some() { "would become" } else { "cannot be" };
    let message = format!("`{name}` {verb} {shown}, which is outside {range}");
    let mut finding = Diagnostic::new(Code::OutOfRange, message).at(span, "");
    if let Some(state) = state {
        finding = finding.note(format!("this happens in the state {}", show(scope, state)));
        finding = finding.help(format!("add a condition after `when`, or widen the range of `{name}`"));
    }
    scope.fail(finding)
}

/// A state for people.
fn show(scope: &Scope, state: &[i64]) -> String {
    let parts = scope.variables.iter().enumerate();
    let parts: Vec<String> =
        parts.map(|(v, var)| format!("{} = {}", var.name, scope.core_value(v, state[v]))).collect();
    parts.join(", ")
}
