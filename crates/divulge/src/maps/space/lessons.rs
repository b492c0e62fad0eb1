//! What was found under some maps and holds under all that agree on the pairs looked at.

use rustc_hash::FxHashMap;

use crate::maps::space::{pairs::Pairs, partial::PartialMap};

/// What holds of all maps that agree on some pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lesson {
    /// Whether there is a solution under them.
    pub feasible: bool,
    /// The pairs, all of them decided.
    pub looked: Pairs,
    /// Those of them that are merged.
    pub merged: Pairs,
}

impl Lesson {
    /// Whether it is one of the labels of `open`.
    pub fn fits(&self, open: &PartialMap) -> bool {
        let Self { looked, merged, .. } = self;
        let words = open.decided().words().len();
        looked.words().len() == words
            && merged.words().len() == words
            && merged.is_subset(looked)
            && looked.iter().last().is_none_or(|last| last < open.index().len())
    }

    /// Whether it tells anything of the maps in a region.
    pub fn concerns(&self, region: &PartialMap) -> bool {
        self.merged.agree(region.merged(), &self.looked.and(region.decided()))
    }
}

/// So many findings are compared one by one; more are looked up.
const FEW: usize = 12;

/// Findings that depend on the same pairs, by which of those are decided, and which merged.
#[derive(Debug)]
struct Bucket<V> {
    looked: Pairs,
    found: Vec<(Pairs, Pairs, V)>,
    /// Their places, if there are many.
    places: FxHashMap<(Pairs, Pairs), u32>,
}

impl<V> Bucket<V> {
    fn get(&self, map: &PartialMap) -> Option<&V> {
        let Self { looked, found, places } = self;
        if found.len() > FEW {
            let place = *places.get(&(map.decided().and(looked), map.merged().and(looked)))?;
            return Some(&found[place as usize].2);
        }
        let same = |decided: &Pairs, merged: &Pairs| {
            map.merged().agree(merged, looked) && map.decided().agree(decided, looked)
        };
        found.iter().find(|(decided, merged, _)| same(decided, merged)).map(|(.., value)| value)
    }

    fn entry(&mut self, decided: Pairs, merged: Pairs) -> &mut V
    where
        V: Default,
    {
        let Self { found, places, .. } = self;
        let at = match found.len() > FEW {
            true => places.get(&(decided.clone(), merged.clone())).map(|&at| at as usize),
            false => found.iter().position(|(d, m, _)| *d == decided && *m == merged),
        };
        let at = at.unwrap_or_else(|| {
            found.push((decided, merged, V::default()));
            if found.len() > FEW {
                let from = places.len();
                let new = found[from..].iter().zip(from as u32..);
                places.extend(new.map(|((decided, merged, _), at)| ((decided.clone(), merged.clone()), at)));
            }
            found.len() - 1
        });
        &mut found[at].2
    }
}

/// Findings by the pairs they depend on, and by which of those are decided and which merged. Most depend on decided pairs alone; those of
/// an easier game may depend on that a pair is *not* decided.
#[derive(Debug)]
pub struct Lessons<V> {
    buckets: Vec<Bucket<V>>,
}

impl<V> Default for Lessons<V> {
    fn default() -> Self {
        Self { buckets: Vec::new() }
    }
}

impl<V> Lessons<V> {
    /// A finding that satisfies `tells` and holds under every completion of `map`, with the pairs it depends on.
    pub fn find(&self, map: &PartialMap, tells: impl Fn(&V) -> bool) -> Option<(&Pairs, &V)> {
        self.find_among(map, |looked| looked.is_subset(map.decided()), tells)
    }

    /// As [`find`](Self::find), but what holds in the easier game under `map` will do.
    pub fn find_easier(&self, map: &PartialMap, tells: impl Fn(&V) -> bool) -> Option<(&Pairs, &V)> {
        self.find_among(map, |_| true, tells)
    }

    fn find_among(
        &self,
        map: &PartialMap,
        allowed: impl Fn(&Pairs) -> bool,
        tells: impl Fn(&V) -> bool,
    ) -> Option<(&Pairs, &V)> {
        self.buckets.iter().filter(|bucket| allowed(&bucket.looked)).find_map(|bucket| {
            let value = bucket.get(map)?;
            tells(value).then_some((&bucket.looked, value))
        })
    }

    /// The finding that depends on just these pairs as they are in `map`, to be filled in or changed.
    pub fn entry(&mut self, map: &PartialMap, looked: &Pairs) -> &mut V
    where
        V: Default,
    {
        self.entry_for(map.decided().and(looked), map.merged().and(looked), looked)
    }

    /// The finding that depends on just these pairs, of which some are decided, and of those some merged.
    pub fn entry_for(&mut self, decided: Pairs, merged: Pairs, looked: &Pairs) -> &mut V
    where
        V: Default,
    {
        let at = self.buckets.iter().position(|bucket| bucket.looked == *looked).unwrap_or_else(|| {
            let (found, places) = (Vec::new(), FxHashMap::default());
            self.buckets.push(Bucket { looked: looked.clone(), found, places });
            self.buckets.len() - 1
        });
        self.buckets[at].entry(decided, merged)
    }
}

/// With how many events something is known to be won, and with how many it is known not to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threshold {
    wins: Option<u32>,
    loses: Option<u32>,
}

impl Threshold {
    /// What is known for this many events: who wins with fewer wins with more, and who loses with more loses with fewer.
    pub fn verdict(&self, events: u32) -> Option<bool> {
        if self.wins.is_some_and(|least| least <= events) {
            return Some(true);
        }
        self.loses.is_some_and(|most| most >= events).then_some(false)
    }

    /// Takes note of a verdict.
    pub fn note(&mut self, events: u32, wins: bool) {
        if wins {
            self.wins = Some(self.wins.map_or(events, |least| least.min(events)));
        } else {
            self.loses = Some(self.loses.map_or(events, |most| most.max(events)));
        }
    }
}
