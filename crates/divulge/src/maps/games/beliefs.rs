//! The beliefs of an observer with perfect recall, under maps that are only partly decided.
//!
//! What one label makes of a belief does not depend on the map; which labels are taken together does. So the parts are found once, and
//! a step under a map only asks which labels look like the one that happened.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::{
    formula::{Course, Stipulations},
    maps::{
        games::{beginnings::Beginnings, may_or_must::MayOrMust},
        space::{Pairs, PartialMap, Undecided},
    },
    observer::Tracked,
    problem::{Kind, Label, Vertex},
    sets::{Order, SetId, SetStore, bits::ones},
};

/// Some of a belief's parts, as bits.
type Parts = SmallVec<[u64; 2]>;

fn no_parts(of: usize) -> Parts {
    smallvec![0; of.div_ceil(64)]
}

fn insert(parts: &mut Parts, part: usize) {
    parts[part / 64] |= 1 << (part % 64);
}

/// What a map has decided of each pair of labels, to be looked up fast.
pub struct Likeness<'m> {
    map: &'m PartialMap,
    alike: Vec<Option<bool>>,
}

impl<'m> Likeness<'m> {
    /// Of all labels that `map` maps.
    pub fn new(map: &'m PartialMap) -> Self {
        let labels = map.alphabet_len();
        let mut alike = vec![None; labels * labels];
        for kind in [Kind::Action, Kind::Observation] {
            for &a in map.labels(kind) {
                for &b in map.labels(kind) {
                    alike[a.index() * labels + b.index()] = map.alike(a, b).ok();
                }
            }
        }
        Self { map, alike }
    }

    fn of(&self, label: Label) -> &[Option<bool>] {
        let labels = self.map.alphabet_len();
        &self.alike[label.index() * labels..][..labels]
    }
}

/// More beliefs than this are not kept for another game.
const MOST_KEPT: usize = 50_000;

/// Beliefs of games that are over, for those that begin. What is known of them holds under every map, so a game that finds it there comes
/// to the same as one that does not.
#[derive(Default)]
pub struct Pool<'a>(Mutex<Vec<Pooled<'a>>>);

/// Beliefs, what was found out between them, and what came of games that many begin with.
pub type Pooled<'a> = (Beliefs<'a>, MayOrMust, Beginnings);

impl<'a> Pool<'a> {
    /// Some beliefs over the tracked graph, with what is known of them.
    pub fn take(&self, tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Pooled<'a> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_else(|| Self::nothing(tracked, stipulations))
    }

    /// Beliefs of which nothing is known.
    pub fn nothing(tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Pooled<'a> {
        (Beliefs::new(tracked, stipulations), MayOrMust::default(), Beginnings::default())
    }

    /// Keeps them for another game, unless there are too many.
    pub fn give(&self, pooled: Pooled<'a>) {
        if pooled.0.len() <= MOST_KEPT {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(pooled);
        }
    }
}

/// What labels make of a belief, by label.
type ByLabel = Box<[(Label, SetId)]>;

/// Beliefs, each stored once.
pub struct Beliefs<'a> {
    tracked: &'a Tracked<'a>,
    stipulations: &'a Stipulations,
    sets: SetStore,
    courses: Vec<Option<Course>>,
    /// Which masks of the stipulations each estimate meets, once that was asked for.
    signatures: Vec<Option<Box<[u64]>>>,
    /// What each label makes of each belief, by label, once that was asked for.
    parts: Vec<Option<ByLabel>>,
    joined: FxHashMap<(SetId, Parts), SetId>,
    order: Order,
    /// By label, empty but while parts are made.
    by_label: Vec<Vec<u32>>,
}

impl<'a> Beliefs<'a> {
    /// The beliefs over a tracked graph.
    pub fn new(tracked: &'a Tracked<'a>, stipulations: &'a Stipulations) -> Self {
        Self {
            tracked,
            stipulations,
            sets: SetStore::new(),
            courses: Vec::new(),
            signatures: Vec::new(),
            parts: Vec::new(),
            joined: FxHashMap::default(),
            order: Order::default(),
            by_label: Vec::new(),
        }
    }

    /// The belief before anything happened.
    pub fn initial(&mut self) -> SetId {
        let start: Vec<u32> = self.tracked.graph.initial().iter().map(|v| v.0).collect();
        self.sets.intern(&start)
    }

    /// How many sets are stored.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// What becomes of the stipulations with this belief. No course remembers anything, so it does not matter what came before.
    pub fn course(&mut self, belief: SetId) -> Course {
        if self.courses.len() <= belief.index() {
            self.courses.resize(self.sets.len(), None);
        }
        if let Some(known) = self.courses[belief.index()] {
            return known;
        }
        let course = self.stipulations.now(&self.signature(belief));
        self.courses[belief.index()] = Some(course);
        course
    }

    /// The belief after `label` happened and was seen through `map`; the pairs that this depends on are added to `looked`.
    /// The label must be possible.
    pub fn step(
        &mut self,
        belief: SetId,
        label: Label,
        map: &PartialMap,
        looked: &mut Pairs,
    ) -> Result<SetId, Undecided> {
        self.part(belief);
        let parts = self.parts(belief);
        let mut taken = no_parts(parts.len());
        for (i, &(other, _)) in parts.iter().enumerate() {
            if other == label {
                insert(&mut taken, i);
                continue;
            }
            if map.alike(label, other)? {
                insert(&mut taken, i);
            }
            looked.insert(map.index().number(label, other));
        }
        Ok(self.together(belief, taken))
    }

