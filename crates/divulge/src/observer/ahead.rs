//! What states of an observer lead to, found by several before anybody asks.
//!
//! *Practical.* [`Tracker::unknown`] lists what is to be found out; [`Tracker::look_ahead`] finds some of it, in room of its own, without writing
//! anything down, and [`Ahead::write_down`] does that. Whoever writes it down for all states in the order in which they
//! would have been asked for gives all states the numbers that they would have had. Where there are few states, everybody looks at a piece of each, and
//! [`put_together`] writes down what all of them have found.

use crate::{
    formula::Course,
    observer::{
        one::One,
        successors::Successors,
        tracker::{StateId, Tracker},
    },
    problem::Image,
    sets::Members,
};

/// A state of one observer, by its number among several, of which is to be found out where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub observer: usize,
    pub state: StateId,
    /// About how much work it takes.
    pub work: usize,
}

/// Which piece of each state is looked at, of so many.
pub(crate) type Piece = (usize, usize);

/// States of observers in no more than so many shares of about as much work, in order.
pub(crate) fn shares(all: &[Unknown], count: usize) -> impl Iterator<Item = &[Unknown]> {
    let each = all.iter().map(|one| one.work).sum::<usize>().div_ceil(count.max(1));
    let mut rest = all;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let own = rest.iter().take_while(|one| {
            let takes = sum < each;
            sum += one.work;
            takes
        });
        let (share, others) = rest.split_at(own.count());
        rest = others;
        (!share.is_empty()).then_some(share)
    })
}

/// Room to find out where states lead, and what was found, for each of the observers who was asked.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    rooms: Vec<Option<Room>>,
}

impl Ahead {
    /// The room for one of the observers.
    pub(super) fn room(&mut self, observer: usize, one: &One<'_>) -> &mut Room {
        self.rooms.resize_with(self.rooms.len().max(observer + 1), || None);
        self.rooms[observer].get_or_insert_with(|| Room::new(one))
    }

    /// Writes down what was found, in order; forgets it.
    pub(crate) fn write_down(&mut self, tracker: &mut Tracker<'_>) {
        for (observer, room) in self.rooms.iter_mut().enumerate() {
            if let Some(room) = room {
                room.write_down(tracker.of_several(observer));
            }
        }
    }
}

/// Writes down where states lead of which each of several has looked at a piece, the same states in the same order.
pub(crate) fn put_together(all: &mut [&mut Ahead], tracker: &mut Tracker<'_>) {
    let observers = all.iter().map(|ahead| ahead.rooms.len()).max().unwrap_or(0);
    for observer in 0..observers {
        let rooms = all.iter_mut().filter_map(|ahead| ahead.rooms.get_mut(observer)?.as_mut());
        let mut rooms: Vec<&mut Room> = rooms.collect();
        let tracker = tracker.of_several(observer);
        for i in 0..rooms.iter().map(|room| room.states.len()).min().unwrap_or(0) {
            let state = rooms[0].states[i].0;
            if tracker.is_known(state) {
                continue;
            }
            tracker.lead_to(state, &mut Vec::new(), |one, _, next| {
                let One { tracked, sets, successors, .. } = one;
                let met_bits = rooms.iter().any(|room| room.successors.met_bits());
                let worked = rooms.iter_mut().map(|room| room.worked()).sum();
                successors.count(&tracked.graph, worked, met_bits);
                successors.put_together(rooms.iter().flat_map(|room| room.pieces(i)));
                next.extend(successors.found().map(|(image, set)| (image, StateId(sets.intern(set)))));
            });
        }
        rooms.iter_mut().for_each(|room| room.clear());
    }
}

/// Room to find successors of one observer in, and those that were found.
#[derive(Debug)]
pub(super) struct Room {
    successors: Successors,
    /// The states that were looked at, and where their successors end.
    states: Vec<(StateId, usize)>,
    found: Vec<(Image, Place)>,
    /// How much of its work was told of.
    told: u64,
    /// The members of beliefs that are new.
    lists: Vec<u32>,
    bits: Vec<u64>,
}

/// Where an image leads.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// To a belief that was stored before.
    Known(u32),
    /// To one that was not.
    New(New),
    /// To one that this is a piece of.
    Piece(Own),
}

/// Members that were found: where they begin and end, and whether they are bits.
#[derive(Clone, Copy, Debug)]
struct Own {
    begin: usize,
    end: usize,
    many: bool,
}

/// A belief that was not stored before.
#[derive(Clone, Copy, Debug)]
struct New {
    hash: u32,
    own: Own,
    /// What becomes of the stipulations there, as far as no other moment matters.
    course: Course,
}

