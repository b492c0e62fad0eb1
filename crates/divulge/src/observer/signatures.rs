//! Which masks of the stipulations a belief meets, without looking at every member.

use rustc_hash::FxHashMap;

use crate::{
    formula::Stipulations,
    observer::divulged::Tracked,
    problem::Vertex,
    sets::{Members, bits::ones},
};

/// With more classes than this, a belief's members are looked at one by one.
const FEW: usize = 32;

/// With more words in a signature than this, only the masks are looked at in which a class is unlike most vertices.
const LONG: usize = 4;

/// The tracked vertices, classed by the masks that the world vertices they stand for are in.
#[derive(Debug)]
pub(super) struct Signatures {
    words: usize,
    class_of: Vec<u32>,
    /// The signatures of the classes, one after the other.
    table: Vec<u64>,
    /// The members of each class where there are few, as bits from some word on.
    classes: Vec<(usize, Vec<u64>)>,
    /// How classes are unlike most vertices, where signatures are long.
    unlike: Option<Unlike>,
}

/// Signatures by what is unusual: masks of few vertices that a class is in, and masks of most vertices that it is not in.
#[derive(Debug)]
struct Unlike {
    /// The masks of most vertices, as a signature.
    usual: Vec<u64>,
    /// The unusual masks of each class, those it is in and those it is not in, both ascending; and where they begin.
    masks: [Vec<u32>; 2],
    starts: [Vec<usize>; 2],
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
        let unlike = (words > LONG).then(|| Unlike::new(stipulations, &table));
        Self { words, class_of, table, classes, unlike }
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
        if let Some(unlike) = &self.unlike {
            return unlike.of(belief, &self.class_of);
        }
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

impl Unlike {
    fn new(stipulations: &Stipulations, table: &[u64]) -> Self {
        let mut usual = vec![0_u64; stipulations.words()];
        for (mask, _) in stipulations.sides().iter().enumerate().filter(|(_, side)| side.outside) {
            usual[mask / 64] |= 1 << (mask % 64);
        }
        let (mut masks, mut starts) = ([Vec::new(), Vec::new()], [vec![0], vec![0]]);
        for signature in table.chunks(usual.len()) {
            for (word, (&bits, &usual)) in signature.iter().zip(&usual).enumerate() {
                let number = |bit: usize| (word * 64 + bit) as u32;
                masks[0].extend(ones(bits & !usual).map(number));
                masks[1].extend(ones(usual & !bits).map(number));
            }
            (0..2).for_each(|i| starts[i].push(masks[i].len()));
        }
        Self { usual, masks, starts }
    }

    /// The masks that a class is in although few are, or not in although most are.
    fn masks(&self, which: usize, class: u32) -> &[u32] {
        let starts = &self.starts[which][class as usize..];
        &self.masks[which][starts[0]..starts[1]]
    }

    /// The masks that a belief meets: it misses one of most vertices only if every member is outside of it.
    fn of(&self, belief: Members<'_>, class_of: &[u32]) -> Vec<u64> {
        let mut signature = self.usual.clone();
        let mut missed: Option<Vec<u32>> = None;
        belief.for_each(|v| {
            let class = class_of[v as usize];
            for &mask in self.masks(0, class) {
                signature[mask as usize / 64] |= 1 << (mask % 64);
            }
            match &mut missed {
                None => missed = Some(self.masks(1, class).to_vec()),
                Some(missed) if missed.is_empty() => {}
                Some(missed) => missed.retain(|mask| self.masks(1, class).binary_search(mask).is_ok()),
            }
        });
        // Of nothing at all nothing is met.
        let Some(missed) = missed else { return vec![0; self.usual.len()] };
        for mask in missed {
            signature[mask as usize / 64] &= !(1 << (mask % 64));
        }
        signature
    }
}

/// The class of every tracked vertex, and the signatures of the classes.
fn classes(tracked: &Tracked<'_>, stipulations: &Stipulations) -> (Vec<u32>, Vec<u64>) {
    let mut number: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut table = Vec::new();
    let mut class = |signature: &[u64]| {
        number.get(signature).copied().unwrap_or_else(|| {
            let class = number.len() as u32;
            table.extend_from_slice(signature);
            number.insert(signature.to_vec(), class);
            class
        })
    };
    // Most tracked vertices stand for world vertices of one class.
    let (of_world, signatures) = stipulations.classes();
    let mut of_one: Vec<Option<u32>> = vec![None; signatures.len() / stipulations.words()];
    let mut signature = vec![0; stipulations.words()];
    let class_of = tracked.graph.vertices().map(|v| {
        let mut all = tracked.world_vertices(v).map(|w| of_world[w.index()] as usize);
        let one = all.next().filter(|&first| all.all(|other| other == first));
        if let Some(known) = one.and_then(|one| of_one[one]) {
            return known;
        }
        signature.fill(0);
        tracked.world_vertices(v).for_each(|w| stipulations.add(&mut signature, w));
        let class = class(&signature);
        one.into_iter().for_each(|one| of_one[one] = Some(class));
        class
    });
    (class_of.collect(), table)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Alphabet, Builder, Scope, Stipulation};

    /// More masks than fit into a few words, of one vertex, of all but one, and of some: what the members' own signatures make.
    #[test]
    fn long_signatures_are_the_union_of_the_members() {
        let n = 200;
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        for i in 0..n {
            b.actions([format!("u{i}").as_str()]).prop(&format!("u{i}"), "part", i64::from(i % 7));
        }
        b.initial("u0");
        let world = b.world().expect("a world");
        let mut formulas: Vec<String> = (0..n).map(|i| format!("!knows(is(u{i}))")).collect();
        formulas.extend((0..n).step_by(3).map(|i| format!("state(u{i})")));
        formulas.extend((0..7).map(|i| format!("knows(part = {i}) | possible(part > {i})")));
        let formulas = formulas.iter().map(|text| Stipulation {
            name: String::new(),
            scope: Scope::Always,
            formula: text.parse().expect("a formula"),
        });
        let stipulations =
            Stipulations::compile(&world, &formulas.collect::<Vec<_>>()).expect("stipulations");
        assert!(stipulations.words() > LONG);
        let tracked = Tracked::world(&world.graph);
        let signatures = Signatures::new(&tracked, &stipulations);
        for (first, step, count) in [(0, 1, 0), (5, 1, 1), (3, 7, 2), (0, 7, 28), (0, 1, 200), (9, 2, 40)] {
            let set: Vec<u32> = (0..count).map(|i| first + i * step).collect();
            let expected = stipulations.signature_of(set.iter().map(|&v| Vertex(v)));
            assert_eq!(signatures.of(Members::List(&set)), expected, "of {set:?}");
        }
    }
}
