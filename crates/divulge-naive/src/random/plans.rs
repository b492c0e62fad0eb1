//! Random plans: some that solve, some that nearly do, some that have nothing to do with the world.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Kind, Plan, Problem};

use super::{Labels, Profile, rng::Rng, sketch::Sketch};
use crate::{expansion::Robot, graph::Set};

/// The most vertices of a plan that unrolls a strategy.
const MOST_VERTICES: usize = 14;

/// A random plan for the problem's world.
pub fn plan(rng: &mut Rng, problem: &Problem, profile: &Profile, labels: &Labels) -> Plan {
    let kind = problem.world.graph.initial_kind();
    let first = if profile.odd_kinds && rng.chance(2) { kind.other() } else { kind };
    let unrelated = |rng: &mut Rng| {
        let n = rng.within(&profile.plan_vertices);
        Sketch::random(rng, n, first, labels, &profile.graph)
    };
    let mut sketch = match strategy(rng, problem) {
        Some(sketch) if rng.chance(80) => sketch,
        _ => unrelated(rng),
    };
    if rng.chance(profile.broken_plans) {
        for _ in 0..rng.within(&(1..=2)) {
            damage(rng, &mut sketch, labels);
        }
    }
    if rng.chance(30) {
        beyond_the_end(rng, &mut sketch, labels);
    }
    if profile.graph.deterministic < 100 && rng.chance(25) {
        double(rng, &mut sketch);
    }
    sketch.plan()
}

/// A plan that solves the world, if one does: what the robot knows and how many events it may still take decide what it
/// does, at random among what keeps it winning.
fn strategy(rng: &mut Rng, problem: &Problem) -> Option<Sketch> {
    let robot = Robot::new(problem);
    let ranks = robot.ranks();
    let patience = ranks.get(&robot.start())? + rng.below(4);
    let mut sketch =
        Sketch { kinds: vec![], initial: [0].into(), arcs: BTreeSet::new(), marked: BTreeSet::new() };
    let mut numbers: BTreeMap<(Set, usize), usize> = BTreeMap::from([((robot.start(), patience), 0)]);
    let mut todo = vec![(robot.start(), patience)];
    sketch.kinds.push(kind_of(&robot, &robot.start()));
    while let Some((known, patience)) = todo.pop() {
        let from = numbers[&(known.clone(), patience)];
        for event in choice(rng, &robot, &ranks, &known, patience) {
            let next = (robot.after(&known, event), patience - 1);
            let to = *numbers.entry(next.clone()).or_insert_with(|| {
                sketch.kinds.push(kind_of(&robot, &next.0));
                todo.push(next);
                sketch.kinds.len() - 1
            });
            sketch.arcs.insert((from, event, to));
        }
        if !sketch.arcs.iter().any(|&(v, _, _)| v == from) {
            sketch.marked.insert(from);
        }
    }
    (sketch.kinds.len() <= MOST_VERTICES).then_some(sketch)
}

fn kind_of(robot: &Robot, known: &Set) -> Kind {
    if robot.acts(known) { Kind::Action } else { Kind::Observation }
}

/// The events to go on with: none to terminate.
fn choice(
    rng: &mut Rng,
    robot: &Robot,
    ranks: &BTreeMap<Set, usize>,
    known: &Set,
    patience: usize,
) -> Vec<divulge::problem::Label> {
    let in_time = |event: &_| ranks.get(&robot.after(known, *event)).is_some_and(|&rank| rank < patience);
    let events: Vec<_> = robot.events(known).into_iter().collect();
    let (good, bad): (Vec<_>, Vec<_>) = events.into_iter().partition(in_time);
    let may_go_on = robot.may_go_on(known) && !good.is_empty() && (robot.acts(known) || bad.is_empty());
    if !may_go_on || robot.may_terminate(known) && rng.chance(60) {
        return Vec::new();
    }
    if robot.acts(known) { rng.some(&good) } else { good }
}

/// One random change, which may or may not do harm.
fn damage(rng: &mut Rng, sketch: &mut Sketch, labels: &Labels) {
    let v = rng.below(sketch.kinds.len());
    let arcs: Vec<_> = sketch.arcs.iter().copied().collect();
    match rng.below(4) {
        0 if !arcs.is_empty() => {
            sketch.arcs.remove(rng.pick(&arcs));
        }
        1 => {
            if !sketch.marked.remove(&v) {
                sketch.marked.insert(v);
            }
        }
        2 if !arcs.is_empty() => {
            let &(from, label, to) = rng.pick(&arcs);
            sketch.arcs.remove(&(from, label, to));
            let alike: Vec<usize> =
                (0..sketch.kinds.len()).filter(|&t| sketch.kinds[t] == sketch.kinds[to]).collect();
            sketch.arcs.insert((from, label, *rng.pick(&alike)));
        }
        _ => sketch.random_arc(rng, v, labels, false),
    }
}

/// Edges out of terminal vertices, which never count.
fn beyond_the_end(rng: &mut Rng, sketch: &mut Sketch, labels: &Labels) {
    for v in sketch.marked.clone() {
        sketch.random_arc(rng, v, labels, false);
    }
}

/// A second copy of a vertex, reached by what reaches the first: a nondeterministic plan of the same language.
fn double(rng: &mut Rng, sketch: &mut Sketch) {
    let (v, copy) = (rng.below(sketch.kinds.len()), sketch.kinds.len());
    sketch.kinds.push(sketch.kinds[v]);
    for (from, label, to) in sketch.arcs.clone() {
        if from == v {
            sketch.arcs.insert((copy, label, to));
        }
        if to == v {
            sketch.arcs.insert((from, label, copy));
        }
    }
    if sketch.marked.contains(&v) {
        sketch.marked.insert(copy);
    }
    if sketch.initial.contains(&v) {
        sketch.initial.insert(copy);
    }
}
