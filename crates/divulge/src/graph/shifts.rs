//! Arcs that lead equally far, followed sixty-four at a time.
//!
//! *Background.* In worlds that are made of rows, steps or rooms, most arcs lead from vertex v to vertex v + d for a handful of distances d.
//! What a set becomes by all arcs of one image and one distance is its part that bears such arcs, shifted by d.

use rustc_hash::FxHashMap;

use crate::problem::{Image, PGraph};

/// What it takes to turn to the arcs of one image and distance, in words that are looked at.
const EACH: usize = 16;

/// The arcs of a graph that are seen, by image and distance.
#[derive(Debug)]
pub(crate) struct Shifts {
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
        // The group of each arc that is seen, in order.
        let mut group_of: Vec<u32> = Vec::with_capacity(graph.arc_count());
        // Most arcs lead as far as the last ones of their label.
        let mut last: Vec<[(i64, u32); 2]> = vec![[(i64::MAX, 0); 2]; image_of.len()];
        for v in graph.vertices() {
            let word = v.index() / 64;
            for arc in graph.arcs(v) {
                let image = image_of[arc.label.index()];
                if image == Image::UNSEEN {
                    continue;
                }
                let distance = i64::from(arc.to.0) - i64::from(v.0);
                let last = &mut last[arc.label.index()];
                let group = match last.iter().find(|(other, _)| *other == distance) {
                    Some(&(_, group)) => group as usize,
                    None => {
                        let group = *number.entry((image, distance)).or_insert(ranges.len());
                        *last = [(distance, group as u32), last[0]];
                        group
                    }
                };
                group_of.push(group as u32);
                match ranges.get_mut(group) {
                    Some(range) => range.1 = word,
                    None if group == most => return None,
                    None => ranges.push((word, word)),
                }
            }
        }
        let mut groups: Vec<Group> = Vec::with_capacity(ranges.len());
        let mut place = vec![0; ranges.len()];
        let mut in_order: Vec<(Image, i64, usize)> =
            number.iter().map(|(&(i, d), &group)| (i, d, group)).collect();
        in_order.sort_unstable();
        for &(image, d, group) in &in_order {
            let (first, last) = ranges[group];
            let far = (d.div_euclid(64) as isize, d.rem_euclid(64) as u32);
            place[group] = groups.len();
            groups.push(Group { image, far, first, sources: vec![0; last - first + 1] });
        }
        let mut group_of = group_of.into_iter();
        for v in graph.vertices() {
            let seen = graph.arcs(v).iter().filter(|arc| image_of[arc.label.index()] != Image::UNSEEN);
            for group in group_of.by_ref().take(seen.count()) {
                let group = &mut groups[place[group as usize]];
                group.sources[v.index() / 64 - group.first] |= 1 << (v.0 % 64);
            }
        }
        let words = groups.iter().map(|group| EACH + group.sources.len()).sum();
        Some(Self { groups, words })
    }

    /// What it takes to follow all arcs, in words that are looked at.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The images that may follow a set, in order.
    pub fn images(&self, set: &[u64]) -> impl Iterator<Item = Image> {
        let groups = self.groups.chunk_by(|a, b| a.image == b.image);
        groups.filter(move |groups| groups.iter().any(|group| group.bears(set))).map(|groups| groups[0].image)
    }

    /// The groups of arcs of an image.
    fn of(&self, image: Image) -> &[Group] {
        let first = self.groups.partition_point(|group| group.image < image);
        let groups = &self.groups[first..];
        &groups[..groups.partition_point(|group| group.image == image)]
    }

    /// Adds what a set becomes by an image.
    pub fn follow(&self, image: Image, set: &[u64], to: &mut [u64]) {
        self.of(image).iter().for_each(|group| group.add(set, to));
    }

    /// Whether every member of a set has an arc of that image.
    pub fn borne_by_all(&self, image: Image, set: &[u64]) -> bool {
        let groups = self.of(image);
        (0..)
            .zip(set)
            .all(|(at, word)| groups.iter().fold(*word, |rest, group| rest & !group.sources_at(at)) == 0)
    }
}

impl Group {
    /// Which of the vertices of a word have such arcs.
    fn sources_at(&self, word: usize) -> u64 {
        word.checked_sub(self.first).and_then(|at| self.sources.get(at)).copied().unwrap_or(0)
    }

    /// Whether some member of a set has such an arc.
    fn bears(&self, set: &[u64]) -> bool {
        set[self.first..].iter().zip(&self.sources).any(|(from, mask)| from & mask != 0)
    }

    /// Adds what such arcs lead to. Two plain loops, so that the compiler makes them take several words at a time.
    fn add(&self, set: &[u64], to: &mut [u64]) {
        let ((words, turn), own) = (self.far, (self.first, &self.sources[..]));
        add_at(own, words, set, to, |word| word << turn);
        if turn > 0 {
            add_at(own, words + 1, set, to, |word| word >> (64 - turn));
        }
    }
}

/// Adds the words of a set that have such arcs, changed by `turn`, so many words further. What is outside of the graph is clear.
fn add_at(
    (first, sources): (usize, &[u64]),
    far: isize,
    set: &[u64],
    to: &mut [u64],
    turn: impl Fn(u64) -> u64,
) {
    let begin = first as isize + far;
    let skip = begin.min(0).unsigned_abs();
    let begin = begin.max(0) as usize;
    if begin >= to.len() || skip >= sources.len() {
        return;
    }
    let from = set[first + skip..].iter().zip(&sources[skip..]);
    for (to, (from, mask)) in to[begin..].iter_mut().zip(from) {
        *to |= turn(from & mask);
    }
}
