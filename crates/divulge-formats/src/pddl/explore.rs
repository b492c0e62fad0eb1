//! The reachable states of a task.

use divulge::limit::{Monitor, Progress};
use rustc_hash::FxHashSet;

use super::task::{Action, Bits, Change};
use crate::{Failed, Fault, FaultKind, packed::Packed};

/// More states, or transitions, than this are not listed.
const MOST_STATES: usize = 2_000_000;
const MOST_STEPS: usize = 20_000_000;

/// An action may have so many outcomes at one state.
const MOST_OUTCOMES: usize = 100_000;

/// A transition: states, the action, and whether the action had several outcomes there.
pub(super) struct Found {
    pub from: u32,
    pub action: u32,
    pub to: u32,
    pub open: bool,
}

pub(super) struct Explored {
    pub states: Packed,
    pub initial: Vec<u32>,
    pub steps: Vec<Found>,
}

/// Lists what can be reached.
pub(super) fn explore(
    bits: &Bits<'_>,
    starts: &[Vec<u64>],
    monitor: &dyn Monitor,
) -> Result<Explored, Failed> {
    let mut states = Packed::new(bits.facts.len().div_ceil(64));
    let mut initial: Vec<u32> = starts.iter().map(|start| states.number(start).0).collect();
    initial.sort_unstable();
    initial.dedup();
    // Actions by a bit that they need, so that most are not even looked at.
    let mut by_bit: Vec<Vec<u32>> = vec![Vec::new(); bits.facts.len()];
    let mut always = Vec::new();
    for (number, action) in (0..).zip(&bits.actions) {
        match action.test.trigger() {
            Some(bit) => by_bit[bit as usize].push(number),
            None => always.push(number),
        }
    }
    let mut steps = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if at % 256 == 0 {
            let progress = Progress {
                doing: "exploring the problem",
                explored: at as u64,
                stored: states.len() as u64,
                arcs: steps.len() as u64,
                ..Progress::default()
            };
            monitor.poll(&progress)?;
        }
        let state = states.get(at as u32).to_vec();
        let set = state.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        });
        let mut near: Vec<u32> =
            set.flat_map(|bit| by_bit[bit].iter().copied()).chain(always.iter().copied()).collect();
        near.sort_unstable();
        for number in near {
            let action = &bits.actions[number as usize];
            if !action.test.holds(&state) {
                continue;
            }
            let outcomes = outcomes(action, &state)?;
            let open = outcomes.len() > 1;
            for next in outcomes {
                let to = states.number(&next).0;
                steps.push(Found { from: at as u32, action: number, to, open });
            }
        }
        if states.len() > MOST_STATES || steps.len() > MOST_STEPS {
            let message =
                format!("the problem has more than {} states or {} transitions", MOST_STATES, MOST_STEPS);
            return Err(Fault::new(FaultKind::TooLarge, message)
                .help("take a smaller instance: worlds are explicit")
                .into());
        }
        at += 1;
    }
    Ok(Explored { states, initial, steps })
}

/// The states that an action may lead to, each once.
fn outcomes(action: &Action, state: &[u64]) -> Result<Vec<Vec<u64>>, Failed> {
    let mut all: Vec<Vec<(u32, bool)>> = vec![Vec::new()];
    follow(&action.change, state, &mut all).map_err(|()| {
        let message = format!("`{}` has more than {MOST_OUTCOMES} outcomes", action.name);
        Failed::from(Fault::new(FaultKind::TooLarge, message))
    })?;
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut found = Vec::new();
    for changes in all {
        let mut next = state.to_vec();
        // What is both undone and brought about is so afterwards.
        for wanted in [false, true] {
            for &(bit, is) in changes.iter().filter(|(_, is)| *is == wanted) {
                let mask = 1 << (bit % 64);
                if is { next[bit as usize / 64] |= mask } else { next[bit as usize / 64] &= !mask }
            }
        }
        if seen.insert(next.clone()) {
            found.push(next);
        }
    }
    Ok(found)
}

/// Adds what happens to each list of changes, for every way in which it may happen. Nesting is bounded by the reader.
fn follow(change: &Change, state: &[u64], all: &mut Vec<Vec<(u32, bool)>>) -> Result<(), ()> {
    match change {
        Change::Set(bit, is) => all.iter_mut().for_each(|changes| changes.push((*bit, *is))),
        Change::All(parts) => {
            for part in parts {
                follow(part, state, all)?;
            }
        }
        Change::When(test, inner) => {
            if test.holds(state) {
                follow(inner, state, all)?;
            }
        }
        Change::OneOf(parts) => {
            let before = std::mem::take(all);
            for part in parts {
                let mut with = before.clone();
                follow(part, state, &mut with)?;
                all.append(&mut with);
                if all.len() > MOST_OUTCOMES {
                    return Err(());
                }
            }
            if parts.is_empty() {
                *all = before;
            }
        }
    }
    Ok(())
}
