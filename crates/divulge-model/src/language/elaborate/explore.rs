//! The reachable part of a world given by rules: an action and an observation vertex for each valuation met.

use super::super::ast::When;
use super::super::scope::{Checked, Domain, Failed, Scope};
use super::super::term::{Fault, Term};
use super::labels::Labels;
use super::rules::{Assign, Line, Offer, Rules};
use super::states::{Codec, States};
use crate::diagnostic::{Code, Diagnostic, Span};
use divulge::{
    problem::{Kind, Label, Names, PGraphBuilder, Props, Vertex, World},
    sets::BitSet,
};
use rustc_hash::FxHashSet;

/// More combinations of starting values than this are refused.
const MAX_STARTS: u128 = 50_000_000;
/// More vertices than this are refused: nothing could be asked of such a world.
const MAX_VERTICES: usize = 10_000_000;

/// More edges than this are refused, for the same reason.
const MAX_ARCS: usize = 30_000_000;

/// How many states are looked at between two polls.
const POLL: u128 = 4096;

/// A world and the valuation of each of its vertices.
pub(super) struct Explored {
    pub world: World,
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
        graph: PGraphBuilder::new(),
        arcs: Vec::new(),
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
    graph: PGraphBuilder,
    /// Kept apart until it is known which labels happen.
    arcs: Vec<(Vertex, Label, Vertex)>,
    /// Room for the state that an outcome leads to.
    next: Vec<i64>,
    /// Places whose mistakes were reported: once is enough, however many states show them.
    reported: FxHashSet<Span>,
    world_span: Span,
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
            if n.is_multiple_of(POLL) {
                self.scope.poll(self.states.len())?;
            }
            if self.holds(&self.rules.start_condition, &state)? {
                let vertex = self.vertex(self.rules.start, &state)?;
                self.graph.initial(vertex);
            }
        }
        if self.graph.is_empty() {
            let at = self.rules.start_span.unwrap_or(self.world_span);
            return self.scope.fail(
                Diagnostic::new(Code::NoInitial, "no state satisfies the start condition")
                    .at(at, "")
                    .help("starting values count as well: `x: 0..3 = 0` starts with x = 0 only"),
            );
        }
        Ok(())
    }

    fn run(&mut self) -> Checked<()> {
        let mut state = vec![0; self.rules.values.len()];
        let mut next = 0;
        while next < self.states.len() {
            if (next as u128).is_multiple_of(POLL) {
                self.scope.poll(next)?;
            }
            self.codec.decode(self.states.key(next), &mut state);
            let from = Vertex(next as u32);
            match self.states.kind(next) {
                Kind::Action => self.act(from, &state)?,
                Kind::Observation => self.observe(from, &state)?,
            }
            next += 1;
        }
        if self.scope.diagnostics.has_errors() { Err(Failed) } else { Ok(()) }
    }

    fn act(&mut self, from: Vertex, state: &[i64]) -> Checked<()> {
        let rules = self.rules;
        for action in &rules.actions {
            if self.holds(&action.guard, state)? {
                self.outcomes(from, action.label, &action.outcomes, state)?;
            }
        }
        Ok(())
    }

    fn observe(&mut self, from: Vertex, state: &[i64]) -> Checked<()> {
        let rules = self.rules;
        let mut some = false;
        for line in &rules.lines {
            if self.holds(&line.guard, state)? {
                some = true;
                self.line(from, line, state)?;
            }
        }
        if !some {
            for line in &rules.otherwise {
                self.line(from, line, state)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, from: Vertex, line: &Line, state: &[i64]) -> Checked<()> {
        match &line.offer {
            Offer::Any(labels) => {
                for &label in labels {
                    self.outcomes(from, label, &line.outcomes, state)?;
                }
            }
            Offer::By(term, table) => {
                let value = self.value(term, state)?;
                if let Some(&(_, label)) = table.iter().find(|(v, _)| *v == value) {
                    self.outcomes(from, label, &line.outcomes, state)?;
                }
            }
            Offer::Shown(variables, table) => {
                let values: Vec<i64> = variables.iter().map(|&v| state[v]).collect();
                if let Some(&label) = table.get(&values) {
                    self.outcomes(from, label, &line.outcomes, state)?;
                }
            }
        }
        Ok(())
    }

    fn outcomes(
        &mut self,
        from: Vertex,
        label: Label,
        outcomes: &[Vec<Assign>],
        state: &[i64],
    ) -> Checked<()> {
        let kind = self.graph.kind(from).other();
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
                let to = self.vertex(kind, &next)?;
                self.arcs.push((from, label, to));
                if self.arcs.len() > MAX_ARCS {
                    return self.scope.fail(
                        Diagnostic::new(
                            Code::TooManyStates,
                            format!("the world has more than {MAX_ARCS} edges"),
                        )
                        .at(self.world_span, "")
                        .help("narrow the ranges of the variables, or leave out actions and outcomes"),
                    );
                }
            }
            self.next = next;
        }
        Ok(())
    }

    fn vertex(&mut self, kind: Kind, state: &[i64]) -> Checked<Vertex> {
        let (vertex, new) = self.states.intern(kind, self.codec.encode(state));
        if new {
            self.graph.vertex(kind);
            if self.states.len() > MAX_VERTICES {
                return self.scope.fail(
                    Diagnostic::new(
                        Code::TooManyStates,
                        format!("the world has more than {MAX_VERTICES} vertices"),
                    )
                    .at(self.world_span, "")
                    .help("narrow the ranges of the variables, or leave out what the question does not need"),
                );
            }
        }
        Ok(Vertex(vertex))
    }

    fn value(&mut self, term: &Term, state: &[i64]) -> Checked<i64> {
        term.eval(state).or_else(|fault| self::fault(self.scope, fault, state))
    }

    fn holds(&mut self, term: &Term, state: &[i64]) -> Checked<bool> {
        Ok(self.value(term, state)? != 0)
    }

    fn goal(&mut self) -> Checked<BitSet> {
        let rules = self.rules;
        let mut goal = BitSet::new(self.states.len());
        let mut state = vec![0; rules.values.len()];
        for v in 0..self.states.len() {
            self.codec.decode(self.states.key(v), &mut state);
            let kind = self.states.kind(v);
            for (when, term) in &rules.goals {
                let right = match when {
                    When::Acting => kind == Kind::Action,
                    When::Observing => kind == Kind::Observation,
                    When::Anywhere => true,
                };
                if right && self.holds(term, &state)? {
                    goal.insert(v);
                }
            }
        }
        Ok(goal)
    }

    fn finish(mut self, labels: &mut Labels) -> Checked<Explored> {
        let goal = self.goal()?;
        let mut used = vec![false; labels.spans.len()];
        for (_, label, _) in &self.arcs {
            used[label.index()] = true;
        }
        let numbers = labels.drop_unused(&used);
        let Explorer { rules, scope, codec, states, mut graph, arcs, world_span, .. } = self;
        for (from, label, to) in arcs {
            graph.arc(from, numbers[label.index()], to);
        }
        let n = states.len();
        let mut state = vec![0; rules.values.len()];
        let mut names = Names::with_capacity(n, n * 24);
        let mut props = Props::new();
        let mut writer = Writer::new(scope);
        for v in 0..n {
            codec.decode(states.key(v), &mut state);
            names.intern(writer.name(states.kind(v), &state));
        }
        for (i, variable) in scope.variables.iter().enumerate() {
            let column = props.column_mut(&variable.name);
            // Values are few: each is looked up once and its code is kept.
            let mut codes = super::states::Codes::default();
            for v in 0..n {
                let value = codec.decode_one(states.key(v), i);
                let code = codes.get(value, || column.intern(scope.core_value(i, value)));
                column.set_code(Vertex(v as u32), code);
            }
        }
        match graph.build() {
            Ok(graph) => {
                Ok(Explored { world: World { graph, names, goal, props, past: None }, states, codec })
            }
            Err(error) => {
                scope.fail(Diagnostic::new(Code::TooManyStates, error.to_string()).at(world_span, ""))
            }
        }
    }
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

