//! The nodes and sets of the game of those who know the plan where events are unseen or runs remembered, with what does not depend on what is asked.
//!
//! *Practical.* [`Game::steps`] tells what may happen at a node within its budget, [`Game::keeps`] what a moment makes of runs; which sets win is found in `shrink`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    estimates::Estimates,
    field::{Field, Step},
    recall::Recall,
};
use crate::{
    formula::Stipulations,
    problem::{Image, Kind},
    sets::{SetId, SetStore},
};

/// The maximal winning subsets of some set.
pub(super) type Family = Arc<[SetId]>;

/// A node of the field, with what may still be spent from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub node: u32,
    pub events: u32,
    pub cost: u64,
}

/// What a plan may spend in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub events: Option<u32>,
    pub cost: Option<u64>,
}

/// What follows each image.
pub(super) type Posts = Arc<[(Image, SetId)]>;

/// Where the steps of a node are; not known yet if they would begin here.
const UNKNOWN: u32 = u32::MAX;

/// What is asked of every member of a set.
#[derive(Clone, Copy)]
struct Place {
    /// Where its steps begin, and how many there are.
    start: u32,
    len: u32,
    /// Whether it chooses, and whether it may stop.
    acts: bool,
    stops: bool,
}

/// What is known of a set.
#[derive(Clone, Debug, Default)]
struct Facts {
    signature: Option<u32>,
    /// What follows if all of it goes on.
    posts: Option<Posts>,
}

/// The field, and all that was met on it.
#[derive(Clone)]
pub(super) struct Game<'a> {
    pub field: &'a Field,
    pub(super) estimates: Estimates<'a>,
    costs: &'a [u64],
    /// The least that is still to be spent at each node of the field; nothing if that is not counted.
    needed: &'a [u64],
    spots: Vec<Spot>,
    number: FxHashMap<Spot, u32>,
    places: Vec<Place>,
    steps: Vec<Step>,
    pub sets: SetStore,
    facts: Vec<Facts>,
    /// The set without members.
    pub(super) none: SetId,
    /// Bits for each spot, all 0 but while something is worked out.
    pub(super) marks: Marks,
    /// Room for members of a set that may be new.
    kept: Vec<u32>,
    /// What is made of earlier moments, where each node does one thing; elsewhere it does not count.
    pub recall: Option<Recall<'a>>,
    /// The least cost of what was left out because it costs too much.
    pub beyond: u64,
    /// How many candidates were looked at.
    pub effort: u64,
    /// How many members they had.
    pub work: u64,
}

impl<'a> Game<'a> {
    pub fn new(
        field: &'a Field,
        stipulations: &'a Stipulations,
        costs: &'a [u64],
        needed: &'a [u64],
    ) -> Self {
        let mut sets = SetStore::new();
        let none = sets.intern(&[]);
        Self {
            field,
            estimates: Estimates::new(stipulations, field.words()),
            costs,
            needed,
            spots: Vec::new(),
            number: FxHashMap::default(),
            places: Vec::new(),
            steps: Vec::new(),
            sets,
            facts: Vec::new(),
            none,
            marks: Marks::default(),
            kept: Vec::new(),
            recall: None,
            beyond: u64::MAX,
            effort: 0,
            work: 0,
        }
    }

    /// The set that a plan with this budget starts in.
    pub fn start(&mut self, budget: Budget) -> SetId {
        let spot = Spot {
            node: 0,
            events: budget.events.unwrap_or(u32::MAX),
            cost: budget.cost.unwrap_or(u64::MAX),
        };
        let start = self.spot(spot);
        self.sets.intern(&[start])
    }

    /// The number of a node with what may still be spent from there on.
    pub fn spot(&mut self, spot: Spot) -> u32 {
        let Self { spots, number, places, field, .. } = self;
        *number.entry(spot).or_insert_with(|| {
            spots.push(spot);
            let node = spot.node as usize;
            let (acts, stops) = (field.kinds[node] == Kind::Action, field.goal.contains(node));
            places.push(Place { start: UNKNOWN, len: 0, acts, stops });
            spots.len() as u32 - 1
        })
    }

