//! Pairs of labels that may look alike, numbered; and sets of such pairs.

use smallvec::{SmallVec, smallvec};

use crate::{
    problem::{Alphabet, Label},
    sets::BitSet,
};

/// The pairs of labels of one kind among some labels, numbered from 0.
#[derive(Clone, Debug)]
pub struct PairIndex {
    labels: usize,
    number: Vec<u32>,
    pairs: Vec<(Label, Label)>,
}

impl PairIndex {
    /// The pairs among the labels in `among`.
    pub fn new(alphabet: &Alphabet, among: &BitSet) -> Self {
        let labels = alphabet.len();
        let mut index = Self { labels, number: vec![u32::MAX; labels * labels], pairs: Vec::new() };
        for a in alphabet.labels().filter(|l| among.contains(l.index())) {
            for b in alphabet.labels().take(a.index()).filter(|l| among.contains(l.index())) {
                if alphabet.kind(a) == alphabet.kind(b) {
                    let number = index.pairs.len() as u32;
                    index.number[a.index() * labels + b.index()] = number;
                    index.number[b.index() * labels + a.index()] = number;
                    index.pairs.push((b, a));
                }
            }
        }
        index
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of a pair of different labels of one kind.
    pub fn number(&self, a: Label, b: Label) -> usize {
        let number = self.number[a.index() * self.labels + b.index()];
        debug_assert_ne!(number, u32::MAX, "labels of one kind among those of the world");
        number as usize
    }

    /// The pair with a number, the smaller label first.
    pub fn pair(&self, number: usize) -> (Label, Label) {
        self.pairs[number]
    }
}

/// A set of numbered pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pairs(SmallVec<[u64; 3]>);

impl Pairs {
    /// The empty set, with room for `len` pairs.
    pub fn new(len: usize) -> Self {
        Self(smallvec![0; len.div_ceil(64)])
    }

    /// The set as bits, sixty-four pairs in each number.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The set of these bits, with room for `len` pairs; `None` if the bits are of another number of pairs.
    pub fn from_words(len: usize, words: &[u64]) -> Option<Self> {
        let spare = words.last().filter(|_| !len.is_multiple_of(64)).map_or(0, |last| last >> (len % 64));
        (words.len() == len.div_ceil(64) && spare == 0).then(|| Self(words.iter().copied().collect()))
    }

    /// Adds a pair.
    pub fn insert(&mut self, pair: usize) {
        self.0[pair / 64] |= 1 << (pair % 64);
    }

    /// Takes a pair out.
    pub fn remove(&mut self, pair: usize) {
        self.0[pair / 64] &= !(1 << (pair % 64));
    }

    /// Whether the pair is in the set.
    pub fn contains(&self, pair: usize) -> bool {
        self.0[pair / 64] >> (pair % 64) & 1 == 1
    }

    /// Adds all pairs of another set.
    pub fn add(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Whether every pair is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether `self` and `other` agree on all pairs of `on`.
    pub fn agree(&self, other: &Self, on: &Self) -> bool {
        self.0.iter().zip(&other.0).zip(&on.0).all(|((a, b), on)| (a ^ b) & on == 0)
    }

    /// The pairs that are in both.
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The set with each pair replaced by the one that `numbers` gives for it.
    pub fn renumbered(&self, numbers: &[u32]) -> Self {
        let mut new = Self(smallvec![0; self.0.len()]);
        self.iter().for_each(|pair| new.insert(numbers[pair] as usize));
        new
    }

    /// The pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &w)| crate::sets::bits::ones(w).map(move |b| i * 64 + b))
    }

    /// Fewer of the pairs: some are left out, many at a time at first, where `enough`, told what would be left and what there was, finds
    /// that the rest will do, or less than that.
    ///
    /// # Errors
    /// Those of `enough`.
    pub fn fewer<E>(
        mut self,
        mut enough: impl FnMut(Self, &Self) -> Result<Option<Self>, E>,
    ) -> Result<Self, E> {
        let mut size = self.len().div_ceil(2);
        while size > 0 {
            let pairs: Vec<usize> = self.iter().collect();
            for chunk in pairs.chunks(size) {
                let mut kept = self.clone();
                chunk.iter().for_each(|&pair| kept.remove(pair));
                if kept != self
                    && let Some(less) = enough(kept, &self)?
                {
                    self = less;
                }
            }
            size = if size > 1 { size.div_ceil(2) } else { 0 };
        }
        Ok(self)
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
}
