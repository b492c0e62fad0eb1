//! Several observers as one: their states together.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::{
    formula::Course,
    observer::{
        ahead::Unknown,
        tracker::{StateId, Tracker},
    },
    problem::Image,
};

/// Observers, and where they have been found to be together.
#[derive(Debug)]
pub(super) struct Several<'a> {
    trackers: Vec<Tracker<'a>>,
    /// What each image of all of them together looks like to each, if it sees anything.
    looks: Vec<Box<[Option<Image>]>>,
    /// For each observer, the images of all of them together by what they look like to it: those it does not see first.
    by_look: Vec<ByLook>,
    places: Places,
    /// Room for the images that may follow, and for everybody's states before and after one of them.
    perhaps: Vec<u32>,
    from: Vec<StateId>,
    to: Vec<StateId>,
    /// Those who stay while others are dealt out, by number.
    stay: Vec<Option<Tracker<'a>>>,
}

/// Some of several observers, each with one of its states: whoever has them finds where these lead.
#[derive(Debug, Default)]
pub(crate) struct Part<'a> {
    all: Vec<(usize, Tracker<'a>, StateId)>,
    work: usize,
}

impl Part<'_> {
    /// Finds where the states lead.
    pub fn find(&mut self) {
        self.all.iter_mut().for_each(|(_, tracker, state)| _ = tracker.successors(*state));
    }
}

/// Images of all observers together, by what they look like to one of them.
#[derive(Debug)]
struct ByLook {
    images: Vec<u32>,
    /// Where those begin that it does not see, then those that look like each of its images; and where the last ones end.
    starts: Vec<u32>,
}

impl ByLook {
    fn new(looks: &[Box<[Option<Image>]>], observer: usize) -> Self {
        let number = |image: u32| looks[image as usize][observer].map_or(0, |look| look.index() + 1);
        let mut images: Vec<u32> = (0..looks.len() as u32).collect();
        images.sort_by_key(|&image| number(image));
        let most = images.last().map_or(0, |&image| number(image));
        let starts = (0..=most + 1).map(|look| images.partition_point(|&image| number(image) < look) as u32);
        Self { starts: starts.collect(), images }
    }

    /// Those that look like this to it, or that it does not see.
    fn of(&self, look: Option<Image>) -> &[u32] {
        let at = look.map_or(0, |image| image.index() + 1);
        match self.starts.get(at + 1) {
            Some(&end) => &self.images[self.starts[at] as usize..end as usize],
            None => &[],
        }
    }
}

impl<'a> Several<'a> {
    pub fn new(trackers: Vec<Tracker<'a>>, looks: Vec<Box<[Option<Image>]>>) -> Self {
        let mut places = Places { width: trackers.len(), states: Vec::new(), table: HashTable::new() };
        places.enter(&trackers.iter().map(Tracker::initial).collect::<Vec<_>>());
        let by_look = (0..trackers.len()).map(|observer| ByLook::new(&looks, observer)).collect();
        let (perhaps, from, to, stay) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { trackers, looks, by_look, places, perhaps, from, to, stay }
    }

    pub fn trackers(&self) -> &[Tracker<'a>] {
        &self.trackers
    }

    pub fn tracker(&mut self, observer: usize) -> &mut Tracker<'a> {
        &mut self.trackers[observer]
    }

    /// Everybody's states in a place.
    pub fn states(&self, place: u32) -> &[StateId] {
        self.places.get(place)
    }

    /// Those of whom something is unknown, of one state each, dealt out.
    pub fn deal(&mut self, unknown: &[Unknown], pieces: impl FnOnce(usize) -> usize) -> Vec<Part<'a>> {
        let count = pieces(unknown.iter().map(|one| one.work).sum()).min(unknown.len());
        if count < 2 {
            return Vec::new();
        }
        let mut parts = Vec::new();
        parts.resize_with(count, Part::default);
        self.stay.extend(self.trackers.drain(..).map(Some));
        // What takes most is dealt out first, each to whoever has least to do.
        let mut most_first: Vec<&Unknown> = unknown.iter().collect();
        most_first.sort_by_key(|own| std::cmp::Reverse(own.work));
        for &Unknown { observer, state, work } in most_first {
            let least = parts.iter_mut().min_by_key(|part| part.work);
            if let Some((part, tracker)) = least.zip(self.stay[observer].take()) {
                part.work += work;
                part.all.push((observer, tracker, state));
            }
        }
        parts
    }

    /// Has everybody back.
    pub fn gather(&mut self, parts: Vec<Part<'a>>) {
        for (observer, tracker, _) in parts.into_iter().flat_map(|part| part.all) {
            self.stay[observer] = Some(tracker);
        }
        self.trackers.extend(self.stay.drain(..).flatten());
    }

    /// What has become of everybody's stipulations.
    pub fn course(&self, place: u32) -> Course {
        let states = self.places.get(place).iter();
        states.zip(&self.trackers).fold(Course::open(), |all, (&state, one)| all.and(one.course(state)))
    }

    /// Adds the images that everybody expects, ascending, and the places that they lead to.
    pub fn successors(&mut self, place: u32, found: &mut Vec<(Image, StateId)>) {
        let Self { trackers, looks, by_look, places, perhaps, from, to, .. } = self;
        from.clear();
        from.extend_from_slice(places.get(place));
        to.clone_from(from);
        trackers.iter_mut().zip(&*from).for_each(|(tracker, &state)| _ = tracker.successors(state));
        // Whoever expects least tells what there is to look at.
        let expects = |observer: &usize| trackers[*observer].known_successors(from[*observer]).len();
        let Some(least) = (0..trackers.len()).min_by_key(expects) else { return };
        perhaps.clear();
        perhaps.extend_from_slice(by_look[least].of(None));
        for &(image, _) in trackers[least].known_successors(from[least]) {
            perhaps.extend_from_slice(by_look[least].of(Some(image)));
        }
        perhaps.sort_unstable();
        for &image in perhaps.iter() {
            let mut expected = true;
            for (observer, &state) in from.iter().enumerate() {
                let look = looks[image as usize][observer];
                match look.map_or(Some(state), |image| trackers[observer].known_step(state, image)) {
                    Some(next) => to[observer] = next,
                    None => {
                        expected = false;
                        break;
                    }
                }
            }
            if expected {
                found.push((Image(image), StateId(places.enter(to))));
            }
        }
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
        let place = table.len() as u32;
        states.extend_from_slice(of_each);
        table.insert_unique(hash(of_each), place, |&place| get(place, states));
        place
    }
}
