//! One step back: the demands that become a given one by some image.

use crate::{
    audit::{
        demand::BeliefDemand,
        demands::Demands,
        reversed::{Hidden, Reversed},
        step::Step,
    },
    problem::Image,
    sets::{Members, bits::ones},
};

/// A demand within less than one in so many vertices is followed by counting what leads into it, others by marking what
/// leads out of it.
const SPARSE: usize = 4;

/// Vertices are listed if one of them is met, or fewer, for so many words that they would take as bits.
const FEW: usize = 4;

/// How often a bundle was met in one step, and which of the sets to be met it leads to.
#[derive(Clone, Copy, Default)]
struct Count {
    times: u32,
    sets: u32,
}

/// Room for one step at a time, empty between two.
pub(crate) struct Scratch {
    counts: Vec<Count>,
    /// For each place, which of the sets to be met it is in.
    in_sets: Vec<u32>,
    /// For each image, the bundles that were met.
    touched: Vec<Vec<u32>>,
    /// For each image, the vertices that must not be in the belief, then those of each set to be met if there are any.
    marks: Vec<Vec<u64>>,
    used: Vec<Image>,
    /// The vertices of the demand at hand, if they are few, and which of its sets they are in.
    pub listed: Vec<(u32, u32)>,
}

impl Scratch {
    pub fn new(reversed: &Reversed) -> Self {
        let images = reversed.image_count();
        Self {
            counts: vec![Count::default(); reversed.bundles.len()],
            in_sets: vec![0; reversed.counts[0].max(reversed.counts[1])],
            touched: vec![Vec::new(); images],
            marks: vec![Vec::new(); images],
            used: Vec::new(),
            listed: Vec::new(),
        }
    }
}

impl Demands {
    /// About how much work it is to follow a demand: its members, or those that are not.
    pub fn weight(&self, demand: usize) -> usize {
        let BeliefDemand { size, kind, .. } = self.all[demand];
        let (size, all) = (size as usize, self.reversed.counts[kind as usize]);
        if is_sparse(size, all) { size } else { all - size }
    }
}

fn is_sparse(size: usize, all: usize) -> bool {
    size < all / SPARSE
}

impl Step {
    /// Makes the demands that become a given one by some image.
    pub fn precede(&mut self, demands: &Demands, demand: usize) {
        let BeliefDemand { size, kind, .. } = demands.all[demand];
        let sparse = is_sparse(size as usize, demands.reversed.counts[kind as usize]);
        if sparse {
            self.count(demands, demand);
        } else {
            self.mark(demands, demand);
        }
        let mut used = std::mem::take(&mut self.scratch.used);
        used.sort_unstable();
        for image in used.drain(..) {
            if sparse {
                self.keep_counted(demands, demand, image);
            } else {
                self.keep_unmarked(demands, demand, image);
            }
        }
        self.scratch.used = used;
    }

    /// Counts how often each bundle leads into the demand.
    fn count(&mut self, demands: &Demands, demand: usize) {
        let BeliefDemand { first, sets, kind, .. } = demands.all[demand];
        let (reversed, pool) = (&demands.reversed, &demands.pool);
        let Scratch { counts, in_sets, touched, used, .. } = &mut self.scratch;
        let to_meet = || (1..sets as usize).map(|set| (set, pool.get(first + set)));
        to_meet().for_each(|(set, members)| members.for_each(|v| in_sets[v as usize] |= 1 << set));
        let mut looked_at = 0;
        pool.get(first).for_each(|v| {
            let met = if sets == 1 { 2 } else { in_sets[v as usize] };
            let bundles = reversed.leading_to(kind, v as usize);
            looked_at += bundles.len();
            for &bundle in bundles {
                let count = &mut counts[bundle as usize];
                if count.times == 0 {
                    let image = reversed.bundles[bundle as usize].image;
                    if touched[image.index()].is_empty() {
                        used.push(image);
                    }
                    touched[image.index()].push(bundle);
                }
                count.times += 1;
                count.sets |= met;
            }
        });
        to_meet().for_each(|(_, members)| members.for_each(|v| in_sets[v as usize] = 0));
        self.work += looked_at as u64;
    }

    /// The demand that becomes this one by an image: a bundle all targets of which were met keeps its source.
    fn keep_counted(&mut self, demands: &Demands, demand: usize, image: Image) {
        let BeliefDemand { sets, kind, .. } = demands.all[demand];
        let reversed = &demands.reversed;
        let kind = reversed.source(kind, image);
        let words = reversed.words(kind);
        let (lacking, some) = reversed.lacking(kind, image);
        // Not to be empty before and after the image are two things where the image may be lacking.
        let sets = if some > 0 { sets.max(2) } else { sets };
        let few = self.scratch.touched[image.index()].len() * FEW <= words;
        if some == 0 && few && !matches!(reversed.hidden, Hidden::Mixed(_)) {
            return self.list_counted(demands, demand, image);
        }
        self.words.clear();
        self.words.extend_from_slice(lacking);
        self.words.resize(sets as usize * words, 0);
        let mut all_met = 0;
        for bundle in self.scratch.touched[image.index()].drain(..) {
            let count = std::mem::take(&mut self.scratch.counts[bundle as usize]);
            let bundle = reversed.bundles[bundle as usize];
            if count.times == bundle.targets {
                let (word, bit) = (bundle.source as usize / 64, 1 << (bundle.source % 64));
                self.words[word] |= bit;
                all_met |= count.sets;
                if sets > 1 {
                    ones(u64::from(count.sets)).for_each(|set| self.words[word + set * words] |= bit);
                }
            }
        }
        self.work += (sets as usize * words) as u64 / 2;
        if all_met == ((1_u64 << sets.max(2)) - 2) as u32 {
            let then = Some((demand as u32, image));
            if matches!(reversed.hidden, Hidden::Mixed(_)) {
                self.keep_if_met(demands, kind, then);
            } else {
                self.keep(demands, kind, then);
            }
        }
    }

