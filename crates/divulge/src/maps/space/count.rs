//! How many maps a region holds, and which are its finest and coarsest.

use rustc_hash::FxHashMap;

use crate::{
    maps::space::{constraints::ImageCount, partial::PartialMap},
    problem::{Kind, Label},
};

/// Up to this many classes partitions are counted over all subsets.
const SUBSETS: usize = 20;

/// Up to this many classes that is quick.
const QUICK: usize = 9;

/// Counts the maps in regions; remembers what it counted.
#[derive(Debug, Default)]
pub struct Counter {
    known: FxHashMap<Vec<u32>, Vec<u128>>,
}

impl Counter {
    /// How many maps of `images` images complete `map`. `None` if there are too many labels to count.
    pub fn completions(&mut self, map: &PartialMap, images: ImageCount) -> Option<u128> {
        let actions = self.by_images(map, Kind::Action)?;
        let observations = self.by_images(map, Kind::Observation)?;
        let mut sum: u128 = 0;
        for (i, a) in actions.iter().enumerate() {
            for (j, o) in observations.iter().enumerate() {
                if images.allows(i + j) {
                    sum = sum.checked_add(a.checked_mul(*o)?)?;
                }
            }
        }
        Some(sum)
    }

    /// Whether the maps in a region are counted in no time.
    pub fn is_quick(map: &PartialMap) -> bool {
        [Kind::Action, Kind::Observation].into_iter().all(|kind| map.classes(kind).len() <= QUICK)
    }

    /// For each number of images, how many partitions of the labels of one kind have it.
    fn by_images(&mut self, map: &PartialMap, kind: Kind) -> Option<Vec<u128>> {
        let classes: Vec<Label> = map.classes(kind).into_iter().map(|c| c[0]).collect();
        let apart = |a: Label, b: Label| map.alike(a, b) == Ok(false);
        let tied: Vec<Label> =
            classes.iter().copied().filter(|&a| classes.iter().any(|&b| a != b && apart(a, b))).collect();
        if tied.len() > SUBSETS {
            return None;
        }
        let graph: Vec<u32> = tied
            .iter()
            .map(|&a| {
                tied.iter().enumerate().filter(|&(_, &b)| a != b && apart(a, b)).map(|(i, _)| 1 << i).sum()
            })
            .collect();
        let mut counts = match self.known.get(&graph) {
            Some(counts) => counts.clone(),
            None => {
                let counts = partitions(&graph);
                self.known.insert(graph, counts.clone());
                counts
            }
        };
        // A class that is apart from none joins any block or is one of its own.
        for _ in tied.len()..classes.len() {
            let mut next = vec![0u128; counts.len() + 1];
            for (blocks, &count) in counts.iter().enumerate() {
                next[blocks] = next[blocks].checked_add(count.checked_mul(blocks as u128)?)?;
                next[blocks + 1] = next[blocks + 1].checked_add(count)?;
            }
            counts = next;
        }
        Some(counts)
    }
}

/// By number of blocks, the partitions of a graph's vertices into independent sets; the graph as rows of neighbours.
fn partitions(graph: &[u32]) -> Vec<u128> {
    let n = graph.len();
    let all = (1usize << n) - 1;
    let mut independent = vec![true; all + 1];
    for set in 1..=all {
        let low = set.trailing_zeros() as usize;
        let rest = set & (set - 1);
        independent[set] = independent[rest] && graph[low] as usize & rest == 0;
    }
    let mut counts: Vec<Vec<u128>> = vec![Vec::new(); all + 1];
    counts[0] = vec![1];
    for set in 1..=all {
        let low = set & set.wrapping_neg();
        let rest = set ^ low;
        let mut sum = vec![0u128; set.count_ones() as usize + 1];
        let mut part = rest;
        loop {
            if independent[part | low] {
                for (blocks, count) in counts[rest ^ part].iter().enumerate() {
                    sum[blocks + 1] += count;
                }
            }
            if part == 0 {
                break;
            }
            part = (part - 1) & rest;
        }
        counts[set] = sum;
    }
    std::mem::take(&mut counts[all])
}

/// The coarsest maps of a region: nothing more can be merged. Each is a whole map.
pub fn coarsest(map: &PartialMap) -> Vec<PartialMap> {
    let mut found = vec![map.clone()];
    for kind in [Kind::Action, Kind::Observation] {
        let classes: Vec<Label> = map.classes(kind).into_iter().map(|c| c[0]).collect();
        let blocks = Blocks::coarsest(map, &classes);
        found = found.iter().flat_map(|map| blocks.iter().map(|b| merge_all(map, b))).collect();
    }
    found.iter().map(finest).collect()
}

/// The map with each of these blocks merged.
fn merge_all(map: &PartialMap, blocks: &[Vec<Label>]) -> PartialMap {
    let mut map = map.clone();
    for block in blocks {
        for pair in block.windows(2) {
            map = map.with(pair[0], pair[1], true).expect("a block holds no two labels that are apart");
        }
    }
    map
}

/// Ways of putting classes of labels into blocks.
struct Blocks<'m> {
    map: &'m PartialMap,
    found: Vec<Vec<Vec<Label>>>,
}

impl<'m> Blocks<'m> {
    /// All ways in which every two blocks hold two labels that are apart.
    fn coarsest(map: &'m PartialMap, classes: &[Label]) -> Vec<Vec<Vec<Label>>> {
        let apart = |a: Label, b: Label| map.alike(a, b) == Ok(false);
        let is_tied = |a: &Label| classes.iter().any(|&b| *a != b && apart(*a, b));
        let (tied, free): (Vec<Label>, Vec<Label>) = classes.iter().partition(|l| is_tied(l));
        let mut blocks = Self { map, found: Vec::new() };
        blocks.place(&tied, &mut Vec::new());
        // A class that is apart from none keeps no blocks apart: it joins any one, or all such are one block.
        for &l in &free {
            let before = std::mem::take(&mut blocks.found);
            for ways in before {
                for i in 0..ways.len().max(1) {
                    let mut ways = ways.clone();
                    if ways.is_empty() {
                        ways.push(Vec::new());
                    }
                    ways[i].push(l);
                    blocks.found.push(ways);
                }
            }
        }
        blocks.found
    }

    fn conflict(&self, a: &[Label], b: &[Label]) -> bool {
        a.iter().any(|&x| b.iter().any(|&y| self.map.alike(x, y) == Ok(false)))
    }

    fn place(&mut self, rest: &[Label], blocks: &mut Vec<Vec<Label>>) {
        let Some((&l, rest)) = rest.split_first() else {
            let all = (0..blocks.len()).all(|i| (0..i).all(|j| self.conflict(&blocks[i], &blocks[j])));
            if all {
                self.found.push(blocks.clone());
            }
            return;
        };
        for i in 0..blocks.len() {
            if !self.conflict(&blocks[i], &[l]) {
                blocks[i].push(l);
                self.place(rest, blocks);
                blocks[i].pop();
            }
        }
        blocks.push(vec![l]);
        self.place(rest, blocks);
        blocks.pop();
    }
}

/// The finest map of a region: only what must be merged is. It is a whole map.
pub fn finest(map: &PartialMap) -> PartialMap {
    let mut map = map.clone();
    while let Some(pair) = map.first_open() {
        map = map.with(pair.0, pair.1, false).expect("an open pair can be kept apart");
    }
    map
}