    /// Where a node of the game is.
    pub fn at(&self, v: u32) -> Spot {
        self.spots[v as usize]
    }

    pub(super) fn may_stop(&self, v: u32) -> bool {
        self.places[v as usize].stops
    }

    pub fn kind(&self, v: u32) -> Kind {
        if self.places[v as usize].acts { Kind::Action } else { Kind::Observation }
    }

    /// How far it is from a node to the goal, at least.
    pub fn distance(&self, v: u32) -> u32 {
        self.field.rank[self.spots[v as usize].node as usize]
    }

    /// What runs become if these nodes make up a moment; `None` if that breaks a stipulation, or some stop that may not.
    pub fn keeps(&mut self, mut nodes: Vec<u32>, runs: u32, stops: bool) -> Option<u32> {
        nodes.sort_unstable();
        let set = self.sets.intern(&nodes);
        let signature = self.signature(set);
        let (after, mended, may_end) = self.estimates.follow(runs, signature);
        let kept = mended && (may_end || !stops) && self.estimates.broken(signature, stops).is_none();
        kept.then_some(after)
    }

    /// What may still be spent after a step, if that is enough to get to the goal.
    pub fn spend(&mut self, (events, cost): (u32, u64), step: &Step) -> Option<(u32, u64)> {
        let left = if events == u32::MAX { Some(events) } else { events.checked_sub(1) };
        let left = left.filter(|&left| left >= self.field.rank[step.to as usize])?;
        let price = self.costs[step.label.index()];
        let rest = if cost == u64::MAX { Some(cost) } else { cost.checked_sub(price) };
        let needed = self.needed.get(step.to as usize).copied().unwrap_or(0);
        let rest = rest.filter(|&rest| rest >= needed);
        if rest.is_none() {
            let more = price.saturating_add(needed) - cost.min(price.saturating_add(needed));
            self.beyond = self.beyond.min(more);
        }
        rest.map(|rest| (left, rest))
    }

    /// What may happen at a node of the game within the budget: all or nothing where the world chooses.
    pub fn steps(&mut self, v: u32) -> &[Step] {
        self.find_steps(v);
        self.known_steps(v)
    }

    /// The same of a node whose steps were asked for before.
    pub(super) fn known_steps(&self, v: u32) -> &[Step] {
        let Place { start, len, .. } = self.places[v as usize];
        &self.steps[start as usize..][..len as usize]
    }

    /// Finds out what may happen at a node.
    pub(super) fn find_steps(&mut self, v: u32) {
        if self.places[v as usize].start != UNKNOWN {
            return;
        }
        let Spot { node, events, cost } = self.spots[v as usize];
        let all = self.field.steps(node);
        let start = self.steps.len();
        for step in all {
            let Some((left, rest)) = self.spend((events, cost), step) else { continue };
            let to = self.spot(Spot { node: step.to, events: left, cost: rest });
            self.steps.push(Step { to, ..*step });
        }
        if self.kind(v) == Kind::Observation && self.steps.len() - start < all.len() {
            self.steps.truncate(start);
        }
        let first = u32::try_from(start).ok().filter(|&first| first != UNKNOWN);
        let first = first.expect("more than four thousand million steps");
        let place = &mut self.places[v as usize];
        (place.start, place.len) = (first, (self.steps.len() - start) as u32);
    }

    /// The masks of the stipulations that a node meets.
    pub(super) fn own_signature(&self, v: u32) -> &[u64] {
        self.field.signature(self.spots[v as usize].node)
    }

    fn facts(&mut self, set: SetId) -> &mut Facts {
        if self.facts.len() <= set.index() {
            self.facts.resize(self.sets.len().max(set.index() + 1), Facts::default());
        }
        &mut self.facts[set.index()]
    }

    /// The number of the signature of a set.
    pub(super) fn signature(&mut self, set: SetId) -> u32 {
        if let Some(known) = self.facts(set).signature {
            return known;
        }
        let mut signature = vec![0; self.field.words()];
        for &v in self.sets.get(set) {
            signature.iter_mut().zip(self.own_signature(v)).for_each(|(word, bits)| *word |= bits);
        }
        let number = self.estimates.number(&signature);
        self.facts(set).signature = Some(number);
        number
    }

