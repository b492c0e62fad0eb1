//! PRISM's language: MDPs and POMDPs, as PRISM and Storm read them.
//!
//! # Background
//! Every reachable state is listed. A command's action is the robot's choice; which of its outcomes happens is not, and of a probability nothing counts but
//! whether it is above 0. After an action the robot observes what the model declares observable; of an MDP it observes the variables that
//! chance may change, and so always knows the state.
//!
//! # Practical
//! `lexer.rs` and `parse.rs` with `expression.rs` read the text into `ast.rs`; `resolve.rs` and `build.rs` resolve names, types, constants
//! and renamed modules into `code.rs`; `explore.rs` lists states in a `store.rs`; this file makes the [`Machine`].

mod ast;
mod build;
mod code;
mod explore;
mod expression;
mod lexer;
mod parse;
mod resolve;
mod store;

use divulge::{limit::Monitor, problem::Value};
use rustc_hash::FxHashMap;

use self::{
    build::{Built, build},
    code::Val,
    explore::{Explored, STEP, explore, shown},
    parse::parse,
};
use crate::{Failed, Faults, Format, Machine, Property, text::listed};

/// The label that models give to states from which nothing good can come.
const TRAPS: &str = "traps";

/// States have long names, with those of the variables, unless there are more than so many.
const NAMED: usize = 100_000;

/// Reads a model, and explores it.
///
/// # Errors
/// All that is wrong with it, or the limit that was hit.
pub fn read(text: &str, constants: &[(String, String)], monitor: &dyn Monitor) -> Result<Machine, Failed> {
    let mut faults = Faults::new();
    let model = parse(text, &mut faults);
    if !faults.is_empty() {
        return Err(faults.into_list().into());
    }
    let (built, faults) = build(&model, constants, faults);
    if !faults.is_empty() {
        return Err(faults.into_list().into());
    }
    let explored = explore(&built, monitor)?;
    let mut machine = Machine::new(Format::Prism);
    observe(&mut machine, &built, &explored);
    describe(&mut machine, &built, &explored);
    notes(&mut machine, &built, &explored, model.rewards);
    let Explored { initial, events, mut steps, .. } = explored;
    machine.transitions = steps.len();
    machine.unseen = vec![false; events.len()];
    let seen = std::mem::take(&mut machine.first);
    steps.iter_mut().for_each(|step| step.seen = seen[step.to as usize]);
    if initial.len() > 1 {
        machine.first = initial.iter().map(|&state| seen[state as usize]).collect();
    }
    (machine.initial, machine.events, machine.steps) = (initial, events, steps);
    Ok(machine)
}

/// Works out what is observed at each state, and leaves it in `first` for the time being.
fn observe(machine: &mut Machine, built: &Built, explored: &Explored) {
    let states = explored.store.len();
    let mut state = vec![0; built.variables.len()];
    let changing = changing(built, explored);
    let mut known: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    machine.first = Vec::with_capacity(states);
    let nothing = match &built.observables {
        Some(all) => all.is_empty(),
        None => changing.is_empty(),
    };
    if nothing {
        machine.first = vec![0; states];
        return;
    }
    let mut key = Vec::new();
    for number in 0..states as u32 {
        explored.store.state(number, &mut state);
        key.clear();
        match &built.observables {
            Some(all) => {
                key.extend(all.iter().map(|(_, code)| bits(code.value(&state).unwrap_or(Val::Bool(false)))))
            }
            None => key.extend(changing.iter().map(|&variable| state[variable] as u64)),
        }
        let seen = match known.get(&key) {
            Some(&seen) => seen,
            None => {
                let parts: Vec<String> = match &built.observables {
                    Some(all) => all
                        .iter()
                        .map(|(name, code)| part(name, code.value(&state).unwrap_or(Val::Bool(false))))
                        .collect(),
                    None => {
                        let one = |&v: &usize| {
                            shown(built.variables[v].boolean, &built.variables[v].name, state[v])
                        };
                        changing.iter().map(one).collect()
                    }
                };
                let seen = machine.observations.intern(&parts.join(" ")).0;
                known.insert(key.clone(), seen);
                seen
            }
        };
        machine.first.push(seen);
    }
}

fn bits(value: Val) -> u64 {
    match value {
        Val::Int(i) => i as u64,
        Val::Bool(b) => u64::from(b),
        Val::Double(d) => d.to_bits(),
    }
}

fn part(name: &str, value: Val) -> String {
    match value {
        Val::Bool(true) => name.to_owned(),
        Val::Bool(false) => format!("!{name}"),
        value => format!("{name}={value}"),
    }
}

