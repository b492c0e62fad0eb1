//! From the violation backwards: what a belief must be like for a string of images to break a clause after it.
//!
//! *Background.* A clause is broken by a belief that misses all its positive masks and meets all its negative ones: the belief
//! lies *within* a set of vertices and *meets* some others (itself, so as not to be empty, if no mask is negative). That is
//! a demand. A belief B becomes one that meets the demand by the image x iff B lies within the vertices *all* of whose
//! x-successors are within, and meets those that *some* x-successor of which is to be met: again a demand.
//! So all demands that there are, for all strings, come from the clauses by such steps, and the stipulations hold iff the
//! initial belief meets none.
//!
//! A demand that asks no less than another one (within as much or less, to be met as much or less) and is as long or longer adds
//! nothing, not even a shorter violation. Comparing with all others would cost more than it saves, so each demand
//! is compared with the least demanding ones.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::ground::Ground;
use crate::{
    formula::{Clause, Stipulations},
    observer::Tracked,
    problem::{Image, Kind, LabelMap, Scope, Vertex, bits::ones},
};

/// With how many others a demand is compared.
const LEAST: usize = 64;

/// A clause with more negative masks than this is left to the other end.
const MOST_TO_MEET: usize = 30;

/// What a step has shown.
pub(super) enum Advance {
    /// The initial belief meets a demand: after these images a clause is broken, and after fewer none is.
    Met(Vec<Image>),
    /// No further demands can be met, and the initial belief meets none.
    Exhausted,
    /// Nothing yet.
    On,
}

#[derive(Clone, Copy, Debug)]
struct Demand {
    /// The words begin here: first within, then each set to be met.
    start: usize,
    sets: u32,
    kind: Kind,
    /// The demand that it becomes by an image.
    then: Option<(u32, Image)>,
}

/// How often a bundle was met in one step, and which of the sets to be met it leads to.
#[derive(Clone, Copy, Default)]
struct Count {
    times: u32,
    sets: u32,
}

/// The demands found so far, shorter strings first.
pub(super) struct Demands {
    ground: Ground,
    /// The initial vertices' places, all of one kind.
    initial: (Kind, Vec<u32>),
    words: Vec<u64>,
    all: Vec<Demand>,
    table: HashTable<u32>,
    /// Where the demands of each length begin, and where those of the last complete one end.
    levels: Vec<usize>,
    next: usize,
    /// How large the sets of the least demanding ones are in all, most first.
    least: Vec<(u32, u32)>,
    counts: Vec<Count>,
    touched: Vec<Vec<u32>>,
    used: Vec<Image>,
    work: u64,
}

/// All clauses of scope `always`; `None` if some stipulation has none, or one with too many negative masks.
pub(super) fn clauses(stipulations: &Stipulations) -> Option<Vec<&Clause>> {
    let mut all = Vec::new();
    for stipulation in stipulations.all().iter().filter(|s| s.scope == Scope::Always) {
        all.extend(stipulation.clauses()?);
    }
    all.iter().all(|clause| clause.negative.len() <= MOST_TO_MEET).then_some(all)
}

/// About how much work it is to prepare the way back.
pub(super) fn preparation(tracked: &Tracked<'_>, map: &LabelMap, clauses: &[&Clause]) -> u64 {
    let literals: usize = clauses.iter().map(|c| 1 + c.positive.len() + c.negative.len()).sum();
    let (vertices, arcs) = (tracked.graph.len() as u64, tracked.graph.arc_count() as u64);
    4 * arcs + vertices * (4 + literals as u64) + vertices / 64 * map.len() as u64
}

impl Demands {
    /// The demands of the empty string.
    pub fn new(
        tracked: &Tracked<'_>,
        map: &LabelMap,
        stipulations: &Stipulations,
        clauses: &[&Clause],
    ) -> Self {
        let ground = Ground::new(tracked, map);
        let graph = &tracked.graph;
        let initial = graph.initial().iter().filter_map(|&v| ground.place(v)).collect();
        let mut demands = Self {
            initial: (graph.initial_kind(), initial),
            words: Vec::new(),
            all: Vec::new(),
            table: HashTable::new(),
            levels: vec![0],
            next: 0,
            least: Vec::new(),
            counts: vec![Count::default(); ground.bundles.len()],
            touched: vec![Vec::new(); map.len()],
            used: Vec::new(),
            work: 0,
            ground,
        };
        for clause in clauses {
            for kind in [Kind::Action, Kind::Observation] {
                demands.of_clause(tracked, stipulations, clause, kind);
            }
        }
        demands.levels.push(demands.all.len());
        demands
    }

