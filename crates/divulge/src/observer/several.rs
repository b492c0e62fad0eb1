//! Several observers as one: their states together.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::{
    formula::Course,
    observer::tracker::{StateId, Tracker},
    problem::Image,
};

/// Observers, and where they have been found to be together.
#[derive(Debug)]
pub(super) struct Several<'a> {
    trackers: Vec<Tracker<'a>>,
    /// What each image of all of them together looks like to each, if it sees anything.
    looks: Vec<Box<[Option<Image>]>>,
    places: Places,
}

impl<'a> Several<'a> {
    pub fn new(trackers: Vec<Tracker<'a>>, looks: Vec<Box<[Option<Image>]>>) -> Self {
        let mut places = Places { width: trackers.len(), states: Vec::new(), table: HashTable::new() };
        places.enter(&trackers.iter().map(Tracker::initial).collect::<Vec<_>>());
        Self { trackers, looks, places }
    }

    pub fn trackers(&self) -> &[Tracker<'a>] {
        &self.trackers
    }

    /// What has become of everybody's stipulations.
    pub fn course(&self, place: u32) -> Course {
        let states = self.places.get(place).iter();
        states.zip(&self.trackers).fold(Course::open(), |all, (&state, one)| all.and(one.course(state)))
    }

    /// The images that everybody expects, ascending, and the places that they lead to.
    pub fn successors(&mut self, place: u32) -> Vec<(Image, StateId)> {
        let Self { trackers, looks, places } = self;
        let from = places.get(place).to_vec();
        trackers.iter_mut().zip(&from).for_each(|(tracker, &state)| _ = tracker.successors(state));
        let mut found = Vec::new();
        let mut to = from.clone();
        for (image, look) in looks.iter().enumerate() {
            let each = trackers.iter().zip(&from).zip(look).zip(&mut to);
            let expected = each.into_iter().all(|(((tracker, &state), look), to)| {
                let next = look.map_or(Some(state), |image| tracker.known_step(state, image));
                next.map(|next| *to = next).is_some()
            });
            if expected {
                found.push((Image(image as u32), StateId(places.enter(&to))));
            }
        }
        found
    }
}

/// Everybody's states, each combination stored once and numbered in order of first mention.
#[derive(Debug)]
struct Places {
    /// How many observers there are.
    width: usize,
    states: Vec<StateId>,
    table: HashTable<u32>,
}

impl Places {
    fn get(&self, place: u32) -> &[StateId] {
        &self.states[place as usize * self.width..][..self.width]
    }

    fn enter(&mut self, of_each: &[StateId]) -> u32 {
        let Self { width, states, table } = self;
        let hash = |of_each: &[StateId]| BuildHasherDefault::<FxHasher>::default().hash_one(of_each);
        let get = |place: u32, states: &[StateId]| hash(&states[place as usize * *width..][..*width]);
        let same = |&place: &u32| states[place as usize * *width..][..*width] == *of_each;
        if let Some(&known) = table.find(hash(of_each), same) {
            return known;
        }
        let place = (states.len() / *width) as u32;
        states.extend_from_slice(of_each);
        table.insert_unique(hash(of_each), place, |&place| get(place, states));
        place
    }
}
