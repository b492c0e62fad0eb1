//! SEEK a plan that some observers know and that never chooses: brute force over all of so many events.
//!
//! *Background.* Such a plan does one thing for each pair of what the robot knows (with what the other observers make of it) and what those who know the plan
//! have seen. So a moment is a function from what is known to what is done. Executions of one moment that come to the same place may differ in
//! length and cost; they go on alike, so only the longest and the dearest count.

use std::collections::BTreeMap;

use divulge::problem::{Label, Problem};

use super::{
    follow::Follow,
    known::{Node, Search},
    past::Estimate,
};
use crate::Refusal;

/// Ways to go on beyond this many are too many for brute force.
const MOST: usize = 20_000;

/// What the robot knows and the others make of it.
type Place = (Estimate, Vec<Follow>);

/// The most that may have been spent at each place: events and cost.
type Spent = BTreeMap<Place, (u64, u64)>;

/// What is done at each place: nothing more, or these events.
type Way = BTreeMap<Place, Option<Vec<Label>>>;

/// The least worst-case number of events of a plan that never chooses, if that is at most `most`.
///
/// # Errors
/// If a map is missing or a filter does not fit, or there are too many plans.
pub fn least_events(problem: &Problem, most: u64) -> Result<Option<u64>, Refusal> {
    for events in 0..=most {
        if exists(problem, events, None)? {
            return Ok(Some(events));
        }
    }
    Ok(None)
}

/// Whether there is one of at most so many events, and of at most this cost if one is given.
///
/// # Errors
/// As [`least_events`].
pub fn exists(problem: &Problem, events: u64, budget: Option<u64>) -> Result<bool, Refusal> {
    let search = Search::new(problem, events, budget)?;
    let places = search.robot.start().into_iter().map(|v| search.asked.begin(v)).collect();
    let Some(start) = search.sound((0, 0, places, search.crowd.start())) else { return Ok(false) };
    let runs = vec![0; search.runs.len()];
    let mut single = Single { search, tried: 0 };
    single.wins(&Spent::from([(place(&start), (0, 0))]), &runs)
}

fn place((_, _, places, follows): &Node) -> Place {
    (places.clone(), follows.clone())
}

struct Single<'p> {
    search: Search<'p>,
    tried: usize,
}

impl Single<'_> {
    /// Whether some way wins where an image has just been seen.
    fn wins(&mut self, begun: &Spent, runs: &[usize]) -> Result<bool, Refusal> {
        let mut todo = vec![Way::new()];
        while let Some(way) = todo.pop() {
            self.tried += 1;
            if self.tried > MOST {
                return Err(Refusal::TooLarge);
            }
            let Some((within, next)) = self.follow(begun, &way) else { continue };
            if let Some((open, &(events, cost))) = within.iter().find(|(place, _)| !way.contains_key(place)) {
                for choice in self.search.choices(&(events, cost, open.0.clone(), open.1.clone())) {
                    // Of actions one, of observations all.
                    if choice.as_ref().is_none_or(|chosen| chosen.len() == 1 || !self.acts(&open.0)) {
                        todo.push(way.clone().into_iter().chain([(open.clone(), choice)]).collect());
                    }
                }
                continue;
            }
            let stops = way.values().any(Option::is_none);
            let nodes =
                within.iter().map(|((places, follows), &(e, c))| (e, c, places.clone(), follows.clone()));
            let Some(runs) = self.search.kept(&nodes.collect(), stops, runs) else { continue };
            let mut won = true;
            for follows in next.values() {
                won = won && self.wins(follows, &runs)?;
            }
            if won {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn acts(&self, places: &Estimate) -> bool {
        self.search.robot.acts(&super::past::vertices(places))
    }

    /// The most that may have been spent at each place of the moment, and after each image; `None` if that is too much somewhere.
    fn follow(&self, begun: &Spent, way: &Way) -> Option<(Spent, BTreeMap<String, Spent>)> {
        let (mut within, mut next) = (begun.clone(), BTreeMap::<String, Spent>::new());
        loop {
            let before = within.clone();
            for (place, &(events, cost)) in &before {
                for &event in way.get(place).into_iter().flatten().flatten() {
                    // A circle costs more and more events, until it is too much.
                    let after =
                        self.search.after(&(events, cost, place.0.clone(), place.1.clone()), event)?;
                    let into = match &self.search.images[event.index()] {
                        Some(image) => next.entry(image.clone()).or_default(),
                        None => &mut within,
                    };
                    let most = into.entry(self::place(&after)).or_default();
                    *most = (most.0.max(after.0), most.1.max(after.1));
                }
            }
            if within == before {
                return Some((within, next));
            }
        }
    }
}
