//! What stipulations say of an estimate.

use divulge::{
    formula::{Atom, Comparison, Formula, Logic, Predicate, Test},
    problem::{Problem, Scope, Value, Vertex, World},
};

use crate::graph::Set;

/// Whether every stipulation of one scope holds of the estimate.
pub fn all_hold(problem: &Problem, scope: Scope, estimate: &Set) -> bool {
    problem
        .observer
        .stipulations
        .iter()
        .all(|s| s.scope != scope || holds(&problem.world, &s.formula, estimate))
}

/// Whether a formula holds of an estimate, a set of world vertices.
pub fn holds(world: &World, formula: &Formula, estimate: &Set) -> bool {
    value(formula, &|atom| match atom {
        Atom::State(name, _) => estimate.iter().any(|&v| is(world, v, name)),
        Atom::Possible(p) => estimate.iter().any(|&v| satisfies(world, p, v)),
        Atom::Knows(p) => estimate.iter().all(|&v| satisfies(world, p, v)),
        Atom::Temporal(_) => unreachable!("of one estimate: see `beyond`"),
    })
}

/// Whether a vertex satisfies a predicate.
pub fn satisfies(world: &World, predicate: &Predicate, v: usize) -> bool {
    value(predicate, &|test| match test {
        Test::Goal => world.goal.contains(v),
        Test::Kind(kind, same) => (world.graph.kind(Vertex(v as u32)) == *kind) == *same,
        Test::Is(name, _) => is(world, v, name),
        Test::Initially(_) | Test::Was(_) => unreachable!("of one vertex: see `beyond`"),
        Test::Flag(name, _) => property(world, v, name) == Some(Value::Bool(true)),
        Test::Compare(name, comparison, wanted, _) => match property(world, v, name) {
            None => false,
            Some(have) => compares(&have, *comparison, wanted),
        },
    })
}

fn is(world: &World, v: usize, name: &str) -> bool {
    world.name(Vertex(v as u32)) == name
}

fn property(world: &World, v: usize, name: &str) -> Option<Value> {
    world.props.of(Vertex(v as u32)).find(|(n, _)| *n == name).map(|(_, value)| value.clone())
}

fn compares(have: &Value, comparison: Comparison, wanted: &Value) -> bool {
    if comparison == Comparison::Eq || comparison == Comparison::Ne {
        return (have == wanted) == (comparison == Comparison::Eq);
    }
    let (&Value::Int(have), &Value::Int(wanted)) = (have, wanted) else { return false };
    match comparison {
        Comparison::Lt => have < wanted,
        Comparison::Le => have <= wanted,
        Comparison::Gt => have > wanted,
        _ => have >= wanted,
    }
}

/// Propositional logic: `a -> b -> c` is `a -> (b -> c)`, `a <-> b <-> c` is `(a <-> b) <-> c`.
pub(crate) fn value<A: Clone>(formula: &Logic<A>, atom: &impl Fn(&A) -> bool) -> bool {
    match formula {
        Logic::Const(b) => *b,
        Logic::Atom(a) => atom(a),
        Logic::Not(f) => !value(f, atom),
        Logic::And(fs) => fs.iter().all(|f| value(f, atom)),
        Logic::Or(fs) => fs.iter().any(|f| value(f, atom)),
        Logic::Implies(fs) => match fs.split_first() {
            None => true,
            Some((only, [])) => value(only, atom),
            Some((first, rest)) => !value(first, atom) || value(&Logic::Implies(rest.to_vec()), atom),
        },
        Logic::Iff(fs) => match fs.split_last() {
            None => true,
            Some((only, [])) => value(only, atom),
            Some((last, rest)) => value(&Logic::Iff(rest.to_vec()), atom) == value(last, atom),
        },
    }
}
