//! CHECK: does the plan solve the world, and does every stipulation hold?

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use divulge::problem::{Label, Plan, Problem, Scope};

use crate::{
    Refusal,
    formula::{all_hold, holds},
    graph::Set,
    joint::{Joint, Pair, Reason},
    observer::{Memory, Observer},
};

/// Everything that is wrong with a plan: for each reason the length of a shortest joint execution that shows it.
///
/// The execution is the one after which the fault is there: an unsafe action or an unforeseen observation comes after it and
/// is not counted. For `unbounded` it leads to a pair that lies on a cycle. Stipulations are judged after executions that
/// the divulged plan admits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The reasons that occur.
    pub shortest: BTreeMap<Reason, usize>,
    /// For each stipulation the same, if it is ever broken.
    pub stipulations: BTreeMap<usize, usize>,
}

impl Faults {
    /// Whether the answer is `holds`.
    pub fn holds(&self) -> bool {
        self.shortest.is_empty()
    }

    /// The reasons of the earliest stage that has any: those that a staged check may report.
    pub fn reportable(&self) -> BTreeMap<Reason, usize> {
        let first = self.shortest.keys().map(|r| r.stage()).min();
        self.shortest.iter().filter(|(r, _)| Some(r.stage()) == first).map(|(&r, &n)| (r, n)).collect()
    }
}

/// All that matters of a joint execution s: the pairs it reaches, the vertices of D it reaches, and what the observer
/// remembers of h(s).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    pairs: BTreeSet<Pair>,
    divulged: Set,
    memory: Memory,
}

/// Everything that is wrong with the problem's plan.
///
/// # Errors
/// If the problem lacks a plan or a map, or its filter does not fit.
pub fn check(problem: &Problem) -> Result<Faults, Refusal> {
    let joint = Joint::new(problem, problem.plan.as_ref().ok_or(Refusal::NoPlan)?);
    let observer = Observer::new(problem)?;
    let mut faults = Faults::default();
    for (moment, length) in moments(&joint, &observer) {
        for reason in Reason::ALL {
            if moment.pairs.iter().any(|&pair| joint.faulty(pair, reason)) {
                note(&mut faults.shortest, reason, length);
            }
        }
        if moment.divulged.is_empty() {
            note(&mut faults.shortest, Reason::OutsideDivulged, length);
            continue;
        }
        for i in broken(problem, &joint, &observer.estimate(&moment.memory), &moment.pairs) {
            note(&mut faults.shortest, Reason::Stipulation, length);
            note(&mut faults.stipulations, i, length);
        }
    }
    Ok(faults)
}

/// The stipulations that do not hold of this estimate, after an execution that reaches these pairs.
pub fn broken(problem: &Problem, joint: &Joint, estimate: &Set, pairs: &BTreeSet<Pair>) -> BTreeSet<usize> {
    let ends = pairs.iter().any(|&pair| joint.terminates(pair));
    let all = problem.observer.stipulations.iter().enumerate();
    all.filter(|(_, s)| s.scope == Scope::Always || ends)
        .filter(|(_, s)| !holds(&problem.world, &s.formula, estimate))
        .map(|(i, _)| i)
        .collect()
}

fn note<K: Ord>(shortest: &mut BTreeMap<K, usize>, key: K, length: usize) {
    let least = shortest.entry(key).or_insert(length);
    *least = length.min(*least);
}

/// What joint executions come to, each with the length of a shortest one.
fn moments(joint: &Joint, observer: &Observer) -> BTreeMap<Moment, usize> {
    let start = Moment {
        pairs: joint.start(),
        divulged: observer.divulged.initial.clone(),
        memory: observer.start(),
    };
    let mut lengths = BTreeMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((moment, length)) = queue.pop_front() {
        let events: BTreeSet<Label> =
            moment.pairs.iter().flat_map(|&p| joint.next(p)).map(|(event, _)| event).collect();
        for event in events {
            let next = Moment {
                pairs: joint.after(&moment.pairs, event),
                divulged: observer.divulged.after(&moment.divulged, &event),
                memory: observer.after(&moment.memory, event),
            };
            if !lengths.contains_key(&next) {
                lengths.insert(next.clone(), length + 1);
                queue.push_back((next, length + 1));
            }
        }
    }
    lengths
}

/// The worst case of a plan that solves: the most events of a joint execution, and the greatest cost of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorstCase {
    /// The most events.
    pub events: u64,
    /// The greatest cost; not necessarily of the execution with the most events.
    pub cost: u64,
}

/// The worst case of the plan, if it holds in answer to the problem (whose own plan, if any, does not count).
///
/// # Errors
/// As [`check`].
pub fn verify_plan(problem: &Problem, plan: &Plan) -> Result<Option<WorstCase>, Refusal> {
    let filled = Problem { plan: Some(plan.clone()), ..problem.clone() };
    if !check(&filled)?.holds() {
        return Ok(None);
    }
    let joint = Joint::new(problem, plan);
    Ok(Some(WorstCase { events: longest(&joint, |_| 1), cost: longest(&joint, |l| problem.cost(l)) }))
}

/// The greatest total weight of a joint execution. The joint executions must be bounded.
pub(crate) fn longest(joint: &Joint, weight: impl Fn(Label) -> u64) -> u64 {
    let mut greatest: BTreeMap<Pair, u64> = joint.start().into_iter().map(|p| (p, 0)).collect();
    let mut todo: Vec<Pair> = greatest.keys().copied().collect();
    while let Some(pair) = todo.pop() {
        let spent = greatest[&pair];
        for (event, next) in joint.next(pair) {
            let total = spent + weight(event);
            if greatest.get(&next).is_none_or(|&known| known < total) {
                greatest.insert(next, total);
                todo.push(next);
            }
        }
    }
    greatest.into_values().max().unwrap_or(0)
}

/// Whether the stipulations that an estimate must meet do hold: always, and at the end too where the plan terminates.
pub fn meets(problem: &Problem, estimate: &Set, ends: bool) -> bool {
    all_hold(problem, Scope::Always, estimate) && (!ends || all_hold(problem, Scope::End, estimate))
}
