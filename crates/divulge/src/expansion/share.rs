//! What several threads do of a subset construction, in two turns: each finds what follows its share of the sets, then each stores what it is the
//! keeper of. In between, and while there is little to do, nobody but the leader does anything.
//!
//! *Practical.* A target that has no number yet is a promise: of a vertex alone, or of the next set that a keeper was given by this share. Promises are
//! redeemed when all that was found has its numbers, at the beginning of the share's next turn.

use std::{
    ops::{Deref, Range},
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use super::{
    expand::Actions,
    known::{Alone, CLAIMS, Keeper, Places, keeper_of},
    steps::{Steps, as_stored},
};
use crate::{
    problem::{Arc, Kind, PGraph, Vertex},
    sets::Members,
};

/// Something to do for a thread.
pub(super) enum Task {
    /// To find what follows these sets.
    Look { share: usize, sets: Range<usize>, by_all: bool },
    /// To store what so many shares have found for a keeper.
    Keep { keeper: usize, shares: usize },
}

/// Which sets are to be expanded next: they come in waves of one kind each.
pub(super) struct Front {
    pub at: usize,
    /// Where the wave begins and ends.
    pub begin: usize,
    pub end: usize,
    /// The kinds of all sets up to there.
    pub kinds: Vec<Kind>,
    next: Kind,
    actions: Actions,
}

impl Front {
    /// Nothing yet, before a wave of one kind.
    pub fn new(initial: Kind, actions: Actions) -> Self {
        Self { at: 0, begin: 0, end: 0, kinds: Vec::new(), next: initial, actions }
    }

    /// Turns to the next wave, which ends there.
    pub fn turn(&mut self, end: usize) {
        self.kinds.resize(end, self.next);
        self.next = self.next.other();
        (self.begin, self.end) = (self.end, end);
    }

    /// Whether only what every member bears is followed in this wave.
    pub fn by_all(&self) -> bool {
        self.next == Kind::Observation && self.actions == Actions::Safe
    }
}

/// What all threads see.
pub(super) struct Ground<'g> {
    graph: &'g PGraph,
    alone: Alone,
    places: RwLock<Places>,
    keepers: Vec<RwLock<Keeper>>,
    shares: Vec<RwLock<Share<'g>>>,
}

/// Somebody's share of the sets that are expanded at a time, and all arcs that it has found.
struct Share<'g> {
    steps: Steps<'g>,
    arcs: Vec<Arc>,
    /// How many arcs each set has that was expanded at last.
    counts: Vec<u32>,
    /// What is mentioned: vertices alone that it claims, and the keepers of other sets.
    mentioned: Vec<u32>,
    given: Vec<Given>,
    /// Which share it is.
    number: usize,
    /// For a set that is expanded while others are stored.
    room: Given,
    /// Where the arcs begin that are promises, and the numbers up to which they are none.
    open: (usize, u32),
}

/// What a share gives to a keeper.
#[derive(Default)]
struct Given {
    /// Their hashes and how many entries each has in the list; none has as many as [`BITS`].
    sets: Vec<(u32, u32)>,
    lists: Vec<u32>,
    bits: Vec<u64>,
}