    fn of_clause(&mut self, tracked: &Tracked<'_>, stipulations: &Stipulations, clause: &Clause, kind: Kind) {
        let (words, start) = (self.ground.words(kind), self.words.len());
        let sets = 1 + clause.negative.len().max(1);
        self.words.resize(start + sets * words, 0);
        let mut signature = vec![0; stipulations.words()];
        let of_kind = tracked.graph.vertices().filter(|&v| tracked.graph.kind(v) == kind);
        for (v, place) in of_kind.filter_map(|v| Some((v, self.ground.place(v)? as usize))) {
            signature.fill(0);
            for w in tracked.world_vertices(v) {
                stipulations.add(&mut signature, w);
            }
            let meets = |mask: u32| signature[mask as usize / 64] >> (mask % 64) & 1 == 1;
            if clause.positive.iter().any(|&mask| meets(mask)) {
                continue;
            }
            let mut put = |set: usize| self.words[start + set * words + place / 64] |= 1 << (place % 64);
            put(0);
            if clause.negative.is_empty() {
                put(1);
            }
            for (i, _) in clause.negative.iter().enumerate().filter(|&(_, &mask)| meets(mask)) {
                put(1 + i);
            }
        }
        self.intern(Demand { start, sets: sets as u32, kind, then: None });
    }

    /// How many demands were found.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// How much was done: bundles and words looked at.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The demands of the strings of this length, if all of them are known. Those that ask no less than others of a smaller length
    /// are left out.
    pub fn level(&self, length: usize) -> Option<std::ops::Range<usize>> {
        Some(*self.levels.get(length)?..*self.levels.get(length + 1)?)
    }

    /// Whether the initial belief itself breaks a clause.
    pub fn met_at_once(&self) -> Option<Vec<Image>> {
        (0..self.all.len()).any(|d| self.met_at_start(d)).then(Vec::new)
    }

    /// Finds what the next demand comes from.
    pub fn advance(&mut self) -> Advance {
        if self.levels.last() == Some(&self.next) {
            if self.next == self.all.len() {
                return Advance::Exhausted;
            }
            self.levels.push(self.all.len());
        }
        let demand = self.next;
        self.next += 1;
        let known = self.all.len();
        if !self.asks_no_less(demand) {
            self.precede(demand);
        }
        match (known..self.all.len()).find(|&new| self.met_at_start(new)) {
            Some(met) => Advance::Met(self.images(met).collect()),
            None => Advance::On,
        }
    }

