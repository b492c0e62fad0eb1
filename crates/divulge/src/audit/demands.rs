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

use std::{ops::Range, sync::Arc};

use hashbrown::HashTable;

use crate::{
    audit::{
        cover::{Cover, Listing},
        demand::BeliefDemand,
        looking_back::{Asked, LookingBack},
        pool::{Pool, has, is_within},
        reversed::{Hidden, Reversed},
        step::Step,
    },
    formula::Clause,
    limit::worth,
    observer::{Tracked, Tracker},
    problem::{Image, Kind, LabelMap, PGraph, Vertex},
    sets::{bits::ones, spread},
};

/// Demands are followed one by one at first, then so many at a time that it takes no longer than one in so many of the work that was done, and no more than so much.
const PART: usize = 64;
const LEAST: usize = 1 << 12;
const MOST: usize = 1 << 18;

/// What it takes to follow a demand besides looking at its members.
const EACH: usize = 16;

/// What it takes to list a demand.
const LISTING: usize = 16;

/// What a step has shown.
pub(crate) enum Advance {
    /// The initial belief meets a demand: after these images a clause is broken, and after fewer none is.
    Met(Vec<Image>),
    /// No further demands can be met, and the initial belief meets none.
    Exhausted,
    /// Nothing yet.
    On,
}