/// The variables that chance may change, or that differ at the start.
fn changing(built: &Built, explored: &Explored) -> Vec<usize> {
    let mut changes = vec![false; built.variables.len()];
    let shared = built.shared.iter().flat_map(|(_, modules)| modules.iter().flatten());
    for command in built.alone.iter().chain(shared).filter(|command| command.outcomes.len() > 1) {
        for (variable, _) in command.outcomes.iter().flat_map(|outcome| &outcome.assigns) {
            changes[*variable as usize] = true;
        }
    }
    if let [first, others @ ..] = &explored.initial[..] {
        let (mut a, mut b) = (vec![0; changes.len()], vec![0; changes.len()]);
        explored.store.state(*first, &mut a);
        for &other in others {
            explored.store.state(other, &mut b);
            for (i, change) in changes.iter_mut().enumerate() {
                *change |= a[i] != b[i];
            }
        }
    }
    (0..changes.len()).filter(|&i| changes[i]).collect()
}

/// Names and properties of the states: variables, labels, and what is observable.
fn describe(machine: &mut Machine, built: &Built, explored: &Explored) {
    let states = explored.store.len();
    let mut state = vec![0; built.variables.len()];
    let mut columns: Vec<(Property, FxHashMap<i64, u32>)> = Vec::new();
    for variable in &built.variables {
        let property =
            Property { name: variable.name.clone(), values: Vec::new(), of: Vec::with_capacity(states) };
        columns.push((property, FxHashMap::default()));
    }
    let flags: Vec<_> = built.labels.iter().chain(built.observables.iter().flatten()).collect();
    let mut flags: Vec<(&String, &code::Code, Vec<bool>)> = flags
        .into_iter()
        .filter(|(name, _)| built.variables.iter().all(|variable| variable.name != *name))
        .map(|(name, code)| (name, code, Vec::with_capacity(states)))
        .collect();
    let mut text = String::new();
    for number in 0..states as u32 {
        explored.store.state(number, &mut state);
        text.clear();
        for (i, (variable, &value)) in built.variables.iter().zip(&state).enumerate() {
            text += if i > 0 {
                ","
            } else if states > NAMED {
                "("
            } else {
                ""
            };
            if states <= NAMED {
                text += &variable.name;
                text.push('=');
            }
            match variable.boolean {
                true => text += if value == 0 { "false" } else { "true" },
                false => text += &value.to_string(),
            }
            let (property, known) = &mut columns[i];
            let code = *known.entry(value).or_insert_with(|| {
                property.values.push(if variable.boolean {
                    Value::Bool(value != 0)
                } else {
                    Value::Int(value)
                });
                property.values.len() as u32 - 1
            });
            property.of.push(code);
        }
        if states > NAMED {
            text.push(')');
        }
        machine.states.intern(&text);
        for (_, code, values) in &mut flags {
            values.push(code.value(&state).is_ok_and(Val::is_true));
        }
    }
    machine.properties = columns.into_iter().map(|(property, _)| property).collect();
    machine.goal = flags.iter().find(|(name, ..)| *name == "goal").map(|(.., values)| values.clone());
    for (name, code, values) in flags {
        // Numbers that are observed are no flags; they are in the observations.
        let boolean = matches!(code.value(&state), Ok(Val::Bool(_)));
        if boolean && machine.properties.iter().all(|property| property.name != *name) {
            machine.properties.push(Property::flag(name, values.into_iter()));
        }
    }
}

fn notes(machine: &mut Machine, built: &Built, explored: &Explored, rewards: bool) {
    let several = built.alone.iter().chain(built.shared.iter().flat_map(|(_, m)| m.iter().flatten()));
    if several.into_iter().any(|command| command.outcomes.len() > 1) {
        machine.notes.push("probabilities are dropped: whatever has a chance can happen".to_owned());
    }
    if rewards {
        machine.notes.push("rewards are dropped".to_owned());
    }
    if explored.events.get(STEP).is_some() && !built.alone.is_empty() {
        machine.notes.push(format!("commands without a name are the action `{STEP}`"));
    }
    if explored.several {
        machine.notes.push(
            "where several commands of one name are possible, the second is another action, such as `a#2`"
                .to_owned(),
        );
    }
    machine.notes.push(match &built.observables {
        Some(all) if all.is_empty() => "nothing is observable, so the robot observes nothing".to_owned(),
        Some(all) => format!("the robot observes {}", listed(all.iter().map(|(name, _)| name.as_str()))),
        None => "the robot always knows the state: it observes what chance changes".to_owned(),
    });
    machine.notes.push(match &machine.goal {
        Some(_) => "the goal is the label \"goal\"; `--goal` says otherwise".to_owned(),
        None => "no label is called \"goal\"; `--goal` says what the goal is".to_owned(),
    });
    if machine.properties.iter().any(|property| property.name == TRAPS) {
        machine.avoid = Some(TRAPS.to_owned());
        machine.notes.push(format!("states with the label \"{TRAPS}\" are to be avoided: nothing leads on from them; `--avoid` says otherwise"));
    }
}
