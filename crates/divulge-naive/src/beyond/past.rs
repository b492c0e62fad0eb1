//! The past: what `initially(p)` and `was(p)` say of the way to a vertex, and estimates whose members have one.

use std::collections::BTreeSet;

use divulge::{
    formula::{Atom, Formula, Logic, Predicate, Test},
    problem::{Problem, World},
};

use crate::{
    formula::{satisfies, value},
    graph::Set,
};

/// A world vertex, with whether each thing asked of the past is so on the way there.
pub type Place = (usize, Vec<bool>);

/// What is possible: vertices with their past.
pub type Estimate = BTreeSet<Place>;

/// All that the stipulations of a problem ask of the past; what is asked within a question comes before it.
#[derive(Clone, Debug)]
pub struct Asked<'p> {
    world: &'p World,
    tests: Vec<Test>,
}

impl<'p> Asked<'p> {
    /// What the problem asks.
    pub fn new(problem: &'p Problem) -> Self {
        let mut asked = Self { world: &problem.world, tests: Vec::new() };
        for stipulation in problem.observers().flat_map(|o| &o.stipulations) {
            stipulation.formula.predicates().into_iter().for_each(|p| asked.gather(p));
        }
        asked
    }

    fn gather(&mut self, predicate: &Predicate) {
        for test in predicate.atoms() {
            if let Test::Initially(p) | Test::Was(p) = test {
                self.gather(p);
                if !self.tests.contains(test) {
                    self.tests.push(test.clone());
                }
            }
        }
    }

    /// A path of one vertex.
    pub fn begin(&self, v: usize) -> Place {
        self.arrive(None, v)
    }

    /// A path that goes on to `v`.
    pub fn go(&self, (_, before): &Place, v: usize) -> Place {
        self.arrive(Some(before), v)
    }

    fn arrive(&self, before: Option<&[bool]>, v: usize) -> Place {
        let mut past = Vec::new();
        for (i, test) in self.tests.iter().enumerate() {
            let now = |p| self.satisfies(p, v, &past);
            past.push(match (test, before) {
                (Test::Initially(p), None) => now(p),
                (Test::Initially(_), Some(before)) => before[i],
                (Test::Was(p), before) => before.is_some_and(|before| before[i]) || now(p),
                _ => unreachable!("only questions about the past are gathered"),
            });
        }
        (v, past)
    }

    fn satisfies(&self, predicate: &Predicate, v: usize, past: &[bool]) -> bool {
        value(predicate, &|test| match test {
            Test::Initially(_) | Test::Was(_) => {
                past[self.tests.iter().position(|t| t == test).expect("it was gathered")]
            }
            test => satisfies(self.world, &Logic::Atom(test.clone()), v),
        })
    }

    /// Whether a formula without temporal words holds of an estimate.
    pub fn holds(&self, formula: &Formula, estimate: &Estimate) -> bool {
        value(formula, &|atom| self.atom(atom, estimate))
    }

    /// Whether an atom that is not temporal holds of an estimate.
    pub fn atom(&self, atom: &Atom, estimate: &Estimate) -> bool {
        let is = |p: &Predicate, (v, past): &Place| self.satisfies(p, *v, past);
        match atom {
            Atom::State(name, _) => {
                let v = self.world.vertex(name).map(|v| v.index());
                estimate.iter().any(|(w, _)| Some(*w) == v)
            }
            Atom::Possible(p) => estimate.iter().any(|place| is(p, place)),
            Atom::Knows(p) => estimate.iter().all(|place| is(p, place)),
            Atom::Temporal(_) => unreachable!("of one estimate"),
        }
    }
}

/// The vertices of an estimate.
pub fn vertices(estimate: &Estimate) -> Set {
    estimate.iter().map(|(v, _)| *v).collect()
}
