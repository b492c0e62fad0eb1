//! From the violation backwards: what a belief must be like for a string of images to break a clause after it.
//!
//! *Background.* A clause is broken by a belief that misses all its positive masks and meets all its negative ones: the belief
//! lies *within* a set of vertices and *meets* some others (itself, so as not to be empty, if no mask is negative). That is
//! a demand. A belief B becomes one that meets the demand by the image x iff B lies within the vertices *all* of whose
//! x-successors are within, and meets those that *some* x-successor of which is to be met: again a demand.
//! So all demands that there are, for all strings, come from the clauses by such steps, and the stipulations hold iff the
//! initial belief meets none.
//!
//! A set to be met that contains all that the belief is to be within says nothing, because a belief is not empty. Where it is the
//! only one, which is the case of opacity as long as every vertex bears every image, it is left out.
//!
//! A demand that asks no less than another one (within as much or less, to be met as much or less) and is as long or longer adds
//! nothing, not even a shorter violation: it is *covered* by the other one. New demands that are covered are not even stored.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::{
    audit::{
        cover::Cover,
        looking_back::{Asked, LookingBack},
        precede::Scratch,
        reversed::{Hidden, Reversed},
    },
    formula::{Clause, Stipulations},
    observer::{Tracked, Tracker},
    problem::{Image, Kind, LabelMap, PGraph, Scope, Vertex},
    sets::bits::ones,
};

/// Small problems are better followed forwards, which finds the first of the shortest violations as people would list them.
const LITTLE: u64 = 2048;

/// A clause with more negative masks than this is left to the other end.
pub(crate) const MOST_TO_MEET: usize = 30;

/// What a step has shown.
pub(crate) enum Advance {
    /// The initial belief meets a demand: after these images a clause is broken, and after fewer none is.
    Met(Vec<Image>),
    /// No further demands can be met, and the initial belief meets none.
    Exhausted,
    /// Nothing yet.
    On,
}

/// What a belief must be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeliefDemand {
    /// The words begin here: first within, then each set to be met; if there are none, it is not to be empty.
    pub start: usize,
    pub sets: u32,
    pub kind: Kind,
    /// How many vertices it is to be within.
    pub size: u32,
    /// The words of the first set to be met, or else of what it is to be within, one over the other: a demand that this one
    /// covers has no bits but these.
    print: u64,
    /// The demand that it becomes by an image.
    then: Option<(u32, Image)>,
}

/// The demands found so far, shorter strings first.
pub(crate) struct Demands {
    pub reversed: Reversed,
    /// The initial vertices' places, all of one kind.
    initial: (Kind, Vec<u32>),
    pub words: Vec<u64>,
    pub all: Vec<BeliefDemand>,
    table: HashTable<u32>,
    /// Where the demands of each length begin, and where those of the last complete one end.
    levels: Vec<usize>,
    /// For each length, how many vertices one of its demands is within at most.
    largest: Vec<u32>,
    next: usize,
    cover: Cover,
    /// The members of the first set to be met of the demand at hand.
    pub members: Vec<u32>,
    pub scratch: Scratch,
    pub work: u64,
    /// What is asked in hindsight, if anything is.
    pub back: Option<LookingBack>,
    /// Whether demands are kept that are covered, because it matters where they come from.
    exact: bool,
}

/// All clauses of scope `always`; `None` if some stipulation has none, or one with too many negative masks.
pub(crate) fn clauses(stipulations: &Stipulations) -> Option<Vec<&Clause>> {
    let mut all = Vec::new();
    for stipulation in stipulations.all().iter().filter(|s| s.scope == Scope::Always) {
        all.extend(stipulation.clauses()?);
    }
    all.iter().all(|clause| clause.negative.len() <= MOST_TO_MEET).then_some(all)
}

/// About how much work it is to prepare the way back, in arcs that the way forward looks at; not less than [`LITTLE`].
pub(crate) fn preparation(tracked: &Tracked<'_>, map: &LabelMap, clauses: &[&Clause]) -> u64 {
    let literals: usize = clauses.iter().map(|c| 1 + c.positive.len() + c.negative.len()).sum();
    let (vertices, arcs) = (tracked.graph.len() as u64, tracked.graph.arc_count() as u64);
    let all = (4 * arcs + vertices * (4 + literals as u64) + vertices / 64 * map.len() as u64) / 3;
    all.max(LITTLE)
}

