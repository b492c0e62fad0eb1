//! What the observer can tell where a plan terminates.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    explain::replay::EXPLAINING,
    formula::{Predicate, Stipulations},
    observer::{Outcome, StateId, Walk},
    problem::{LabelMap, Problem, Value, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

/// What the observer can tell of one property where a plan terminates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The values that it knows, one for each way of ending there that leaves no other; `None` is to lack the property.
    pub told: BTreeSet<Option<Value>>,
    /// The sets of values that it cannot tell apart, for the other ways.
    pub confused: BTreeSet<BTreeSet<Option<Value>>>,
}

/// What the observer makes of a fact where a plan terminates, over all ways of ending there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sure {
    /// For some way of ending there it knows that the fact is so.
    pub yes: bool,
    /// For some way it knows that the fact is not so.
    pub no: bool,
    /// For some way it holds both possible.
    pub unsure: bool,
}

/// One terminal vertex of a plan, over all joint executions that end there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The vertex of the plan.
    pub at: Vertex,
    /// How many different states of mind the observer may be in then.
    pub minds: usize,
    /// Each property of the world, in the order of the world's, with what can be told of it.
    pub known: Vec<(String, Known)>,
    /// Each predicate that the stipulations speak of, without a negation before it, and whether the observer is sure of it.
    pub facts: Vec<(Predicate, Sure)>,
}

/// What the observer can tell at each terminal vertex of the setting's plan that a joint execution reaches, by the number of the vertex. `None` if
/// the plan does something that the observer does not expect: then there is nothing that it believes.
///
/// # Errors
/// As [`check`](crate::check::check).
///
/// # Panics
/// If the setting has no plan.
pub fn endings(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<Vec<Ending>>, QuestionError> {
    Ok(minds_at_ends(setting, map)?
        .map(|(minds, ends)| ends.iter().map(|(at, held)| minds.ending(*at, held)).collect()))
}

/// As [`endings`], of all terminal vertices together; the vertex is one of them.
///
/// # Errors
/// As [`check`](crate::check::check).
///
/// # Panics
/// If the setting has no plan.
pub fn ending_anywhere(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<Ending>, QuestionError> {
    let Some((minds, ends)) = minds_at_ends(setting, map)? else { return Ok(None) };
    let held = ends.values().flatten().copied().collect();
    Ok(ends.keys().next().map(|&at| minds.ending(at, &held)))
}

/// The states of mind that executions of the setting's plan end with, and which of them at which terminal vertex.
type Ends<'a> = (Minds<'a>, BTreeMap<Vertex, BTreeSet<usize>>);

fn minds_at_ends<'a>(setting: &'a Setting<'_>, map: &LabelMap) -> Result<Option<Ends<'a>>, QuestionError> {
    let (joint, monitor) = (setting.joint()?, setting.monitor());
    let plan = setting.plan().expect("there is a plan in question");
    let Some(mut tracker) = setting.tracker(map)? else { return Ok(None) };
    let mut ends: BTreeMap<Vertex, BTreeSet<StateId>> = BTreeMap::new();
    let (_, outcome) = Walk::until(&joint.graph, &mut tracker, map, setting.limits(), |_, met| {
        let (v, _) = joint.pairs[met.at.index()];
        if plan.is_terminal(v) {
            ends.entry(v).or_default().insert(met.state);
        }
        false
    })?;
    if outcome == Outcome::Unexpected {
        return Ok(None);
    }
    let mut minds = Minds::new(setting.problem(), setting.stipulations());
    let mut mind_of: FxHashMap<StateId, usize> = FxHashMap::default();
    let mut found = BTreeMap::new();
    for (at, states) in ends {
        let mut held = BTreeSet::new();
        for state in states {
            let mind = match mind_of.get(&state) {
                Some(&mind) => mind,
                None => {
                    monitor.poll(&EXPLAINING)?;
                    minds.mind(&tracker.estimate(state))
                }
            };
            mind_of.insert(state, mind);
            held.insert(mind);
        }
        found.insert(at, held);
    }
    Ok(Some((minds, found)))
}

/// The estimates with which executions end, each looked at once.
struct Minds<'a> {
    problem: &'a Problem,
    stipulations: &'a Stipulations,
    /// The masks that are facts of their own: whether they are negated, and the predicate.
    facts: Vec<(usize, bool, &'a Predicate)>,
    number: FxHashMap<Box<[Vertex]>, usize>,
    all: Vec<Mind>,
}

/// What matters of an estimate.
struct Mind {
    /// The values of each property.
    values: Vec<BTreeSet<Option<Value>>>,
    /// The masks that some vertex is in, and those that all are in.
    some: Vec<u64>,
    every: Vec<u64>,
}

impl<'a> Minds<'a> {
    fn new(problem: &'a Problem, stipulations: &'a Stipulations) -> Self {
        let mut seen = FxHashSet::default();
        let mut facts = Vec::new();
        for (mask, predicate) in stipulations.masks().iter().enumerate() {
            let (mut fact, mut negated) = (predicate, false);
            while let Predicate::Not(inner) = fact {
                (fact, negated) = (inner, !negated);
            }
            if seen.insert(fact.to_string()) {
                facts.push((mask, negated, fact));
            }
        }
        Self { problem, stipulations, facts, number: FxHashMap::default(), all: Vec::new() }
    }

    fn mind(&mut self, estimate: &[Vertex]) -> usize {
        if let Some(&mind) = self.number.get(estimate) {
            return mind;
        }
        let props = &self.problem.world.props;
        let values = props.names().iter().map(|name| {
            let column = props.column(name);
            let codes: BTreeSet<_> =
                estimate.iter().map(|&v| column.and_then(|column| column.code(v))).collect();
            let value = |code: Option<usize>| Some(column?.values()[code?].clone());
            codes.into_iter().map(value).collect()
        });
        let words = self.stipulations.words();
        let mut mind = Mind { values: values.collect(), some: vec![0; words], every: vec![u64::MAX; words] };
        for &v in estimate {
            for (i, &word) in self.stipulations.signature(v).iter().enumerate() {
                mind.some[i] |= word;
                mind.every[i] &= word;
            }
        }
        self.all.push(mind);
        self.number.insert(estimate.into(), self.all.len() - 1);
        self.all.len() - 1
    }

    fn ending(&self, at: Vertex, minds: &BTreeSet<usize>) -> Ending {
        let known = self.problem.world.props.names().iter().enumerate().map(|(i, name)| {
            let mut known = Known::default();
            for &mind in minds {
                let held = self.all[mind].values[i].clone();
                match held.len() {
                    1 => known.told.extend(held),
                    _ => _ = known.confused.insert(held),
                }
            }
            (name.to_owned(), known)
        });
        let facts = self.facts.iter().map(|&(mask, negated, predicate)| {
            let bit = |words: &[u64]| words[mask / 64] >> (mask % 64) & 1 == 1;
            let mut sure = Sure::default();
            for mind in minds.iter().map(|&mind| &self.all[mind]) {
                match (bit(&mind.every), bit(&mind.some)) {
                    (true, _) if negated => sure.no = true,
                    (true, _) => sure.yes = true,
                    (false, true) => sure.unsure = true,
                    (false, false) if negated => sure.yes = true,
                    (false, false) => sure.no = true,
                }
            }
            (predicate.clone(), sure)
        });
        Ending { at, minds: minds.len(), known: known.collect(), facts: facts.collect() }
    }
}
