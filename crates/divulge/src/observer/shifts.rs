//! Arcs that lead equally far, followed sixty-four at a time.
//!
//! *Background.* In worlds that are made of rows, steps or rooms, most arcs lead from vertex v to vertex v + d for a handful of distances d.
//! What a belief becomes by all arcs of one image and one distance is its part that bears such arcs, shifted by d.

use rustc_hash::FxHashMap;

use crate::problem::{Image, PGraph};

/// The arcs of a graph that the observer sees, by image and distance.
#[derive(Debug)]
pub(super) struct Shifts {
    /// By image.
    groups: Vec<Group>,
    words: usize,
}

/// The arcs of one image that lead equally far.
#[derive(Debug)]
struct Group {
    image: Image,
    /// How far they lead: so many words and so many bits.
    far: (isize, u32),
    /// Where they begin, as bits from some word on.
    first: usize,
    sources: Vec<u64>,
}

impl Shifts {
    /// The arcs of a graph, if they come in few groups: so few that following them all takes less than following the arcs one by one.
    pub fn new(graph: &PGraph, image_of: &[Image]) -> Option<Self> {
        let most = 2 * graph.arc_count() / graph.len().div_ceil(64);
        let mut number: FxHashMap<(Image, i64), usize> = FxHashMap::default();
        // The first and the last word of each group.
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let seen = || {
            let arcs = graph.all_arcs().map(|(v, arc)| (v, arc.to, image_of[arc.label.index()]));
            let arcs = arcs.filter(|(.., image)| *image != Image::UNSEEN);
            arcs.map(|(v, to, image)| (v, (image, i64::from(to.0) - i64::from(v.0))))
        };
        for (v, key) in seen() {
            let group = *number.entry(key).or_insert(ranges.len());
            let word = v.index() / 64;
            match ranges.get_mut(group) {
                Some(range) => range.1 = word,
                None if group == most => return None,
                None => ranges.push((word, word)),
            }
        }
        let mut groups: Vec<Group> = Vec::with_capacity(ranges.len());
        let mut in_order: Vec<(Image, i64, usize)> =
            number.iter().map(|(&(i, d), &group)| (i, d, group)).collect();
        in_order.sort_unstable();
        for &(image, d, group) in &in_order {
            let (first, last) = ranges[group];
            let far = (d.div_euclid(64) as isize, d.rem_euclid(64) as u32);
            number.insert((image, d), groups.len());
            groups.push(Group { image, far, first, sources: vec![0; last - first + 1] });
        }
        for (v, key) in seen() {
            let group = &mut groups[number[&key]];
            group.sources[v.index() / 64 - group.first] |= 1 << (v.0 % 64);
        }
        let words = groups.iter().map(|group| group.sources.len()).sum();
        Some(Self { groups, words })
    }

    /// How many words are looked at to follow all arcs.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Calls `add` with what a belief becomes, piece by piece: image, number of a word, and bits of it, in the order of images.
    pub fn follow(&self, belief: &[u64], mut add: impl FnMut(Image, usize, u64)) {
        for Group { image, far: (words, bits), first, sources } in &self.groups {
            for (at, (from, mask)) in (*first..).zip(belief[*first..].iter().zip(sources)) {
                let moved = u128::from(from & mask) << bits;
                if moved == 0 {
                    continue;
                }
                // A piece without a bit may be outside of the graph.
                let at = at.wrapping_add_signed(*words);
                let (low, high) = (moved as u64, (moved >> 64) as u64);
                if low != 0 {
                    add(*image, at, low);
                }
                if high != 0 {
                    add(*image, at.wrapping_add(1), high);
                }
            }
        }
    }
}
