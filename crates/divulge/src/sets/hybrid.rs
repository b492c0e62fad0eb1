//! HybridStore, each stored once: a list where that is smaller, else one bit for each vertex.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::sets::{bits::ones, short, spread, store};

/// So many words of bits are hashed by themselves, in so many lanes.
const BLOCK: usize = 64;
const LANES: usize = 8;

/// Bits of so many words have room of their own.
const LONG: usize = 1 << 9;

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
        let mut hasher = FxHasher::default();
        match self {
            Members::List(list) => return store::hash(list),
            Members::Bits(bits) => block_hashes(bits).for_each(|block| hasher.write_u64(block)),
        }
        short(hasher.finish())
    }
}

/// Hashes of the blocks that a set's bits are made of.
fn block_hashes(bits: &[u64]) -> impl Iterator<Item = u64> {
    bits.chunks(BLOCK).map(|block| {
        // Words are hashed beside one another, because one after the other each would wait for the one before.
        let mut lanes = [0_u64; LANES];
        for words in block.chunks(LANES) {
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = (lane.rotate_left(26) ^ word).wrapping_mul(0xF135_7AEA_2E62_A9C5);
            }
        }
        lanes.iter().fold(0, |hash, lane| (hash ^ lane.rotate_right(20)).wrapping_mul(0xF135_7AEA_2E62_A9C5))
    })
}

/// Where a set is kept: its place in the lists or in the bits.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    /// How many members there are.
    count: u32,
    bits: bool,
}

/// Sets as bits: one after the other or, where each takes much room, in the room that whoever found it gave.
#[derive(Clone, Debug)]
enum AllBits {
    Short(Vec<u64>),
    Long(Vec<Box<[u64]>>),
}

impl AllBits {
    fn new(bound: usize) -> Self {
        if bound.div_ceil(64) < LONG { Self::Short(Vec::new()) } else { Self::Long(Vec::new()) }
    }

    /// Where the next set begins.
    fn end(&self) -> usize {
        match self {
            Self::Short(bits) => bits.len(),
            Self::Long(all) => all.len(),
        }
    }

    fn get(&self, start: usize, words: usize) -> &[u64] {
        match self {
            Self::Short(bits) => &bits[start..start + words],
            Self::Long(all) => &all[start],
        }
    }

    fn add(&mut self, set: &[u64]) {
        match self {
            Self::Short(bits) => bits.extend_from_slice(set),
            Self::Long(all) => all.push(set.into()),
        }
    }

    /// The same, of a set with room of its own.
    fn keep(&mut self, set: Box<[u64]>) {
        match self {
            Self::Short(_) => self.add(&set),
            Self::Long(all) => all.push(set),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Short(bits) => 8 * bits.capacity(),
            Self::Long(all) => all.first().map_or(0, |set| 8 * set.len()) * all.len() + 16 * all.capacity(),
        }
    }
}

/// Sets of vertices below a bound, numbered from 0 in order of first mention.
#[derive(Clone, Debug)]
pub(crate) struct HybridStore {
    bound: usize,
    lists: Vec<u32>,
    bits: AllBits,
    places: Vec<Place>,
    /// The sets' ids with their hashes, so that the table grows without looking at members.
    table: HashTable<(u32, u32)>,
    members: u64,
}

impl HybridStore {
    /// No sets yet, of vertices below `bound`.
    pub fn new(bound: usize) -> Self {
        let (lists, bits, places) = (Vec::new(), AllBits::new(bound), Vec::new());
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
        let place = match set {
            Members::List(list) => {
                debug_assert!(!Self::as_bits(self.bound, list.len()));
                self.lists.extend_from_slice(list);
                Place { start: self.lists.len() - list.len(), count: list.len() as u32, bits: false }
            }
            Members::Bits(bits) => {
                let start = self.bits.end();
                self.bits.add(bits);
                Place { start, count: set.count() as u32, bits: true }
            }
        };
        self.number(place, hash)
    }

    /// The same, of a set of bits with room of its own.
    pub fn intern_bits(&mut self, bits: Box<[u64]>, hash: u32) -> u32 {
        if let Some(id) = self.find(Members::Bits(&bits), hash) {
            return id;
        }
        let count = Members::Bits(&bits).count() as u32;
        let place = Place { start: self.bits.end(), count, bits: true };
        self.bits.keep(bits);
        self.number(place, hash)
    }

    /// Gives a new set its number.
    fn number(&mut self, place: Place, hash: u32) -> u32 {
        let id = u32::try_from(self.places.len()).expect("more than four thousand million sets");
        self.members += u64::from(place.count);
        self.places.push(place);
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
        let Place { start, count, bits } = self.places[id as usize];
        if bits {
            return Members::Bits(self.bits.get(start, self.words()));
        }
        Members::List(&self.lists[start..start + count as usize])
    }

    /// How many members a set has.
    pub fn count(&self, id: u32) -> usize {
        self.places[id as usize].count as usize
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
        4 * self.lists.capacity() + self.bits.bytes() + places + 9 * self.table.capacity()
    }
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
