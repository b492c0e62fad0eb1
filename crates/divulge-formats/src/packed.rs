//! Distinct states as words of bits, numbered in the order in which they were met.

use std::hash::{BuildHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

pub(crate) struct Packed {
    words: usize,
    all: Vec<u64>,
    table: HashTable<u32>,
}

impl Packed {
    /// None yet; each has so many words, at least one.
    pub fn new(words: usize) -> Self {
        Self { words: words.max(1), all: Vec::new(), table: HashTable::new() }
    }

    pub fn len(&self) -> usize {
        self.all.len() / self.words
    }

    /// The number of a state, and whether it is new.
    pub fn number(&mut self, state: &[u64]) -> (u32, bool) {
        let Self { words, all, table } = self;
        let hash = hash(state);
        let found = table.find(hash, |&number| &all[number as usize * *words..][..*words] == state);
        if let Some(&number) = found {
            return (number, false);
        }
        let number = (all.len() / *words) as u32;
        all.extend_from_slice(state);
        table.insert_unique(hash, number, |&number| self::hash(&all[number as usize * *words..][..*words]));
        (number, true)
    }

    pub fn get(&self, number: u32) -> &[u64] {
        &self.all[number as usize * self.words..][..self.words]
    }
}

fn hash(packed: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    packed.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
