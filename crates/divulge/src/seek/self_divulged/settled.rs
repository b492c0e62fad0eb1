//! Which subsets of an estimate win, found once for all maps that agree on what the game looked at from there.

use rustc_hash::FxHashMap;

use crate::{
    maps::space::{Pairs, PartialMap},
    seek::self_divulged::game::Family,
    sets::SetId,
};

/// Families by what is decided, and what merged, of the pairs that they depend on.
type Known = FxHashMap<(Pairs, Pairs), Family>;

/// Final families of earlier games.
#[derive(Debug, Default)]
pub struct Settled(FxHashMap<SetId, Vec<(Pairs, Known)>>);

impl Settled {
    /// The family of a set under `map`, and the pairs that it depends on.
    pub fn find(&self, set: SetId, map: &PartialMap) -> Option<(&Pairs, &Family)> {
        self.0.get(&set)?.iter().find_map(|(seen, known)| Some((seen, known.get(&status(map, seen))?)))
    }

    /// Takes note of a family that depends on the pairs `seen`.
    pub fn note(&mut self, set: SetId, map: &PartialMap, seen: &Pairs, family: &Family) {
        let all = self.0.entry(set).or_default();
        let at = all.iter().position(|(known, _)| known == seen).unwrap_or_else(|| {
            all.push((seen.clone(), Known::default()));
            all.len() - 1
        });
        all[at].1.entry(status(map, seen)).or_insert_with(|| family.clone());
    }
}

fn status(map: &PartialMap, seen: &Pairs) -> (Pairs, Pairs) {
    (map.decided().and(seen), map.merged().and(seen))
}
