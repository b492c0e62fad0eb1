//! Replays a witness, by the letter: does this execution show that somebody's stipulation is broken?

use divulge::{
    formula::Atom,
    problem::{Label, Problem, Scope},
};

use super::{
    past::{Estimate, vertices},
    runs::{Run, holds_at},
    watcher::Watcher,
};
use crate::{Refusal, graph::Set, joint::Joint};

/// What an engine says to show that a stipulation is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Whose stipulation.
    pub observer: usize,
    /// Its number among that observer's.
    pub stipulation: usize,
    /// The execution.
    pub execution: Vec<Label>,
    /// For hindsight: how many events there were by the moment that the observer looks back at.
    pub moment: Option<usize>,
    /// The vertices that the observer holds possible, where the engine gives them.
    pub estimate: Option<Set>,
}

/// What is wrong with a witness, if anything. With a plan it must be one against the plan, else one against whatever the robot may do.
///
/// # Errors
/// If the problem lacks a map or a plan, or a filter does not fit.
pub fn wrong(problem: &Problem, witness: &Witness, with_plan: bool) -> Result<Option<&'static str>, Refusal> {
    let watcher = Watcher::new(problem, witness.observer)?;
    let ends = if with_plan {
        let joint = Joint::new(problem, problem.plan.as_ref().ok_or(Refusal::NoPlan)?);
        let pairs = joint.reached(&witness.execution);
        if pairs.is_empty() {
            return Ok(Some("it is no joint execution"));
        }
        pairs.iter().any(|&pair| joint.terminates(pair))
    } else {
        false
    };
    if watcher.world.reached(&witness.execution).is_empty() {
        return Ok(Some("it is no execution of the world"));
    }
    if watcher.divulged.reached(&witness.execution).is_empty() {
        return Ok(Some("the divulged plan does not admit it"));
    }
    broken(&watcher, witness, ends)
}

fn broken(watcher: &Watcher<'_>, witness: &Witness, ends: bool) -> Result<Option<&'static str>, Refusal> {
    let Some(stipulation) = watcher.observer.stipulations.get(witness.stipulation) else {
        return Ok(Some("there is no such stipulation"));
    };
    let moments = moments(watcher, &witness.execution);
    let mut estimate = moments.last().expect("there is a first moment").clone();
    let holds = |estimate: &Estimate| watcher.asked.holds(&stipulation.formula, estimate);
    let wrong = match stipulation.scope {
        Scope::Always => holds(&estimate).then_some("the stipulation holds"),
        Scope::End => (!ends || holds(&estimate)).then_some("the stipulation holds, or the plan goes on"),
        Scope::Run => {
            let is = |atom: &Atom, estimate: &Estimate| watcher.asked.atom(atom, estimate);
            let fails = ends && !holds_at(&stipulation.formula, &moments, 0, &is);
            let run = Run::new(&stipulation.formula)?;
            let state = moments.iter().fold(0, |state, estimate| run.after(&watcher.asked, state, estimate));
            (!fails && !run.is_bad(state)).then_some("the run is satisfied, or may still be")
        }
        Scope::Hindsight { within } => {
            let Some(moment) = witness.moment.filter(|&n| n <= witness.execution.len()) else {
                return Ok(Some("it names no moment to look back at"));
            };
            let (s, r) = witness.execution.split_at(moment);
            estimate = watcher.in_hindsight(s, r);
            let images = r.iter().filter(|&&event| watcher.image(event).is_some()).count();
            let late = within.is_some_and(|most| images > most as usize);
            (late || holds(&estimate)).then_some("the stipulation holds, or it is too late")
        }
    };
    let said = witness.estimate.as_ref().is_none_or(|said| *said == vertices(&estimate));
    Ok(wrong.or((!said).then_some("the estimate is another")))
}

/// The estimates after the prefixes of 0, 1, … images.
fn moments(watcher: &Watcher<'_>, execution: &[Label]) -> Vec<Estimate> {
    let mut memory = watcher.start();
    let mut moments = vec![watcher.estimate(&memory)];
    for &event in execution {
        memory = watcher.after(&memory, event);
        if watcher.image(event).is_some() {
            moments.push(watcher.estimate(&memory));
        }
    }
    moments
}

/// Whether an observer's divulged plan does not admit a joint execution of the problem's plan.
///
/// # Errors
/// As [`wrong`].
pub fn outside(problem: &Problem, observer: usize, execution: &[Label]) -> Result<bool, Refusal> {
    let joint = Joint::new(problem, problem.plan.as_ref().ok_or(Refusal::NoPlan)?);
    let watcher = Watcher::new(problem, observer)?;
    Ok(!joint.reached(execution).is_empty() && watcher.divulged.reached(execution).is_empty())
}
