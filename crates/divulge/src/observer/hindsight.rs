//! What an observer makes of earlier moments, as it watches on.
//!
//! *Background.* A stipulation of scope `hindsight` speaks of the vertices at an earlier moment from which an execution that looks like all
//! that was seen since goes on. All that matters of such a vertex is its *class*: which masks of the stipulation it is in. So a moment is
//! recollected as, for each class, the set of present vertices that are reached from it; a class without any is ruled out by now. Classes
//! are only ever ruled out: a recollection of which every part would do can be forgotten.

use rustc_hash::FxHashMap;

use crate::{
    formula::Stipulations,
    observer::{signatures::Signatures, successors::Successors},
    problem::{Image, PGraph, Scope, Vertex},
    sets::HybridStore,
};

/// Up to so many classes of one recollection are tried in all combinations, to see whether it can be forgotten.
const FEW: usize = 8;

/// For each class that is still possible, ascending, the set of present vertices that come from it.
type Recollection = Box<[(u32, u32)]>;

/// The recollections of each stipulation that are kept, each with how many images ago its moment was; and the first stipulation that is
/// broken, perhaps by what need not be kept any longer.
type Kept = (Box<[Box<[(u32, u32)]>]>, Option<usize>);

/// What is made of earlier moments, numbered as it is met.
#[derive(Debug)]
pub(super) struct Hindsight {
    stipulations: Vec<Recalled>,
    recollections: Numbered<Recollection>,
    kept: Numbered<Kept>,
    /// Where images lead from sets that were asked for.
    next: FxHashMap<u32, Box<[(Image, u32)]>>,
}

/// A stipulation of scope `hindsight`.
#[derive(Debug)]
struct Recalled {
    number: usize,
    within: Option<u32>,
    /// The class of every tracked vertex.
    class_of: Vec<u32>,
    signatures: Vec<Vec<u64>>,
    compiled: crate::formula::Compiled,
    /// Whether recollections of these classes can be forgotten.
    harmless: FxHashMap<Vec<u32>, bool>,
}

#[derive(Debug)]
struct Numbered<T> {
    all: Vec<T>,
    number: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn new() -> Self {
        Self { all: Vec::new(), number: FxHashMap::default() }
    }

    fn intern(&mut self, item: T) -> u32 {
        let Self { all, number } = self;
        *number.entry(item).or_insert_with_key(|item| {
            all.push(item.clone());
            all.len() as u32 - 1
        })
    }
}

impl Hindsight {
    pub fn new(stipulations: &Stipulations, signatures: &Signatures, vertices: usize) -> Self {
        let all = stipulations.all().iter().enumerate();
        let recalled = all.filter_map(|(number, compiled)| match compiled.scope {
            // What need not hold later than at once is asked for by the course.
            Scope::Hindsight { within } if within != Some(0) => {
                let masks = compiled.masks();
                let mut classes = Numbered::new();
                let own: Vec<Vec<u64>> =
                    signatures.of_classes().map(|signature| restricted(signature, &masks)).collect();
                // Each class is looked up once, however many vertices it has.
                let mut known: Vec<Option<u32>> = vec![None; own.len()];
                let class_of = (0..vertices as u32)
                    .map(|v| {
                        let class = signatures.class_of(Vertex(v));
                        *known[class].get_or_insert_with(|| classes.intern(own[class].clone()))
                    })
                    .collect();
                let (signatures, compiled) = (classes.all, compiled.clone());
                let harmless = FxHashMap::default();
                Some(Recalled { number, within, class_of, signatures, compiled, harmless })
            }
            _ => None,
        });
        let stipulations = recalled.collect();
        let (recollections, kept) = (Numbered::new(), Numbered::new());
        Self { stipulations, recollections, kept, next: FxHashMap::default() }
    }

    /// The first stipulation that is broken by something that is kept.
    pub fn broken(&self, kept: u32) -> Option<usize> {
        self.kept.all[kept as usize].1
    }

    /// Forgets all that is kept but this, whose sets move from one store to another; gives its new number.
    pub fn forget_all_but(&mut self, kept: u32, from: &HybridStore, to: &mut HybridStore) -> u32 {
        let (of_stipulations, broken) = self.kept.all[kept as usize].clone();
        let old = std::mem::replace(&mut self.recollections, Numbered::new()).all;
        (self.kept, self.next) = (Numbered::new(), FxHashMap::default());
        let mut moved = |&(recollection, age): &(u32, u32)| {
            let parts =
                old[recollection as usize].iter().map(|&(class, set)| (class, to.intern(from.get(set))));
            (self.recollections.intern(parts.collect()), age)
        };
        let all = of_stipulations.iter().map(|of_one| of_one.iter().map(&mut moved).collect()).collect();
        self.kept.intern((all, broken))
    }