    /// What may follow if these go on, image by image.
    pub(super) fn posts(&mut self, going: SetId) -> Posts {
        if let Some(known) = &self.facts(going).posts {
            return Arc::clone(known);
        }
        // Images before nodes, in one number that is compared at once.
        let mut found: Vec<u64> = Vec::new();
        for i in 0..self.sets.get(going).len() {
            let v = self.sets.get(going)[i];
            let seen = self.steps(v).iter().filter(|step| step.image != Image::UNSEEN);
            found.extend(seen.map(|step| u64::from(step.image.0) << 32 | u64::from(step.to)));
        }
        found.sort_unstable();
        found.dedup();
        let mut posts = Vec::new();
        for group in found.chunk_by(|a, b| a >> 32 == b >> 32) {
            let mut to = std::mem::take(&mut self.kept);
            to.extend(group.iter().map(|&both| both as u32));
            posts.push((Image((group[0] >> 32) as u32), self.intern_kept(to)));
        }
        let posts: Posts = posts.into();
        self.facts(going).posts = Some(Arc::clone(&posts));
        posts
    }

    /// The members of a set that `keep` keeps.
    pub(super) fn retain(&mut self, set: SetId, keep: impl Fn(&Self, u32) -> bool) -> SetId {
        let mut kept = std::mem::take(&mut self.kept);
        kept.extend(self.sets.get(set).iter().copied().filter(|&v| keep(self, v)));
        if kept.len() == self.sets.get(set).len() {
            kept.clear();
            self.kept = kept;
            return set;
        }
        self.intern_kept(kept)
    }

    pub(super) fn intern_kept(&mut self, mut kept: Vec<u32>) -> SetId {
        let set = if kept.is_empty() { self.none } else { self.sets.intern(&kept) };
        kept.clear();
        self.kept = kept;
        set
    }

    pub(super) fn has(&self, set: SetId, v: u32) -> bool {
        self.sets.get(set).binary_search(&v).is_ok()
    }

    pub(super) fn is_subset(&self, small: SetId, large: SetId) -> bool {
        let (few, many) = (self.sets.get(small), self.sets.get(large));
        small == large || (few.len() < many.len() && few.iter().all(|v| many.binary_search(v).is_ok()))
    }

    /// Marks the members of a set.
    pub(super) fn mark(&mut self, set: SetId, bits: u64) {
        let Self { marks, sets, spots, .. } = self;
        marks.0.resize(spots.len(), 0);
        sets.get(set).iter().for_each(|&v| marks.0[v as usize] |= bits);
    }

    /// Takes all marks off some spots.
    pub(super) fn unmark_all(&mut self, all: &[u32]) {
        all.iter().for_each(|&v| self.marks.0[v as usize] = 0);
    }

    /// Marks a spot, which may be new; tells whether it did not have these marks yet.
    pub(super) fn mark_new(&mut self, v: u32, bits: u64) -> bool {
        if self.marks.0.len() <= v as usize {
            self.marks.0.resize(self.spots.len(), 0);
        }
        let own = &mut self.marks.0[v as usize];
        let new = *own & bits != bits;
        *own |= bits;
        new
    }

    /// Takes all marks off the members of a set.
    pub(super) fn unmark(&mut self, set: SetId) {
        let Self { marks, sets, .. } = self;
        sets.get(set).iter().for_each(|&v| marks.0[v as usize] = 0);
    }
}

/// Bits for each spot.
#[derive(Clone, Default)]
pub(super) struct Marks(Vec<u64>);

impl Marks {
    /// Whether a spot has one of these marks. A spot that is newer than they are has none.
    pub fn any(&self, v: u32, bits: u64) -> bool {
        self.0.get(v as usize).is_some_and(|own| own & bits != 0)
    }

    pub fn add(&mut self, v: u32, bits: u64) {
        self.0[v as usize] |= bits;
    }
}