/// The demands found so far, shorter strings first.
pub(crate) struct Demands {
    pub reversed: Arc<Reversed>,
    /// The initial vertices' places, all of one kind.
    initial: (Kind, Vec<u32>),
    pub pool: Pool,
    pub all: Vec<BeliefDemand>,
    /// The numbers and hashes of those that are not listed yet.
    fresh: HashTable<(u32, u32)>,
    /// How many were known each time that some were written down: those had been compared with no more.
    written: Vec<u32>,
    /// Where the demands of each length begin, and where those of the last complete one end.
    levels: Vec<usize>,
    /// For each length, how many vertices one of its demands is within at most.
    largest: Vec<u32>,
    next: usize,
    pub cover: Cover,
    /// Room for those who make demands, while nobody does.
    steps: Vec<Step>,
    pub work: u64,
    /// How many there are of clauses that must always hold; they are the first.
    pub always: usize,
    /// What is asked in hindsight, if anything is.
    pub back: Option<LookingBack>,
    /// Whether demands are kept that are covered, because it matters where they come from.
    exact: bool,
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
        let mut demands = Self::none(Arc::new(reversed), (kind, initial));
        demands.begin(graph, tracker, clauses, hindsight, map.len());
        demands
    }

    /// No demands, on beliefs of the same graph from the same start.
    pub fn anew(&self) -> Self {
        Self::none(self.reversed.clone(), self.initial.clone())
    }

    fn none(reversed: Arc<Reversed>, initial: (Kind, Vec<u32>)) -> Self {
        Self {
            initial,
            pool: Pool::default(),
            all: Vec::new(),
            fresh: HashTable::new(),
            written: Vec::new(),
            levels: vec![0],
            largest: Vec::new(),
            next: 0,
            cover: Cover::new(reversed.counts),
            steps: Vec::new(),
            work: 0,
            always: 0,
            back: None,
            exact: false,
            reversed,
        }
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
                let words = self.of_clause(graph, tracker, clause, kind);
                self.make(|demands, step| {
                    step.words = words;
                    step.keep_of_kind(demands, kind);
                });
            }
        }
        self.always = self.all.len();
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
        let asked = self.asked(graph, tracker, clauses.iter().copied());
        let mut back = LookingBack::new(&self.reversed, images, asked);
        self.look_back(&mut back, 0, 0);
        self.back = Some(back);
    }

    /// What clauses ask of beliefs, each with how many images later it still counts.
    pub fn asked<'c>(
        &self,
        graph: &PGraph,
        tracker: &Tracker<'_>,
        clauses: impl Iterator<Item = (&'c Clause, Option<u32>)>,
    ) -> Vec<Asked> {
        let mut asked = Vec::new();
        for (clause, within) in clauses {
            for &kind in self.kinds() {
                let words = self.of_clause(graph, tracker, clause, kind);
                // There may be no vertex of a kind.
                asked.extend((!words.is_empty()).then_some(Asked { kind, words, within }));
            }
        }
        asked
    }

    /// What a clause demands of beliefs of a kind, or of both: what they are to be within, then each set to be met.
    fn of_clause(
        &self,
        graph: &PGraph,
        tracker: &Tracker<'_>,
        clause: &Clause,
        kind: Option<Kind>,
    ) -> Vec<u64> {
        let words = self.reversed.words_of_kind(kind);
        let mut demand = vec![0; (1 + clause.negative.len().max(1)) * words];
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
            let start = if second { self.reversed.words(Kind::Action) } else { 0 };
            for set in ones(of_class[tracker.class_of(v)]) {
                demand[start + set * words + place / 64] |= 1 << (place % 64);
            }
        }
        demand
    }

    /// Has somebody make demands, and writes them down; the numbers under which they are there.
    pub fn make(&mut self, make: impl FnOnce(&Self, &mut Step)) -> Vec<u32> {
        let mut step = self.room();
        make(self, &mut step);
        let mut numbers = Vec::new();
        self.begin_to_write();
        self.write_down(&mut step, |_, number| numbers.push(number));
        self.steps.push(step);
        self.list();
        numbers
    }

    /// Adds the demands that become this one by some image, and tells of those that are there then.
    pub fn precede(&mut self, demand: usize, mut told: impl FnMut(Image, u32)) {
        let mut step = self.room();
        step.precede(self, demand);
        self.begin_to_write();
        self.write_down(&mut step, |image, number| image.into_iter().for_each(|image| told(image, number)));
        self.steps.push(step);
        self.list();
    }

    /// Copies the first so many of others, on the same beliefs.
    pub fn copy(&mut self, others: &Self, count: usize) {
        self.begin_to_write();
        others.all[..count].iter().for_each(|&demand| _ = self.add(&others.pool, demand));
        self.list();
    }

    /// Follows some demands that are to be followed next.
    pub fn follow(&mut self, some: Range<usize>) -> Advance {
        let mut steps = self.share_out(some, |_| 1);
        steps.iter_mut().for_each(|step| step.go(self));
        let advance = self.take_back(steps);
        self.list();
        advance
    }

    /// Notes how many are known of those that are written down next.
    fn begin_to_write(&mut self) {
        let known = self.all.len() as u32;
        if self.written.last() != Some(&known) {
            self.written.push(known);
        }
    }

    /// Lists what was written down.
    fn list(&mut self) {
        for mut listing in self.share_out_listing(|_| 1) {
            listing.go(self);
            self.cover.take_back(std::iter::once(listing));
        }
    }

    /// Shares out what is to be listed, in as many pieces as `count` tells for so much work.
    pub fn share_out_listing(&mut self, count: impl Fn(usize) -> usize) -> Vec<Listing> {
        let new = self.cover.unlisted(self.all.len());
        self.fresh.clear();
        if new == 0 { Vec::new() } else { self.cover.hand_out(self.all.len(), count(LISTING * new)) }
    }

    /// Room for somebody to make demands in.
    fn room(&mut self) -> Step {
        self.steps.pop().unwrap_or_else(|| Step::new(&self.reversed))
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
        let start = self.level_end();
        self.largest.push(self.all[start..].iter().map(|demand| demand.size).max().unwrap_or_default());
        self.levels.push(self.all.len());
    }

    /// No belief with more members than this meets a demand of this length, if all of them are known.
    pub fn largest(&self, length: usize) -> usize {
        self.largest.get(length).map_or(usize::MAX, |&size| size as usize)
    }

    /// How many vertices of the initial belief count.
    pub fn initial_count(&self) -> usize {
        self.initial.1.len()
    }

    /// Whether the initial belief itself breaks a clause.
    pub fn met_at_once(&self) -> bool {
        (0..self.all.len()).any(|d| self.met_at_start(d))
    }

    /// The demands that are to be followed next, or what has shown meanwhile.
    pub fn next(&mut self) -> Result<Range<usize>, Advance> {
        if self.level_end() == self.next {
            let known = self.all.len();
            if self.look_back_further() {
                return Err(self.met_since(known));
            }
            if self.next == self.all.len() && self.back.as_ref().is_none_or(LookingBack::is_through) {
                return Err(Advance::Exhausted);
            }
            self.complete_level();
            self.back.iter_mut().for_each(LookingBack::lengthen);
            if self.next == self.all.len() {
                return Err(Advance::On);
            }
        }
        // The more was done in vain, the more at a time.
        let most = (self.work as usize / worth(PART)).clamp(LEAST, MOST);
        let (first, end) = (self.next, self.level_end());
        let mut weight = 0;
        while self.next < end && (self.next == first || weight < most) {
            weight += EACH + self.weight(self.next);
            self.next += 1;
        }
        Ok(first..self.next)
    }

    /// Shares out some demands that are to be followed next, in as many steps as `count` tells for so much work.
    pub fn share_out(&mut self, demands: Range<usize>, count: impl Fn(usize) -> usize) -> Vec<Step> {
        let weights = |demands: Range<usize>| demands.map(|demand| EACH + self.weight(demand));
        let all: usize = weights(demands.clone()).sum();
        let count = count(all).clamp(1, demands.len().max(1));
        let mut ends = Vec::with_capacity(count);
        let (mut weight, mut end) = (0, demands.start);
        for (demand, own) in demands.clone().zip(weights(demands.clone())) {
            weight += own;
            end = demand + 1;
            if weight * count >= all * (ends.len() + 1) {
                ends.push(end);
            }
        }
        debug_assert_eq!(end, demands.end);
        let mut start = demands.start;
        let mut steps = Vec::with_capacity(count);
        for end in ends {
            let mut step = self.room();
            step.follow = start..end;
            steps.push(step);
            start = end;
        }
        steps
    }

    /// Writes down what was made of demands that were shared out. Whoever did is to have it listed.
    pub fn take_back(&mut self, mut steps: Vec<Step>) -> Advance {
        let known = self.all.len();
        self.begin_to_write();
        steps.iter_mut().for_each(|step| self.write_down(step, |_, _| {}));
        steps.reverse();
        self.steps.append(&mut steps);
        self.met_since(known)
    }

    /// Up to which number demands were compared with this one when it was made.
    pub fn compared_with(&self, demand: usize) -> usize {
        let at = self.written.partition_point(|&known| known as usize <= demand);
        self.written[at - 1] as usize
    }

    /// Where the demands of the last complete length end.
    pub fn level_end(&self) -> usize {
        self.levels.last().copied().unwrap_or_default()
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

    fn met_at_start(&self, demand: usize) -> bool {
        self.meets(demand, self.initial.0, &self.initial.1)
    }

    /// Has demands kept from now on that are covered.
    pub fn be_exact(&mut self) {
        self.exact = true;
    }

    /// Whether demands are kept that are covered.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether a belief that meets the demand may have the vertex at this place.
    pub fn may_contain(&self, demand: u32, place: u32) -> bool {
        has(self.pool.get(self.all[demand as usize].first), place)
    }

    /// Whether a belief of this kind with members at these places meets the demand.
    pub fn meets(&self, demand: usize, kind: Kind, belief: &[u32]) -> bool {
        let demand = &self.all[demand];
        if demand.kind != kind || belief.len() > demand.size as usize {
            return false;
        }
        let within = self.pool.get(demand.first);
        belief.iter().all(|&v| has(within, v))
            && demand.all_sets().skip(1).all(|set| {
                let set = self.pool.get(set);
                belief.iter().any(|&v| has(set, v))
            })
    }

    /// Whether it pays to look for what covers one more demand.
    pub fn pays(&self, number: u64) -> bool {
        !self.exact && self.cover.pays(number)
    }

    /// Whether a demand covers another one, `own`, whose sets are in a pool.
    pub fn covers(&self, other: u32, pool: &Pool, own: &BeliefDemand) -> bool {
        let other = &self.all[other as usize];
        own.size <= other.size
            && other.all_sets().enumerate().all(|(i, theirs)| {
                // A belief that is not empty meets whatever contains all that it is within.
                let mine = own.first + if i < own.sets as usize { i } else { 0 };
                is_within(pool.get(mine), self.pool.get(theirs))
            })
    }

    /// The number of a demand whose sets are in a pool, if it is listed.
    pub fn find(&self, pool: &Pool, own: &BeliefDemand) -> Option<u32> {
        self.cover.find(own.hash, |number| self.is_same(number, pool, own))
    }

    /// The same, if it was written down and is not listed.
    pub fn find_fresh(&self, pool: &Pool, own: &BeliefDemand) -> Option<u32> {
        let same = |&(number, hash): &(u32, u32)| hash == own.hash && self.is_same(number, pool, own);
        self.fresh.find(spread(own.hash), same).map(|&(number, _)| number)
    }

    fn is_same(&self, number: u32, pool: &Pool, own: &BeliefDemand) -> bool {
        let known = &self.all[number as usize];
        let mut sets = known.all_sets().zip(own.all_sets());
        (known.kind, known.sets) == (own.kind, own.sets)
            && sets.all(|(known, own)| self.pool.get(known) == pool.get(own))
    }

    /// Adds a demand whose sets are in a pool, and which is not there; its number.
    pub fn add(&mut self, pool: &Pool, own: BeliefDemand) -> u32 {
        let number = u32::try_from(self.all.len()).expect("more than four thousand million demands");
        let first = self.pool.len();
        own.all_sets().for_each(|set| self.pool.copy(pool.get(set)));
        self.fresh.insert_unique(spread(own.hash), (number, own.hash), |&(_, hash)| spread(hash));
        if !self.exact {
            self.cover.keep_in_mind(number, own.kind, pool.get(own.first_set()).count());
        }
        self.all.push(BeliefDemand { first, ..own });
        number
    }
}
