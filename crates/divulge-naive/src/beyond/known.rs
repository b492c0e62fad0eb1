//! SEEK a plan that some observers know, all of whom see alike: brute force over all plans of so many events.
//!
//! *Background.* A plan chooses, after every execution, to stop or to go on with a non-empty set of safe actions, or with whatever is
//! observed. The executions that look like x make up one moment: those that an image has just been added to, and those that unseen events
//! lead to from there. The estimate is what they all reach. What follows different images is independent, so plans can be put together moment by
//! moment. Two executions of one moment that reach the same places, leave the other observers alike and are of the same length (and cost)
//! may as well go on with the union of what follows either: what is reached by which images stays the same, and so does the worst case.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use divulge::problem::{Knows, Label, Problem, Scope, Stipulation};

use super::{
    follow::{End, Follow, automata},
    past::{Asked, Estimate, vertices},
    runs::Run,
    seek::Crowd,
    watcher::images,
};
use crate::{Refusal, expansion::Robot, graph::Set};

/// Choices beyond this many are too many for brute force.
const MOST: usize = 20_000;

/// All that matters of an execution: its length, what it costs, the places it reaches, and what the other observers make of it. The length
/// comes first, so that shorter executions do.
pub(super) type Node = (u64, u64, Estimate, Vec<Follow>);

/// The executions that look alike, right after an image (or the start), and the states of the runs before this moment.
type State = (BTreeSet<Node>, Vec<usize>);

/// One way to go through a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    pending: BTreeSet<Node>,
    within: BTreeSet<Node>,
    stops: bool,
    next: BTreeMap<String, BTreeSet<Node>>,
}

pub(super) struct Search<'p> {
    problem: &'p Problem,
    pub(super) robot: Robot,
    ranks: BTreeMap<Set, usize>,
    pub(super) crowd: Crowd<'p>,
    pub(super) asked: Asked<'p>,
    pub(super) images: Vec<Option<String>>,
    stipulations: Vec<&'p Stipulation>,
    pub(super) runs: Vec<Run>,
    most: u64,
    budget: Option<u64>,
    known: RefCell<BTreeMap<State, bool>>,
}

/// The least worst-case number of events of a plan, if that is at most `most`.
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

/// Whether there is a plan of at most so many events, and of at most this cost if one is given.
///
/// # Errors
/// As [`least_events`].
pub fn exists(problem: &Problem, events: u64, budget: Option<u64>) -> Result<bool, Refusal> {
    Search::new(problem, events, budget)?.start()
}

impl<'p> Search<'p> {
    pub(super) fn new(problem: &'p Problem, most: u64, budget: Option<u64>) -> Result<Self, Refusal> {
        let knowing: Vec<_> = problem.observers().filter(|o| o.knows == Knows::Plan).collect();
        let map = knowing[0].map.as_ref().ok_or(Refusal::NoMap)?;
        let mut runs = Vec::new();
        for observer in &knowing {
            runs.extend(automata(&observer.stipulations)?.into_iter().flatten());
        }
        let robot = Robot::new(problem);
        Ok(Self {
            problem,
            ranks: robot.ranks(),
            robot,
            crowd: Crowd::new(problem)?,
            asked: Asked::new(problem),
            images: images(problem, map),
            stipulations: knowing.iter().flat_map(|o| &o.stipulations).collect(),
            runs,
            most,
            budget,
            known: RefCell::default(),
        })
    }

    fn start(&self) -> Result<bool, Refusal> {
        let places = self.robot.start().into_iter().map(|v| self.asked.begin(v)).collect();
        match self.sound((0, 0, places, self.crowd.start())) {
            None => Ok(false),
            Some(node) => self.wins((BTreeSet::from([node]), vec![0; self.runs.len()])),
        }
    }

    /// The node, if a plan may come there and reach the goal in time.
    pub(super) fn sound(&self, node: Node) -> Option<Node> {
        let (spent, cost, places, follows) = &node;
        let rank = *self.ranks.get(&vertices(places))? as u64;
        let affordable = self.budget.is_none_or(|most| *cost <= most);
        (spent + rank <= self.most && affordable && self.crowd.kept(follows, End::None)).then_some(node)
    }

