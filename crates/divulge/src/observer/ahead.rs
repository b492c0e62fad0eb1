//! What states of an observer lead to, found by several before anybody asks.
//!
//! *Practical.* [`Tracker::unknown`] lists what is to be found out; [`Tracker::look_ahead`] finds some of it, in room of its own, without writing
//! anything down, and [`Ahead::write_down`] does that, for all of it or, with [`Ahead::write_one`], for one state. Whoever writes it down for all states in the order
//! in which they would have been asked for gives all states the numbers that they would have had.

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

    /// The place among what was found of a state of one of the observers, if it was looked at.
    pub(crate) fn position(&self, observer: usize, state: StateId) -> Option<usize> {
        let room = self.rooms.get(observer)?.as_ref()?;
        room.states.iter().position(|(other, _)| *other == state)
    }

    /// Writes down what stands in a place of what was found of an observer.
    pub(crate) fn write_one(&mut self, observer: usize, position: usize, tracker: &mut Tracker<'_>) {
        if let Some(Some(room)) = self.rooms.get_mut(observer) {
            room.write_one(position, tracker.of_several(observer));
        }
    }

    /// Forgets what was found.
    pub(crate) fn clear(&mut self) {
        self.rooms.iter_mut().flatten().for_each(Room::clear);
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
    bits: Vec<Box<[u64]>>,
}

/// Where an image leads.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// To a belief that was stored before.
    Known(u32),
    /// To one that was not.
    New(New),
}

/// Members that were found.
#[derive(Clone, Copy, Debug)]
enum Own {
    /// Where they begin and end in the list.
    List(usize, usize),
    /// Which of the bits they are.
    Bits(usize),
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
        (0..self.states.len()).for_each(|position| self.write_one(position, tracker));
        self.clear();
    }

    /// Writes down where one of the states leads that were looked at.
    fn write_one(&mut self, position: usize, tracker: &mut Tracker<'_>) {
        let (state, end) = self.states[position];
        // Somebody else may have looked at it too.
        if tracker.is_known(state) {
            return;
        }
        let begin = position.checked_sub(1).map_or(0, |before| self.states[before].1);
        let (worked, met_bits) = (self.worked(), self.successors.met_bits());
        let Self { found, lists, bits, .. } = self;
        tracker.lead_to(state, &mut Vec::new(), |one, courses, next| {
            one.successors.count(&one.tracked.graph, worked, met_bits);
            for &(image, to) in &found[begin..end] {
                let place = match to {
                    Place::Known(place) => place,
                    Place::New(New { hash, own, course }) => {
                        let place = match own {
                            Own::List(begin, end) => {
                                one.sets.intern_hashed(Members::List(&lists[begin..end]), hash)
                            }
                            Own::Bits(at) => one.sets.intern_bits(std::mem::take(&mut bits[at]), hash),
                        };
                        courses.push((place, course));
                        place
                    }
                };
                next.push((image, StateId(place)));
            }
        });
    }
}

/// Keeps members.
fn keep(set: Members<'_>, lists: &mut Vec<u32>, all_bits: &mut Vec<Box<[u64]>>) -> Own {
    match set {
        Members::List(members) => {
            lists.extend_from_slice(members);
            Own::List(lists.len() - members.len(), lists.len())
        }
        // The copy is written from the first word on. Room that is clear would be read first, and then its pages are mapped twice, which
        // stops all threads.
        Members::Bits(bits) => {
            all_bits.push(bits.into());
            Own::Bits(all_bits.len() - 1)
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
