//! SEEK a plan that is itself divulged, under the strongest filter: brute force over all choices at all estimates.
//!
//! *Background.* When D is the plan P, the belief after an image string x is made of what the robot may know then: the sets
//! S that P's executions with image x reach. What P does after two executions with the same image, the same S and the
//! same cost so far may as well be the union of what it does after each: that changes neither which (S, cost) are reached
//! by which image strings nor, therefore, any estimate or the worst case. So a plan is a choice, for every x and every
//! (S, spent) reached by x, of termination or of a non-empty set of safe actions. (An S that terminates after one
//! execution and goes on after another may go on after both.)
//!
//! *Costs are part of the state*, because the same S may be reached cheaply and dearly by look-alike executions, and the
//! robot, who remembers, may then make one go on dearly and the other cheaply where the observer must think both possible.
//! For the number of events they are not: executions with the same image are of the same length.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, LabelMap, Problem};

use crate::{
    Refusal,
    check::{WorstCase, meets},
    expansion::Robot,
    graph::Set,
};

/// Estimates and outcomes beyond this many are too many for brute force.
const MOST: usize = 10_000;

/// What the robot may know after some image string, each with what it may have spent.
type State = BTreeSet<(Set, u64)>;

/// What a plan's choices at one state lead to: the next state for each image. It is empty if every execution terminates.
type Outcome = BTreeMap<String, State>;

/// The least worst cases over all plans that hold when divulged, or `None` if none does.
pub(crate) fn seek(problem: &Problem) -> Result<Option<WorstCase>, Refusal> {
    let Some(events) = least_events(problem)? else { return Ok(None) };
    let dearest = problem.alphabet.labels().map(|l| problem.cost(l)).max().unwrap_or(0);
    for budget in 0..events * dearest {
        if Search::new(problem, |l| problem.cost(l), budget)?.least_events()?.is_some() {
            return Ok(Some(WorstCase { events, cost: budget }));
        }
    }
    Ok(Some(WorstCase { events, cost: events * dearest }))
}

/// The least worst-case number of events alone.
pub(crate) fn least_events(problem: &Problem) -> Result<Option<u64>, Refusal> {
    Search::new(problem, |_| 0, 0)?.least_events()
}

/// The least worst-case number of events over all plans that take one action wherever the image string and S are the same.
pub(crate) fn least_deterministic(problem: &Problem) -> Result<Option<u64>, Refusal> {
    Search { single: true, ..Search::new(problem, |_| 0, 0)? }.least_events()
}

struct Search<'p, C> {
    problem: &'p Problem,
    map: &'p LabelMap,
    robot: Robot,
    cost: C,
    budget: u64,
    /// Whether at most one action may be taken.
    single: bool,
}

impl<'p, C: Fn(Label) -> u64> Search<'p, C> {
    /// Plans none of whose executions costs more than `budget`.
    fn new(problem: &'p Problem, cost: C, budget: u64) -> Result<Self, Refusal> {
        let map = problem.observer.map.as_ref().ok_or(Refusal::NoMap)?;
        Ok(Self { problem, map, robot: Robot::new(problem), cost, budget, single: false })
    }

    /// The least worst-case number of events: after k rounds the values are those of plans of at most k events.
    fn least_events(&self) -> Result<Option<u64>, Refusal> {
        let start = State::from([(self.robot.start(), 0)]);
        let outcomes = self.explore(start.clone())?;
        let mut values: BTreeMap<&State, u64> = BTreeMap::new();
        for round in 0.. {
            let won: Vec<&State> = outcomes
                .iter()
                .filter(|(state, all)| {
                    !values.contains_key(state)
                        && all.iter().any(|o| o.values().all(|next| values.contains_key(next)))
                })
                .map(|(state, _)| state)
                .collect();
            if won.is_empty() {
                break;
            }
            values.extend(won.into_iter().map(|state| (state, round)));
        }
        Ok(values.get(&start).copied())
    }

    /// Every state that choices may lead to, with what all choices there lead to. States that break a stipulation have
    /// none.
    fn explore(&self, start: State) -> Result<BTreeMap<State, BTreeSet<Outcome>>, Refusal> {
        let mut found = BTreeMap::new();
        let mut todo = vec![start];
        let mut size = 0;
        while let Some(state) = todo.pop() {
            if found.contains_key(&state) {
                continue;
            }
            let outcomes = self.outcomes(&state)?;
            size += 1 + outcomes.len();
            if size > MOST {
                return Err(Refusal::TooLarge);
            }
            todo.extend(outcomes.iter().flat_map(|o| o.values().cloned()));
            found.insert(state, outcomes);
        }
        Ok(found)
    }

    /// What the choices at one state lead to, one for each (S, spent), in every combination.
    fn outcomes(&self, state: &State) -> Result<BTreeSet<Outcome>, Refusal> {
        let estimate: Set = state.iter().flat_map(|(known, _)| known.clone()).collect();
        if !meets(self.problem, &estimate, false) {
            return Ok(BTreeSet::new());
        }
        let may_end = meets(self.problem, &estimate, true);
        let mut combined = BTreeSet::from([Outcome::new()]);
        for (known, spent) in state {
            let options = self.options(known, *spent, may_end);
            combined = combined.iter().flat_map(|o| options.iter().map(|p| join(o, p))).collect();
            if combined.len() > MOST {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(combined)
    }

    /// What may be done at one S: terminate, or take any non-empty set of safe actions, or follow every observation.
    fn options(&self, known: &Set, spent: u64, may_end: bool) -> BTreeSet<Outcome> {
        let events: Vec<Label> = self.robot.events(known).into_iter().collect();
        let choices = match (self.robot.may_go_on(known), self.robot.acts(known)) {
            (false, _) => Vec::new(),
            (true, true) if self.single => events.iter().map(|&event| vec![event]).collect(),
            (true, true) => nonempty_subsets(&events),
            (true, false) => vec![events],
        };
        let mut options: BTreeSet<Outcome> =
            choices.iter().filter_map(|chosen| self.go(known, spent, chosen)).collect();
        if may_end && self.robot.may_terminate(known) {
            options.insert(Outcome::new());
        }
        options
    }

    fn go(&self, known: &Set, spent: u64, chosen: &[Label]) -> Option<Outcome> {
        let mut outcome = Outcome::new();
        for &event in chosen {
            let total = spent + (self.cost)(event);
            if total > self.budget {
                return None;
            }
            let image = self.map.shown(event).to_owned();
            outcome.entry(image).or_default().insert((self.robot.after(known, event), total));
        }
        Some(outcome)
    }
}

pub(crate) fn nonempty_subsets(events: &[Label]) -> Vec<Vec<Label>> {
    let mut subsets = vec![vec![]];
    for &event in events {
        let with: Vec<Vec<Label>> = subsets.iter().map(|s| [&s[..], &[event]].concat()).collect();
        subsets.extend(with);
    }
    subsets.retain(|s| !s.is_empty());
    subsets
}

fn join(left: &Outcome, right: &Outcome) -> Outcome {
    let mut both = left.clone();
    for (image, reached) in right {
        both.entry(image.clone()).or_default().extend(reached.iter().cloned());
    }
    both
}