impl Demands {
    /// The demands of the empty string, on whole beliefs if that matters.
    pub fn new(
        tracked: &Tracked<'_>,
        map: &LabelMap,
        tracker: &Tracker<'_>,
        (clauses, hindsight): (&[&Clause], &[(&Clause, Option<u32>)]),
        whole: bool,
    ) -> Self {
        let reversed = Reversed::new(tracked, map, whole);
        let graph = &tracked.graph;
        let kind = reversed.kind(graph.initial()[0]);
        let start = tracker.members(tracker.initial());
        let start = start.iter().map(Vertex).filter(|&v| reversed.kind(v) == kind);
        let initial = start.filter_map(|v| reversed.place(v)).collect();
        let mut demands = Self {
            initial: (kind, initial),
            words: Vec::new(),
            all: Vec::new(),
            table: HashTable::new(),
            levels: vec![0],
            largest: Vec::new(),
            next: 0,
            cover: Cover::new(reversed.counts),
            members: Vec::new(),
            scratch: Scratch::new(reversed.bundles.len(), reversed.image_count()),
            work: 0,
            back: None,
            exact: false,
            reversed,
        };
        demands.begin(graph, tracker, clauses, hindsight, map.len());
        demands
    }

    fn begin(
        &mut self,
        graph: &PGraph,
        tracker: &Tracker<'_>,
        clauses: &[&Clause],
        hindsight: &[(&Clause, Option<u32>)],
        images: usize,
    ) {
        for clause in clauses {
            for &kind in self.kinds() {
                let start = self.words.len();
                self.of_clause(graph, tracker, clause, kind);
                self.keep_of_kind(start, kind);
            }
        }
        if !hindsight.is_empty() {
            self.look_back_from(graph, tracker, hindsight, images);
        }
        self.complete_level();
    }

