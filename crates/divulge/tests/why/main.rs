//! Reasons for there being no plan or no map, held against the definitions; and what these tests share.

mod none;
mod not;

use std::sync::atomic::{AtomicI64, Ordering};

use divulge::{
    formula::{Atom, Logic, Stipulations},
    limit::{Limit, Monitor, Progress},
    problem::{Problem, Stipulation},
    verdict::Part,
};

/// Stops after so many looks.
struct Impatient(AtomicI64);

impl Monitor for Impatient {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        let left = self.0.fetch_sub(1, Ordering::Relaxed);
        if left > 0 { Ok(()) } else { Err(Limit::Time) }
    }
}

/// The problem with other stipulations: those parts of its own that are kept.
fn only(problem: &Problem, parts: &[Part], keep: impl Fn(usize) -> bool) -> Problem {
    let compiled = Stipulations::compile(&problem.world, &problem.observer.stipulations).expect("formulas");
    let mut changed = problem.clone();
    changed.observer.stipulations.clear();
    for (_, part) in parts.iter().enumerate().filter(|&(i, _)| keep(i)) {
        let whole = &problem.observer.stipulations[part.stipulation];
        let Some(clause) = &part.clause else {
            changed.observer.stipulations.push(whole.clone());
            continue;
        };
        let meets = |&m: &u32| Logic::Atom(Atom::Possible(compiled.masks()[m as usize].clone()));
        let misses = |m: &u32| Logic::Not(Box::new(meets(m)));
        let literals = clause.positive.iter().map(meets).chain(clause.negative.iter().map(misses)).collect();
        changed.observer.stipulations.push(Stipulation { formula: Logic::Or(literals), ..whole.clone() });
    }
    changed
}
