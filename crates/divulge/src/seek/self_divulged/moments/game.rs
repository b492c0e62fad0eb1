//! One moment of those who know the plan: which sets of nodes can be where an image has just been seen.
//!
//! *Background.* Let A be the nodes in which an image has just been seen. During the moment the robot may go on unseen; the nodes 𝒲 ⊇ A that it may be at
//! then make up the estimate. A wins if there are such 𝒲 and, for each image, a set of nodes that follow it and that wins again, such that the estimate
//! keeps the stipulations, every node of 𝒲 may stop or has a way out, and every node of 𝒲 is reached from A, every member of what follows from 𝒲, by what
//! goes on. Whatever wins within a set wins with the largest sets that can follow; so the winning sets are found by shrinking from the top: what breaks a clause
//! is dropped for one of its negative literals, and what has no way out is dropped for each choice of maximal sets that follow.
//!
//! What a run has become belongs to the set, since it is a function of the images. It depends on which masks 𝒲 meets, so a candidate is tried as
//! it is, and without those that meet each of these masks.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    field::{Field, Step},
    recall::Recall,
};
use crate::{
    formula::{Courses, Due, Stipulations},
    problem::{Image, Kind},
    seek::self_divulged::Stop,
    sets::{SetId, SetStore},
};

/// The maximal winning subsets of some set.
pub(super) type Family = Rc<[SetId]>;

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

/// A set in which something may win.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Candidate {
    set: SetId,
    /// Those that may go on.
    going: SetId,
    /// Whether nodes at the goal may stop.
    ending: bool,
    /// The masks of runs that the set must meet, neither more nor fewer; unless that is still open.
    meets: Option<Box<[u64]>>,
}

/// How a winning set goes on.
#[derive(Clone, Debug)]
pub(super) struct Win {
    /// All nodes of the moment.
    pub set: SetId,
    pub going: SetId,
    /// What the runs have become.
    pub runs: u32,
    /// What follows each image that may be seen, if anything.
    pub next: Vec<(Image, Option<SetId>)>,
}

/// What follows an image.
type Posts = Vec<(Image, SetId)>;

/// Gives the maximal winning subsets of what may follow, where runs have become `runs`.
pub(super) type Follow<'f> = dyn FnMut(&mut Game<'_>, SetId, u32) -> Result<Family, Stop> + 'f;

/// The field, and all that was met on it.
pub(super) struct Game<'a> {
    pub field: &'a Field,
    stipulations: &'a Stipulations,
    courses: Courses,
    /// The masks that runs speak of.
    run_masks: Vec<u64>,
    has_end: bool,
    costs: &'a [u64],
    /// The least that is still to be spent at each node of the field.
    needed: &'a [u64],
    spots: Vec<Spot>,
    number: FxHashMap<Spot, u32>,
    steps: Vec<Option<Rc<[Step]>>>,
    pub sets: SetStore,
    /// What is made of earlier moments, where each node does one thing; elsewhere it does not count.
    pub recall: Option<Recall<'a>>,
    /// The least cost of what was left out because it costs too much.
    pub beyond: u64,
    pub effort: u64,
}

