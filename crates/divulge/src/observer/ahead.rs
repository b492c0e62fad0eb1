//! What states of an observer lead to, found by several before anybody asks.
//!
//! *Practical.* [`Tracker::ahead`] gives everybody room of their own, [`Tracker::look_ahead`] finds what some states lead to, without writing anything
//! down, and [`Tracker::write_down`] does that. Whoever writes it down for all states in the order in which they would have been asked for gives
//! all states the numbers that they would have had.

use crate::{
    observer::{
        one::One,
        successors::Successors,
        tracker::{StateId, Tracker},
    },
    problem::Image,
    sets::Members,
};

/// Room to find successors in, and those that were found.
#[derive(Debug)]
pub(crate) struct Ahead {
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
    /// To one that was not: its hash, and where its members begin and end.
    List {
        hash: u32,
        begin: usize,
        end: usize,
    },
    Bits {
        hash: u32,
        begin: usize,
        end: usize,
    },
}

impl Ahead {
    /// Room for the successors of one observer with perfect recall.
    pub(super) fn new(one: &One<'_>) -> Self {
        let (states, found, lists, bits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { successors: one.successors.anew(), states, found, lists, bits }
    }

    /// Finds what a state in this place leads to.
    pub(super) fn look(&mut self, one: &One<'_>, state: StateId, place: u32) {
        self.successors.compute(&one.tracked.graph, one.sets.get(place));
        for (image, set) in self.successors.found() {
            let hash = set.hash();
            let to = match (one.sets.find(set, hash), set) {
                (Some(known), _) => Place::Known(known),
                (None, Members::List(list)) => {
                    let begin = self.lists.len();
                    self.lists.extend_from_slice(list);
                    Place::List { hash, begin, end: self.lists.len() }
                }
                (None, Members::Bits(bits)) => {
                    let begin = self.bits.len();
                    self.bits.extend_from_slice(bits);
                    Place::Bits { hash, begin, end: self.bits.len() }
                }
            };
            self.found.push((image, to));
        }
        self.states.push((state, self.found.len()));
    }

    /// What is to be written down of each state that was looked at, in order; forgets it.
    pub(crate) fn write_down(&mut self, tracker: &mut Tracker<'_>) {
        let Self { states, found, lists, bits, .. } = self;
        let mut begin = 0;
        for (state, end) in states.drain(..) {
            let own = found[begin..end].iter();
            begin = end;
            // Somebody else may have looked at it too.
            if tracker.is_known(state) {
                continue;
            }
            tracker.lead_to(state, |one, next| {
                next.extend(own.map(|&(image, to)| {
                    let place = match to {
                        Place::Known(place) => place,
                        Place::List { hash, begin, end } => {
                            one.sets.intern_hashed(Members::List(&lists[begin..end]), hash)
                        }
                        Place::Bits { hash, begin, end } => {
                            one.sets.intern_hashed(Members::Bits(&bits[begin..end]), hash)
                        }
                    };
                    (image, StateId(place))
                }));
            });
        }
        found.clear();
        lists.clear();
        bits.clear();
    }
}