    /// What some of a belief's parts, which have been found, are together.
    fn together(&mut self, belief: SetId, taken: Parts) -> SetId {
        let parts = self.parts(belief);
        let mut some = taken.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |b| i * 64 + b));
        let first = some.next();
        if let (Some(one), None) = (first, some.next()) {
            return parts[one].1;
        }
        let key = (belief, taken);
        if let Some(&known) = self.joined.get(&key) {
            return known;
        }
        let taken = key.1.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |b| i * 64 + b));
        let mut all: Vec<u32> = taken.flat_map(|i| self.sets.get(parts[i].1)).copied().collect();
        self.order.sort(&mut all);
        let next = self.sets.intern(&all);
        self.joined.insert(key, next);
        next
    }

    /// What is certain and what is possible after `label` happened, given beliefs that are certainly part of the observer's and of
    /// which it is certainly part; the decided pairs that this depends on are added to `looked`, and the first open one is noted.
    pub fn step_between(
        &mut self,
        (lower, upper): (SetId, SetId),
        label: Label,
        likeness: &Likeness<'_>,
        looked: &mut Pairs,
        open: &mut Option<Undecided>,
    ) -> (SetId, SetId) {
        self.part(lower);
        self.part(upper);
        let (alike, index) = (likeness.of(label), likeness.map.index());
        let parts = self.parts(upper);
        let mut possible = no_parts(parts.len());
        for (i, &(other, _)) in parts.iter().enumerate() {
            let decided = alike[other.index()];
            if decided != Some(false) {
                insert(&mut possible, i);
            }
            if decided.is_none() {
                *open = open.or(Some(Undecided(label.min(other), label.max(other))));
            } else if other != label {
                looked.insert(index.number(label, other));
            }
        }
        let parts = self.parts(lower);
        let mut certain = no_parts(parts.len());
        for (i, (other, _)) in parts.iter().enumerate() {
            if alike[other.index()] == Some(true) {
                insert(&mut certain, i);
            }
        }
        (self.together(lower, certain), self.together(upper, possible))
    }

    /// What is stipulated.
    pub fn stipulations(&self) -> &'a Stipulations {
        self.stipulations
    }

    /// What the observer tracks.
    pub fn tracked(&self) -> &'a Tracked<'a> {
        self.tracked
    }

    /// The members of a belief.
    pub fn members(&self, belief: SetId) -> &[u32] {
        self.sets.get(belief)
    }

    /// Which masks of the stipulations the estimate of a belief meets.
    pub fn signature(&mut self, belief: SetId) -> Box<[u64]> {
        if self.signatures.len() <= belief.index() {
            self.signatures.resize(self.sets.len(), None);
        }
        let known = &mut self.signatures[belief.index()];
        let signature = known.get_or_insert_with(|| {
            let members = self.sets.get(belief).iter();
            let estimate = members.flat_map(|&v| self.tracked.world_vertices(Vertex(v)));
            self.stipulations.signature_of(estimate).into()
        });
        signature.clone()
    }

    /// What each label makes of a belief that was taken apart, by label.
    fn parts(&self, belief: SetId) -> &[(Label, SetId)] {
        self.parts[belief.index()].as_ref().expect("parts are found before they are asked for")
    }

    /// In how many parts labels take a belief.
    pub fn count(&mut self, belief: SetId) -> usize {
        self.part(belief);
        self.parts(belief).len()
    }

    /// The place of a label, which must be possible, among the parts of a belief that was taken apart.
    pub fn place(&self, belief: SetId, label: Label) -> usize {
        let place = self.parts(belief).binary_search_by_key(&label, |&(label, _)| label);
        place.expect("what happens is part of what is believed")
    }

    /// Finds what each label alone makes of a belief.
    fn part(&mut self, belief: SetId) {
        if self.parts.len() <= belief.index() {
            self.parts.resize(self.sets.len(), None);
        }
        if self.parts[belief.index()].is_some() {
            return;
        }
        let mut by_label = std::mem::take(&mut self.by_label);
        let mut labels: Vec<Label> = Vec::new();
        let members = self.sets.get(belief).iter();
        for arc in members.flat_map(|&v| self.tracked.graph.arcs(Vertex(v))) {
            if by_label.len() <= arc.label.index() {
                by_label.resize_with(arc.label.index() + 1, Vec::new);
            }
            let to = &mut by_label[arc.label.index()];
            if to.is_empty() {
                labels.push(arc.label);
            }
            to.push(arc.to.0);
        }
        labels.sort_unstable();
        let mut parts = Vec::with_capacity(labels.len());
        for label in labels {
            let to = &mut by_label[label.index()];
            self.order.sort(to);
            parts.push((label, self.sets.intern(to)));
            to.clear();
        }
        self.by_label = by_label;
        self.parts[belief.index()] = Some(parts.into());
    }
}
