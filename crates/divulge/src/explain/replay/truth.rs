//! Formulas evaluated on one estimate, clause by clause of their definition, for the replayer.

use crate::{
    formula::{Atom, Formula, Logic, Predicate, Test},
    problem::{Value, Vertex, World},
};

/// Whether `formula` holds of `estimate`. Its names must be the world's.
pub(crate) fn holds(world: &World, formula: &Formula, estimate: &[Vertex]) -> bool {
    logic(formula, &|atom: &Atom| match atom {
        Atom::State(name, _) => world.vertex(name).is_some_and(|v| estimate.contains(&v)),
        Atom::Possible(p) => estimate.iter().any(|&v| satisfies(world, p, v)),
        Atom::Knows(p) => estimate.iter().all(|&v| satisfies(world, p, v)),
    })
}

/// Whether a vertex satisfies a predicate. Its names must be the world's.
pub(crate) fn satisfies(world: &World, predicate: &Predicate, v: Vertex) -> bool {
    logic(predicate, &|test: &Test| match test {
        Test::Goal => world.is_goal(v),
        Test::Kind(kind, same) => (world.graph.kind(v) == *kind) == *same,
        Test::Is(name, _) => world.vertex(name) == Some(v),
        Test::Flag(name, _) => value(world, name, v) == Some(&Value::Bool(true)),
        Test::Compare(name, op, right, _) => value(world, name, v).is_some_and(|left| op.test(left, right)),
    })
}

fn value<'w>(world: &'w World, name: &str, v: Vertex) -> Option<&'w Value> {
    world.props.column(name).and_then(|column| column.get(v))
}

/// Connectives. Nesting is bounded where formulas are read, so recursion is too.
fn logic<A>(formula: &Logic<A>, atom: &impl Fn(&A) -> bool) -> bool {
    let is = |part: &Logic<A>| logic(part, atom);
    match formula {
        Logic::Const(b) => *b,
        Logic::Atom(a) => atom(a),
        Logic::Not(part) => !is(part),
        Logic::And(parts) => parts.iter().all(is),
        Logic::Or(parts) => parts.iter().any(is),
        Logic::Implies(parts) => match parts.split_last() {
            Some((last, before)) => is(last) || before.iter().any(|part| !is(part)),
            None => true,
        },
        Logic::Iff(parts) => parts.iter().filter(|part| !is(part)).count() % 2 == 0,
    }
}
