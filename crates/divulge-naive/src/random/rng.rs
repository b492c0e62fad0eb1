//! A small deterministic source of random numbers.

/// SplitMix64: one 64-bit word of state, the same numbers for the same seed on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The source with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// So many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let words = (0..count.div_ceil(8)).flat_map(|_| self.bits().to_le_bytes());
        words.take(count).collect()
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number from a range that holds one at least.
    pub fn within(&mut self, range: &std::ops::RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of the items, which must not be empty.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// Some of the items, at least one; the items must not be empty.
    pub fn some<T: Clone>(&mut self, items: &[T]) -> Vec<T> {
        let sure = self.below(items.len());
        let kept = items.iter().enumerate().filter(|(i, _)| *i == sure || self.chance(40));
        kept.map(|(_, item)| item.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!([rng.bits(), rng.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn some_takes_one_at_least() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let some = rng.some(&[1, 2, 3]);
            assert!(!some.is_empty() && some.windows(2).all(|p| p[0] < p[1]));
        }
    }
}