impl<'a> Game<'a> {
    pub fn new(
        field: &'a Field,
        stipulations: &'a Stipulations,
        costs: &'a [u64],
        needed: &'a [u64],
    ) -> Self {
        let mut run_masks = vec![0; field.words()];
        for mask in stipulations.all().iter().flat_map(|s| s.run_masks()) {
            run_masks[mask as usize / 64] |= 1 << (mask % 64);
        }
        let courses = Courses::new(stipulations);
        let scoped = |demand| stipulations.all().iter().any(|s| s.demand() == Some(demand));
        Self {
            has_end: scoped(Due::AtEnd) || !courses.is_empty(),
            field,
            stipulations,
            courses,
            run_masks,
            costs,
            needed,
            spots: Vec::new(),
            number: FxHashMap::default(),
            steps: Vec::new(),
            sets: SetStore::new(),
            recall: None,
            beyond: u64::MAX,
            effort: 0,
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
        let Self { spots, number, steps, .. } = self;
        *number.entry(spot).or_insert_with(|| {
            spots.push(spot);
            steps.push(None);
            spots.len() as u32 - 1
        })
    }

    /// Where a node of the game is.
    pub fn at(&self, v: u32) -> Spot {
        self.spots[v as usize]
    }

    fn may_stop(&self, v: u32) -> bool {
        self.field.goal.contains(self.spots[v as usize].node as usize)
    }

    pub fn kind(&self, v: u32) -> Kind {
        self.field.kinds[self.spots[v as usize].node as usize]
    }

    /// How far it is from a node to the goal, at least.
    pub fn distance(&self, v: u32) -> u32 {
        self.field.rank[self.spots[v as usize].node as usize]
    }

    /// What runs become if these nodes make up a moment; `None` if that breaks a stipulation, or some stop that may not.
    pub fn keeps(&mut self, nodes: &[u32], runs: u32, stops: bool) -> Option<u32> {
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        let set = self.sets.intern(&sorted);
        let signature = self.signature(set);
        let course = self.courses.follow(self.stipulations, runs, &signature);
        let (mended, may_end) = self.courses.stand(course.runs);
        let kept = mended && (may_end || !stops) && self.broken(&signature, stops).is_none();
        kept.then_some(course.runs)
    }

    /// What may still be spent after a step, if that is enough to get to the goal.
    pub fn spend(&mut self, (events, cost): (u32, u64), step: &Step) -> Option<(u32, u64)> {
        let left = if events == u32::MAX { Some(events) } else { events.checked_sub(1) };
        let left = left.filter(|&left| left >= self.field.rank[step.to as usize])?;
        let price = self.costs[step.label.index()];
        let rest = if cost == u64::MAX { Some(cost) } else { cost.checked_sub(price) };
        let needed = self.needed[step.to as usize];
        let rest = rest.filter(|&rest| rest >= needed);
        if rest.is_none() {
            let more = price.saturating_add(needed) - cost.min(price.saturating_add(needed));
            self.beyond = self.beyond.min(more);
        }
        rest.map(|rest| (left, rest))
    }

    /// What may happen at a node of the game within the budget: all or nothing where the world chooses.
    pub fn steps(&mut self, v: u32) -> Rc<[Step]> {
        if let Some(known) = &self.steps[v as usize] {
            return Rc::clone(known);
        }
        let Spot { node, events, cost } = self.spots[v as usize];
        let all = self.field.steps(node);
        let mut found = Vec::with_capacity(all.len());
        for step in all {
            let Some((left, rest)) = self.spend((events, cost), step) else { continue };
            found.push(Step { to: self.spot(Spot { node: step.to, events: left, cost: rest }), ..*step });
        }
        if self.kind(v) == Kind::Observation && found.len() < all.len() {
            found.clear();
        }
        let found: Rc<[Step]> = found.into();
        self.steps[v as usize] = Some(Rc::clone(&found));
        found
    }

    fn signature(&self, set: SetId) -> Vec<u64> {
        let mut signature = vec![0; self.field.words()];
        for &v in self.sets.get(set) {
            let own = self.field.signature(self.spots[v as usize].node);
            signature.iter_mut().zip(own).for_each(|(word, bits)| *word |= bits);
        }
        signature
    }

    fn retain(&mut self, set: SetId, keep: impl Fn(&Self, u32) -> bool) -> SetId {
        let kept: Vec<u32> = self.sets.get(set).iter().copied().filter(|&v| keep(self, v)).collect();
        if kept.len() == self.sets.get(set).len() { set } else { self.sets.intern(&kept) }
    }

    fn has(&self, set: SetId, v: u32) -> bool {
        self.sets.get(set).binary_search(&v).is_ok()
    }

    fn is_subset(&self, small: SetId, large: SetId) -> bool {
        small == large || self.sets.get(small).iter().all(|&v| self.has(large, v))
    }

    /// The members of `set` that are reached from those in `from` by unseen events of those that go on.
    fn reached(&mut self, set: SetId, from: SetId, going: SetId) -> SetId {
        let first: Vec<u32> = self.sets.get(set).iter().copied().filter(|&v| self.has(from, v)).collect();
        let mut seen: FxHashSet<u32> = first.iter().copied().collect();
        let mut todo = first;
        while let Some(v) = todo.pop() {
            if !self.has(going, v) {
                continue;
            }
            for step in self.steps(v).iter().filter(|step| step.image == Image::UNSEEN) {
                if self.has(set, step.to) && seen.insert(step.to) {
                    todo.push(step.to);
                }
            }
        }
        self.retain(set, |_, v| seen.contains(&v))
    }

    /// All that unseen events may lead to.
    fn closure(&mut self, from: SetId) -> SetId {
        let mut all = self.sets.get(from).to_vec();
        let mut seen: FxHashSet<u32> = all.iter().copied().collect();
        let mut at = 0;
        while let Some(&v) = all.get(at) {
            let steps = self.steps(v);
            let unseen = steps.iter().filter(|step| step.image == Image::UNSEEN).map(|step| step.to);
            all.extend(unseen.filter(|&to| seen.insert(to)));
            at += 1;
        }
        all.sort_unstable();
        self.sets.intern(&all)
    }

    /// The maximal subsets of `post` that win where runs have become `runs`.
    pub fn maximal(&mut self, post: SetId, runs: u32, follow: &mut Follow<'_>) -> Result<Family, Stop> {
        let mut winners: Vec<SetId> = Vec::new();
        self.search(post, runs, follow, &mut |game, candidate, win| {
            let won = |game: &Self, &winner: &SetId| game.is_subset(candidate, winner);
            if win.is_none() {
                return winners.iter().any(|winner| won(game, winner));
            }
            if !winners.iter().any(|winner| won(game, winner)) {
                winners.retain(|&winner| !game.is_subset(winner, candidate));
                winners.push(candidate);
            }
            false
        })?;
        winners.sort_unstable();
        Ok(winners.into())
    }

    /// How the whole of `set` wins, if it does.
    pub fn win(&mut self, set: SetId, runs: u32, follow: &mut Follow<'_>) -> Result<Option<Win>, Stop> {
        let mut found = None;
        self.search(set, runs, follow, &mut |_, candidate, win| {
            if candidate == set && win.is_some() && found.is_none() {
                found = win.cloned();
            }
            candidate != set || found.is_some()
        })?;
        Ok(found)
    }

    /// Looks at everything within `post` that may win. `see` is shown what is in question of `post`, and how it wins if it does; it tells whether that need
    /// not be looked at.
    fn search(
        &mut self,
        post: SetId,
        runs: u32,
        follow: &mut Follow<'_>,
        see: &mut dyn FnMut(&Self, SetId, Option<&Win>) -> bool,
    ) -> Result<(), Stop> {
        let set = self.closure(post);
        let mut going = self.sets.get(set).to_vec();
        going.retain(|&v| !self.steps(v).is_empty());
        let going = self.sets.intern(&going);
        let all = Candidate { set, going, ending: true, meets: None };
        let mut todo = vec![all.clone()];
        if self.has_end {
            todo.push(Candidate { ending: false, ..all });
        }
        let mut seen: FxHashSet<Candidate> = FxHashSet::default();
        while let Some(mut candidate) = todo.pop() {
            candidate.set = self.reached(candidate.set, post, candidate.going);
            candidate.going = self.retain(candidate.going, |game, v| game.has(candidate.set, v));
            let asked = self.retain(post, |game, v| game.has(candidate.set, v));
            if self.sets.get(asked).is_empty() || !seen.insert(candidate.clone()) || see(self, asked, None) {
                continue;
            }
            self.effort += 1;
            match self.evaluate(&candidate, runs, follow)? {
                Outcome::Within(rest) => todo.extend(rest),
                Outcome::Wins(win) => {
                    see(self, asked, Some(&win));
                }
            }
        }
        Ok(())
    }

    fn evaluate(
        &mut self,
        candidate: &Candidate,
        runs: u32,
        follow: &mut Follow<'_>,
    ) -> Result<Outcome, Stop> {
        let signature = self.signature(candidate.set);
        let met: Box<[u64]> = signature.iter().zip(&self.run_masks).map(|(a, b)| a & b).collect();
        match &candidate.meets {
            // As it is, or without what meets one of the masks.
            None if !self.courses.is_empty() => {
                let mut rest: Vec<Candidate> = Vec::new();
                for mask in bits(&met) {
                    rest.push(self.without(candidate, mask));
                }
                rest.push(Candidate { meets: Some(met), ..candidate.clone() });
                return Ok(Outcome::Within(rest));
            }
            Some(meets) if *meets != met => return Ok(Outcome::Within(Vec::new())),
            _ => {}
        }
        let course = self.courses.follow(self.stipulations, runs, &signature);
        let (mended, may_end) = self.courses.stand(course.runs);
        if !mended || (candidate.ending && !may_end) {
            return Ok(Outcome::Within(Vec::new()));
        }
        if let Some(negative) = self.broken(&signature, candidate.ending) {
            let rest = negative.into_iter().map(|mask| self.without(candidate, mask)).collect();
            return Ok(Outcome::Within(rest));
        }
        let posts = self.posts(candidate.going);
        let mut families = Vec::with_capacity(posts.len());
        for &(_, post) in &posts {
            families.push(follow(self, post, course.runs)?);
        }
        Ok(self.choose(candidate, course.runs, &posts, &families))
    }

    /// The negative literals of a clause that is broken.
    fn broken(&self, signature: &[u64], ending: bool) -> Option<Vec<u32>> {
        let asked = |s: &&crate::formula::Compiled| {
            s.demand() == Some(Due::Throughout) || (ending && s.demand() == Some(Due::AtEnd))
        };
        let mut broken = self.stipulations.all().iter().filter(asked).filter(|s| !s.holds(signature));
        broken.next().and_then(|s| s.broken_clause(signature)).map(|clause| clause.negative)
    }

    /// A candidate without the nodes that meet a mask.
    fn without(&mut self, candidate: &Candidate, mask: u32) -> Candidate {
        let misses = |game: &Self, v: u32| {
            let own = game.field.signature(game.spots[v as usize].node);
            own[mask as usize / 64] >> (mask % 64) & 1 == 0
        };
        let (set, going) = (self.retain(candidate.set, misses), self.retain(candidate.going, misses));
        Candidate { set, going, ..candidate.clone() }
    }

    /// What may follow, image by image.
    fn posts(&mut self, going: SetId) -> Posts {
        let mut found: Vec<(Image, u32)> = Vec::new();
        for v in self.sets.get(going).to_vec() {
            let steps = self.steps(v);
            found.extend(steps.iter().filter(|s| s.image != Image::UNSEEN).map(|s| (s.image, s.to)));
        }
        found.sort_unstable();
        found.dedup();
        let groups = found.chunk_by(|a, b| a.0 == b.0);
        groups
            .map(|group| {
                let to: Vec<u32> = group.iter().map(|&(_, to)| to).collect();
                (group[0].0, self.sets.intern(&to))
            })
            .collect()
    }

    /// Tries every choice of maximal sets that follow.
    fn choose(&mut self, candidate: &Candidate, runs: u32, posts: &Posts, families: &[Family]) -> Outcome {
        let mut chosen = vec![0; families.len()];
        let mut rest = Vec::new();
        loop {
            let next: Vec<(Image, Option<SetId>)> = posts
                .iter()
                .zip(families)
                .zip(&chosen)
                .map(|((&(image, _), f), &i)| (image, f.get(i).copied()))
                .collect();
            let (set, going) = self.covered(candidate, &next);
            if (set, going) == (candidate.set, candidate.going) {
                return Outcome::Wins(Win { set, going, runs, next });
            }
            if !self.sets.get(set).is_empty() {
                rest.push(Candidate { set, going, ..candidate.clone() });
            }
            // The next choice, as one counts.
            let Some(place) = (0..chosen.len()).find(|&i| chosen[i] + 1 < families[i].len()) else { break };
            chosen[..place].fill(0);
            chosen[place] += 1;
        }
        Outcome::Within(rest)
    }

    /// Those that may stop or have a way out, and those of them that may go on.
    fn covered(&mut self, candidate: &Candidate, next: &[(Image, Option<SetId>)]) -> (SetId, SetId) {
        let chosen: FxHashMap<Image, SetId> =
            next.iter().filter_map(|&(image, set)| Some((image, set?))).collect();
        let follows =
            |game: &Self, step: &Step| chosen.get(&step.image).is_some_and(|&set| game.has(set, step.to));
        let mut out: FxHashSet<u32> = FxHashSet::default();
        if candidate.ending {
            out.extend(self.sets.get(candidate.set).iter().copied().filter(|&v| self.may_stop(v)));
        }
        let going = self.sets.get(candidate.going).to_vec();
        loop {
            let before = out.len();
            for &v in going.iter() {
                if out.contains(&v) {
                    continue;
                }
                let steps = self.steps(v);
                let leads = |step: &Step| match step.image {
                    Image::UNSEEN => out.contains(&step.to),
                    _ => follows(self, step),
                };
                let leads = match self.kind(v) {
                    Kind::Action => steps.iter().any(leads),
                    Kind::Observation => steps.iter().all(leads),
                };
                if leads {
                    out.insert(v);
                }
            }
            if out.len() == before {
                break;
            }
        }
        let set = self.retain(candidate.set, |_, v| out.contains(&v));
        let mut on = Vec::with_capacity(going.len());
        for v in going.into_iter().filter(|v| out.contains(v)) {
            let steps = self.steps(v);
            let goes = |step: &Step| match step.image {
                Image::UNSEEN => out.contains(&step.to),
                _ => follows(self, step),
            };
            let goes = match self.kind(v) {
                Kind::Action => steps.iter().any(goes),
                Kind::Observation => steps.iter().all(goes),
            };
            if goes {
                on.push(v);
            }
        }
        let going = self.sets.intern(&on);
        (set, going)
    }
}

/// What came of a candidate.
enum Outcome {
    /// All of it wins.
    Wins(Win),
    /// Whatever wins in it is in one of these.
    Within(Vec<Candidate>),
}

fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    let ones = crate::sets::bits::ones;
    words.iter().enumerate().flat_map(move |(i, &word)| ones(word).map(move |bit| (i * 64 + bit) as u32))
}