impl Room {
    fn new(one: &One<'_>) -> Self {
        let (states, found, lists, bits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { successors: one.successors.anew(), states, found, told: 0, lists, bits }
    }

    /// Finds what a piece of a state in this place leads to.
    pub(super) fn look_at_piece(&mut self, one: &One<'_>, state: StateId, place: u32, piece: Piece) {
        self.successors.learn(&one.successors);
        self.successors.compute_piece(&one.tracked.graph, one.sets.get(place), piece);
        let Self { successors, states, found, lists, bits, .. } = self;
        found.extend(successors.found().map(|(image, set)| (image, Place::Piece(keep(set, lists, bits)))));
        states.push((state, found.len()));
    }

    /// What was found of a state.
    fn pieces(&self, state: usize) -> impl Iterator<Item = (Image, Members<'_>)> {
        let begin = state.checked_sub(1).map_or(0, |before| self.states[before].1);
        self.found[begin..self.states[state].1].iter().filter_map(|&(image, place)| match place {
            Place::Piece(own) => Some((image, self.members(own))),
            Place::Known(_) | Place::New(_) => None,
        })
    }

    fn members(&self, Own { begin, end, many }: Own) -> Members<'_> {
        if many { Members::Bits(&self.bits[begin..end]) } else { Members::List(&self.lists[begin..end]) }
    }

    /// How much was done since it was told of last.
    fn worked(&mut self) -> u64 {
        let told = std::mem::replace(&mut self.told, self.successors.work());
        self.told - told
    }

    fn clear(&mut self) {
        self.states.clear();
        self.found.clear();
        self.lists.clear();
        self.bits.clear();
    }

    /// Finds what a state in this place leads to.
    pub(super) fn look(&mut self, one: &One<'_>, state: StateId, place: u32) {
        let Self { successors, states, found, lists, bits, .. } = self;
        successors.learn(&one.successors);
        successors.compute(&one.tracked.graph, one.sets.get(place));
        for (image, set) in successors.found() {
            let hash = set.hash();
            let to = one.sets.find(set, hash).map_or_else(
                || {
                    let course = one.stipulations.now(&one.signatures.of(set));
                    Place::New(New { hash, own: keep(set, lists, bits), course })
                },
                Place::Known,
            );
            found.push((image, to));
        }
        states.push((state, found.len()));
    }

    /// Writes down where each state leads that was looked at, in order; forgets it.
    fn write_down(&mut self, tracker: &mut Tracker<'_>) {
        let (mut begin, mut courses, mut worked) = (0, Vec::new(), self.worked());
        for &(state, end) in &self.states {
            let own = self.found[begin..end].iter();
            begin = end;
            // Somebody else may have looked at it too.
            if tracker.is_known(state) {
                continue;
            }
            courses.clear();
            tracker.lead_to(state, &mut courses, |one, courses, next| {
                one.successors.count(
                    &one.tracked.graph,
                    std::mem::take(&mut worked),
                    self.successors.met_bits(),
                );
                for &(image, to) in own {
                    let place = match to {
                        Place::Known(place) => place,
                        Place::New(New { hash, own, course }) => {
                            let place = one.sets.intern_hashed(self.members(own), hash);
                            courses.push((place, course));
                            place
                        }
                        Place::Piece(_) => unreachable!("pieces are put together"),
                    };
                    next.push((image, StateId(place)));
                }
            });
        }
        self.clear();
    }
}

/// Keeps members.
fn keep(set: Members<'_>, lists: &mut Vec<u32>, bits: &mut Vec<u64>) -> Own {
    match set {
        Members::List(members) => {
            lists.extend_from_slice(members);
            Own { begin: lists.len() - members.len(), end: lists.len(), many: false }
        }
        Members::Bits(members) => {
            bits.extend_from_slice(members);
            Own { begin: bits.len() - members.len(), end: bits.len(), many: true }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_order_and_of_about_as_much_work() {
        let all: Vec<Unknown> =
            (0..100).map(|i| Unknown { observer: 0, state: StateId(i), work: 1 + i as usize }).collect();
        for count in 1..=8 {
            let parts: Vec<Vec<Unknown>> = shares(&all, count).map(<[Unknown]>::to_vec).collect();
            assert!(parts.len() <= count && parts.len() + 1 >= count);
            let work = |part: &Vec<Unknown>| part.iter().map(|one| one.work).sum::<usize>();
            assert!(parts.iter().all(|part| work(part) <= 5050 / count + 100));
            let states = parts.iter().flatten().map(|one| one.state.0);
            assert!(states.eq(0..100));
        }
        assert_eq!(shares(&[], 3).count(), 0);
    }
}
