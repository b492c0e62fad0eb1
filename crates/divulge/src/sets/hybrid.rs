//! HybridStore, each stored once: a list where that is smaller, else one bit for each vertex.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::sets::{bits::ones, short, spread, store};

/// The members of a stored set, in whichever form it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members<'a> {
    /// Ascending.
    List(&'a [u32]),
    /// One bit each.
    Bits(&'a [u64]),
}

impl<'a> Members<'a> {
    /// Every member, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> + 'a {
        let (list, bits) = match self {
            Members::List(list) => (list, &[][..]),
            Members::Bits(bits) => (&[][..], bits),
        };
        let set = bits.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |b| (i * 64 + b) as u32));
        list.iter().copied().chain(set)
    }

    /// Calls `each` with every member, ascending. Faster than [`iter`](Self::iter).
    pub fn for_each(self, mut each: impl FnMut(u32)) {
        match self {
            Members::List(list) => list.iter().for_each(|&v| each(v)),
            Members::Bits(bits) => {
                for (i, &word) in bits.iter().enumerate() {
                    let mut rest = word;
                    while rest != 0 {
                        each(i as u32 * 64 + rest.trailing_zeros());
                        rest &= rest - 1;
                    }
                }
            }
        }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        match self {
            Members::List(list) => list.len(),
            Members::Bits(bits) => bits.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// How many members are less than this one, if it is a member.
    pub fn place(self, v: u32) -> Option<usize> {
        match self {
            Members::List(list) => list.binary_search(&v).ok(),
            Members::Bits(bits) => {
                let (before, word) = (bits.get(..v as usize / 64)?, bits.get(v as usize / 64)?);
                let less = word & ((1 << (v % 64)) - 1);
                (word >> (v % 64) & 1 == 1)
                    .then(|| Members::Bits(before).count() + less.count_ones() as usize)
            }
        }
    }

    /// What [`HybridStore`] takes for a hash.
    pub(crate) fn hash(self) -> u32 {
        let bits = match self {
            Members::List(list) => return store::hash(list),
            Members::Bits(bits) => bits,
        };
        // Each step of a hasher waits for the one before, so four of them take turns.
        let mut lanes = [const { FxHasher::with_seed(0) }; 4];
        let fours = bits.chunks_exact(4);
        fours.remainder().iter().for_each(|&word| lanes[0].write_u64(word));
        for four in fours {
            lanes.iter_mut().zip(four).for_each(|(lane, &word)| lane.write_u64(word));
        }
        let mut hasher = FxHasher::default();
        lanes.into_iter().for_each(|lane| hasher.write_u64(lane.finish()));
        short(hasher.finish())
    }
}

/// Where a set is kept: its place in the lists or in the bits.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    /// How many entries of a list; bits are all of one length.
    len: u32,
    bits: bool,
}

/// Sets of vertices below a bound, numbered from 0 in order of first mention.
#[derive(Clone, Debug)]
pub(crate) struct HybridStore {
    bound: usize,
    lists: Vec<u32>,
    bits: Vec<u64>,
    places: Vec<Place>,
    /// The sets' ids with their hashes, so that the table grows without looking at members.
    table: HashTable<(u32, u32)>,
    members: u64,
}

impl HybridStore {
    /// No sets yet, of vertices below `bound`.
    pub fn new(bound: usize) -> Self {
        let (lists, bits, places) = (Vec::new(), Vec::new(), Vec::new());
        Self { bound, lists, bits, places, table: HashTable::new(), members: 0 }
    }

    /// Whether a set of this size takes less room as bits. One size has one form, so equal sets have equal forms.
    pub fn as_bits(bound: usize, count: usize) -> bool {
        count > bound.div_ceil(64) * 2
    }

    /// The number of a set, which is stored if it is new. It must be in the form that [`as_bits`](Self::as_bits) tells.
    pub fn intern(&mut self, set: Members<'_>) -> u32 {
        self.intern_hashed(set, set.hash())
    }

    /// The number of a set with this hash, if it is stored.
    pub fn find(&self, set: Members<'_>, hash: u32) -> Option<u32> {
        let same = |&(id, other): &(u32, u32)| other == hash && self.get(id) == set;
        self.table.find(spread(hash), same).map(|&(id, _)| id)
    }

    /// The same as [`intern`](Self::intern), of a set with this hash.
    pub fn intern_hashed(&mut self, set: Members<'_>, hash: u32) -> u32 {
        if let Some(id) = self.find(set, hash) {
            return id;
        }
        let id = u32::try_from(self.places.len()).expect("more than four thousand million sets");
        self.members += set.count() as u64;
        self.places.push(match set {
            Members::List(list) => {
                debug_assert!(!Self::as_bits(self.bound, list.len()));
                self.lists.extend_from_slice(list);
                Place { start: self.lists.len() - list.len(), len: list.len() as u32, bits: false }
            }
            Members::Bits(bits) => {
                self.bits.extend_from_slice(bits);
                Place { start: self.bits.len() - bits.len(), len: bits.len() as u32, bits: true }
            }
        });
        self.table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        id
    }

    /// The number of the set with these ascending members.
    pub fn intern_list(&mut self, list: &[u32]) -> u32 {
        if !Self::as_bits(self.bound, list.len()) {
            return self.intern(Members::List(list));
        }
        let mut bits = vec![0u64; self.bound.div_ceil(64)];
        for &v in list {
            bits[v as usize / 64] |= 1 << (v % 64);
        }
        self.intern(Members::Bits(&bits))
    }

    /// The members of a set.
    pub fn get(&self, id: u32) -> Members<'_> {
        get(&self.lists, &self.bits, &self.places, id)
    }

    /// How many words each set has that is kept as bits.
    pub fn words(&self) -> usize {
        self.bound.div_ceil(64)
    }

    /// The same sets when none is looked up any more, in no more room than they need.
    pub fn settled(self) -> Self {
        Self { table: HashTable::new(), ..self }
    }

    /// How many members the sets have, all together.
    pub fn members(&self) -> u64 {
        self.members
    }

    /// About how many bytes the store takes.
    pub fn bytes(&self) -> usize {
        let places = self.places.capacity() * std::mem::size_of::<Place>();
        4 * self.lists.capacity() + 8 * self.bits.capacity() + places + 9 * self.table.capacity()
    }
}

fn get<'a>(lists: &'a [u32], bits: &'a [u64], places: &[Place], id: u32) -> Members<'a> {
    let Place { start, len, bits: dense } = places[id as usize];
    let range = start..start + len as usize;
    if dense { Members::Bits(&bits[range]) } else { Members::List(&lists[range]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_stored_once_in_the_smaller_form() {
        let mut sets = HybridStore::new(1000);
        let few: Vec<u32> = (0..30).map(|i| i * 31).collect();
        let many: Vec<u32> = (0..500).map(|i| i * 2).collect();
        assert_eq!(sets.intern_list(&few), 0);
        assert_eq!(sets.intern_list(&many), 1);
        assert_eq!(sets.intern_list(&[]), 2);
        assert_eq!((sets.intern_list(&few), sets.intern_list(&many)), (0, 1));
        assert!(matches!(sets.get(0), Members::List(_)) && matches!(sets.get(1), Members::Bits(_)));
        for (id, set) in [(0, &few), (1, &many)] {
            assert_eq!(&sets.get(id).iter().collect::<Vec<_>>(), set);
            let mut each = Vec::new();
            sets.get(id).for_each(|v| each.push(v));
            assert_eq!(&each, set);
            for v in 0..1000 {
                assert_eq!(sets.get(id).place(v), set.binary_search(&v).ok());
            }
        }
    }
}