    /// What is kept after an image has led to the belief `now`, or at the start.
    pub fn advance(
        &mut self,
        before: Option<(u32, Image)>,
        now: u32,
        graph: &PGraph,
        sets: &mut HybridStore,
        successors: &mut Successors,
    ) -> u32 {
        let old = before.map(|(kept, image)| (self.kept.all[kept as usize].0.clone(), image));
        let (mut all, mut broken) = (Vec::with_capacity(self.stipulations.len()), None::<usize>);
        for place in 0..self.stipulations.len() {
            let mut recollections: Vec<(u32, u32)> = Vec::new();
            if let Some((kept, image)) = &old {
                for &(recollection, age) in &kept[place] {
                    let to = self.follow(recollection, *image, graph, sets, successors);
                    recollections.push((to, age + 1));
                }
            }
            recollections.push((self.present(place, now, sets, successors), 0));
            let stipulation = &self.stipulations[place];
            let wrong =
                recollections.iter().any(|&(r, _)| !stipulation.holds(&self.recollections.all[r as usize]));
            if wrong {
                broken = Some(broken.map_or(stipulation.number, |b| b.min(stipulation.number)));
            }
            all.push(self.worth_keeping(place, recollections));
        }
        self.kept.intern((all.into_boxed_slice(), broken))
    }

    /// The present moment as it will be recollected.
    fn present(
        &mut self,
        place: usize,
        now: u32,
        sets: &mut HybridStore,
        successors: &mut Successors,
    ) -> u32 {
        let stipulation = &self.stipulations[place];
        let mut parts: Vec<(u32, Vec<u32>)> = Vec::new();
        for v in sets.get(now).iter() {
            let class = stipulation.class_of[v as usize];
            match parts.iter_mut().find(|(known, _)| *known == class) {
                Some((_, part)) => part.push(v),
                None => parts.push((class, vec![v])),
            }
        }
        parts.sort_unstable();
        let parts = parts.into_iter().map(|(class, mut part)| {
            successors.close(&mut part);
            (class, sets.intern_list(&part))
        });
        self.recollections.intern(parts.collect())
    }

    /// What becomes of a recollection when an image is seen.
    fn follow(
        &mut self,
        recollection: u32,
        image: Image,
        graph: &PGraph,
        sets: &mut HybridStore,
        successors: &mut Successors,
    ) -> u32 {
        let old = self.recollections.all[recollection as usize].clone();
        let parts = old.iter().filter_map(|&(class, set)| {
            let next = self.next.entry(set).or_insert_with(|| {
                successors.compute(graph, sets.get(set));
                successors.found().map(|(image, to)| (image, sets.intern(to))).collect()
            });
            let at = next.binary_search_by_key(&image, |(image, _)| *image).ok()?;
            Some((class, next[at].1))
        });
        let parts = parts.collect();
        self.recollections.intern(parts)
    }

    /// Without what is too old to be asked for again, or can never break anything; of equal ones the latest, which is asked for longest.
    fn worth_keeping(&mut self, place: usize, mut all: Vec<(u32, u32)>) -> Box<[(u32, u32)]> {
        let stipulation = &mut self.stipulations[place];
        all.retain(|&(recollection, age)| {
            stipulation.within != Some(age)
                && !stipulation.is_harmless(&self.recollections.all[recollection as usize])
        });
        if stipulation.within.is_none() {
            all.iter_mut().for_each(|(_, age)| *age = 0);
        }
        all.sort_unstable();
        all.dedup_by_key(|(recollection, _)| *recollection);
        all.into_boxed_slice()
    }
}

impl Recalled {
    fn holds(&self, recollection: &[(u32, u32)]) -> bool {
        self.hold_of(recollection.iter().map(|(class, _)| *class))
    }

    fn hold_of(&self, classes: impl Iterator<Item = u32>) -> bool {
        let mut signature = vec![0; self.signatures[0].len()];
        for class in classes {
            let bits = &self.signatures[class as usize];
            signature.iter_mut().zip(bits).for_each(|(word, bits)| *word |= bits);
        }
        self.compiled.holds(&signature)
    }

    /// Whether the stipulation holds of every part of a recollection.
    fn is_harmless(&mut self, recollection: &[(u32, u32)]) -> bool {
        if recollection.len() > FEW {
            return false;
        }
        let classes: Vec<u32> = recollection.iter().map(|(class, _)| *class).collect();
        if let Some(&known) = self.harmless.get(&classes) {
            return known;
        }
        let part =
            |bits: u32| classes.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1).map(|(_, &c)| c);
        let harmless = (1..1 << classes.len()).all(|bits| self.hold_of(part(bits)));
        self.harmless.insert(classes, harmless);
        harmless
    }
}

fn restricted(signature: &[u64], masks: &[u32]) -> Vec<u64> {
    let mut own = vec![0; signature.len()];
    for &mask in masks {
        own[mask as usize / 64] |= signature[mask as usize / 64] & 1 << (mask % 64);
    }
    own
}
