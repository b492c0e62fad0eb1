//! Games in which nothing is decided of the map, played once: whoever asks why a map fails begins with one, and most maps are asked about for the same
//! number of events.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::maps::games::partly_decided::Outcome;

/// Games that are kept have no more nodes than this in all.
const MOST_KEPT: usize = 400_000;

/// What is known of a game.
enum Known {
    /// What came of it.
    Outcome(Arc<Outcome>),
    /// It has more nodes than this.
    Larger(usize),
}

/// What came of games in which nothing is decided, by the most events that plans may have there. It belongs to the beliefs that they were played with.
#[derive(Default)]
pub struct Beginnings {
    known: FxHashMap<u32, Known>,
    nodes: usize,
}

impl Beginnings {
    /// What came of a game, or nothing where it has more than `most` nodes; `None` if that is not known.
    pub fn find(&self, within: u32, most: usize) -> Option<Option<Arc<Outcome>>> {
        match self.known.get(&within)? {
            Known::Outcome(outcome) => Some((outcome.nodes() <= most).then(|| outcome.clone())),
            Known::Larger(than) => (most <= *than).then_some(None),
        }
    }

    /// Takes note of what came of a game that was to have at most so many nodes, and of which that was not known.
    pub fn note(&mut self, within: u32, most: usize, outcome: Option<&Arc<Outcome>>) {
        let nodes = outcome.map_or(0, |outcome| outcome.nodes());
        if nodes > MOST_KEPT {
            return;
        }
        if self.nodes + nodes > MOST_KEPT {
            *self = Self::default();
        }
        self.nodes += nodes;
        let known = outcome.map_or(Known::Larger(most), |outcome| Known::Outcome(outcome.clone()));
        self.known.insert(within, known);
    }
}
