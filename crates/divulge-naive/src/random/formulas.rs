//! Random stipulations.

use divulge::{
    formula::{Atom, Comparison, Formula, Logic, Predicate, Span, Test},
    problem::{Kind, Scope, Stipulation, Value, Vertex, World},
};

use super::rng::Rng;
use crate::{formula::holds, graph::Set};

/// Random stipulations on a world. Most hold of the initial vertices, and of most of a few other likely estimates.
pub fn stipulations(rng: &mut Rng, world: &World, count: usize, lenience: usize) -> Vec<Stipulation> {
    (0..count)
        .map(|i| {
            let scope = if rng.chance(65) { Scope::Always } else { Scope::End };
            Stipulation { name: format!("s{i}"), scope, formula: likely(rng, world, scope, lenience) }
        })
        .collect()
}

/// The best of a few random formulas, where better is to hold of more sample estimates. One that is broken before
/// anything happens is seldom taken.
fn likely(rng: &mut Rng, world: &World, scope: Scope, lenience: usize) -> Formula {
    let samples = samples(rng, world, scope);
    let score = |f: &Formula| samples.iter().filter(|e| holds(world, f, e)).count();
    let start: Set = world.graph.initial().iter().map(|v| v.index()).collect();
    let tries = if rng.chance(25) { 1 } else { lenience };
    let mut best: Option<Formula> = None;
    for _ in 0..tries {
        let mut f = any(rng, world);
        for _ in 0..10 {
            if scope == Scope::Always && !holds(world, &f, &start) && rng.chance(95) {
                f = any(rng, world);
            }
        }
        if best.as_ref().is_none_or(|b| score(&f) > score(b)) {
            best = Some(f);
        }
    }
    best.unwrap_or(Logic::Const(true))
}

fn any(rng: &mut Rng, world: &World) -> Formula {
    if rng.chance(60) { typical(rng, world) } else { formula(rng, world, 2) }
}

fn samples(rng: &mut Rng, world: &World, scope: Scope) -> Vec<Set> {
    let mut pool: Vec<usize> = (0..world.graph.len()).collect();
    if scope == Scope::End && !world.goal.is_empty() {
        pool.retain(|&v| world.goal.contains(v));
    }
    (0..6).map(|_| rng.some(&pool).into_iter().collect()).collect()
}

/// What people stipulate: hide this, this must stay possible, these must look alike, these must be told apart.
fn typical(rng: &mut Rng, world: &World) -> Formula {
    let (left, right) = subjects(rng, world);
    let possible = |p: &Predicate| Logic::Atom(Atom::Possible(p.clone()));
    let unknown = |p: &Predicate| Logic::Not(Box::new(Logic::Atom(Atom::Knows(p.clone()))));
    match rng.below(6) {
        0 => unknown(&left),
        1..=2 => Logic::And(vec![unknown(&left), unknown(&right)]),
        3 => Logic::Implies(vec![possible(&left), possible(&right)]),
        4 => Logic::Iff(vec![possible(&left), possible(&right)]),
        _ => Logic::Not(Box::new(Logic::And(vec![possible(&left), possible(&right)]))),
    }
}

/// Two predicates to be confused or told apart: of the two lanes where there are two.
fn subjects(rng: &mut Rng, world: &World) -> (Predicate, Predicate) {
    if world.props.column("lane").is_none() || rng.chance(25) {
        return (predicate(rng, world, 1), predicate(rng, world, 1));
    }
    let lane =
        |i| Logic::Atom(Test::Compare("lane".to_owned(), Comparison::Eq, Value::Int(i), Span::default()));
    if rng.chance(50) {
        return (lane(1), lane(2));
    }
    let what = if rng.chance(50) { Logic::Atom(Test::Goal) } else { predicate(rng, world, 0) };
    (Logic::And(vec![what.clone(), lane(1)]), Logic::And(vec![what, lane(2)]))
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
