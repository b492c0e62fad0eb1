//! Where large groups of nodes are cut, so that each of several has as much to do.
//!
//! *Practical.* Groups of waves that follow one another lie much alike. So where the next ones are cut follows from how many words were new in
//! each part of the last ones, and where.

use crate::sets::Word;

/// Words that were new in a part: how many, and from where to where.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub words: usize,
    first: u32,
    last: u32,
}

impl Extent {
    pub fn of(words: &[Word]) -> Self {
        let ends = words
            .iter()
            .fold((u32::MAX, 0), |(first, last), word| (first.min(word.number), last.max(word.number)));
        Self { words: words.len(), first: ends.0, last: ends.1 }
    }
}

/// Where the words of each part begin, but for those of the first one, if each is to have about such a share of words that lie like these.
pub(super) fn cuts(mut extents: Vec<Extent>, shares: &[usize]) -> Vec<u32> {
    extents.retain(|extent| extent.words > 0);
    extents.sort_unstable_by_key(|extent| extent.first);
    let words: usize = extents.iter().map(|extent| extent.words).sum();
    let all = shares.iter().sum::<usize>().max(1);
    let (mut before, mut share) = (0, 0);
    let mut left = extents.iter().peekable();
    let ends = shares[..shares.len() - 1].iter().map(|own| {
        share += own;
        let end = (words as u128 * share as u128 / all as u128) as usize;
        while let Some(extent) = left.next_if(|extent| before + extent.words < end) {
            before += extent.words;
        }
        match left.peek() {
            Some(&&Extent { words: own, first, last }) if end < words => {
                // Those of an extent are taken to lie evenly.
                first + ((end - before) as u64 * u64::from(last - first + 1) / own as u64) as u32
            }
            _ => u32::MAX,
        }
    });
    let mut cuts: Vec<u32> = ends.collect();
    // Extents may overlap.
    for i in 1..cuts.len() {
        cuts[i] = cuts[i].max(cuts[i - 1]);
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(first: u32, words: u32) -> Extent {
        Extent::of(&(first..first + words).map(|number| Word { number, bits: 1 }).collect::<Vec<_>>())
    }

    #[test]
    fn each_part_has_its_share() {
        assert_eq!(cuts(vec![extent(100, 60)], &[1, 1]), [130]);
        assert_eq!(cuts(vec![extent(100, 60)], &[1, 0, 2]), [120, 120]);
        assert_eq!(cuts(vec![extent(140, 20), extent(100, 40)], &[1, 1]), [130]);
        assert_eq!(cuts(vec![extent(100, 40), extent(200, 20)], &[1, 1, 1]), [120, 140]);
        // Whoever is to have nothing has nothing, however far words reach.
        assert_eq!(cuts(vec![extent(100, 60)], &[1, 0]), [u32::MAX]);
        assert_eq!(cuts(vec![extent(100, 60)], &[0, 1]), [100]);
        assert_eq!(cuts(vec![extent(0, 60), extent(10, 60)], &[1, 1, 1]).len(), 2);
        assert_eq!(cuts(Vec::new(), &[1, 1]), [u32::MAX]);
        assert_eq!(cuts(vec![extent(7, 1)], &[0, 0]), [7]);
    }
}