/// Writes vertex names: `u(row=0,col=1,pebble,high)` for an action vertex, `y(…)` for an observation vertex.
struct Writer<'s> {
    scope: &'s Scope<'s>,
    /// Whether a variable's value tells by itself which variable it is.
    telling: Vec<bool>,
    text: String,
}

impl<'s> Writer<'s> {
    fn new(scope: &'s Scope<'_>) -> Self {
        let telling = scope.variables.iter().enumerate().map(|(i, v)| match &v.domain {
            Domain::Enum(values) => scope.variables.iter().enumerate().all(|(j, w)| match &w.domain {
                Domain::Enum(others) => i == j || others.iter().all(|o| !values.contains(o)),
                _ => true,
            }),
            _ => false,
        });
        Writer { telling: telling.collect(), scope, text: String::new() }
    }

    fn name(&mut self, kind: Kind, state: &[i64]) -> &str {
        self.text.clear();
        self.text.push(if kind == Kind::Action { 'u' } else { 'y' });
        for (i, variable) in self.scope.variables.iter().enumerate() {
            self.text.push(if i == 0 { '(' } else { ',' });
            if !self.telling[i] {
                self.text.push_str(&variable.name);
                self.text.push('=');
            }
            match &variable.domain {
                Domain::Bool => self.text.push_str(if state[i] != 0 { "true" } else { "false" }),
                Domain::Enum(_) => self.text.push_str(self.scope.words.name(state[i] as u32)),
                _ => push_int(&mut self.text, state[i]),
            }
        }
        if !self.scope.variables.is_empty() {
            self.text.push(')');
        }
        &self.text
    }
}

/// Formatting machinery costs more than everything else about a name.
fn push_int(text: &mut String, value: i64) {
    if value < 0 {
        text.push('-');
    }
    let mut rest = value.unsigned_abs();
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend(digits[first..].iter().map(|&d| char::from(d)));
}

#[cfg(test)]
mod tests {
    #[test]
    fn integers_are_written_as_usual() {
        for value in [0, 7, -1, 10, 1234567890, i64::MIN, i64::MAX] {
            let mut text = String::new();
            super::push_int(&mut text, value);
            assert_eq!(text, value.to_string());
        }
    }
}
