//! AUDIT: do the stipulations of scope `always` hold after every execution in L(W) ∩ L(D)?

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use divulge::problem::{Label, Problem, Scope};

use crate::{
    Refusal,
    formula::holds,
    graph::{Graph, Set, plain},
    observer::{Memory, Observer},
};

/// For each stipulation that is broken somewhere, the length of a shortest execution in L(W) ∩ L(D) that breaks it.
/// The audit holds if there is none.
///
/// # Errors
/// If the problem lacks a map, or the plan that the observer knows, or its filter does not fit.
pub fn audit(problem: &Problem) -> Result<BTreeMap<usize, usize>, Refusal> {
    let observer = Observer::new(problem)?;
    let world = plain(&problem.world.graph);
    let mut shortest = BTreeMap::new();
    for (memory, length) in memories(&world, &observer) {
        for i in broken(problem, &observer.estimate(&memory)) {
            let least = shortest.entry(i).or_insert(length);
            *least = length.min(*least);
        }
    }
    Ok(shortest)
}

/// The stipulations of scope `always` that do not hold of this estimate.
pub fn broken(problem: &Problem, estimate: &Set) -> BTreeSet<usize> {
    let all = problem.observer.stipulations.iter().enumerate();
    all.filter(|(_, s)| s.scope == Scope::Always && !holds(&problem.world, &s.formula, estimate))
        .map(|(i, _)| i)
        .collect()
}

/// What the observer may remember, with the length of a shortest execution in L(W) ∩ L(D) that makes it so.
fn memories(world: &Graph<Label>, observer: &Observer) -> BTreeMap<Memory, usize> {
    let mut shortest = BTreeMap::new();
    let start = (world.initial.clone(), observer.divulged.initial.clone(), observer.start());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((at, divulged, memory), length)) = queue.pop_front() {
        if divulged.is_empty() {
            continue;
        }
        shortest.entry(memory.clone()).or_insert(length);
        for event in at.iter().flat_map(|&w| world.labels(w)).collect::<BTreeSet<_>>() {
            let next = (
                world.after(&at, &event),
                observer.divulged.after(&divulged, &event),
                observer.after(&memory, event),
            );
            if seen.insert(next.clone()) {
                queue.push_back((next, length + 1));
            }
        }
    }
    shortest
}
