//! CHECK, for any number of observers: does the plan solve the world, and does every stipulation of everybody hold?

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, Plan, Problem, Scope};

use super::{
    follow::{End, Follow, Follower, Moments},
    reach,
    watcher::Watcher,
};
use crate::{
    Refusal,
    check::{WorstCase, longest},
    graph::Set,
    joint::{Joint, Pair, Reason},
};

/// All that is wrong with a plan; what is looked for later is left out where something earlier is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Why the plan does not solve the world, each with the length of a shortest execution that shows it.
    pub solves: BTreeMap<Reason, usize>,
    /// For each observer whose divulged plan does not admit something, the length of a shortest execution that it does not admit.
    pub outside: BTreeMap<usize, usize>,
    /// For each observer and each of its stipulations that is broken, the length of a shortest execution that shows it: for one over runs
    /// the plan terminates at its end, or nothing that could follow would satisfy it.
    pub broken: BTreeMap<(usize, usize), usize>,
}

impl Faults {
    /// Whether the answer is `holds`.
    pub fn holds(&self) -> bool {
        self == &Self::default()
    }

    /// Whether a check may give this reason with an execution of this length.
    pub fn may_be(&self, reason: Reason, length: usize) -> bool {
        match reason {
            Reason::OutsideDivulged => self.solves.is_empty() && self.outside.values().min() == Some(&length),
            Reason::Stipulation => {
                self.solves.is_empty()
                    && self.outside.is_empty()
                    && self.broken.values().min() == Some(&length)
            }
            reason => self.solves.get(&reason) == Some(&length),
        }
    }
}

/// Everything that is wrong with the problem's plan.
///
/// # Errors
/// If the problem lacks a plan or a map, or a filter does not fit, or it is too large.
pub fn check(problem: &Problem) -> Result<Faults, Refusal> {
    let joint = Joint::new(problem, problem.plan.as_ref().ok_or(Refusal::NoPlan)?);
    let watchers: Vec<Watcher<'_>> =
        (0..problem.observers().count()).map(|i| Watcher::new(problem, i)).collect::<Result<_, _>>()?;
    let mut faults = Faults { solves: faults_of(&joint)?, ..Faults::default() };
    if faults.solves.is_empty() {
        for (i, watcher) in watchers.iter().enumerate() {
            faults.outside.extend(outside(&joint, watcher)?.map(|length| (i, length)));
        }
    }
    if !faults.solves.is_empty() || !faults.outside.is_empty() {
        return Ok(faults);
    }
    for (i, watcher) in watchers.into_iter().enumerate() {
        let follower = Follower::new(watcher)?;
        for j in 0..follower.stipulations().len() {
            faults.broken.extend(broken(&joint, &follower, j)?.map(|how| ((i, j), how)));
        }
    }
    Ok(faults)
}

fn events(joint: &Joint, pairs: &BTreeSet<Pair>) -> BTreeSet<Label> {
    pairs.iter().flat_map(|&p| joint.next(p)).map(|(event, _)| event).collect()
}

/// Why the plan does not solve the world.
fn faults_of(joint: &Joint) -> Result<BTreeMap<Reason, usize>, Refusal> {
    let reached = reach([joint.start()], |pairs| {
        events(joint, pairs).into_iter().map(|event| joint.after(pairs, event)).collect()
    })?;
    let mut faults = BTreeMap::new();
    for (pairs, length) in reached {
        for reason in Reason::ALL {
            if pairs.iter().any(|&pair| joint.faulty(pair, reason)) {
                let least = faults.entry(reason).or_insert(length);
                *least = length.min(*least);
            }
        }
    }
    Ok(faults)
}

/// The length of a shortest joint execution that the divulged plan does not admit.
fn outside(joint: &Joint, watcher: &Watcher<'_>) -> Result<Option<usize>, Refusal> {
    let reached = reach([(joint.start(), watcher.divulged.initial.clone())], |(pairs, divulged)| {
        let after = |event| (joint.after(pairs, event), watcher.divulged.after(divulged, &event));
        events(joint, pairs).into_iter().map(after).collect()
    })?;
    Ok(reached.into_iter().filter(|((_, divulged), _)| divulged.is_empty()).map(|(_, length)| length).min())
}

type Node = (BTreeSet<Pair>, Follow);

/// How soon a stipulation is broken. For hindsight, the earlier moment is chosen on the way.
fn broken(joint: &Joint, follower: &Follower<'_>, j: usize) -> Result<Option<usize>, Refusal> {
    let which = [j];
    let reached = reach([(joint.start(), follower.start(&which))], |(pairs, follow): &Node| {
        let mut next = Vec::new();
        for event in events(joint, pairs) {
            let pairs = joint.after(pairs, event);
            next.extend(choices(follower, &which, follow, event).into_iter().map(|f| (pairs.clone(), f)));
        }
        next
    })?;
    let breaks = |(pairs, follow): &Node| {
        let estimate = follower.watcher.estimate(&follow.memory);
        let breaks = |end| follower.breaks(j, &follow.standing[0], &estimate, end);
        pairs.iter().any(|&pair| joint.terminates(pair)) && breaks(End::Plan) || breaks(End::Hope)
    };
    Ok(reached.into_iter().filter(|(node, _)| breaks(node)).map(|(_, length)| length).min())
}

/// What may become of one stipulation: an earlier moment is still looked back at, or the present one is from now on.
pub(super) fn choices(
    follower: &Follower<'_>,
    which: &[usize; 1],
    follow: &Follow,
    event: Label,
) -> Vec<Follow> {
    let after = follower.after(which, follow, event, Moments::Present);
    let mut all = vec![after.clone()];
    if let Scope::Hindsight { .. } = follower.stipulations()[which[0]].scope {
        let anew = follower.after(
            which,
            &Follow { standing: vec![super::follow::Standing::Past(BTreeSet::new())], ..follow.clone() },
            event,
            Moments::All,
        );
        all.push(anew);
    }
    all
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

/// The vertices of the world that an execution reaches.
pub fn reached(problem: &Problem, execution: &[Label]) -> Set {
    crate::graph::plain(&problem.world.graph).reached(execution)
}
