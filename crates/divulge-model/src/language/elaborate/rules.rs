//! `world { … }` compiled: guards and assignments as terms, labels as numbers.

use super::super::ast::{Assignment, Block, Guard, Observation, Rule, When};
use super::super::check::{Env, Typed};
use super::super::scope::{Checked, Domain, Scope, bare_name};
use super::super::term::Term;
use super::labels::Labels;
use crate::diagnostic::{Code, Diagnostic, Fix, Span, nearest};
use divulge::problem::{Kind, Label};
use rustc_hash::FxHashMap;

/// An assignment to one variable.
pub(super) struct Assign {
    pub variable: usize,
    pub value: Term,
    pub span: Span,
}

pub(super) struct Action {
    pub label: Label,
    pub guard: Term,
    pub outcomes: Vec<Vec<Assign>>,
}

/// Which labels an observation line offers.
pub(super) enum Offer {
    /// Any of these.
    Any(Vec<Label>),
    /// The one that goes with the term's value.
    By(Term, Vec<(i64, Label)>),
    /// The one that goes with the values of these variables.
    Shown(Vec<usize>, FxHashMap<Vec<i64>, Label>),
}

pub(super) struct Line {
    pub offer: Offer,
    pub guard: Term,
    pub outcomes: Vec<Vec<Assign>>,
}

/// A world as rules over the scope's variables.
pub(super) struct Rules {
    /// The value that each variable starts with, if it is given.
    pub values: Vec<Option<i64>>,
    pub actions: Vec<Action>,
    pub lines: Vec<Line>,
    /// What is observed where no line applies.
    pub otherwise: Vec<Line>,
    pub start: Kind,
    pub start_condition: Term,
    pub start_span: Option<Span>,
    pub goals: Vec<(When, Term)>,
    pub goal_span: Option<Span>,
    pub picture: Option<(String, String)>,
}

/// Makes the variables known, with their domains.
pub(super) fn declare(rules: &[Rule], scope: &mut Scope) {
    for rule in rules {
        if let Rule::Variable { name, domain, .. } = rule {
            match scope.domain(domain) {
                Ok(domain) => scope.add_variable(name, domain, false),
                Err(_) => {
                    scope.poisoned.insert(name.text.clone());
                }
            }
        }
    }
}

/// Compiles the rules; what fails is left out, with findings.
pub(super) fn compile(rules: &[Rule], scope: &mut Scope, labels: &mut Labels) -> Rules {
    let mut compiled = Rules {
        values: vec![None; scope.variables.len()],
        actions: Vec::new(),
        lines: Vec::new(),
        otherwise: Vec::new(),
        start: Kind::Action,
        start_condition: Term::bool(true),
        start_span: None,
        goals: Vec::new(),
        goal_span: None,
        picture: None,
    };
    // Actions get the first numbers, in the order of their rules.
    for rule in rules {
        if let Rule::Action { name, .. } = rule {
            labels.declare(name, Kind::Action, scope);
        }
    }
    for rule in rules {
        // The finding is recorded; the other rules are looked at all the same.
        let _ = compile_rule(rule, &mut compiled, scope, labels);
    }
    compiled
}