    pub(super) fn after(&self, (spent, cost, places, follows): &Node, event: Label) -> Option<Node> {
        let go = |place: &super::past::Place| {
            let next = self.robot.world.step(place.0, &event);
            next.into_iter().map(|v| self.asked.go(place, v)).collect::<Vec<_>>()
        };
        let cost = if self.budget.is_some() { cost + self.problem.cost(event) } else { 0 };
        let places = places.iter().flat_map(go).collect();
        self.sound((spent + 1, cost, places, self.crowd.after(follows, event)))
    }

    fn wins(&self, state: State) -> Result<bool, Refusal> {
        if let Some(&known) = self.known.borrow().get(&state) {
            return Ok(known);
        }
        let mut wins = false;
        for moment in self.moments(&state.0)? {
            if let Some(runs) = self.kept(&moment.within, moment.stops, &state.1) {
                wins = true;
                for next in moment.next.into_values() {
                    wins = wins && self.wins((next, runs.clone()))?;
                }
            }
            if wins {
                break;
            }
        }
        if self.known.borrow().len() > MOST {
            return Err(Refusal::TooLarge);
        }
        self.known.borrow_mut().insert(state, wins);
        Ok(wins)
    }

    /// The states of the runs after a moment of these executions, some of which may stop, if the stipulations allow it.
    pub(super) fn kept(&self, within: &BTreeSet<Node>, stops: bool, runs: &[usize]) -> Option<Vec<usize>> {
        let estimate: Estimate = within.iter().flat_map(|(_, _, places, _)| places.clone()).collect();
        let demands = |s: &Stipulation| s.scope == Scope::Always || s.scope == Scope::End && stops;
        let mut all = self.stipulations.iter().filter(|s| demands(s));
        let after = |(run, &state): (&Run, &usize)| run.after(&self.asked, state, &estimate);
        let runs: Vec<usize> = self.runs.iter().zip(runs).map(after).collect();
        let accepted = self.runs.iter().zip(&runs).all(|(run, &state)| run.accepts(state));
        (all.all(|s| self.asked.holds(&s.formula, &estimate)) && (!stops || accepted)).then_some(runs)
    }

    /// Every way to go through the moment that begins with these executions.
    fn moments(&self, begun: &BTreeSet<Node>) -> Result<BTreeSet<Moment>, Refusal> {
        let mut todo = BTreeSet::from([Moment { pending: begun.clone(), ..Moment::default() }]);
        let mut seen = todo.clone();
        let mut found = BTreeSet::new();
        while let Some(mut moment) = todo.pop_first() {
            let Some(node) = moment.pending.pop_first() else {
                found.insert(moment);
                continue;
            };
            moment.within.insert(node.clone());
            for choice in self.choices(&node) {
                let more = self.choose(&moment, &node, choice);
                todo.extend(more.into_iter().filter(|m| seen.insert(m.clone())));
            }
            if seen.len() > MOST {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(found)
    }

    /// What may be done after an execution: `None` to stop.
    pub(super) fn choices(&self, (_, _, places, follows): &Node) -> Vec<Option<Vec<Label>>> {
        let known = vertices(places);
        let events: Vec<Label> = self.robot.events(&known).into_iter().collect();
        let mut choices = match (self.robot.may_go_on(&known), self.robot.acts(&known)) {
            (false, _) => Vec::new(),
            (true, true) => crate::seek_divulged::nonempty_subsets(&events),
            (true, false) => vec![events],
        }
        .into_iter()
        .map(Some)
        .collect::<Vec<_>>();
        if self.robot.may_terminate(&known) && self.crowd.kept(follows, End::Plan) {
            choices.push(None);
        }
        choices
    }

    /// The moment with one more choice made, if everything that it leads to is sound.
    fn choose(&self, moment: &Moment, node: &Node, choice: Option<Vec<Label>>) -> Option<Moment> {
        let mut moment = moment.clone();
        let Some(events) = choice else {
            moment.stops = true;
            return Some(moment);
        };
        for event in events {
            let after = self.after(node, event)?;
            match &self.images[event.index()] {
                Some(image) => moment.next.entry(image.clone()).or_default().insert(after),
                None => moment.pending.insert(after),
            };
        }
        Some(moment)
    }
}