    /// The images after which a belief that meets the demand breaks a clause.
    pub fn images(&self, demand: usize) -> impl Iterator<Item = Image> + '_ {
        std::iter::successors(self.all[demand].then, |&(then, _)| self.all[then as usize].then)
            .map(|(_, image)| image)
    }

    /// The first of the demands that the belief with these tracked vertices meets; they are numbered anew.
    pub fn met_by(&self, mut demands: std::ops::Range<usize>, belief: &mut [u32]) -> Option<usize> {
        let kind = self.ground.kind(Vertex(*belief.first()?));
        for v in &mut *belief {
            *v = self.ground.place(Vertex(*v))?;
        }
        demands.find(|&d| self.meets(d, kind, belief))
    }

    fn met_at_start(&self, demand: usize) -> bool {
        self.meets(demand, self.initial.0, &self.initial.1)
    }

    fn meets(&self, demand: usize, kind: Kind, belief: &[u32]) -> bool {
        let demand = &self.all[demand];
        if demand.kind != kind {
            return false;
        }
        let words = self.ground.words(kind);
        let in_set = |set: usize, v: u32| {
            self.words[demand.start + set * words + v as usize / 64] >> (v % 64) & 1 == 1
        };
        belief.iter().all(|&v| in_set(0, v))
            && (1..demand.sets as usize).all(|set| belief.iter().any(|&v| in_set(set, v)))
    }

    fn of(&self, demand: usize) -> &[u64] {
        let Demand { start, sets, kind, .. } = self.all[demand];
        &self.words[start..start + sets as usize * self.ground.words(kind)]
    }

    /// Whether a demand asks no less than one of the least demanding ones before it; else it may become one of those itself.
    fn asks_no_less(&mut self, demand: usize) -> bool {
        let Demand { sets, kind, .. } = self.all[demand];
        let own = self.of(demand);
        let size: u32 = own.iter().map(|word| word.count_ones()).sum();
        let comparable = self.least.iter().take_while(|&&(other, _)| other > size);
        let mut compared = own.len() as u64;
        let covered = comparable.map(|&(_, other)| other as usize).any(|other| {
            compared += 2;
            let Demand { sets: theirs, kind: their_kind, .. } = self.all[other];
            (theirs, their_kind) == (sets, kind) && own.iter().zip(self.of(other)).all(|(a, b)| a & !b == 0)
        });
        self.work += compared;
        if !covered && (self.least.len() < LEAST || self.least.last().is_some_and(|&(last, _)| last < size)) {
            let at = self.least.partition_point(|&(other, _)| other >= size);
            self.least.insert(at, (size, demand as u32));
            self.least.truncate(LEAST);
        }
        covered
    }

    /// The demands that become this one by some image.
    fn precede(&mut self, demand: usize) {
        let Demand { start, sets, kind, .. } = self.all[demand];
        let words = self.ground.words(kind);
        let Self { ground, counts, touched, used, work, .. } = self;
        for (i, &word) in self.words[start..start + words].iter().enumerate() {
            for bit in ones(word) {
                let mut met = 0_u32;
                for set in 1..sets as usize {
                    met |= ((self.words[start + set * words + i] >> bit & 1) as u32) << set;
                }
                let bundles = ground.leading_to(kind, i * 64 + bit);
                *work += bundles.len() as u64;
                for &bundle in bundles {
                    let count = &mut counts[bundle as usize];
                    if count.times == 0 {
                        let image = ground.bundles[bundle as usize].image;
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
        let mut used = std::mem::take(&mut self.used);
        used.sort_unstable();
        for image in used.drain(..) {
            self.by_image(demand, image);
        }
        self.used = used;
    }

    /// The demand that becomes this one by an image, from what was counted.
    fn by_image(&mut self, demand: usize, image: Image) {
        let Demand { sets, kind, .. } = self.all[demand];
        let (kind, start) = (kind.other(), self.words.len());
        let words = self.ground.words(kind);
        self.words.extend_from_slice(self.ground.lacking(kind, image));
        self.words.resize(start + sets as usize * words, 0);
        let mut all_met = 0;
        for bundle in self.touched[image.index()].drain(..) {
            let count = std::mem::take(&mut self.counts[bundle as usize]);
            let bundle = self.ground.bundles[bundle as usize];
            if count.times == bundle.targets {
                let (word, bit) = (start + bundle.source as usize / 64, 1 << (bundle.source % 64));
                self.words[word] |= bit;
                all_met |= count.sets;
                for set in ones(u64::from(count.sets)) {
                    self.words[word + set * words] |= bit;
                }
            }
        }
        self.work += (sets as usize * words) as u64;
        let wanted = ((1_u64 << sets) - 2) as u32;
        if all_met == wanted {
            let then = Some((demand as u32, image));
            self.intern(Demand { start, sets, kind, then });
        } else {
            self.words.truncate(start);
        }
    }

    /// Adds a demand whose words are the last ones, unless it is there already or cannot be met.
    fn intern(&mut self, demand: Demand) {
        let Self { ground, words, all, table, .. } = self;
        let per_set = ground.words(demand.kind);
        let content = |d: &Demand| &words[d.start..d.start + d.sets as usize * ground.words(d.kind)];
        let own = content(&demand);
        let met = own.chunks(per_set.max(1)).skip(1).all(|set| set.iter().any(|&word| word != 0));
        let hash = hash(own);
        let same = |&id: &u32| {
            let other = &all[id as usize];
            (other.kind, other.sets) == (demand.kind, demand.sets) && content(other) == own
        };
        if !met || per_set == 0 || table.find(hash, same).is_some() {
            self.words.truncate(demand.start);
            return;
        }
        let id = u32::try_from(all.len()).expect("more than four thousand million demands");
        table.insert_unique(hash, id, |&id| self::hash(content(&all[id as usize])));
        all.push(demand);
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
