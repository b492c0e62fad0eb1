//! Whether the goal can be reached with probability 1, by trying out every way to choose.
//!
//! A robot that remembers what it knows chooses at random, with equal chances, among some of its safe actions; which ones depends on what it knows. With each
//! such choice of actions the pairs of where it is and what it knows are the states of a Markov chain, in which every outcome and every observation has a chance.
//! The goal is reached with probability 1 if, from each pair that is reached, the chain can come to where the robot knows that it is at a goal.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, Problem};

use crate::{expansion::Robot, graph::Set};

/// For each set that the robot may know, the actions that it chooses among.
type Choice = BTreeMap<Set, BTreeSet<Label>>;

/// Whether some choice reaches the goal almost surely; `None` if there are more choices than `most`.
pub fn almost_surely(problem: &Problem, most: usize) -> Option<bool> {
    let robot = Robot::new(problem);
    let mut choices: Vec<Choice> = vec![Choice::new()];
    for known in
        robot.reachable().into_iter().filter(|known| robot.acts(known) && !robot.may_terminate(known))
    {
        let all: Vec<Label> = robot.events(&known).into_iter().collect();
        if choices.len().checked_mul(1 << all.len())? > most {
            return None;
        }
        choices = choices
            .iter()
            .flat_map(|choice| {
                (0..1_usize << all.len()).map(|some| {
                    let chosen = (0..all.len()).filter(|i| some >> i & 1 == 1).map(|i| all[i]).collect();
                    let mut choice = choice.clone();
                    choice.insert(known.clone(), chosen);
                    choice
                })
            })
            .collect();
    }
    Some(choices.iter().any(|choice| reaches(&robot, choice)))
}

/// Whether the chain of a choice reaches the goal with probability 1.
fn reaches(robot: &Robot, choice: &Choice) -> bool {
    let start = robot.start();
    let mut todo: Vec<(usize, Set)> = start.iter().map(|&w| (w, start.clone())).collect();
    let mut leads: BTreeMap<(usize, Set), Vec<(usize, Set)>> = BTreeMap::new();
    while let Some((w, known)) = todo.pop() {
        if leads.contains_key(&(w, known.clone())) {
            continue;
        }
        let mut next = Vec::new();
        if !robot.may_terminate(&known) {
            let events = match choice.get(&known) {
                Some(chosen) => chosen.clone(),
                None => robot.world.labels(w),
            };
            for event in events {
                let then = robot.after(&known, event);
                next.extend(robot.world.step(w, &event).into_iter().map(|to| (to, then.clone())));
            }
        }
        todo.extend(next.iter().cloned());
        leads.insert((w, known), next);
    }
    let mut good: BTreeSet<&(usize, Set)> =
        leads.keys().filter(|(_, known)| robot.may_terminate(known)).collect();
    loop {
        let more: Vec<_> = leads
            .iter()
            .filter(|(at, next)| !good.contains(at) && next.iter().any(|to| good.contains(to)))
            .collect();
        if more.is_empty() {
            return good.len() == leads.len();
        }
        good.extend(more.into_iter().map(|(at, _)| at));
    }
}
