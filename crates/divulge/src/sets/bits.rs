//! A dense set of small numbers.

/// A set of numbers below a fixed bound, one bit each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct BitSet {
    words: Vec<u64>,
    len: usize,
}

impl BitSet {
    /// The empty set of numbers below `len`.
    pub fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// The set of all numbers below `len`.
    pub fn full(len: usize) -> Self {
        let mut set = Self { words: vec![!0; len.div_ceil(64)], len };
        set.trim();
        set
    }

    /// The numbers below `len` that satisfy `keep`.
    pub fn from_fn(len: usize, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut set = Self::new(len);
        for (i, word) in set.words.iter_mut().enumerate() {
            for bit in 0..(len - i * 64).min(64) {
                *word |= u64::from(keep(i * 64 + bit)) << bit;
            }
        }
        set
    }

    /// The set of numbers below `len` with these bits, sixty-four to a word, lowest first; those that are left out are no members.
    pub(crate) fn from_words(mut words: Vec<u64>, len: usize) -> Self {
        words.resize(len.div_ceil(64), 0);
        let mut set = Self { words, len };
        set.trim();
        set
    }

    /// The bound that every member is below.
    pub fn bound(&self) -> usize {
        self.len
    }

    /// Raises the bound to `len`.
    pub fn grow(&mut self, len: usize) {
        if len > self.len {
            self.len = len;
            self.words.resize(len.div_ceil(64), 0);
        }
    }

    /// Adds `i`; tells whether it was new.
    pub fn insert(&mut self, i: usize) -> bool {
        assert!(i < self.len, "{i} is not below {}", self.len);
        let new = self.words[i / 64] & (1 << (i % 64)) == 0;
        self.words[i / 64] |= 1 << (i % 64);
        new
    }

    /// Removes `i`.
    pub fn remove(&mut self, i: usize) {
        if i < self.len {
            self.words[i / 64] &= !(1 << (i % 64));
        }
    }

    /// Whether `i` is a member.
    pub fn contains(&self, i: usize) -> bool {
        i < self.len && self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many members there are.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Adds every member of `other`, which must have the same bound.
    pub fn union_with(&mut self, other: &Self) {
        debug_assert_eq!(self.len, other.len);
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }

    /// Whether the sets have a member in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every member is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(i, a)| a & !other.words.get(i).copied().unwrap_or(0) == 0)
    }

    /// What `op` makes of two sets with the same bound, sixty-four numbers at a time.
    pub fn combined(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.len, other.len);
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        let mut set = Self { words, len: self.len };
        set.trim();
        set
    }

    /// The numbers below the bound that are not members.
    pub fn complement(&self) -> Self {
        let mut set = Self { words: self.words.iter().map(|w| !w).collect(), len: self.len };
        set.trim();
        set
    }

    /// The members, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |b| i * 64 + b))
    }

    /// The bits, sixty-four to a word, lowest first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    fn trim(&mut self) {
        if !self.len.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << (self.len % 64)) - 1;
        }
    }
}

/// The positions of the ones of a word, lowest first.
pub fn ones(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let at = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (at < 64).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_and_complement_respect_the_bound() {
        for len in [0, 1, 63, 64, 65, 130] {
            let full = BitSet::full(len);
            assert_eq!(full.count(), len);
            assert!(full.complement().is_empty());
            assert_eq!(full.iter().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    fn insert_remove_and_subset() {
        let mut a = BitSet::new(100);
        assert!(a.insert(70) && !a.insert(70) && a.contains(70) && !a.contains(700));
        let b = BitSet::from_fn(100, |i| i >= 50);
        assert!(a.is_subset(&b) && a.intersects(&b) && !b.is_subset(&a));
        assert_eq!(a.combined(&b, |a, b| !a & b).count(), 49);
        assert_eq!(a.combined(&b, |a, b| !(a ^ b)).count(), 51);
        a.remove(70);
        assert!(a.is_empty());
    }
}
