//! Several observers as one: their states together.

use rustc_hash::FxHashMap;

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
    places: Vec<Box<[StateId]>>,
    number: FxHashMap<Box<[StateId]>, u32>,
}

impl<'a> Several<'a> {
    pub fn new(trackers: Vec<Tracker<'a>>, looks: Vec<Box<[Option<Image>]>>) -> Self {
        let start: Box<[StateId]> = trackers.iter().map(Tracker::initial).collect();
        let number = FxHashMap::from_iter([(start.clone(), 0)]);
        Self { trackers, looks, places: vec![start], number }
    }

    pub fn trackers(&self) -> &[Tracker<'a>] {
        &self.trackers
    }

    /// What has become of everybody's stipulations.
    pub fn course(&self, place: u32) -> Course {
        let states = self.places[place as usize].iter();
        states.zip(&self.trackers).fold(Course::open(), |all, (&state, one)| all.and(one.course(state)))
    }

    /// The images that everybody expects, ascending, and the places that they lead to.
    pub fn successors(&mut self, place: u32) -> Vec<(Image, StateId)> {
        let Self { trackers, looks, places, number } = self;
        let from = places[place as usize].clone();
        let mut found = Vec::new();
        for (image, look) in looks.iter().enumerate() {
            let each = trackers.iter_mut().zip(&from).zip(look);
            let to: Option<Box<[StateId]>> =
                each.map(|((tracker, &state), &image)| tracker.step(state, image)).collect();
            let Some(to) = to else { continue };
            let to = *number.entry(to).or_insert_with_key(|to| {
                places.push(to.clone());
                places.len() as u32 - 1
            });
            found.push((Image(image as u32), StateId(to)));
        }
        found
    }
}
