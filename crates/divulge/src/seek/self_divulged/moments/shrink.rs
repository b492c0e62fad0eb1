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
//!
//! Where every event is seen, 𝒲 is A.

use rustc_hash::FxHashSet;

use super::{
    field::Step,
    game::{Family, Game, Posts},
};
use crate::{
    problem::{Image, Kind},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// Marks of spots: it is in the set in question, it goes on, it was found to do.
const IN: u64 = 1;
const GOING: u64 = 2;
const OUT: u64 = 4;
/// The first of the marks that tell after which images a spot was chosen to follow, for as many images as there are marks.
const CHOSEN: u64 = 8;
const MARKED: usize = 61;

/// A set in which something may win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Candidate {
    set: SetId,
    /// Those that may go on.
    going: SetId,
    /// Whether nodes at the goal may stop.
    ending: bool,
    /// What runs must see of the set, neither more nor less; unless that is still open.
    meets: Option<u32>,
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

/// What came of a candidate.
enum Outcome {
    /// All of it wins.
    Wins(Win),
    /// Whatever wins in it is in one of these.
    Within(Vec<Candidate>),
}

/// Gives the maximal winning subsets of what may follow, where runs have become `runs`.
pub(super) type Follow<'f> = dyn FnMut(&mut Game<'_>, SetId, u32) -> Result<Family, Stop> + 'f;

