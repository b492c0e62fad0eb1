//! Which masks of the stipulations a belief meets, without looking at every member.

use rustc_hash::FxHashMap;

use super::{beliefs::Members, divulged::Tracked};
use crate::{formula::Stipulations, problem::Vertex};

/// With more classes than this, a belief's members are looked at one by one.
const FEW: usize = 32;

/// The tracked vertices, classed by the masks that the world vertices they stand for are in.
#[derive(Debug)]
pub(super) struct Signatures {
    words: usize,
    class_of: Vec<u32>,
    /// The signatures of the classes, one after the other.
    table: Vec<u64>,
    /// The members of each class where there are few, as bits from some word on.
    classes: Vec<(usize, Vec<u64>)>,
}

impl Signatures {
    pub fn new(tracked: &Tracked<'_>, stipulations: &Stipulations) -> Self {
        let words = stipulations.words();
        let (class_of, table) = if tracked.is_world() {
            let (class_of, table) = stipulations.classes();
            (class_of.to_vec(), table.to_vec())
        } else {
            classes(tracked, stipulations)
        };
        let count = table.len() / words;
        let classes = if count <= FEW { bits(&class_of, count) } else { Vec::new() };
        Self { words, class_of, table, classes }
    }

    /// The class of a tracked vertex.
    pub fn class_of(&self, v: Vertex) -> usize {
        self.class_of[v.index()] as usize
    }

    /// The signatures of the classes, in order.
    pub fn of_classes(&self) -> impl Iterator<Item = &[u64]> {
        self.table.chunks(self.words)
    }

    /// The masks that a belief meets.
    pub fn of(&self, belief: Members<'_>) -> Vec<u64> {
        let mut signature = vec![0; self.words];
        match belief {
            Members::Bits(bits) if !self.classes.is_empty() => {
                for (class, (first, members)) in self.classes.iter().enumerate() {
                    if bits[*first..].iter().zip(members).any(|(a, b)| a & b != 0) {
                        self.add(&mut signature, class);
                    }
                }
            }
            _ => belief.for_each(|v| self.add(&mut signature, self.class_of[v as usize] as usize)),
        }
        signature
    }

    fn add(&self, signature: &mut [u64], class: usize) {
        for (word, bits) in signature.iter_mut().zip(&self.table[class * self.words..]) {
            *word |= bits;
        }
    }
}

/// The class of every tracked vertex, and the signatures of the classes.
fn classes(tracked: &Tracked<'_>, stipulations: &Stipulations) -> (Vec<u32>, Vec<u64>) {
    let mut number: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut signature = vec![0; stipulations.words()];
    let mut class_of = Vec::with_capacity(tracked.graph.len());
    let mut table = Vec::new();
    for v in tracked.graph.vertices() {
        signature.fill(0);
        for w in tracked.world_vertices(v) {
            stipulations.add(&mut signature, w);
        }
        let class = match number.get(&signature) {
            Some(&class) => class,
            None => {
                table.extend_from_slice(&signature);
                number.insert(signature.clone(), number.len() as u32);
                number.len() as u32 - 1
            }
        };
        class_of.push(class);
    }
    (class_of, table)
}

/// The vertices of each class as bits, without the words before the first and after the last.
fn bits(class_of: &[u32], classes: usize) -> Vec<(usize, Vec<u64>)> {
    let mut all = vec![vec![0_u64; class_of.len().div_ceil(64)]; classes];
    for (v, &class) in class_of.iter().enumerate() {
        all[class as usize][v / 64] |= 1 << (v % 64);
    }
    let trimmed = all.into_iter().map(|words| {
        let first = words.iter().position(|&w| w != 0).unwrap_or(0);
        let end = words.iter().rposition(|&w| w != 0).map_or(first, |last| last + 1);
        (first, words[first..end].to_vec())
    });
    trimmed.collect()
}
