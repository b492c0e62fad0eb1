//! The sets that the vertices of an expanded world are, by number.
//!
//! *Practical.* Most worlds tell their robot a lot, so that many sets have one member: these are known by it. All others are with keepers, one for each thread,
//! by their hashes, so that several threads can store them at a time. Numbers are given in the order of first mention all the same.

use std::{
    ops::Deref,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use crate::sets::{HybridStore, Members};

/// Numbers are below this. From here on somebody claims to have mentioned a vertex alone first, and the least claim is right.
pub(super) const CLAIMS: u32 = u32::MAX - (1 << 16);

/// The keeper of all sets of one member.
const NOBODY: u32 = u32::MAX;

/// Where a set is: its keeper, and what it is to it; or the only member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    keeper: u32,
    at: u32,
}

/// Keeps the sets with some of all hashes.
#[derive(Clone, Debug)]
pub(super) struct Keeper {
    pub sets: HybridStore,
    /// Their numbers, in the order in which they came.
    pub numbers: Vec<u32>,
    /// What it calls the sets that each share has found at last.
    pub found: Vec<Vec<u32>>,
}

impl Keeper {
    /// A keeper of sets of vertices below `bound` that so many shares find.
    pub fn new(bound: usize, shares: usize) -> Self {
        Self { sets: HybridStore::new(bound), numbers: Vec::new(), found: vec![Vec::new(); shares] }
    }
}

/// Which of so many keepers has the sets with this hash.
pub(super) fn keeper_of(hash: u32, keepers: usize) -> usize {
    ((u64::from(hash) * keepers as u64) >> 32) as usize
}

/// The numbers of vertices alone.
pub(super) struct Alone(Vec<AtomicU32>);

impl Alone {
    /// No vertex of so many is known alone.
    pub fn new(vertices: usize) -> Self {
        Self((0..vertices).map(|_| AtomicU32::new(u32::MAX)).collect())
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of a vertex alone, or the least claim to it, if there is any.
    pub fn number(&self, v: u32) -> u32 {
        self.0[v as usize].load(Relaxed)
    }

    /// Numbers a vertex alone.
    pub fn set(&self, v: u32, number: u32) {
        self.0[v as usize].store(number, Relaxed);
    }

    /// The number of a vertex alone, or anything from [`CLAIMS`] on; if this claim is the least, `claimed` hears of it.
    pub fn claim(&self, v: u32, claim: u32, claimed: impl FnOnce()) -> u32 {
        let number = self.number(v);
        if number > claim && self.0[v as usize].fetch_min(claim, Relaxed) > claim {
            claimed();
        }
        number
    }
}

/// Where the sets are, by number.
#[derive(Clone, Debug)]
pub(super) struct Places(Vec<Place>);

impl Places {
    /// None yet, with room for so many.
    pub fn with_room(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Numbers a vertex alone that has no number.
    pub fn add_one(&mut self, v: u32, alone: &Alone) -> u32 {
        let number = self.0.len() as u32;
        alone.set(v, number);
        self.0.push(Place { keeper: NOBODY, at: v });
        number
    }

    /// The number of a set that somebody keeps; a new one, if it is the first that has none.
    pub fn number(&mut self, keeper: usize, at: u32, numbers: &mut Vec<u32>) -> u32 {
        if at as usize == numbers.len() {
            numbers.push(self.0.len() as u32);
            self.0.push(Place { keeper: keeper as u32, at });
        }
        numbers[at as usize]
    }

    /// The members of a set.
    pub fn get<'a>(&'a self, set: usize, keepers: &'a [impl Deref<Target = Keeper>]) -> Members<'a> {
        match &self.0[set] {
            Place { keeper: NOBODY, at } => Members::List(std::slice::from_ref(at)),
            place => keepers[place.keeper as usize].sets.get(place.at),
        }
    }
}

/// All the sets, when none is added any more.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    places: Places,
    kept: Vec<HybridStore>,
}

impl Sets {
    /// What is left of keepers.
    pub fn new(places: Places, keepers: Vec<Keeper>) -> Self {
        let kept = keepers.into_iter().map(|keeper| keeper.sets.settled()).collect();
        Self { places, kept }
    }

    /// The members of a set.
    pub fn get(&self, set: usize) -> Members<'_> {
        match &self.places.0[set] {
            Place { keeper: NOBODY, at } => Members::List(std::slice::from_ref(at)),
            place => self.kept[place.keeper as usize].get(place.at),
        }
    }
}
