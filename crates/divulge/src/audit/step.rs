//! Room of somebody's own to make demands in, and those that were made.
//!
//! *Practical.* Several may make demands at a time, each in a [`Step`] of their own, and compare them with what was known before. Then one of them has all of it
//! written down in order ([`Demands::write_down`]), so that what is known, and in which order, does not depend on how many they were.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use crate::{
    audit::{
        cover::Look,
        demand::BeliefDemand,
        demands::Demands,
        pool::Pool,
        precede::Scratch,
        reversed::{Hidden, Reversed},
    },
    problem::{Image, Kind},
    sets::short,
};

/// A demand that was made.
struct Made {
    /// Its sets are in the step's own pool; there are none if it was known.
    demand: BeliefDemand,
    known: Option<u32>,
}

/// Room to make demands in.
pub(crate) struct Step {
    pub scratch: Scratch,
    /// The demand at hand as bits: what the belief is to be within, then each set to be met.
    pub words: Vec<u64>,
    /// The members of its first set to be met.
    members: Vec<u32>,
    pool: Pool,
    made: Vec<Made>,
    /// The demands that are to be followed.
    pub follow: Range<usize>,
    pub work: u64,
    /// How often something was looked for that covers a demand, and how often that was found.
    looks: u64,
    covered: u64,
}

impl Step {
    pub fn new(reversed: &Reversed) -> Self {
        Self {
            scratch: Scratch::new(reversed),
            words: Vec::new(),
            members: Vec::new(),
            pool: Pool::default(),
            made: Vec::new(),
            follow: 0..0,
            work: 0,
            looks: 0,
            covered: 0,
        }
    }

    /// Makes what the demands come from that are to be followed.
    pub fn go(&mut self, demands: &Demands) {
        for demand in self.follow.clone() {
            if !self.is_covered_since(demands, demand) {
                self.precede(demands, demand);
            }
        }
    }

    /// Keeps the demand at hand, on beliefs of a kind or on those of both, unless it cannot be met, is known or is covered.
    pub fn keep_of_kind(&mut self, demands: &Demands, kind: Option<Kind>) {
        if let Some(kind) = kind {
            return self.keep_if_met(demands, kind, None);
        }
        let (first, each) = (demands.reversed.words(Kind::Action), demands.reversed.words_of_kind(None));
        if let Hidden::Apart(apart) = &demands.reversed.hidden {
            self.work += apart.unseen.settle(&mut self.words, each);
        }
        let both = std::mem::take(&mut self.words);
        for (kind, part) in [(Kind::Action, 0..first), (Kind::Observation, first..each)] {
            self.words.clear();
            both.chunks(each.max(1)).for_each(|set| self.words.extend_from_slice(&set[part.clone()]));
            self.keep_if_met(demands, kind, None);
        }
    }

    /// Keeps the demand at hand, unless it cannot be met, is known or is covered.
    pub fn keep_if_met(&mut self, demands: &Demands, kind: Kind, then: Option<(u32, Image)>) {
        let words = demands.reversed.words(kind);
        if let Hidden::Mixed(unseen) = &demands.reversed.hidden {
            self.work += unseen.settle(&mut self.words, words);
        }
        // If nothing is to be met, the belief is not to be empty.
        if words > 0 && self.words.chunks(words).all(|set| set.iter().any(|&word| word != 0)) {
            self.keep(demands, kind, then);
        }
    }

    /// Keeps the demand at hand, whose sets have members, unless it is known or covered.
    pub fn keep(&mut self, demands: &Demands, kind: Kind, then: Option<(u32, Image)>) {
        let (words, first) = (demands.reversed.words(kind), self.pool.len());
        let (within, to_meet) = self.words.split_at(words);
        let says_nothing = within == to_meet;
        let size = self.pool.add(within);
        if !says_nothing {
            to_meet.chunks(words).for_each(|set| _ = self.pool.add(set));
        }
        let sets = self.pool.len() - first;
        let print = self.words[if sets > 1 { words } else { 0 }..][..words].iter().fold(0, |all, w| all | w);
        self.keep_last(demands, (first, size, print), kind, then);
    }

