//! Random stipulations.

use divulge::{
    formula::{Atom, Comparison, Formula, Logic, Predicate, Span, Test},
    problem::{Kind, Scope, Stipulation, Value, Vertex, World},
};

use super::rng::Rng;
use crate::{formula::holds, graph::Set};

/// Random stipulations on a world. Most hold of the initial vertices, and of most of a few other likely estimates.
pub fn stipulations(rng: &mut Rng, world: &World, count: usize) -> Vec<Stipulation> {
    (0..count)
        .map(|i| {
            let scope = if rng.chance(65) { Scope::Always } else { Scope::End };
            Stipulation { name: format!("s{i}"), scope, formula: likely(rng, world, scope) }
        })
        .collect()
}

/// The best of a few random formulas, where better is to hold of more sample estimates.
fn likely(rng: &mut Rng, world: &World, scope: Scope) -> Formula {
    let samples = samples(rng, world, scope);
    let tries = if rng.chance(25) { 1 } else { 5 };
    let score = |f: &Formula| samples.iter().filter(|e| holds(world, f, e)).count();
    let all: Vec<Formula> = (0..tries).map(|_| formula(rng, world, 2)).collect();
    let best = all.iter().map(score).max().unwrap_or(0);
    all.into_iter().find(|f| score(f) == best).expect("one was tried")
}

fn samples(rng: &mut Rng, world: &World, scope: Scope) -> Vec<Set> {
    let vertices: Vec<usize> = (0..world.graph.len()).collect();
    let likely: Vec<usize> =
        vertices.iter().copied().filter(|&v| scope == Scope::Always || world.goal.contains(v)).collect();
    let pool = if likely.is_empty() { vertices } else { likely };
    let mut samples: Vec<Set> = (0..6).map(|_| rng.some(&pool).into_iter().collect()).collect();
    if scope == Scope::Always {
        samples.push(world.graph.initial().iter().map(|v| v.index()).collect());
    }
    samples
}

/// A random formula of at most this many levels of connectives.
pub fn formula(rng: &mut Rng, world: &World, depth: usize) -> Formula {
    connect(rng, depth, &mut |rng| match rng.below(10) {
        0..=1 => Atom::State(vertex(rng, world), Span::default()),
        2..=5 => Atom::Possible(predicate(rng, world, 1)),
        _ => Atom::Knows(predicate(rng, world, 1)),
    })
}

/// A random predicate of at most this many levels of connectives.
pub fn predicate(rng: &mut Rng, world: &World, depth: usize) -> Predicate {
    connect(rng, depth, &mut |rng| test(rng, world))
}

fn connect<A>(rng: &mut Rng, depth: usize, atom: &mut impl FnMut(&mut Rng) -> A) -> Logic<A> {
    if rng.chance(3) {
        return Logic::Const(rng.chance(50));
    }
    if depth == 0 || rng.chance(45) {
        let atom = Logic::Atom(atom(rng));
        return if rng.chance(45) { Logic::Not(Box::new(atom)) } else { atom };
    }
    let operands = if rng.chance(80) { 2 } else { 3 };
    let parts: Vec<Logic<A>> = (0..operands).map(|_| connect(rng, depth - 1, atom)).collect();
    match rng.below(10) {
        0..=2 => Logic::And(parts),
        3..=5 => Logic::Or(parts),
        6..=7 => Logic::Implies(parts),
        8 => Logic::Iff(parts),
        _ => Logic::Not(Box::new(Logic::Or(parts))),
    }
}

fn vertex(rng: &mut Rng, world: &World) -> String {
    world.name(Vertex(rng.below(world.graph.len()) as u32)).to_owned()
}

/// A random test; only properties that some vertex has are named, and only boolean ones stand alone.
fn test(rng: &mut Rng, world: &World) -> Test {
    let names: Vec<&str> = world.props.names().iter().collect();
    if names.is_empty() || rng.chance(35) {
        return match rng.below(6) {
            0..=1 => Test::Goal,
            2 => Test::Kind(*rng.pick(&[Kind::Action, Kind::Observation]), rng.chance(70)),
            _ => Test::Is(vertex(rng, world), Span::default()),
        };
    }
    let name = *rng.pick(&names);
    let values = world.props.column(name).map(|c| c.values().to_vec()).unwrap_or_default();
    if values.iter().any(|v| matches!(v, Value::Bool(_))) && rng.chance(60) {
        return Test::Flag(name.to_owned(), Span::default());
    }
    let value = if rng.chance(85) { rng.pick(&values).clone() } else { Value::Int(rng.below(3) as i64) };
    let all =
        [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];
    let sensible = if matches!(value, Value::Int(_)) { &all[..] } else { &all[..2] };
    Test::Compare(name.to_owned(), *rng.pick(sensible), value, Span::default())
}
