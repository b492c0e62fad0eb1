//! One step back: the demands that become a given one by some image.

use crate::{
    audit::{
        demands::{BeliefDemand, Demands},
        reversed::Hidden,
    },
    problem::Image,
    sets::bits::ones,
};

/// A demand within less than one in so many vertices is followed by counting what leads into it, others by marking what
/// leads out of it.
const SPARSE: usize = 4;

/// How often a bundle was met in one step, and which of the sets to be met it leads to.
#[derive(Clone, Copy, Default)]
struct Count {
    times: u32,
    sets: u32,
}

/// Room for one step at a time, empty between two.
pub(crate) struct Scratch {
    counts: Vec<Count>,
    /// For each image, the bundles that were met.
    touched: Vec<Vec<u32>>,
    /// For each image, the vertices that must not be in the belief, then those of each set to be met if there are any.
    marks: Vec<Vec<u64>>,
    used: Vec<Image>,
}

impl Scratch {
    pub fn new(bundles: usize, images: usize) -> Self {
        Self {
            counts: vec![Count::default(); bundles],
            touched: vec![Vec::new(); images],
            marks: vec![Vec::new(); images],
            used: Vec::new(),
        }
    }
}

impl Demands {
    /// Adds the demands that become this one by some image, and tells of those that are there then.
    pub fn precede(&mut self, demand: usize, mut told: impl FnMut(Image, u32)) {
        let BeliefDemand { size, kind, .. } = self.all[demand];
        let sparse = (size as usize) < self.reversed.counts[kind as usize] / SPARSE;
        if sparse {
            self.count(demand);
        } else {
            self.mark(demand);
        }
        let mut used = std::mem::take(&mut self.scratch.used);
        used.sort_unstable();
        for image in used.drain(..) {
            let kept =
                if sparse { self.keep_counted(demand, image) } else { self.keep_unmarked(demand, image) };
            kept.into_iter().for_each(|before| told(image, before));
        }
        self.scratch.used = used;
    }

    /// Counts how often each bundle leads into the demand.
    fn count(&mut self, demand: usize) {
        let BeliefDemand { start, sets, kind, .. } = self.all[demand];
        let words = self.reversed.words(kind);
        let Self { reversed, scratch: Scratch { counts, touched, used, .. }, work, .. } = self;
        for (i, &word) in self.words[start..start + words].iter().enumerate() {
            for bit in ones(word) {
                let mut met = if sets == 1 { 2 } else { 0_u32 };
                for set in 1..sets as usize {
                    met |= ((self.words[start + set * words + i] >> bit & 1) as u32) << set;
                }
                let bundles = reversed.leading_to(kind, i * 64 + bit);
                *work += bundles.len() as u64;
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
            }
        }
    }

    /// The demand that becomes this one by an image: a bundle all targets of which were met keeps its source.
    fn keep_counted(&mut self, demand: usize, image: Image) -> Option<u32> {
        let BeliefDemand { sets, kind, .. } = self.all[demand];
        let (kind, start) = (self.reversed.source(kind, image), self.words.len());
        let words = self.reversed.words(kind);
        let (lacking, mut size) = self.reversed.lacking(kind, image);
        // Not to be empty before and after the image are two things where the image may be lacking.
        let sets = if size > 0 { sets.max(2) } else { sets };
        self.words.extend_from_slice(lacking);
        self.words.resize(start + sets as usize * words, 0);
        let mut all_met = 0;
        self.members.clear();
        for bundle in self.scratch.touched[image.index()].drain(..) {
            let count = std::mem::take(&mut self.scratch.counts[bundle as usize]);
            let bundle = self.reversed.bundles[bundle as usize];
            if count.times == bundle.targets {
                let (word, bit) = (start + bundle.source as usize / 64, 1 << (bundle.source % 64));
                self.words[word] |= bit;
                size += 1;
                all_met |= count.sets;
                if count.sets & 2 != 0 {
                    self.members.push(bundle.source);
                }
                if sets > 1 {
                    ones(u64::from(count.sets)).for_each(|set| self.words[word + set * words] |= bit);
                }
            }
        }
        self.work += (sets as usize * words) as u64 / 2;
        let wanted = ((1_u64 << sets.max(2)) - 2) as u32;
        if all_met == wanted && matches!(self.reversed.hidden, Hidden::Mixed(_)) {
            self.keep_if_met(start, sets, kind, Some((demand as u32, image)))
        } else if all_met == wanted {
            self.keep(start, sets, kind, size, Some((demand as u32, image)))
        } else {
            self.words.truncate(start);
            None
        }
    }

    /// Marks what leads to the sets to be met and, for the images that do, what leads out of the demand.
    fn mark(&mut self, demand: usize) {
        let BeliefDemand { start, sets, kind, .. } = self.all[demand];
        let words = self.reversed.words(kind);
        let Self { reversed, scratch: Scratch { marks, used, .. }, work, .. } = self;
        if sets == 1 {
            for &image in &reversed.images[kind as usize] {
                used.push(image);
                marks[image.index()].resize(reversed.words(reversed.source(kind, image)), 0);
            }
        }
        for set in 1..sets as usize {
            for (i, &word) in self.words[start + set * words..start + (set + 1) * words].iter().enumerate() {
                for bit in ones(word) {
                    let bundles = reversed.leading_to(kind, i * 64 + bit);
                    *work += bundles.len() as u64;
                    for bundle in bundles.iter().map(|&bundle| &reversed.bundles[bundle as usize]) {
                        let theirs = reversed.words(reversed.source(kind, bundle.image));
                        let marks = &mut marks[bundle.image.index()];
                        if marks.is_empty() {
                            used.push(bundle.image);
                            marks.resize(sets as usize * theirs, 0);
                        }
                        marks[set * theirs + bundle.source as usize / 64] |= 1 << (bundle.source % 64);
                    }
                }
            }
        }
        for (i, (&word, &all)) in
            self.words[start..start + words].iter().zip(&reversed.all[kind as usize]).enumerate()
        {
            for bit in ones(all & !word) {
                let bundles = reversed.leading_to(kind, i * 64 + bit);
                *work += bundles.len() as u64;
                for bundle in bundles.iter().map(|&bundle| &reversed.bundles[bundle as usize]) {
                    if let Some(word) = marks[bundle.image.index()].get_mut(bundle.source as usize / 64) {
                        *word |= 1 << (bundle.source % 64);
                    }
                }
            }
        }
    }

    /// The demand that becomes this one by an image: what was not marked as leading out of it.
    fn keep_unmarked(&mut self, demand: usize, image: Image) -> Option<u32> {
        let BeliefDemand { sets, kind, .. } = self.all[demand];
        let kind = self.reversed.source(kind, image);
        let (start, words) = (self.words.len(), self.reversed.words(kind));
        let Self { reversed, scratch, words: all, work, .. } = self;
        let marks = &mut scratch.marks[image.index()];
        let (out, met) = marks.split_at(words);
        all.extend(reversed.all[kind as usize].iter().zip(out).map(|(all, out)| all & !out));
        for set in met.chunks(words) {
            all.extend(set.iter().zip(out).map(|(met, out)| met & !out));
        }
        if sets == 1 {
            // All that bears the image and does not lead out leads in.
            let (lacking, _) = reversed.lacking(kind, image);
            all.extend_from_within(start..);
            all[start + words..].iter_mut().zip(lacking).for_each(|(met, lacking)| *met &= !lacking);
        }
        marks.clear();
        *work += (sets as usize * words) as u64 / 2;
        self.keep_if_met(start, sets.max(2), kind, Some((demand as u32, image)))
    }
}