/// Stands for a set that is kept as bits.
const BITS: u32 = u32::MAX;

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl<'g> Ground<'g> {
    /// For so many threads.
    pub fn new(graph: &'g PGraph, threads: usize) -> Self {
        Self {
            graph,
            alone: Alone::new(graph.len()),
            // Many worlds are expanded to about as much as they are. Room that nobody writes to is not taken.
            places: RwLock::new(Places::with_room(graph.len())),
            keepers: (0..threads).map(|_| RwLock::new(Keeper::new(graph.len(), threads))).collect(),
            shares: (0..threads).map(|number| RwLock::new(Share::new(graph, number, threads))).collect(),
        }
    }

    /// Stores the first set.
    pub fn start(&self, initial: &[Vertex]) {
        let list: Vec<u32> = initial.iter().map(|v| v.0).collect();
        let (mut keepers, places) = (self.all_keepers(), &mut *write(&self.places));
        as_stored(&list, &mut vec![0; self.alone.len().div_ceil(64)], |set| {
            self.mention(set, places, &mut keepers);
        });
    }

    fn all_keepers(&self) -> Vec<RwLockWriteGuard<'_, Keeper>> {
        self.keepers.iter().map(write).collect()
    }

    /// The number of a set, which is stored if it is new.
    fn mention(
        &self,
        set: Members<'_>,
        places: &mut Places,
        keepers: &mut [RwLockWriteGuard<'_, Keeper>],
    ) -> u32 {
        if let Members::List(&[one]) = set {
            return match self.alone.number(one) {
                u32::MAX => places.add_one(one, &self.alone),
                number => number,
            };
        }
        let hash = set.hash();
        let keeper = keeper_of(hash, keepers.len());
        let Keeper { sets, numbers, .. } = &mut *keepers[keeper];
        places.number(keeper, sets.intern_hashed(set, hash), numbers)
    }

    /// How many sets are known, and how many members they have.
    pub fn known(&self) -> (usize, u64) {
        let (mut alone, mut members) = (read(&self.places).len(), 0);
        for keeper in &self.keepers {
            let keeper = read(keeper);
            alone -= keeper.numbers.len();
            members += keeper.sets.members();
        }
        (read(&self.places).len(), members + alone as u64)
    }

    /// Whether there are numbers for promises beside those of so many sets.
    pub fn fits(&self, known: usize) -> bool {
        known + self.alone.len() + self.keepers.len() < CLAIMS as usize
    }

    /// How many arcs a vertex of the world has, about.
    pub fn arcs_each(&self) -> usize {
        1 + self.graph.arc_count() / self.graph.len()
    }

    /// How many keepers there are.
    pub fn keepers(&self) -> usize {
        self.keepers.len()
    }

    /// How many arcs the sets have that a share has expanded at last.
    pub fn counts<R>(&self, share: usize, look: impl FnOnce(&[u32]) -> R) -> R {
        look(&read(&self.shares[share]).counts)
    }

    /// Everything, when there is nothing more to be found: where sets are, who keeps them, and the arcs of each share.
    pub fn into_parts(self) -> (Places, Vec<Keeper>, Vec<Vec<Arc>>) {
        let places = self.places.into_inner().unwrap_or_else(PoisonError::into_inner);
        let keepers = self
            .keepers
            .into_iter()
            .map(|keeper| keeper.into_inner().unwrap_or_else(PoisonError::into_inner));
        let keepers: Vec<Keeper> = keepers.collect();
        let arcs = self.shares.into_iter().map(|share| {
            let mut share = share.into_inner().unwrap_or_else(PoisonError::into_inner);
            share.redeem(&self.alone, &keepers.iter().collect::<Vec<_>>());
            share.arcs
        });
        let arcs = arcs.collect();
        (places, keepers, arcs)
    }

    /// Does something.
    pub fn work(&self, task: &Task) {
        match *task {
            Task::Look { share, ref sets, by_all } => self.look(share, sets.clone(), by_all),
            Task::Keep { keeper, shares } => self.keep(keeper, shares),
        }
    }

    /// Has a share find what follows some sets.
    fn look(&self, number: usize, sets: Range<usize>, by_all: bool) {
        let mut share = write(&self.shares[number]);
        let keepers: Vec<_> = self.keepers.iter().map(read).collect();
        share.redeem(&self.alone, &keepers);
        let places = read(&self.places);
        let (known, claim) = (places.len() as u32, CLAIMS + number as u32);
        let vertices = self.alone.len() as u32;
        let Share { steps, arcs, counts, mentioned, given, .. } = &mut *share;
        mentioned.clear();
        counts.clear();
        given.iter_mut().for_each(Given::clear);
        let first = arcs.len();
        for set in sets {
            let before = arcs.len();
            steps.each(places.get(set, &keepers), by_all, |label, next| {
                let to = if let Members::List(&[one]) = next {
                    let number = self.alone.claim(one, claim, || mentioned.push(one));
                    if number < CLAIMS { number } else { known + one }
                } else {
                    let hash = next.hash();
                    let keeper = keeper_of(hash, given.len());
                    given[keeper].add(next, hash);
                    mentioned.push(vertices + keeper as u32);
                    known + vertices + keeper as u32
                };
                arcs.push(Arc { label, to: Vertex(to) });
            });
            counts.push((arcs.len() - before) as u32);
        }
        share.open = (first, known);
    }

    /// Stores what shares have found for a keeper.
    fn keep(&self, keeper: usize, shares: usize) {
        let Keeper { sets, found, .. } = &mut *write(&self.keepers[keeper]);
        for (share, found) in self.shares[..shares].iter().zip(found) {
            found.clear();
            read(share).given[keeper]
                .each(sets.words(), |set, hash| found.push(sets.intern_hashed(set, hash)));
        }
    }

    /// Whoever leads: how many sets were given to keepers by so many shares.
    pub fn given(&self, shares: usize) -> usize {
        let of =
            |share: &RwLock<Share<'_>>| read(share).given.iter().map(|given| given.sets.len()).sum::<usize>();
        self.shares[..shares].iter().map(of).sum()
    }

    /// Whoever leads: numbers what so many shares have mentioned and is new.
    pub fn number(&self, shares: usize) {
        let places = &mut *write(&self.places);
        let mut keepers = self.all_keepers();
        for (number, share) in self.shares[..shares].iter().enumerate() {
            let mut next = vec![0; keepers.len()];
            for &mentioned in &read(share).mentioned {
                let Some(keeper) = (mentioned as usize).checked_sub(self.alone.len()) else {
                    if self.alone.number(mentioned) == CLAIMS + number as u32 {
                        places.add_one(mentioned, &self.alone);
                    }
                    continue;
                };
                let Keeper { numbers, found, .. } = &mut *keepers[keeper];
                places.number(keeper, found[number][next[keeper]], numbers);
                next[keeper] += 1;
            }
        }
    }

    /// Whoever leads: expands so many sets by itself, as they come, and goes on to the next wave where it has few.
    pub fn one_by_one(&self, front: &mut Front, most: usize, few: usize) {
        let (mut share, mut keepers) = (write(&self.shares[0]), self.all_keepers());
        share.redeem(&self.alone, &keepers);
        let places = &mut *write(&self.places);
        let Share { steps, arcs, counts, room, .. } = &mut *share;
        counts.clear();
        let last = front.at + most;
        loop {
            let by_all = front.by_all();
            let sets = front.at..front.end.min(last);
            front.at = sets.end;
            for set in sets {
                let before = arcs.len();
                // Places may be moved when others are added.
                let members = room.copy(places.get(set, &keepers));
                steps.each(members, by_all, |label, next| {
                    let to = self.mention(next, places, &mut keepers);
                    arcs.push(Arc { label, to: Vertex(to) });
                });
                counts.push((arcs.len() - before) as u32);
            }
            let next = front.end..places.len();
            if front.at == last || next.is_empty() || next.len() >= few {
                break;
            }
            front.turn(next.end);
        }
        share.open.0 = share.arcs.len();
    }
}

