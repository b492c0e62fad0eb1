//! Probable mistakes in the rules of a world, as they are written.

use super::super::ast::{Guard, Observation, Rule, TypeKind};
use super::super::scope::{Domain, Scope};
use super::super::term::Term;
use super::rules::{Offer, Rules};
use crate::diagnostic::{Code, Diagnostic, Fix};

/// Warns of what was probably meant otherwise.
pub(super) fn look(rules: &[Rule], compiled: &Rules, scope: &mut Scope) {
    let lines: Vec<&Observation> = rules
        .iter()
        .filter_map(|rule| match rule {
            Rule::Observe(lines) => Some(lines),
            _ => None,
        })
        .flatten()
        .collect();
    catch_all(&lines, scope);
    starting_values(rules, compiled, scope);
}

/// An observation without a condition after others that have one: it is possible where they are, too.
fn catch_all(lines: &[&Observation], scope: &mut Scope) {
    if lines.iter().any(|line| matches!(line.guard, Guard::Otherwise)) {
        return;
    }
    let Some((last, before)) = lines.split_last() else { return };
    let guarded = before.iter().all(|line| matches!(line.guard, Guard::When(_)));
    if before.is_empty() || !guarded || !matches!(last.guard, Guard::Always) {
        return;
    }
    let message = "this may be observed everywhere, also where another line applies";
    let mut finding = Diagnostic::new(Code::CatchAll, message).at(last.span, "it has no condition").help(
        "write `otherwise` if it comes only where no other line applies, or `when true` if it may come anywhere",
    );
    let end = last.by.as_ref().map(|by| by.span).or(last.labels.last().map(|label| label.span));
    if let (Some(end), false) = (end, last.shows) {
        finding = finding
            .fix(Fix::insert_after("add `otherwise`", end, " otherwise"))
            .fix(Fix::insert_after("add `when true`", end, " when true"));
    }
    scope.diagnostics.push(finding);
}

/// Variables that change, and may start with any value although all others that change start with one.
fn starting_values(rules: &[Rule], compiled: &Rules, scope: &mut Scope) {
    let blocks = compiled
        .actions
        .iter()
        .map(|a| &a.outcomes)
        .chain(compiled.lines.iter().chain(&compiled.otherwise).map(|l| &l.outcomes));
    let mut changes = vec![false; scope.variables.len()];
    for assign in blocks.flatten().flatten() {
        changes[assign.variable] = true;
    }
    let free: Vec<usize> =
        (0..changes.len()).filter(|&v| changes[v] && compiled.values[v].is_none()).collect();
    let given = (0..changes.len()).any(|v| changes[v] && compiled.values[v].is_some());
    let (&[v], true) = (free.as_slice(), given) else { return };
    let decides = compiled.actions.iter().any(|a| a.guard.mentions(v))
        || compiled.goals.iter().any(|(_, goal)| goal.mentions(v));
    if !decides || compiled.start_condition.mentions(v) || shown(compiled, v, scope) {
        return;
    }
    let written = rules.iter().find_map(|rule| match rule {
        Rule::Variable { name, domain, .. } if name.text == scope.variables[v].name => Some((name, domain)),
        _ => None,
    });
    let Some((name, domain)) = written else { return };
    let example = match (&domain.kind, &scope.variables[v].domain) {
        (_, Domain::Bool) => "false".to_owned(),
        (TypeKind::Enum(values), _) => values[0].text.clone(),
        (_, Domain::Int(low, _)) => low.to_string(),
        (_, Domain::Enum(values) | Domain::SomeInts(values)) => scope.core_value(v, values[0]).to_string(),
    };
    let message = format!("`{}` may start with any of its values", name.text);
    scope.diagnostics.push(
        Diagnostic::new(Code::NoStartingValue, message)
            .at(name.span, "no starting value")
            .note(
                "all other variables that change start with a value, and nothing tells the robot this one's",
            )
            .help(format!("give it one, such as `= {example}`; if any will do, say so: `start where ...`"))
            .fix(Fix::insert_after(format!("add `= {example}`"), domain.span, format!(" = {example}"))),
    );
}

/// Whether observations tell the value: then not knowing it at the start may be the point.
fn shown(compiled: &Rules, v: usize, scope: &Scope) -> bool {
    let flag = scope.variables[v].domain == Domain::Bool;
    compiled.lines.iter().chain(&compiled.otherwise).any(|line| {
        let read = match &line.offer {
            Offer::By(term, _) => term.mentions(v),
            Offer::Shown(variables, _) => variables.contains(&v),
            Offer::Any(_) => false,
        };
        // A flag that was forgotten often decides what is observed; a place that does is being looked for.
        read || (!flag && line.guard.mentions(v))
    })
}

impl Term {
    /// Whether its value may depend on the variable.
    fn mentions(&self, v: usize) -> bool {
        match self {
            Term::Const(_) | Term::Goal | Term::Kind(..) | Term::Is(_) => false,
            Term::Var(w) | Term::Test(_, w, _) => *w == v,
            Term::Arith(_, ab, _) | Term::Min(ab) | Term::Max(ab) | Term::Compare(_, ab) | Term::Iff(ab) => {
                ab.0.mentions(v) || ab.1.mentions(v)
            }
            Term::Not(inner) | Term::Past(_, inner) => inner.mentions(v),
            Term::And(parts) | Term::Or(parts) => parts.iter().any(|part| part.mentions(v)),
            Term::If(parts) => parts.iter().any(|part| part.mentions(v)),
        }
    }
}