fn compile_rule(rule: &Rule, compiled: &mut Rules, scope: &mut Scope, labels: &mut Labels) -> Checked<()> {
    match rule {
        Rule::Variable { name, value: Some(value), .. } => {
            if let (Some(v), Some(word)) = (scope.variable(&name.text), bare_name(value)) {
                scope.known_value(v, word, value.span)?;
            }
            let found = scope.constant(value)?;
            if let Some(v) = scope.variable(&name.text) {
                let term = assignable(v, found, value.span, scope)?;
                compiled.values[v] = term.constant();
            }
        }
        Rule::Variable { .. } => {}
        Rule::Action { name, guard, outcomes } => {
            let guard = guard.as_ref().map_or(Ok(Term::bool(true)), |g| scope.condition(g, Env::STATE));
            let outcomes = blocks(outcomes, scope);
            let label = labels.declare(name, Kind::Action, scope);
            if let Some(label) = label {
                compiled.actions.push(Action { label, guard: guard?, outcomes: outcomes? });
            }
        }
        Rule::Observe(lines) => {
            for line in lines {
                let _ = observation(line, compiled, scope, labels);
            }
        }
        Rule::Start { when, condition, span } => {
            if let Some(first) = compiled.start_span {
                let message = "this is a second `start`".to_owned();
                return scope.fail(super::super::model::twice(
                    message,
                    *span,
                    first,
                    "join the conditions with `|`",
                ));
            }
            compiled.start_span = Some(*span);
            compiled.start = match when {
                When::Acting => Kind::Action,
                When::Observing => Kind::Observation,
                When::Anywhere => {
                    return scope.fail(
                        Diagnostic::new(Code::Unexpected, "a world starts either by acting or by observing")
                            .at(*span, "")
                            .help("write `start acting` or `start observing`"),
                    );
                }
            };
            if let Some(condition) = condition {
                compiled.start_condition = scope.condition(condition, Env::STATE)?;
            }
        }
        Rule::Goal { when, condition } => {
            compiled.goal_span.get_or_insert(condition.span);
            let term = scope.condition(condition, Env::STATE)?;
            compiled.goals.push((*when, term));
        }
        Rule::Picture { row, col } => {
            for name in [row, col] {
                if scope.variable(&name.text).is_none() {
                    if scope.poisoned.contains(&name.text) {
                        return Err(super::super::scope::Failed);
                    }
                    let known = scope.variables.iter().map(|v| v.name.as_str());
                    let advice = crate::diagnostic::did_you_mean(&name.text, known);
                    let message = format!("`{}` is not a variable of the world", name.text);
                    let finding = Diagnostic::new(Code::UnknownName, message).at(name.span, "");
                    return scope.fail(finding.help_opt(advice));
                }
                scope.used.insert(name.text.clone());
            }
            compiled.picture = Some((row.text.clone(), col.text.clone()));
        }
    }
    Ok(())
}

fn observation(
    line: &Observation,
    compiled: &mut Rules,
    scope: &mut Scope,
    labels: &mut Labels,
) -> Checked<()> {
    let offer = offer(line, scope, labels);
    let outcomes = blocks(&line.outcomes, scope);
    let (guard, list) = match &line.guard {
        Guard::Always => (Term::bool(true), &mut compiled.lines),
        Guard::When(condition) => (scope.condition(condition, Env::STATE)?, &mut compiled.lines),
        Guard::Otherwise => (Term::bool(true), &mut compiled.otherwise),
    };
    list.push(Line { offer: offer?, guard, outcomes: outcomes? });
    Ok(())
}

fn offer(line: &Observation, scope: &mut Scope, labels: &mut Labels) -> Checked<Offer> {
    if line.shows {
        return shown(line, scope, labels);
    }
    // The value of a variable is its own label: `rad when …` shows `high` or `low`.
    if let ([name], None) = (line.labels.as_slice(), &line.by)
        && let Some(v) = scope.variable(&name.text)
    {
        scope.used.insert(name.text.clone());
        let values = domain_values(v, name.span, scope)?;
        let mut table = Vec::new();
        for value in values {
            let text = match scope.variables[v].domain {
                Domain::Enum(_) => scope.core_value(v, value).to_string(),
                _ => format!("{}={}", name.text, scope.core_value(v, value)),
            };
            let label = super::super::ast::Name { text, span: name.span };
            let shown = vec![(name.text.clone(), scope.core_value(v, value).to_string())];
            if let Some(label) = labels.make(&label, shown, scope) {
                table.push((value, label));
            }
        }
        return Ok(Offer::By(Term::Var(v), table));
    }
    let found: Vec<_> = line.labels.iter().map(|l| labels.declare(l, Kind::Observation, scope)).collect();
    let Some(found) = found.into_iter().collect::<Option<Vec<Label>>>() else {
        return Err(super::super::scope::Failed);
    };
    let Some(by) = &line.by else {
        line.labels.iter().for_each(|label| misspelt(label, scope));
        return Ok(Offer::Any(found));
    };
    let (term, values) = match scope.check(by, Env::STATE)? {
        Typed::Int(Term::Var(v)) | Typed::Word(Term::Var(v)) => {
            (Term::Var(v), domain_values(v, by.span, scope)?)
        }
        // Of a condition, the first label shows that it holds.
        Typed::Bool(term) => (term, vec![1, 0]),
        other => {
            let message = format!("`by` takes a variable or a condition, but this is {}", other.describe());
            return scope.fail(Diagnostic::new(Code::TypeMismatch, message).at(by.span, ""));
        }
    };
    if values.len() != found.len() {
        let message = format!("{} labels for {} values", found.len(), values.len());
        let finding = Diagnostic::new(Code::LabelsDoNotMatch, message).at(line.span, "");
        return scope.fail(finding.help("list one label for each value, in the order of the values"));
    }
    Ok(Offer::By(term, values.into_iter().zip(found).collect()))
}

