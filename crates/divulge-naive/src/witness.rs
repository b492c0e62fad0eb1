//! Replays a witness: does this execution show what it is said to show?

use std::collections::BTreeSet;

use divulge::problem::{Label, Problem};

use crate::{
    Refusal, audit,
    check::broken,
    graph::{Set, plain},
    joint::{Joint, Reason},
    observer::Observer,
};

/// What an engine says to show that a question's answer is `violated`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What is wrong.
    pub reason: Reason,
    /// The joint execution after which it is.
    pub execution: Vec<Label>,
    /// The unsafe action or the unforeseen observation that would come next, where the engine names it.
    pub event: Option<Label>,
    /// For `unbounded`: what leads from a pair that the execution reaches back to it.
    pub cycle: Vec<Label>,
    /// For `stipulation`: which one.
    pub stipulation: Option<usize>,
    /// The estimate after the execution, where the engine gives it.
    pub estimate: Option<Set>,
}

impl Witness {
    /// A witness that is an execution and nothing else.
    pub fn new(reason: Reason, execution: Vec<Label>) -> Self {
        Self { reason, execution, event: None, cycle: Vec::new(), stipulation: None, estimate: None }
    }
}

/// Whether the witness shows that the problem's plan is at fault.
///
/// # Errors
/// If the problem lacks a plan or a map, or its filter does not fit.
pub fn shows(problem: &Problem, witness: &Witness) -> Result<bool, Refusal> {
    let joint = Joint::new(problem, problem.plan.as_ref().ok_or(Refusal::NoPlan)?);
    let observer = Observer::new(problem)?;
    let pairs = joint.reached(&witness.execution);
    let admitted = !observer.divulged.reached(&witness.execution).is_empty();
    let estimate = estimate_after(&observer, &witness.execution);
    if pairs.is_empty() || witness.estimate.as_ref().is_some_and(|said| *said != estimate) {
        return Ok(false);
    }
    let named = |lacking: BTreeSet<Label>| match witness.event {
        Some(event) => lacking.contains(&event),
        None => !lacking.is_empty(),
    };
    Ok(match witness.reason {
        Reason::UnsafeAction => {
            pairs.iter().any(|&p| joint.faulty(p, witness.reason) && named(joint.unsafe_actions(p)))
        }
        Reason::UnforeseenObservation => {
            pairs.iter().any(|&p| joint.faulty(p, witness.reason) && named(joint.unforeseen_observations(p)))
        }
        Reason::TerminatesOffGoal | Reason::Stuck => pairs.iter().any(|&p| joint.faulty(p, witness.reason)),
        Reason::Unbounded => {
            let back =
                |p| witness.cycle.iter().fold(BTreeSet::from([p]), |at, &l| joint.after(&at, l)).contains(&p);
            !witness.cycle.is_empty() && pairs.into_iter().any(back)
        }
        Reason::OutsideDivulged => !admitted,
        Reason::Stipulation => {
            let broken = broken(problem, &joint, &estimate, &pairs);
            admitted && witness.stipulation.map_or(!broken.is_empty(), |i| broken.contains(&i))
        }
    })
}

/// Whether this execution breaks a stipulation (the one named, if one is) in answer to an audit.
///
/// # Errors
/// If the problem lacks a map, or the plan that the observer knows, or its filter does not fit.
pub fn shows_in_audit(
    problem: &Problem,
    execution: &[Label],
    stipulation: Option<usize>,
) -> Result<bool, Refusal> {
    let observer = Observer::new(problem)?;
    let possible = !plain(&problem.world.graph).reached(execution).is_empty();
    let admitted = !observer.divulged.reached(execution).is_empty();
    let broken = audit::broken(problem, &estimate_after(&observer, execution));
    Ok(possible && admitted && stipulation.map_or(!broken.is_empty(), |i| broken.contains(&i)))
}

/// The observer's estimate after an execution.
pub fn estimate_after(observer: &Observer, execution: &[Label]) -> Set {
    let memory = execution.iter().fold(observer.start(), |memory, &event| observer.after(&memory, event));
    observer.estimate(&memory)
}
