//! Where choices come from.

/// A source of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// The operating system's source, which is fit for secrets.
    System,
    /// Choices that anybody who knows the seed can predict: for tests.
    Seed(u64),
}

impl Chance {
    /// A number below `options`, all equally likely. `turn` is how many events came before: a seed gives the same choice there
    /// again.
    ///
    /// # Errors
    /// If the system has no source of chance.
    ///
    /// # Panics
    /// If there are no options.
    pub fn choose(self, options: usize, turn: u64) -> Result<usize, getrandom::Error> {
        assert!(options > 0, "there must be something to choose from");
        let options = options as u64;
        // Numbers beyond the last full round would make the first options likelier.
        let fair = u64::MAX - u64::MAX % options;
        let mut again = 0;
        loop {
            let drawn = match self {
                Chance::System => getrandom::u64()?,
                Chance::Seed(seed) => mixed(mixed(seed ^ mixed(turn)) ^ again),
            };
            if drawn < fair {
                return Ok((drawn % options) as usize);
            }
            again += 1;
        }
    }
}

/// A number whose bits depend on all of those of another one (SplitMix64).
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_chosen_about_as_often() {
        for chance in [Chance::System, Chance::Seed(7)] {
            let mut times = [0; 3];
            (0..3000).for_each(|turn| times[chance.choose(3, turn).unwrap()] += 1);
            assert!(times.iter().all(|n| (800..1200).contains(n)), "{chance:?}: {times:?}");
        }
    }

    #[test]
    fn a_seed_chooses_the_same_again() {
        let choices =
            |seed| (0..50).map(|turn| Chance::Seed(seed).choose(9, turn).unwrap()).collect::<Vec<_>>();
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
    }
}