/// `(order, med)`: a label for each combination of the variables' values, the first changing least.
fn shown(line: &Observation, scope: &mut Scope, labels: &mut Labels) -> Checked<Offer> {
    let mut variables = Vec::new();
    for name in &line.labels {
        let Some(v) = scope.variable(&name.text) else {
            if scope.poisoned.contains(&name.text) {
                return Err(super::super::scope::Failed);
            }
            let known = scope.variables.iter().map(|v| v.name.as_str());
            let advice = crate::diagnostic::did_you_mean(&name.text, known);
            let message =
                format!("`{}` is not a variable of the world, so it has no value to show", name.text);
            return scope
                .fail(Diagnostic::new(Code::UnknownName, message).at(name.span, "").help_opt(advice));
        };
        if variables.contains(&v) {
            let message = format!("`{}` is listed twice", name.text);
            return scope
                .fail(Diagnostic::new(Code::DefinedTwice, message).at(name.span, "").help("list it once"));
        }
        scope.used.insert(name.text.clone());
        variables.push(v);
    }
    let sizes = variables.iter().map(|&v| scope.variables[v].domain.size());
    if sizes.fold(1, u128::saturating_mul) > MAX_LABELS {
        return too_many_labels(line.span, scope);
    }
    let mut combinations: Vec<Vec<i64>> = vec![Vec::new()];
    for &v in &variables {
        let values = domain_values(v, line.span, scope)?;
        let longer = |values_before: &Vec<i64>| -> Vec<Vec<i64>> {
            values.iter().map(|&value| [values_before.as_slice(), &[value]].concat()).collect()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    let mut table = FxHashMap::default();
    for values in combinations {
        let each = variables.iter().zip(&values);
        let shown: Vec<(String, String)> = each
            .map(|(&v, &value)| (scope.variables[v].name.clone(), scope.core_value(v, value).to_string()))
            .collect();
        let label = super::super::ast::Name { text: super::family::text(&shown), span: line.span };
        if let Some(label) = labels.make(&label, shown, scope) {
            table.insert(values, label);
        }
    }
    Ok(Offer::Shown(variables, table))
}

/// Short names are near to each other by chance.
const MIN_MISSPELT: usize = 4;

/// Warns of a label that differs from a variable's name in a letter or two.
fn misspelt(label: &super::super::ast::Name, scope: &mut Scope) {
    let close = |name: &&str| name.chars().count() >= MIN_MISSPELT && nearest(&label.text, [*name]).is_some();
    let near = scope.variables.iter().map(|v| v.name.as_str()).filter(close);
    let Some(near) = near.min().map(str::to_owned) else { return };
    let message = format!("the observation `{}` is almost called like the variable `{near}`", label.text);
    scope.diagnostics.push(
        Diagnostic::new(Code::LooksLikeVariable, message)
            .at(label.span, "")
            .help(format!("write `{near}` to observe its value, or choose a name that differs more"))
            .fix(Fix::replace(format!("write `{near}`"), label.span, near.clone())),
    );
}

/// An observation that would need more labels is refused.
const MAX_LABELS: u128 = 100_000;

fn too_many_labels<T>(span: Span, scope: &mut Scope) -> Checked<T> {
    let message = format!("this would make more than {MAX_LABELS} observations");
    let finding = Diagnostic::new(Code::TooManyStates, message).at(span, "");
    scope.fail(finding.help("observe a condition on it instead"))
}

fn domain_values(v: usize, span: Span, scope: &mut Scope) -> Checked<Vec<i64>> {
    let domain = &scope.variables[v].domain;
    if domain.size() > MAX_LABELS {
        return too_many_labels(span, scope);
    }
    Ok(match domain {
        Domain::Bool => vec![1, 0],
        Domain::Int(low, high) => (*low..=*high).collect(),
        Domain::Enum(values) | Domain::SomeInts(values) => values.clone(),
    })
}

fn blocks(blocks: &[Block], scope: &mut Scope) -> Checked<Vec<Vec<Assign>>> {
    let all: Vec<_> = blocks.iter().map(|block| assignments(block, scope)).collect();
    all.into_iter().collect()
}

fn assignments(block: &Block, scope: &mut Scope) -> Checked<Vec<Assign>> {
    let mut all: Vec<Assign> = Vec::new();
    let mut failed = None;
    for assignment in block {
        match targets(assignment, scope) {
            Ok(pairs) => {
                for (variable, value) in pairs {
                    if let Some(first) = all.iter().find(|a| a.variable == variable) {
                        let name = &scope.variables[variable].name;
                        let message = format!("`{name}` is assigned twice in one block");
                        let first = first.span;
                        let finding = Diagnostic::new(Code::AssignedTwice, message)
                            .at(assignment.span, "")
                            .note_at(first, "the first is here")
                            .help("the assignments of a block happen together: keep one, or use `or` for another outcome");
                        scope.diagnostics.push(finding);
                        continue;
                    }
                    all.push(Assign { variable, value, span: assignment.span });
                }
            }
            Err(f) => failed = Some(f),
        }
    }
    failed.map_or(Ok(all), Err)
}

fn targets(assignment: &Assignment, scope: &mut Scope) -> Checked<Vec<(usize, Term)>> {
    if let ([target], Some(word)) = (assignment.targets.as_slice(), bare_name(&assignment.value))
        && let Some(v) = scope.variable(&target.text)
    {
        scope.known_value(v, word, assignment.value.span)?;
    }
    let value = scope.check(&assignment.value, Env::STATE)?;
    let parts = match (assignment.targets.len(), value) {
        (1, value) => vec![value],
        (n, Typed::Tuple(parts)) if parts.len() == n => parts,
        (n, other) => {
            let message = format!("this must be a tuple of {n} values, but it is {}", other.describe());
            return scope.fail(Diagnostic::new(Code::TypeMismatch, message).at(assignment.value.span, ""));
        }
    };
    let mut pairs = Vec::new();
    for (target, part) in assignment.targets.iter().zip(parts) {
        let Some(v) = scope.variable(&target.text) else {
            if scope.poisoned.contains(&target.text) {
                return Err(super::super::scope::Failed);
            }
            let known = scope.variables.iter().map(|v| v.name.as_str());
            let advice = crate::diagnostic::did_you_mean(&target.text, known);
            let message =
                format!("`{}` is not a variable of the world, so it cannot be assigned to", target.text);
            return scope
                .fail(Diagnostic::new(Code::UnknownName, message).at(target.span, "").help_opt(advice));
        };
        pairs.push((v, assignable(v, part, assignment.value.span, scope)?));
    }
    Ok(pairs)
}

/// The term, if a variable may be given its value; whether a computed value is in range is seen when it is computed.
fn assignable(v: usize, value: Typed, span: Span, scope: &mut Scope) -> Checked<Term> {
    let (term, wanted) = match (&scope.variables[v].domain, value) {
        (Domain::Bool, Typed::Bool(term)) => return Ok(term),
        (Domain::Int(..), Typed::Int(term)) => (term, None),
        (Domain::Enum(_), Typed::Word(term)) => (term, None),
        (Domain::Bool, other) => (Term::Const(0), Some(("a condition", other))),
        (Domain::Enum(_), other) => (Term::Const(0), Some(("a word", other))),
        (_, other) => (Term::Const(0), Some(("an integer", other))),
    };
    if let Some((wanted, other)) = wanted {
        return scope.mismatch(span, wanted, &other);
    }
    if let Term::Const(value) = term {
        scope.is_value(v, value, span)?;
        if !scope.variables[v].domain.contains(value) {
            return super::explore::out_of_range(scope, v, value, span, None);
        }
    }
    Ok(term)
}