    /// The same, where few bundles were met and no vertex lacks the image.
    fn list_counted(&mut self, demands: &Demands, demand: usize, image: Image) {
        let BeliefDemand { sets, kind, .. } = demands.all[demand];
        let Scratch { counts, touched, listed, .. } = &mut self.scratch;
        let mut all_met = 0;
        listed.clear();
        self.work += touched[image.index()].len() as u64;
        for bundle in touched[image.index()].drain(..) {
            let count = std::mem::take(&mut counts[bundle as usize]);
            let bundle = demands.reversed.bundles[bundle as usize];
            if count.times == bundle.targets {
                all_met |= count.sets;
                listed.push((bundle.source, count.sets | 1));
            }
        }
        if all_met == ((1_u64 << sets.max(2)) - 2) as u32 {
            listed.sort_unstable();
            let kind = demands.reversed.source(kind, image);
            self.keep_listed(demands, sets, kind, Some((demand as u32, image)));
        }
    }

    /// Marks what leads to the sets to be met and, for the images that do, what leads out of the demand.
    fn mark(&mut self, demands: &Demands, demand: usize) {
        let BeliefDemand { first, sets, kind, .. } = demands.all[demand];
        let (reversed, pool) = (&demands.reversed, &demands.pool);
        let Scratch { marks, used, .. } = &mut self.scratch;
        if sets == 1 {
            for &image in &reversed.images[kind as usize] {
                used.push(image);
                marks[image.index()].resize(reversed.words(reversed.source(kind, image)), 0);
            }
        }
        let mut looked_at = 0;
        let mut leading_to = |place: u32| {
            let bundles = reversed.leading_to(kind, place as usize);
            looked_at += bundles.len();
            bundles.iter().map(|&bundle| &reversed.bundles[bundle as usize])
        };
        for set in 1..sets as usize {
            pool.get(first + set).for_each(|v| {
                for bundle in leading_to(v) {
                    let theirs = reversed.words(reversed.source(kind, bundle.image));
                    let marks = &mut marks[bundle.image.index()];
                    if marks.is_empty() {
                        used.push(bundle.image);
                        marks.resize(sets as usize * theirs, 0);
                    }
                    marks[set * theirs + bundle.source as usize / 64] |= 1 << (bundle.source % 64);
                }
            });
        }
        let (all, rest) = (&reversed.all[kind as usize], &mut self.words);
        rest.clear();
        rest.extend_from_slice(all);
        match pool.get(first) {
            Members::Bits(within) => rest.iter_mut().zip(within).for_each(|(rest, within)| *rest &= !within),
            Members::List(within) => within.iter().for_each(|v| rest[*v as usize / 64] &= !(1 << (v % 64))),
        }
        for (i, &word) in rest.iter().enumerate() {
            for bundle in ones(word).flat_map(|bit| leading_to((i * 64 + bit) as u32)) {
                if let Some(word) = marks[bundle.image.index()].get_mut(bundle.source as usize / 64) {
                    *word |= 1 << (bundle.source % 64);
                }
            }
        }
        self.work += looked_at as u64;
    }

    /// The demand that becomes this one by an image: what was not marked as leading out of it.
    fn keep_unmarked(&mut self, demands: &Demands, demand: usize, image: Image) {
        let BeliefDemand { sets, kind, .. } = demands.all[demand];
        let reversed = &demands.reversed;
        let kind = reversed.source(kind, image);
        let words = reversed.words(kind);
        let marks = &mut self.scratch.marks[image.index()];
        let (out, met) = marks.split_at(words);
        let (all, made) = (&reversed.all[kind as usize], &mut self.words);
        made.clear();
        made.extend(all.iter().zip(out).map(|(all, out)| all & !out));
        for set in met.chunks(words) {
            made.extend(set.iter().zip(out).map(|(met, out)| met & !out));
        }
        if sets == 1 {
            // All that bears the image and does not lead out leads in.
            let (lacking, _) = reversed.lacking(kind, image);
            made.extend_from_within(..words);
            made[words..].iter_mut().zip(lacking).for_each(|(met, lacking)| *met &= !lacking);
        }
        marks.clear();
        self.work += (sets as usize * words) as u64 / 2;
        self.keep_if_met(demands, kind, Some((demand as u32, image)));
    }
}