    /// The same, where few vertices are listed, ascending, each with which of so many sets they are in: bit 0 is what the belief is to be within, and all have it.
    pub fn keep_listed(&mut self, demands: &Demands, sets: u32, kind: Kind, then: Option<(u32, Image)>) {
        let (first, listed) = (self.pool.len(), &self.scratch.listed);
        let says_nothing = sets == 2 && listed.iter().all(|(_, within)| within & 2 != 0);
        let sets = if says_nothing { 1 } else { sets };
        let members =
            |set: u32| listed.iter().filter(move |(_, within)| within >> set & 1 == 1).map(|(v, _)| *v);
        (0..sets).for_each(|set| self.pool.list(members(set)));
        let print = members(u32::from(sets > 1)).fold(0, |all, v| all | 1 << (v % 64));
        self.keep_last(demands, (first, listed.len() as u32, print), kind, then);
    }

    /// Keeps the demand whose sets are the last ones of the pool, unless it is known or covered.
    fn keep_last(
        &mut self,
        demands: &Demands,
        (first, size, print): (usize, u32, u64),
        kind: Kind,
        then: Option<(u32, Image)>,
    ) {
        let sets = (self.pool.len() - first) as u32;
        let mut demand = BeliefDemand { first, sets, kind, size, print, hash: 0, then };
        demand.hash = self.hash(&demand);
        let known = demands.find(&self.pool, &demand);
        let number = then.map_or(0, |(then, image)| u64::from(then) + u64::from(image.0));
        let covered = known.is_none() && demands.pays(number) && self.is_covered(demands, &demand);
        if known.is_some() || covered {
            self.pool.truncate(first);
        }
        if !covered && (known.is_none() || demands.is_exact()) {
            self.made.push(Made { demand, known });
        }
    }

    fn hash(&self, demand: &BeliefDemand) -> u32 {
        let mut hasher = FxHasher::default();
        demand.all_sets().for_each(|set| hasher.write_u32(self.pool.get(set).hash()));
        hasher.write_u32(demand.kind as u32);
        short(hasher.finish())
    }

    /// Whether one of the step's own is covered by what was known before.
    fn is_covered(&mut self, demands: &Demands, own: &BeliefDemand) -> bool {
        self.members.clear();
        self.pool.get(own.first_set()).for_each(|v| self.members.push(v));
        let all = 0..demands.len() as u32;
        let look = demands
            .cover
            .look(all, own.kind, own.print, &self.members, |other| demands.covers(other, &self.pool, own));
        self.note(&look);
        look.found
    }

    fn note(&mut self, look: &Look) {
        self.work += 1 + look.seen / 8;
        self.looks += 1;
        self.covered += u64::from(look.found);
    }

    /// Whether a demand is covered by one that is as long and was found later; or by one that was found shortly before, with which it was not compared. Of two that
    /// cover each other the later one is followed.
    fn is_covered_since(&mut self, demands: &Demands, demand: usize) -> bool {
        let (own, end, since) = (demands.all[demand], demands.level_end(), demands.compared_with(demand));
        if since + 1 == end || !demands.pays(demand as u64) {
            return false;
        }
        self.members.clear();
        demands.pool.get(own.first_set()).for_each(|v| self.members.push(v));
        let (numbers, demand) = (since as u32..end as u32, demand as u32);
        let look = demands.cover.look(numbers, own.kind, own.print, &self.members, |other| {
            let theirs = &demands.all[other as usize];
            other != demand
                && demands.covers(other, &demands.pool, &own)
                && (other > demand || !demands.covers(demand, &demands.pool, theirs))
        });
        self.note(&look);
        look.found
    }
}

impl Demands {
    /// Writes down what was made, in order, except what is known by now; tells the numbers of what is there then, each with the image that leads to what it was made
    /// from. Whoever did is to have it listed.
    pub fn write_down(&mut self, step: &mut Step, mut told: impl FnMut(Option<Image>, u32)) {
        for Made { demand, known } in step.made.drain(..) {
            let image = demand.then.map(|(_, image)| image);
            let number = known.or_else(|| self.find_fresh(&step.pool, &demand));
            told(image, number.unwrap_or_else(|| self.add(&step.pool, demand)));
        }
        step.pool.truncate(0);
        self.work += std::mem::take(&mut step.work);
        self.cover.note(std::mem::take(&mut step.looks), std::mem::take(&mut step.covered));
    }
}