impl<'g> Share<'g> {
    fn new(graph: &'g PGraph, number: usize, keepers: usize) -> Self {
        Self {
            steps: Steps::new(graph),
            arcs: Vec::with_capacity(graph.arc_count() / keepers),
            counts: Vec::new(),
            mentioned: Vec::new(),
            given: (0..keepers).map(|_| Given::default()).collect(),
            open: (0, 0),
            number,
            room: Given::default(),
        }
    }

    /// Redeems promises.
    fn redeem(&mut self, alone: &Alone, keepers: &[impl Deref<Target = Keeper>]) {
        let ((first, known), vertices) = (self.open, alone.len() as u32);
        let mut next = vec![0; keepers.len()];
        for arc in &mut self.arcs[first..] {
            let Some(promise) = arc.to.0.checked_sub(known) else { continue };
            arc.to = Vertex(match promise.checked_sub(vertices) {
                None => alone.number(promise),
                Some(keeper) => {
                    let (keeper, next) = (&keepers[keeper as usize], &mut next[keeper as usize]);
                    *next += 1;
                    keeper.numbers[keeper.found[self.number][*next - 1] as usize]
                }
            });
        }
        self.open.0 = self.arcs.len();
    }
}

impl Given {
    fn clear(&mut self) {
        self.sets.clear();
        self.lists.clear();
        self.bits.clear();
    }

    fn add(&mut self, set: Members<'_>, hash: u32) {
        match set {
            Members::List(list) => {
                self.sets.push((hash, list.len() as u32));
                self.lists.extend_from_slice(list);
            }
            Members::Bits(bits) => {
                self.sets.push((hash, BITS));
                self.bits.extend_from_slice(bits);
            }
        }
    }

    /// Calls `each` with every set and its hash; those of bits have so many words.
    fn each(&self, words: usize, mut each: impl FnMut(Members<'_>, u32)) {
        let (mut lists, mut bits) = (&self.lists[..], &self.bits[..]);
        for &(hash, len) in &self.sets {
            let set;
            if len == BITS {
                (set, bits) = (Members::Bits(&bits[..words]), &bits[words..]);
            } else {
                let (list, rest) = lists.split_at(len as usize);
                (set, lists) = (Members::List(list), rest);
            }
            each(set, hash);
        }
    }

    /// A copy of a set alone.
    fn copy(&mut self, set: Members<'_>) -> Members<'_> {
        self.clear();
        self.add(set, 0);
        match set {
            Members::List(_) => Members::List(&self.lists),
            Members::Bits(_) => Members::Bits(&self.bits),
        }
    }
}
