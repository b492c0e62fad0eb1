//! Where demands are found: by what they are, and those that may ask no more than a new one.
//!
//! *Background.* What asks no more contains the first set to be met, so it is found among the demands that contain a member of
//! it: the member that the fewest of them contain. Large sets would be listed under too many members; few demands have any,
//! and the largest of those are looked through one by one.
//!
//! *Practical.* All of it is in a number of [`Shard`]s, which several may add to at a time, each to some of them.

use std::ops::Range;

use hashbrown::HashTable;

use crate::{audit::demands::Demands, problem::Kind, sets::spread};

/// How many members a set has that is listed under each of them.
const SMALL: usize = 64;

/// How many demands with larger sets are kept in mind.
const LARGEST: usize = 64;

/// How many demands are looked at before a new one is taken to be needed, for good or ill: where that many are alike, looking
/// through all costs more than it saves.
const ENOUGH: usize = 64;

/// One look in so many must find something, or else only one demand in as many is looked at: on some problems hardly anything is
/// covered.
const SELDOM: u64 = 8;

/// How many looks are taken before that is judged.
const FIRST: u64 = 512;

/// In how many parts demands are listed.
pub(crate) const SHARDS: usize = 16;

/// A part of where demands are found: those with some hashes, and those that contain some places.
pub(crate) struct Shard {
    /// Numbers and hashes.
    table: HashTable<(u32, u32)>,
    /// For each kind and place, the demands whose first set to be met is small and contains it, ascending, with their prints. There is room for places of a kind
    /// when there are such demands.
    containing: [Vec<Vec<(u32, u64)>>; 2],
    places: [usize; 2],
}

impl Shard {
    fn contained(&mut self, (kind, at): (Kind, usize), entry: (u32, u64)) {
        let (lists, places) = (&mut self.containing[kind as usize], self.places[kind as usize]);
        if lists.is_empty() {
            lists.resize_with(places, Vec::new);
        }
        lists[at].push(entry);
    }
}

/// The parts that demands with this hash are in, and those that contain this place.
fn of_hash(hash: u32) -> usize {
    (hash >> 28) as usize % SHARDS
}

fn of_place(place: u32) -> (usize, usize) {
    (place as usize % SHARDS, place as usize / SHARDS)
}

/// Some parts that somebody adds to, from one on.
pub(crate) struct Listing {
    first: usize,
    shards: Vec<Shard>,
    numbers: Range<usize>,
}

impl Listing {
    /// Lists what is to be listed.
    pub fn go(&mut self, demands: &Demands) {
        let Self { first, shards, numbers } = self;
        for number in numbers.clone() {
            let demand = &demands.all[number];
            if let Some(shard) = shards.get_mut(of_hash(demand.hash).wrapping_sub(*first)) {
                let entry = (number as u32, demand.hash);
                shard.table.insert_unique(spread(demand.hash), entry, |&(_, hash)| spread(hash));
            }
            let members = demands.pool.get(demand.first_set());
            if demands.is_exact() || members.count() > SMALL {
                continue;
            }
            members.for_each(|place| {
                let (shard, at) = of_place(place);
                if let Some(shard) = shards.get_mut(shard.wrapping_sub(*first)) {
                    shard.contained((demand.kind, at), (number as u32, demand.print));
                }
            });
        }
    }
}

/// Where demands are found, and what others are compared with.
pub(crate) struct Cover {
    shards: Vec<Shard>,
    /// For each kind, how large the first sets are that are not small, most first.
    large: [Vec<(u32, u32)>; 2],
    looks: u64,
    found: u64,
    /// How many demands are listed.
    listed: usize,
}

/// What a look has shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub found: bool,
    /// How many demands were looked at.
    pub seen: u64,
}

impl Cover {
    /// For so many vertices of each kind.
    pub fn new(counts: [usize; 2]) -> Self {
        let shard = |_| Shard {
            table: HashTable::new(),
            containing: Default::default(),
            places: counts.map(|count| count.div_ceil(SHARDS)),
        };
        Self {
            shards: (0..SHARDS).map(shard).collect(),
            large: Default::default(),
            looks: 0,
            found: 0,
            listed: 0,
        }
    }

    /// Hands the parts out in so many pieces of work that list all demands which are not listed.
    pub fn hand_out(&mut self, demands: usize, count: usize) -> Vec<Listing> {
        let numbers = std::mem::replace(&mut self.listed, demands)..demands;
        let mut shards = std::mem::take(&mut self.shards);
        let mut pieces = Vec::with_capacity(count);
        for first in (0..SHARDS).step_by(SHARDS.div_ceil(count)).rev() {
            pieces.push(Listing { first, shards: shards.split_off(first), numbers: numbers.clone() });
        }
        pieces.reverse();
        pieces
    }

    /// Takes the parts back, in their order.
    pub fn take_back(&mut self, listed: impl Iterator<Item = Listing>) {
        self.shards.extend(listed.flat_map(|listing| listing.shards));
    }

    /// How many demands are not listed, of so many.
    pub fn unlisted(&self, demands: usize) -> usize {
        demands - self.listed
    }

    /// Keeps a demand in mind if its first set to be met is among the largest.
    pub fn keep_in_mind(&mut self, demand: u32, kind: Kind, size: usize) {
        if size <= SMALL {
            return;
        }
        let (large, size) = (&mut self.large[kind as usize], size as u32);
        let at = large.partition_point(|&(other, _)| other >= size);
        if at < LARGEST {
            large.insert(at, (size, demand));
            large.truncate(LARGEST);
        }
    }

    /// The number of a demand with this hash that is the `same`, if one is listed.
    pub fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let table = &self.shards[of_hash(hash)].table;
        let found = table.find(spread(hash), |&(number, other)| other == hash && same(number));
        found.map(|&(number, _)| number)
    }

    /// The small demands that contain a place.
    fn containing(&self, kind: Kind, place: u32) -> &[(u32, u64)] {
        let (shard, at) = of_place(place);
        self.shards[shard].containing[kind as usize].get(at).map_or(&[], Vec::as_slice)
    }

    /// Whether it pays to look for what covers one more demand, one of many that are told apart by their numbers.
    pub fn pays(&self, number: u64) -> bool {
        self.looks < FIRST || self.found * SELDOM >= self.looks || number.is_multiple_of(SELDOM)
    }

    /// Notes how many looks were taken, and how many found something.
    pub fn note(&mut self, looks: u64, found: u64) {
        self.looks += looks;
        self.found += found;
    }

    /// Whether one of the demands with these numbers covers another one that has this print and these members. Nothing is covered by what lacks
    /// some bits of its print.
    pub fn look(
        &self,
        numbers: Range<u32>,
        kind: Kind,
        print: u64,
        members: &[u32],
        covers: impl Fn(u32) -> bool,
    ) -> Look {
        let (mut seen, size) = (0, members.len() as u32);
        let mut large = self.large[kind as usize].iter().take_while(|&&(other, _)| other >= size);
        let mut found = large.any(|&(_, demand)| {
            seen += 1;
            numbers.contains(&demand) && covers(demand)
        });
        if !found && members.len() <= SMALL {
            let lists = members.iter().map(|&v| self.containing(kind, v));
            let rarest = lists.min_by_key(|list| list.len()).unwrap_or_default();
            let from = rarest.partition_point(|&(demand, _)| demand < numbers.start);
            let mut some = rarest[from..].iter().take(ENOUGH);
            found = some.any(|&(demand, theirs)| {
                seen += 1;
                print & !theirs == 0 && numbers.contains(&demand) && covers(demand)
            });
        }
        Look { found, seen }
    }
}
