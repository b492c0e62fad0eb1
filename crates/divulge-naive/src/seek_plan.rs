//! SEEK a plan: is there one, and what is the least worst case?

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use divulge::problem::{Filter, Knows, Label, Problem};

use crate::{
    Refusal,
    check::{WorstCase, meets},
    expansion::Robot,
    graph::Set,
    observer::{Memory, Observer},
    seek_divulged,
};

/// The least worst cases over all plans that hold in answer to the problem, or `None` if none does.
///
/// Events and cost are each least by themselves: the plan with the fewest events need not be the cheapest. A plan that
/// the problem gives does not count.
///
/// # Errors
/// If the problem lacks a map, or its filter does not fit, or brute force would take too long.
pub fn seek_plan(problem: &Problem) -> Result<Option<WorstCase>, Refusal> {
    if divulges_itself(problem)? {
        return seek_divulged::seek(problem);
    }
    let game = Game::explore(problem)?;
    let least = game.least(|_| 1).zip(game.least(|l| problem.cost(l)));
    Ok(least.map(|(events, cost)| WorstCase { events, cost }))
}

/// The least worst-case number of events alone, which may take much less time.
///
/// # Errors
/// As [`seek_plan`].
pub fn least_events(problem: &Problem) -> Result<Option<u64>, Refusal> {
    if divulges_itself(problem)? {
        return seek_divulged::least_events(problem);
    }
    Ok(Game::explore(problem)?.least(|_| 1))
}

/// The least worst-case number of events over all plans that the observer knows and that take one action for each pair of what the robot knows
/// and what the observer has seen.
///
/// # Errors
/// As [`seek_plan`], and if the observer does not know the plan.
pub fn least_deterministic(problem: &Problem) -> Result<Option<u64>, Refusal> {
    match divulges_itself(problem)? {
        true => seek_divulged::least_deterministic(problem),
        false => Err(Refusal::FilterOfSoughtPlan),
    }
}

/// The least worst-case number of events over all plans that go on after these events, which must be possible, and keep the stipulations from
/// then on. The observer must not know the plan.
///
/// # Errors
/// As [`seek_plan`].
pub fn least_events_after(problem: &Problem, after: &[Label]) -> Result<Option<u64>, Refusal> {
    Ok(Game::explore_after(problem, after)?.least(|_| 1))
}

/// Whether there is a plan, and the shortest is longer than it would be without stipulations.
pub fn stipulations_matter(problem: &Problem) -> bool {
    let robot = Robot::new(problem);
    let without = robot.ranks().get(&robot.start()).map(|&events| events as u64);
    least_events(problem).is_ok_and(|least| least > without)
}

fn divulges_itself(problem: &Problem) -> Result<bool, Refusal> {
    match (&problem.observer.knows, &problem.observer.filter) {
        (Knows::Plan, Filter::Strongest) => Ok(true),
        (Knows::Plan, _) => Err(Refusal::FilterOfSoughtPlan),
        _ => Ok(false),
    }
}

/// All that matters of an execution when D does not depend on the plan: what the robot knows, the vertices of D reached,
/// and what the observer remembers.
type Moment = (Set, Set, Memory);

/// What can be done in a moment.
struct Moves {
    acts: bool,
    may_terminate: bool,
    may_go_on: bool,
    next: BTreeMap<Label, Rc<Moment>>,
}

/// The moments that a plan may come to; those that break a stipulation or that D does not admit are left out.
struct Game {
    start: Rc<Moment>,
    moves: BTreeMap<Rc<Moment>, Moves>,
}

impl Game {
    fn explore(problem: &Problem) -> Result<Self, Refusal> {
        Self::explore_after(problem, &[])
    }

    /// The moments that a plan may come to that goes on after these events.
    fn explore_after(problem: &Problem, after: &[Label]) -> Result<Self, Refusal> {
        let (robot, observer) = (Robot::new(problem), Observer::new(problem)?);
        let first = (robot.start(), observer.divulged.initial.clone(), observer.start());
        let start = Rc::new(after.iter().fold(first, |(known, divulged, memory), &event| {
            (
                robot.after(&known, event),
                observer.divulged.after(&divulged, &event),
                observer.after(&memory, event),
            )
        }));
        let mut moves = BTreeMap::new();
        let mut seen = BTreeSet::from([start.clone()]);
        let mut todo = vec![start.clone()];
        while let Some(moment) = todo.pop() {
            let (known, divulged, memory) = &*moment;
            let estimate = observer.estimate(memory);
            if divulged.is_empty() || !meets(problem, &estimate, false) {
                continue;
            }
            let mut next = BTreeMap::new();
            for event in robot.events(known) {
                let after = Rc::new((
                    robot.after(known, event),
                    observer.divulged.after(divulged, &event),
                    observer.after(memory, event),
                ));
                if seen.insert(after.clone()) {
                    todo.push(after.clone());
                }
                next.insert(event, after);
            }
            let moved = Moves {
                acts: robot.acts(known),
                may_terminate: robot.may_terminate(known) && meets(problem, &estimate, true),
                may_go_on: robot.may_go_on(known),
                next,
            };
            moves.insert(moment, moved);
        }
        Ok(Self { start, moves })
    }

    /// The least worst-case weight of a plan from the start, by iteration: after k rounds the values are those of
    /// plans of at most k events, and once they stay the same they stay for ever.
    fn least(&self, weight: impl Fn(Label) -> u64) -> Option<u64> {
        let mut values: BTreeMap<Rc<Moment>, u64> = BTreeMap::new();
        loop {
            let value = |moves| Self::value(moves, &values, &weight);
            let better: BTreeMap<Rc<Moment>, u64> = self
                .moves
                .iter()
                .filter_map(|(moment, moves)| Some((moment.clone(), value(moves)?)))
                .collect();
            if better == values {
                return values.get(&self.start).copied();
            }
            values = better;
        }
    }

    fn value(
        moves: &Moves,
        values: &BTreeMap<Rc<Moment>, u64>,
        weight: impl Fn(Label) -> u64,
    ) -> Option<u64> {
        if moves.may_terminate {
            return Some(0);
        }
        if !moves.may_go_on {
            return None;
        }
        let mut totals = moves.next.iter().map(|(&event, next)| Some(weight(event) + values.get(next)?));
        if moves.acts { totals.flatten().min() } else { totals.try_fold(0, |most, t| Some(most.max(t?))) }
    }
}