    /// The kinds of vertices that clauses are about one by one; nothing is for both together.
    fn kinds(&self) -> &'static [Option<Kind>] {
        match &self.reversed.hidden {
            Hidden::Nothing => &[Some(Kind::Action), Some(Kind::Observation)],
            Hidden::Mixed(_) => &[Some(Kind::Action)],
            Hidden::Apart(_) => &[None],
        }
    }

    /// Adds what hindsight of the empty string demands.
    fn look_back_from(
        &mut self,
        graph: &PGraph,
        tracker: &Tracker<'_>,
        clauses: &[(&Clause, Option<u32>)],
        images: usize,
    ) {
        let mut asked = Vec::new();
        for &(clause, within) in clauses {
            for &kind in self.kinds() {
                let start = self.words.len();
                self.of_clause(graph, tracker, clause, kind);
                let words = self.words.split_off(start);
                // There may be no vertex of a kind.
                asked.extend((!words.is_empty()).then_some(Asked { kind, words, within }));
            }
        }
        let mut back = LookingBack::new(&self.reversed, images, asked);
        self.look_back(&mut back, 0, 0);
        self.back = Some(back);
    }

    /// Appends the words of what a clause demands of beliefs of a kind, or of both: what they are to be within, then each set to be met.
    fn of_clause(&mut self, graph: &PGraph, tracker: &Tracker<'_>, clause: &Clause, kind: Option<Kind>) {
        let (words, start) = (self.words_of(kind), self.words.len());
        let sets = 1 + clause.negative.len().max(1);
        self.words.resize(start + sets * words, 0);
        // For each class, the sets that its vertices are in.
        let of_class = |signature: &[u64]| {
            let meets = |mask: &u32| signature[*mask as usize / 64] >> (mask % 64) & 1 == 1;
            if clause.positive.iter().any(meets) {
                return 0;
            }
            let negative = clause.negative.iter().enumerate().filter(|(_, mask)| meets(mask));
            let all = negative.fold(1_u64, |all, (i, _)| all | 2 << i);
            if clause.negative.is_empty() { 3 } else { all }
        };
        let of_class: Vec<u64> = tracker.classes().map(of_class).collect();
        for v in graph.vertices().filter(|&v| kind.is_none_or(|kind| self.reversed.kind(v) == kind)) {
            let Some(place) = self.reversed.place(v).map(|place| place as usize) else { continue };
            let second = kind.is_none() && self.reversed.kind(v) == Kind::Observation;
            let start = start + if second { self.reversed.words(Kind::Action) } else { 0 };
            for set in ones(of_class[tracker.class_of(v)]) {
                self.words[start + set * words + place / 64] |= 1 << (place % 64);
            }
        }
    }

    /// How many words a set of vertices of a kind takes, or of both.
    pub fn words_of(&self, kind: Option<Kind>) -> usize {
        let words = |kind| self.reversed.words(kind);
        kind.map_or_else(|| words(Kind::Action) + words(Kind::Observation), words)
    }

    /// Adds a demand on beliefs of a kind, or on those of both, whose words are the last ones, unless it cannot be met, is there already or is covered;
    /// tells under which numbers it is there.
    pub fn keep_of_kind(&mut self, start: usize, kind: Option<Kind>) -> [Option<u32>; 2] {
        let each = self.words_of(kind);
        let sets = (self.words.len() - start) / each.max(1);
        if let Some(kind) = kind {
            return [self.keep_if_met(start, sets as u32, kind, None), None];
        }
        if let Hidden::Apart(apart) = &self.reversed.hidden {
            self.work += apart.unseen.settle(&mut self.words[start..], each);
        }
        let both = self.words.split_off(start);
        [Kind::Action, Kind::Observation].map(|kind| {
            let (first, start) = (self.reversed.words(Kind::Action), self.words.len());
            let part = if kind == Kind::Action { 0..first } else { first..each };
            both.chunks(each.max(1)).for_each(|set| self.words.extend_from_slice(&set[part.clone()]));
            self.keep_if_met(start, sets as u32, kind, None)
        })
    }

    /// Adds a demand whose words are the last ones, unless it cannot be met, is there already or is covered; tells its number if it is there.
    pub fn keep_if_met(
        &mut self,
        start: usize,
        sets: u32,
        kind: Kind,
        then: Option<(u32, Image)>,
    ) -> Option<u32> {
        let words = self.reversed.words(kind);
        if let Hidden::Mixed(unseen) = &self.reversed.hidden {
            self.work += unseen.settle(&mut self.words[start..], words);
        }
        let mut each = self.words[start..].chunks(words.max(1));
        let within = each.next().unwrap_or_default();
        // If nothing is to be met, the belief is not to be empty.
        let met = each.all(|set| set.iter().any(|&word| word != 0));
        if met && within.iter().any(|&word| word != 0) {
            let size = within.iter().map(|word| word.count_ones()).sum();
            self.list_members(start + if sets > 1 { words } else { 0 }, words);
            self.keep(start, sets, kind, size, then)
        } else {
            self.words.truncate(start);
            None
        }
    }

    /// Whether beliefs may meet demands of the empty string that do not break anything at once.
    pub fn looks_back(&self) -> bool {
        self.back.is_some()
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

    fn complete_level(&mut self) {
        let start = self.levels.last().copied().unwrap_or_default();
        self.largest.push(self.all[start..].iter().map(|demand| demand.size).max().unwrap_or_default());
        self.levels.push(self.all.len());
    }

    /// No belief with more members than this meets a demand of this length, if all of them are known.
    pub fn largest(&self, length: usize) -> usize {
        self.largest.get(length).map_or(usize::MAX, |&size| size as usize)
    }

    /// Whether the initial belief itself breaks a clause.
    pub fn met_at_once(&self) -> bool {
        (0..self.all.len()).any(|d| self.met_at_start(d))
    }

    /// Finds what the next demand comes from.
    pub fn advance(&mut self) -> Advance {
        if self.levels.last() == Some(&self.next) {
            let known = self.all.len();
            if self.look_back_further() {
                return self.met_since(known);
            }
            if self.next == self.all.len() && self.back.as_ref().is_none_or(LookingBack::is_through) {
                return Advance::Exhausted;
            }
            self.complete_level();
            self.back.iter_mut().for_each(LookingBack::lengthen);
            if self.next == self.all.len() {
                return Advance::On;
            }
        }
        let demand = self.next;
        self.next += 1;
        let known = self.all.len();
        if !self.covered_since(demand) {
            self.precede(demand, |_, _| {});
        }
        self.met_since(known)
    }

    fn met_since(&self, known: usize) -> Advance {
        match (known..self.all.len()).find(|&new| self.met_at_start(new)) {
            Some(met) => Advance::Met(self.images(met)),
            None => Advance::On,
        }
    }

    /// The images after which a belief that meets the demand breaks a clause.
    pub fn images(&self, demand: usize) -> Vec<Image> {
        let (mut images, mut at) = (Vec::new(), demand);
        while let Some((then, image)) = self.all[at].then {
            images.push(self.reversed.real(image));
            at = then as usize;
        }
        images.extend(self.back.iter().flat_map(|back| back.string_of(at as u32)));
        images
    }

    /// What counts of a belief, of the tracked vertices listed, that an image has led to, or nothing to the initial one: their places; and of which kind they are.
    pub fn counting(&self, image: Option<Image>, belief: &mut Vec<u32>) -> Option<Kind> {
        let first = self.reversed.kind(Vertex(*belief.first()?));
        let kind = match self.reversed.entered(image, self.initial.0) {
            None => first,
            Some(kind) => {
                belief.retain(|&v| self.reversed.kind(Vertex(v)) == kind);
                kind
            }
        };
        for v in &mut *belief {
            *v = self.reversed.place(Vertex(*v))?;
        }
        Some(kind)
    }

    /// Whether demands are on whole beliefs.
    pub fn are_whole(&self) -> bool {
        !matches!(self.reversed.hidden, Hidden::Apart(_))
    }

    /// How many vertices a demand is within.
    pub fn size(&self, demand: u32) -> usize {
        self.all[demand as usize].size as usize
    }

    fn met_at_start(&self, demand: usize) -> bool {
        self.meets(demand, self.initial.0, &self.initial.1)
    }

    /// Has demands kept from now on that are covered.
    pub fn be_exact(&mut self) {
        self.exact = true;
    }

    /// Whether a belief that meets the demand may have the vertex at this place.
    pub fn may_contain(&self, demand: u32, place: u32) -> bool {
        let start = self.all[demand as usize].start;
        self.words[start + place as usize / 64] >> (place % 64) & 1 == 1
    }

    /// Whether a belief of this kind with members at these places meets the demand.
    pub fn meets(&self, demand: usize, kind: Kind, belief: &[u32]) -> bool {
        let demand = &self.all[demand];
        if demand.kind != kind || belief.len() > demand.size as usize {
            return false;
        }
        let words = self.reversed.words(kind);
        let in_set = |set: usize, v: u32| {
            self.words[demand.start + set * words + v as usize / 64] >> (v % 64) & 1 == 1
        };
        belief.iter().all(|&v| in_set(0, v))
            && (1..demand.sets as usize).all(|set| belief.iter().any(|&v| in_set(set, v)))
    }

    /// Whether one of the demands with these numbers covers another one, `own`, whose members are at hand.
    fn covered(&mut self, numbers: std::ops::Range<u32>, own: &BeliefDemand) -> bool {
        let Self { all, words, reversed, cover, members, .. } = self;
        let length = reversed.words(own.kind);
        let set = |of: &BeliefDemand, i: usize| &words[of.start + i * length..of.start + (i + 1) * length];
        let (found, seen) = cover.any(numbers, own.kind, own.print, members, |other| {
            let other = &all[other as usize];
            own.size <= other.size
                && (0..other.sets as usize).all(|i| {
                    // A belief that is not empty meets whatever contains all that it is within.
                    let mine = set(own, if i < own.sets as usize { i } else { 0 });
                    mine.iter().zip(set(other, i)).all(|(a, b)| a & !b == 0)
                })
        });
        self.work += 1 + seen / 8;
        found
    }

    /// Whether a demand is covered by one that is as long and was found later.
    fn covered_since(&mut self, demand: usize) -> bool {
        let own = self.all[demand];
        let end = self.levels[self.levels.len() - 1];
        if demand + 1 == end || !self.cover.pays() {
            return false;
        }
        let first = self.first_set(&own);
        self.list_members(first.start, first.len());
        self.covered(demand as u32 + 1..end as u32, &own)
    }

    /// Where the words of the first set to be met are, or else those of what the belief is to be within.
    fn first_set(&self, demand: &BeliefDemand) -> std::ops::Range<usize> {
        let words = self.reversed.words(demand.kind);
        let start = demand.start + if demand.sets > 1 { words } else { 0 };
        start..start + words
    }

    fn list_members(&mut self, start: usize, words: usize) {
        self.members.clear();
        for (i, &word) in self.words[start..start + words].iter().enumerate() {
            self.members.extend(ones(word).map(|bit| (i * 64 + bit) as u32));
        }
    }

    /// Adds a demand whose words are the last ones and whose sets have members, those of the first set to be met being at hand,
    /// unless it is there already or covered; tells its number if it is there.
    pub fn keep(
        &mut self,
        start: usize,
        sets: u32,
        kind: Kind,
        size: u32,
        then: Option<(u32, Image)>,
    ) -> Option<u32> {
        let words = self.reversed.words(kind);
        let says_nothing = sets == 2 && self.words[start..start + words] == self.words[start + words..];
        let sets = if says_nothing { 1 } else { sets };
        self.words.truncate(start + sets as usize * words);
        let hash = hash(&self.words[start..]);
        let mut demand = BeliefDemand { start, sets, kind, size, print: 0, then };
        let print = self.words[self.first_set(&demand)].iter().fold(0, |all, word| all | word);
        demand.print = print;
        let Self { reversed, words, all, table, .. } = self;
        let content = |d: &BeliefDemand| &words[d.start..d.start + d.sets as usize * reversed.words(d.kind)];
        let same = |&id: &u32| {
            let other = &all[id as usize];
            (other.kind, other.sets) == (kind, sets) && content(other) == &words[start..]
        };
        let known = table.find(hash, same).copied();
        let id = u32::try_from(all.len()).expect("more than four thousand million demands");
        if known.is_some() || !self.exact && self.cover.pays() && self.covered(0..id, &demand) {
            self.words.truncate(start);
            return known;
        }
        let Self { reversed, words, all, table, .. } = self;
        let content = |d: &BeliefDemand| &words[d.start..d.start + d.sets as usize * reversed.words(d.kind)];
        table.insert_unique(hash, id, |&id| self::hash(content(&all[id as usize])));
        all.push(demand);
        if !self.exact {
            self.cover.insert(id, kind, print, &self.members);
        }
        Some(id)
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
