//! Reasons for there being no plan or no map, held against the definitions; and what these tests share.

mod none;
mod not;

use divulge::{
    formula::{Atom, Logic, Predicate},
    problem::{Problem, Stipulation},
    verdict::Part,
};

/// The problem with other stipulations: those parts of its own that are kept.
fn only(problem: &Problem, parts: &[Part], keep: impl Fn(usize) -> bool) -> Problem {
    let mut changed = problem.clone();
    changed.observer.stipulations.clear();
    for (_, part) in parts.iter().enumerate().filter(|&(i, _)| keep(i)) {
        let whole = &problem.observer.stipulations[part.stipulation];
        let Some(clause) = &part.clause else {
            changed.observer.stipulations.push(whole.clone());
            continue;
        };
        let meets = |m: &Predicate| Logic::Atom(Atom::Possible(m.clone()));
        let misses = |m: &Predicate| Logic::Not(Box::new(meets(m)));
        let literals = clause.positive.iter().map(meets).chain(clause.negative.iter().map(misses)).collect();
        changed.observer.stipulations.push(Stipulation { formula: Logic::Or(literals), ..whole.clone() });
    }
    changed
}
