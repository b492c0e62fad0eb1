//! What the stipulations of those who know the plan make of estimates: each signature is looked at once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::formula::{Compiled, Courses, Due, Stipulations};

/// The negative literals of a clause that is broken; nothing if none is.
type Broken = Option<Arc<[u32]>>;

/// Signatures by number, what they break, and what they make of runs.
#[derive(Clone)]
pub(super) struct Estimates<'a> {
    stipulations: &'a Stipulations,
    courses: Courses,
    /// The masks that runs speak of.
    run_masks: Vec<u64>,
    /// Whether it matters where a plan ends.
    pub has_end: bool,
    known: Vec<Known>,
    number: FxHashMap<Arc<[u64]>, u32>,
    /// The parts of signatures that runs speak of, by number.
    met: Vec<Arc<[u64]>>,
    met_number: FxHashMap<Arc<[u64]>, u32>,
    /// What runs become, given what they had become and what is met.
    after: FxHashMap<(u32, u32), u32>,
}

/// What is known of a signature.
#[derive(Clone)]
struct Known {
    signature: Arc<[u64]>,
    /// The number of what runs see of it.
    met: u32,
    /// For going on, and for ending.
    broken: [Option<Broken>; 2],
}

impl<'a> Estimates<'a> {
    pub fn new(stipulations: &'a Stipulations, words: usize) -> Self {
        let mut run_masks = vec![0; words];
        for mask in stipulations.all().iter().flat_map(|s| s.run_masks()) {
            run_masks[mask as usize / 64] |= 1 << (mask % 64);
        }
        let courses = Courses::new(stipulations);
        let at_end = stipulations.all().iter().any(|s| s.demand() == Some(Due::AtEnd));
        Self {
            has_end: at_end || !courses.is_empty(),
            stipulations,
            courses,
            run_masks,
            known: Vec::new(),
            number: FxHashMap::default(),
            met: Vec::new(),
            met_number: FxHashMap::default(),
            after: FxHashMap::default(),
        }
    }

    /// Whether any run is stipulated.
    pub fn has_runs(&self) -> bool {
        !self.courses.is_empty()
    }

    /// The number of a signature.
    pub fn number(&mut self, signature: &[u64]) -> u32 {
        if let Some(&known) = self.number.get(signature) {
            return known;
        }
        let met: Arc<[u64]> = signature.iter().zip(&self.run_masks).map(|(a, b)| a & b).collect();
        let Self { met: all, met_number, .. } = self;
        let met = *met_number.entry(met).or_insert_with_key(|met| {
            all.push(Arc::clone(met));
            all.len() as u32 - 1
        });
        let signature: Arc<[u64]> = signature.into();
        self.known.push(Known { signature: Arc::clone(&signature), met, broken: [None, None] });
        self.number.insert(signature, self.known.len() as u32 - 1);
        self.known.len() as u32 - 1
    }

    /// The number of what runs see of a signature.
    pub fn met(&self, signature: u32) -> u32 {
        self.known[signature as usize].met
    }

    /// The masks that runs see, ascending.
    pub fn masks(&self, met: u32) -> impl Iterator<Item = u32> + use<> {
        let ones = crate::sets::bits::ones;
        let words = Arc::clone(&self.met[met as usize]);
        (0..words.len()).flat_map(move |i| ones(words[i]).map(move |bit| (i * 64 + bit) as u32))
    }

    /// What runs become at a moment, and whether that can be mended and may end.
    pub fn follow(&mut self, runs: u32, signature: u32) -> (u32, bool, bool) {
        let Self { courses, stipulations, known, .. } = self;
        let Known { signature, met, .. } = &known[signature as usize];
        let after = *self
            .after
            .entry((runs, *met))
            .or_insert_with(|| courses.follow(stipulations, runs, signature).runs);
        let (mended, may_end) = self.courses.stand(after);
        (after, mended, may_end)
    }

    /// The negative literals of a clause that an estimate breaks.
    pub fn broken(&mut self, signature: u32, ending: bool) -> Broken {
        let Known { signature, broken, .. } = &mut self.known[signature as usize];
        let all = self.stipulations.all();
        let find = || {
            let asked = |s: &&Compiled| {
                s.demand() == Some(Due::Throughout) || (ending && s.demand() == Some(Due::AtEnd))
            };
            let mut broken = all.iter().filter(asked).filter(|s| !s.holds(signature));
            broken.next().and_then(|s| s.broken_clause(signature)).map(|clause| clause.negative.into())
        };
        broken[usize::from(ending)].get_or_insert_with(find).clone()
    }
}
