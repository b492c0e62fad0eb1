//! Hindsight as demands: what a belief must be like for something seen later to give it away.
//!
//! *Background.* Let G be the vertices from which something that looks like a given string goes on. In hindsight of that string, what is
//! left of a belief is what it has in G. So a clause is broken if the belief has nothing of its positive masks in G, and something of each negative one:
//! a demand on the belief, as that of a clause that must always hold, which is the case of the empty string. All such G are found backwards.

use rustc_hash::FxHashSet;

use crate::{
    audit::{demands::Demands, reversed::Reversed},
    formula::{Clause, Stipulations},
    problem::{Kind, Scope},
    sets::bits::ones,
};

/// With more sets of vertices that go on than this, hindsight is followed from the start instead.
const MOST: usize = 4_096;

/// The clauses of scope `hindsight`, each with how many images later it must still hold; `None` if a stipulation of that scope has none.
pub(crate) fn clauses(stipulations: &Stipulations) -> Option<Vec<(&Clause, Option<u32>)>> {
    let mut all = Vec::new();
    for stipulation in stipulations.all() {
        if let Scope::Hindsight { within } = stipulation.scope {
            all.extend(stipulation.clauses()?.iter().map(|clause| (clause, within)));
        }
    }
    Some(all)
}

/// For each kind, vertices from which some string goes on.
pub(crate) type GoingOn = [Vec<u64>; 2];

/// The sets of vertices from which strings of at most `within` images go on, that of the empty string first; `None` if there are too many.
pub(crate) fn going_on(reversed: &Reversed, images: usize, within: Option<u32>) -> Option<Vec<GoingOn>> {
    let mut found = vec![reversed.all.clone()];
    let mut seen: FxHashSet<GoingOn> = found.iter().cloned().collect();
    let (mut at, mut length, mut longer) = (0, 0, 1);
    while at < found.len() && within.is_none_or(|within| length < within) {
        for next in before(reversed, images, &found[at]) {
            if seen.insert(next.clone()) {
                found.push(next);
            }
        }
        if found.len() > MOST {
            return None;
        }
        at += 1;
        if at == longer {
            (length, longer) = (length + 1, found.len());
        }
    }
    Some(found)
}

/// The sets from which one more image leads into a set.
fn before(reversed: &Reversed, images: usize, set: &GoingOn) -> Vec<GoingOn> {
    let empty: GoingOn = [Kind::Action, Kind::Observation].map(|kind| vec![0; reversed.words(kind)]);
    let mut by_image = vec![empty; images];
    for kind in [Kind::Action, Kind::Observation] {
        let from = reversed.other(kind) as usize;
        for (i, &word) in set[kind as usize].iter().enumerate() {
            for bundle in ones(word).flat_map(|bit| reversed.leading_to(kind, i * 64 + bit)) {
                let bundle = reversed.bundles[*bundle as usize];
                by_image[bundle.image.index()][from][bundle.source as usize / 64] |=
                    1 << (bundle.source % 64);
            }
        }
    }
    if let Some(unseen) = &reversed.unseen {
        by_image.iter_mut().for_each(|set| unseen.come_before(&mut set[Kind::Action as usize]));
    }
    // From where nothing goes on nothing is given away.
    by_image.retain(|set| set.iter().flatten().any(|&word| word != 0));
    by_image
}

impl Demands {
    /// Adds the demands of hindsight; tells whether that could be done.
    pub fn look_back(
        &mut self,
        graph: &crate::problem::PGraph,
        tracker: &crate::observer::Tracker<'_>,
        clauses: &[(&Clause, Option<u32>)],
        images: usize,
    ) -> bool {
        let mut withins: Vec<Option<u32>> = clauses.iter().map(|(_, within)| *within).collect();
        withins.sort_unstable();
        withins.dedup();
        for within in withins {
            let Some(sets) = going_on(&self.reversed, images, within) else { return false };
            for set in &sets {
                for (clause, _) in clauses.iter().filter(|(_, other)| *other == within) {
                    for kind in [Kind::Action, Kind::Observation] {
                        self.of_clause(graph, tracker, clause, kind, Some(set));
                    }
                }
            }
        }
        true
    }
}