impl Game<'_> {
    /// The members of `set` that are reached from those in `from` by unseen events of those that go on.
    fn reached(&mut self, set: SetId, from: SetId, going: SetId) -> SetId {
        if !self.field.hides {
            return set;
        }
        self.mark(set, IN);
        self.mark(going, GOING);
        let mut todo: Vec<u32> =
            self.sets.get(from).iter().copied().filter(|&v| self.marks.any(v, IN)).collect();
        todo.iter().for_each(|&v| self.marks.add(v, OUT));
        while let Some(v) = todo.pop() {
            if !self.marks.any(v, GOING) {
                continue;
            }
            self.find_steps(v);
            for i in 0..self.known_steps(v).len() {
                let step = self.known_steps(v)[i];
                let new = step.image == Image::UNSEEN && self.marks.any(step.to, IN);
                if new && !self.marks.any(step.to, OUT) {
                    self.marks.add(step.to, OUT);
                    todo.push(step.to);
                }
            }
        }
        let reached = self.retain(set, |game, v| game.marks.any(v, OUT));
        self.unmark(set);
        self.unmark(going);
        reached
    }

    /// All that unseen events may lead to.
    fn closure(&mut self, from: SetId) -> SetId {
        if !self.field.hides {
            return from;
        }
        let mut all = self.sets.get(from).to_vec();
        let count = all.len();
        self.mark(from, IN);
        let mut at = 0;
        while let Some(&v) = all.get(at) {
            self.find_steps(v);
            for i in 0..self.known_steps(v).len() {
                let step = self.known_steps(v)[i];
                if step.image == Image::UNSEEN && self.mark_new(step.to, IN) {
                    all.push(step.to);
                }
            }
            at += 1;
        }
        self.unmark_all(&all);
        if all.len() == count {
            return from;
        }
        all.sort_unstable();
        self.sets.intern(&all)
    }

    /// The members of a set that are in another, which is most often the same.
    fn common(&mut self, set: SetId, other: SetId) -> SetId {
        if set == other {
            return set;
        }
        self.mark(other, IN);
        let common = self.retain(set, |game, v| game.marks.any(v, IN));
        self.unmark(other);
        common
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
        for i in 0..self.sets.get(set).len() {
            self.find_steps(self.sets.get(set)[i]);
        }
        let going = self.retain(set, |game, v| !game.known_steps(v).is_empty());
        let all = Candidate { set, going, ending: true, meets: None };
        let mut todo = vec![all];
        if self.estimates.has_end {
            todo.push(Candidate { ending: false, ..all });
        }
        let mut seen: FxHashSet<Candidate> = FxHashSet::default();
        while let Some(mut candidate) = todo.pop() {
            candidate.set = self.reached(candidate.set, post, candidate.going);
            let mut asked = candidate.set;
            if self.field.hides {
                candidate.going = self.common(candidate.going, candidate.set);
                asked = self.common(post, candidate.set);
            }
            if asked == self.none || !seen.insert(candidate) || see(self, asked, None) {
                continue;
            }
            self.effort += 1;
            self.work += self.sets.get(candidate.set).len() as u64;
            match self.evaluate(candidate, runs, follow)? {
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
        candidate: Candidate,
        runs: u32,
        follow: &mut Follow<'_>,
    ) -> Result<Outcome, Stop> {
        let signature = self.signature(candidate.set);
        let met = self.estimates.met(signature);
        match candidate.meets {
            // As it is, or without what meets one of the masks.
            None if self.estimates.has_runs() => {
                let mut rest = self.without(candidate, self.estimates.masks(met));
                rest.push(Candidate { meets: Some(met), ..candidate });
                return Ok(Outcome::Within(rest));
            }
            Some(meets) if meets != met => return Ok(Outcome::Within(Vec::new())),
            _ => {}
        }
        let (runs, mended, may_end) = self.estimates.follow(runs, signature);
        if !mended || (candidate.ending && !may_end) {
            return Ok(Outcome::Within(Vec::new()));
        }
        if let Some(negative) = self.estimates.broken(signature, candidate.ending) {
            return Ok(Outcome::Within(self.without(candidate, negative.iter().copied())));
        }
        let posts = self.posts(candidate.going);
        let mut families = Vec::with_capacity(posts.len());
        for &(_, post) in posts.iter() {
            families.push(follow(self, post, runs)?);
        }
        Ok(self.choose(candidate, runs, &posts, &families))
    }

    /// A candidate without the nodes that meet a mask, for each mask that leaves something.
    fn without(&mut self, candidate: Candidate, masks: impl Iterator<Item = u32>) -> Vec<Candidate> {
        let mut rest = Vec::new();
        for mask in masks {
            let misses =
                |game: &Self, v: u32| game.own_signature(v)[mask as usize / 64] >> (mask % 64) & 1 == 0;
            let set = self.retain(candidate.set, misses);
            if set != self.none {
                let going = match candidate.going == candidate.set {
                    true => set,
                    false => self.retain(candidate.going, misses),
                };
                rest.push(Candidate { set, going, ..candidate });
            }
        }
        rest
    }

    /// Tries every choice of maximal sets that follow.
    fn choose(&mut self, candidate: Candidate, runs: u32, posts: &Posts, families: &[Family]) -> Outcome {
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
            if set != self.none {
                rest.push(Candidate { set, going, ..candidate });
            }
            // The next choice, as one counts.
            let Some(place) = (0..chosen.len()).find(|&i| chosen[i] + 1 < families[i].len()) else { break };
            chosen[..place].fill(0);
            chosen[place] += 1;
        }
        Outcome::Within(rest)
    }

    /// Those that may stop or have a way out, and those of them that may go on.
    fn covered(&mut self, candidate: Candidate, next: &[(Image, Option<SetId>)]) -> (SetId, SetId) {
        for (i, &(_, chosen)) in next.iter().enumerate().take(MARKED) {
            if let Some(chosen) = chosen {
                self.mark(chosen, CHOSEN << i);
            }
        }
        // The members may be newer than what was chosen, or nothing was.
        self.mark(candidate.set, IN);
        if candidate.ending {
            for i in 0..self.sets.get(candidate.set).len() {
                let v = self.sets.get(candidate.set)[i];
                if self.may_stop(v) {
                    self.marks.add(v, OUT);
                }
            }
        }
        let count = self.sets.get(candidate.going).len();
        loop {
            let mut any = false;
            for i in 0..count {
                let v = self.sets.get(candidate.going)[i];
                if !self.marks.any(v, OUT) && self.leads(v, next) {
                    self.marks.add(v, OUT | GOING);
                    any = true;
                }
            }
            // Only what leads out unseen, by what was not known to lead out before, asks for another look.
            if !any || !self.field.hides {
                break;
            }
        }
        let set = self.retain(candidate.set, |game, v| game.marks.any(v, OUT));
        let going = self.retain(candidate.going, |game, v| {
            game.marks.any(v, GOING) || (game.marks.any(v, OUT) && game.leads(v, next))
        });
        self.unmark(candidate.set);
        for chosen in next.iter().take(MARKED).filter_map(|&(_, chosen)| chosen) {
            self.unmark(chosen);
        }
        (set, going)
    }

    /// Whether a node has a way to go on, given which spots are known to have a way out, and what was chosen to follow each image.
    fn leads(&self, v: u32, next: &[(Image, Option<SetId>)]) -> bool {
        let leads = |step: &Step| {
            if step.image == Image::UNSEEN {
                return self.marks.any(step.to, OUT);
            }
            let place = next.binary_search_by_key(&step.image, |&(image, _)| image);
            match place.expect("what follows was asked for every image that may be seen") {
                place if place < MARKED => self.marks.any(step.to, CHOSEN << place),
                place => next[place].1.is_some_and(|set| self.has(set, step.to)),
            }
        };
        match self.kind(v) {
            Kind::Action => self.known_steps(v).iter().any(leads),
            Kind::Observation => self.known_steps(v).iter().all(leads),
        }
    }
}
