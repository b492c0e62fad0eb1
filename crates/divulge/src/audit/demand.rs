//! One demand, and what is demanded at first.

use std::ops::Range;

use crate::{
    formula::{Clause, Stipulations},
    observer::Tracked,
    problem::{Image, Kind, LabelMap, Scope},
};

/// Small problems are better followed forwards, which finds the first of the shortest violations as people would list them.
pub(crate) const LITTLE: u64 = 2048;

/// A clause with more negative masks than this is left to the other end.
pub(crate) const MOST_TO_MEET: usize = 30;

/// What a belief must be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeliefDemand {
    /// Where its sets begin: first within, then each set to be met; if there are none, it is not to be empty.
    pub first: usize,
    pub sets: u32,
    pub kind: Kind,
    /// How many vertices it is to be within.
    pub size: u32,
    /// The words of the first set to be met, or else of what it is to be within, one over the other: a demand that this one
    /// covers has no bits but these.
    pub print: u64,
    pub hash: u32,
    /// The demand that it becomes by an image.
    pub then: Option<(u32, Image)>,
}

impl BeliefDemand {
    /// Where its sets are.
    pub fn all_sets(&self) -> Range<usize> {
        self.first..self.first + self.sets as usize
    }

    /// Where the first set to be met is, or else what the belief is to be within.
    pub fn first_set(&self) -> usize {
        self.first + usize::from(self.sets > 1)
    }
}

/// All clauses of scope `always`; `None` if some stipulation has none, or one with too many negative masks.
pub(crate) fn clauses(stipulations: &Stipulations) -> Option<Vec<&Clause>> {
    let mut all = Vec::new();
    for stipulation in stipulations.all().iter().filter(|s| s.scope == Scope::Always) {
        all.extend(stipulation.clauses()?);
    }
    all.iter().all(|clause| clause.negative.len() <= MOST_TO_MEET).then_some(all)
}

/// About how much work it is to prepare the way back, in arcs that the way forward looks at; not less than [`LITTLE`].
pub(crate) fn preparation(tracked: &Tracked<'_>, map: &LabelMap, clauses: &[&Clause]) -> u64 {
    let literals: usize = clauses.iter().map(|c| 1 + c.positive.len() + c.negative.len()).sum();
    let (vertices, arcs) = (tracked.graph.len() as u64, tracked.graph.arc_count() as u64);
    let all = (4 * arcs + vertices * (4 + literals as u64) + vertices / 64 * map.len() as u64) / 3;
    all.max(LITTLE)
}
