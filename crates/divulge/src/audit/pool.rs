//! The sets that demands are made of, one after the other: each a list where that is smaller, else one bit for each place.

use crate::sets::{HybridStore, Members, bits::ones};

#[derive(Clone, Copy, Debug)]
struct Held {
    start: usize,
    /// How many entries of a list, or words of bits.
    len: u32,
    bits: bool,
}

/// Sets of places, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    lists: Vec<u32>,
    bits: Vec<u64>,
    sets: Vec<Held>,
}

impl Pool {
    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// The members of a set, in the form that its size asks for: equal sets have equal forms.
    pub fn get(&self, set: usize) -> Members<'_> {
        let Held { start, len, bits } = self.sets[set];
        let range = start..start + len as usize;
        if bits { Members::Bits(&self.bits[range]) } else { Members::List(&self.lists[range]) }
    }

    /// Adds a set that is given as bits; tells how many members it has.
    pub fn add(&mut self, words: &[u64]) -> u32 {
        let count: u32 = words.iter().map(|word| word.count_ones()).sum();
        if HybridStore::as_bits(64 * words.len(), count as usize) {
            self.copy(Members::Bits(words));
            return count;
        }
        let start = self.lists.len();
        for (i, &word) in words.iter().enumerate() {
            self.lists.extend(ones(word).map(|bit| (i * 64 + bit) as u32));
        }
        self.sets.push(Held { start, len: count, bits: false });
        count
    }

    /// Adds a set of few members, ascending, which is to be a list.
    pub fn list(&mut self, members: impl Iterator<Item = u32>) {
        let start = self.lists.len();
        self.lists.extend(members);
        self.sets.push(Held { start, len: (self.lists.len() - start) as u32, bits: false });
    }

    /// Adds a set in the form that it has.
    pub fn copy(&mut self, set: Members<'_>) {
        self.sets.push(match set {
            Members::List(list) => {
                self.lists.extend_from_slice(list);
                Held { start: self.lists.len() - list.len(), len: list.len() as u32, bits: false }
            }
            Members::Bits(bits) => {
                self.bits.extend_from_slice(bits);
                Held { start: self.bits.len() - bits.len(), len: bits.len() as u32, bits: true }
            }
        });
    }

    /// Keeps so many sets.
    pub fn truncate(&mut self, sets: usize) {
        while self.sets.len() > sets
            && let Some(Held { start, bits, .. }) = self.sets.pop()
        {
            if bits {
                self.bits.truncate(start);
            } else {
                self.lists.truncate(start);
            }
        }
    }
}

/// Whether a place is a member.
pub(crate) fn has(set: Members<'_>, place: u32) -> bool {
    match set {
        Members::List(list) => list.binary_search(&place).is_ok(),
        Members::Bits(bits) => bits[place as usize / 64] >> (place % 64) & 1 == 1,
    }
}

/// Whether every member of a set is one of another, both of them in the form that their size asks for.
pub(crate) fn is_within(set: Members<'_>, other: Members<'_>) -> bool {
    match (set, other) {
        (Members::Bits(set), Members::Bits(other)) => set.iter().zip(other).all(|(a, b)| a & !b == 0),
        // A set that is kept as bits has more members.
        (Members::Bits(_), Members::List(_)) => false,
        (Members::List(set), Members::Bits(_)) => set.iter().all(|&place| has(other, place)),
        (Members::List(set), Members::List(list)) => {
            let mut rest = list.iter();
            set.len() <= list.len()
                && set.iter().all(|place| rest.find(|other| *other >= place) == Some(place))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Sets of every size, as multiples: contained in one another as their members are.
    #[test]
    fn sets_are_compared_by_their_members() {
        let n = 400;
        let sets: Vec<BTreeSet<u32>> = (1..40)
            .flat_map(|step| [0, 1, 7].map(|first| (first..n).step_by(step).collect()))
            .chain([BTreeSet::new()])
            .collect();
        let mut pool = Pool::default();
        for set in &sets {
            let mut words = vec![0; n.div_ceil(64) as usize];
            set.iter().for_each(|&v| words[v as usize / 64] |= 1 << (v % 64));
            assert_eq!(pool.add(&words) as usize, set.len());
        }
        let forms = (0..sets.len()).filter(|&i| matches!(pool.get(i), Members::Bits(_))).count();
        assert!(forms > 10 && forms < sets.len() - 10, "both forms occur");
        for (i, set) in sets.iter().enumerate() {
            assert_eq!(&pool.get(i).iter().collect::<BTreeSet<u32>>(), set);
            assert!((0..n).all(|v| has(pool.get(i), v) == set.contains(&v)));
            for (j, other) in sets.iter().enumerate() {
                assert_eq!(is_within(pool.get(i), pool.get(j)), set.is_subset(other), "{set:?} {other:?}");
            }
        }
        pool.truncate(5);
        pool.copy(Members::List(&[3, 9]));
        assert_eq!((pool.len(), pool.get(5).iter().collect::<Vec<_>>()), (6, vec![3, 9]));
        assert_eq!(pool.get(4).iter().collect::<BTreeSet<u32>>(), sets[4]);
    }
}
