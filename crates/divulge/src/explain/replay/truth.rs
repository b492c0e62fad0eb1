//! Formulas evaluated on one estimate, clause by clause of their definition, for the replayer.

use crate::{
    formula::{Atom, Formula, Predicate, Test},
    problem::{Value, Vertex, World},
    sets::BitSet,
};

/// Whether `formula` holds of `estimate`. Its names must be the world's.
pub(crate) fn holds(world: &World, formula: &Formula, estimate: &[Vertex]) -> bool {
    formula.evaluate(&|atom: &Atom| match atom {
        Atom::State(name, _) => estimate.iter().any(|&v| world.base_name(v) == name),
        Atom::Possible(p) => estimate.iter().any(|&v| satisfies(world, p, v)),
        Atom::Knows(p) => estimate.iter().all(|&v| satisfies(world, p, v)),
        // One estimate says nothing of other moments.
        Atom::Temporal(_) => true,
    })
}

/// Whether a vertex satisfies a predicate. Its names must be the world's.
pub(crate) fn satisfies(world: &World, predicate: &Predicate, v: Vertex) -> bool {
    predicate.evaluate(&|test: &Test| match test {
        Test::Goal => world.is_goal(v),
        Test::Kind(kind, same) => (world.graph.kind(v) == *kind) == *same,
        Test::Is(name, _) => world.base_name(v) == name,
        Test::Initially(_) | Test::Was(_) => world.past.as_ref().is_some_and(|past| past.holds(test, v)),
        Test::Flag(name, _) => value(world, name, v) == Some(&Value::Bool(true)),
        Test::Compare(name, op, right, _) => value(world, name, v).is_some_and(|left| op.test(left, right)),
    })
}

/// The vertices that satisfy a predicate.
pub(crate) fn satisfying(world: &World, predicate: &Predicate) -> BitSet {
    BitSet::from_fn(world.graph.len(), |v| satisfies(world, predicate, Vertex(v as u32)))
}

fn value<'w>(world: &'w World, name: &str, v: Vertex) -> Option<&'w Value> {
    world.props.column(name).and_then(|column| column.get(v))
}
