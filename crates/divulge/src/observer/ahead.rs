//! What states of an observer lead to, found by several before anybody asks.
//!
//! *Practical.* [`Tracker::unknown`] lists what is to be found out; [`Tracker::look_ahead`] finds some of it, in room of its own, without writing
//! anything down, and [`Ahead::write_down`] does that. Whoever writes it down for all states in the order in which they
//! would have been asked for gives all states the numbers that they would have had.

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
}

/// Room to find successors of one observer in, and those that were found.
#[derive(Debug)]
pub(super) struct Room {
    successors: Successors,
    /// The states that were looked at, and where their successors end.
    states: Vec<(StateId, usize)>,
    found: Vec<(Image, Place)>,
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
}

/// A belief that was not stored before.
#[derive(Clone, Copy, Debug)]
struct New {
    hash: u32,
    /// Where its members begin and end, and whether they are bits.
    begin: usize,
    end: usize,
    many: bool,
    /// What becomes of the stipulations there, as far as no other moment matters.
    course: Course,
}

impl Room {
    fn new(one: &One<'_>) -> Self {
        let (states, found, lists, bits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { successors: one.successors.anew(), states, found, lists, bits }
    }

    /// Finds what a state in this place leads to.
    pub(super) fn look(&mut self, one: &One<'_>, state: StateId, place: u32) {
        let Self { successors, states, found, lists, bits } = self;
        successors.compute(&one.tracked.graph, one.sets.get(place));
        for (image, set) in successors.found() {
            let hash = set.hash();
            let to = one.sets.find(set, hash).map_or_else(
                || {
                    let (begin, end, many) = match set {
                        Members::List(members) => {
                            lists.extend_from_slice(members);
                            (lists.len() - members.len(), lists.len(), false)
                        }
                        Members::Bits(members) => {
                            bits.extend_from_slice(members);
                            (bits.len() - members.len(), bits.len(), true)
                        }
                    };
                    let course = one.stipulations.now(&one.signatures.of(set));
                    Place::New(New { hash, begin, end, many, course })
                },
                Place::Known,
            );
            found.push((image, to));
        }
        states.push((state, found.len()));
    }

    /// Writes down where each state leads that was looked at, in order; forgets it.
    fn write_down(&mut self, tracker: &mut Tracker<'_>) {
        let Self { states, found, lists, bits, .. } = self;
        let (mut begin, mut courses) = (0, Vec::new());
        for (state, end) in states.drain(..) {
            let own = found[begin..end].iter();
            begin = end;
            // Somebody else may have looked at it too.
            if tracker.is_known(state) {
                continue;
            }
            courses.clear();
            tracker.lead_to(state, &mut courses, |one, courses, next| {
                for &(image, to) in own {
                    let place = match to {
                        Place::Known(place) => place,
                        Place::New(New { hash, begin, end, many, course }) => {
                            let set = match many {
                                true => Members::Bits(&bits[begin..end]),
                                false => Members::List(&lists[begin..end]),
                            };
                            let place = one.sets.intern_hashed(set, hash);
                            courses.push((place, course));
                            place
                        }
                    };
                    next.push((image, StateId(place)));
                }
            });
        }
        found.clear();
        lists.clear();
        bits.clear();
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
