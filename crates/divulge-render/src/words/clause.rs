//! Clauses: as formulas, and in sentences.

use divulge::{
    formula::{Comparison, Logic, PlainClause, Predicate, Quoted, Test},
    problem::Vertex,
};

use super::layout::{glue, list};

/// A literal over an estimate: the estimate meets the predicate's vertices, or it does not.
#[derive(Clone, Copy)]
pub(super) enum Literal<'a> {
    /// Some vertex of the estimate satisfies the predicate.
    Meets(&'a Predicate),
    /// None does.
    Misses(&'a Predicate),
}

/// The literals of a clause.
pub(super) fn literals(clause: &PlainClause) -> Vec<Literal<'_>> {
    let positive = clause.positive.iter().map(Literal::Meets);
    positive.chain(clause.negative.iter().map(Literal::Misses)).collect()
}

impl Literal<'_> {
    /// As a formula: `possible(p)`, `!knows(q)` and the like.
    pub fn formula(self) -> String {
        match self {
            Literal::Meets(Logic::Not(q)) => format!("!knows({q:#})"),
            Literal::Misses(Logic::Not(q)) => format!("knows({q:#})"),
            Literal::Meets(Logic::Atom(Test::Is(v, _))) => format!("state({})", Quoted(v)),
            Literal::Misses(Logic::Atom(Test::Is(v, _))) => format!("!state({})", Quoted(v)),
            Literal::Meets(p) => format!("possible({p:#})"),
            Literal::Misses(p) => format!("!possible({p:#})"),
        }
    }

    /// What the observer must do: "not know that …".
    fn duty(self) -> String {
        match self {
            Literal::Meets(Logic::Not(q)) => format!("not know that {}", said(q)),
            Literal::Misses(Logic::Not(q)) => format!("know that {}", said(q)),
            Literal::Meets(p) => format!("hold it possible that {}", said(p)),
            Literal::Misses(p) => format!("rule out that {}", said(p)),
        }
    }

    /// What is so if the literal is false: "it knows that …".
    fn failure(self) -> String {
        match self {
            Literal::Meets(Logic::Not(q)) => format!("it knows that {}", said(q)),
            Literal::Misses(Logic::Not(q)) => format!("it does not know that {}", said(q)),
            Literal::Meets(p) => format!("it has ruled out that {}", said(p)),
            Literal::Misses(p) => format!("it holds it possible that {}", said(p)),
        }
    }
}

/// A predicate within a sentence.
pub(super) fn said(p: &Predicate) -> String {
    match p {
        Logic::Atom(Test::Is(v, _)) => format!("the world is at {}", Quoted(v)),
        Logic::Atom(Test::Goal) => "the world is at a goal".to_owned(),
        other => glue(&format!("`{other:#}`")),
    }
}

/// A predicate, or that it fails, as a short remark about a place.
pub(super) fn remark(p: &Predicate) -> String {
    match p {
        Logic::Not(q) => match &**q {
            Logic::Atom(Test::Is(v, _)) => format!("not at {v}"),
            Logic::Atom(Test::Goal) => "not at a goal".to_owned(),
            Logic::Atom(Test::Compare(name, Comparison::Eq, value, _)) => format!("{name} is not {value}"),
            q => format!("not {q:#}"),
        },
        Logic::Atom(Test::Is(v, _)) => format!("at {v}"),
        Logic::Atom(Test::Goal) => "at a goal".to_owned(),
        Logic::Atom(Test::Compare(name, Comparison::Eq, value, _)) => format!("{name} is {value}"),
        p => format!("{p:#}"),
    }
}

/// The clause as a formula.
pub(super) fn formula(clause: &PlainClause) -> String {
    let literals: Vec<String> = literals(clause).into_iter().map(Literal::formula).collect();
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}

/// How many literals a sentence names before it refers to the formula.
const SAYABLE: usize = 6;

/// A clause that is false of the estimate: what it demands, and how it fails.
pub(super) fn broken(clause: &PlainClause) -> String {
    let literals = literals(clause);
    if literals.is_empty() {
        return "No estimate whatever satisfies it.".to_owned();
    }
    if literals.len() > SAYABLE {
        return format!("None of the {} literals of this clause is so: {}", literals.len(), formula(clause));
    }
    let duties: Vec<String> = literals.iter().map(|l| l.duty()).collect();
    let failures: Vec<String> = literals.iter().map(|l| l.failure()).collect();
    format!("The observer must {}, but {}.", duties.join(", or "), list(&failures, "and"))
}

/// A clause over the vertices of one world: "meets one of these, or does not contain one of those".
pub(super) fn over_vertices(
    positive: &[Vertex],
    negative: &[Vertex],
    name: impl Fn(Vertex) -> String,
) -> String {
    let state = |v: &Vertex| format!("state({})", Quoted(&name(*v)));
    let literals: Vec<String> =
        positive.iter().map(state).chain(negative.iter().map(|v| format!("!{}", state(v)))).collect();
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}
