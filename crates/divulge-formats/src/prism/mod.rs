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

use std::fmt::Write;

use divulge::{
    limit::Monitor,
    problem::{Names, Value},
};
use rustc_hash::FxHashMap;

use self::{
    build::{Built, build},
    code::Val,
    explore::{Explored, STEP, explore, shown},
    parse::parse,
};
use crate::{Failed, Fault, FaultKind, Faults, Format, Machine, Property, packed::Packed, text::listed};

/// The label that models give to states from which nothing good can come.
const TRAPS: &str = "traps";

/// States have long names, with those of the variables, unless there are more than so many: then values alone, truth values as 0 and 1.
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
    observe(&mut machine, &built, &explored)?;
    describe(&mut machine, &built, &explored)?;
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
fn observe(machine: &mut Machine, built: &Built, explored: &Explored) -> Result<(), Fault> {
    let states = explored.store.len();
    let sight = match &built.observables {
        Some(all) => Sight::Told(all),
        None => Sight::Changing(changing(built, explored)),
    };
    if sight.parts() == 0 {
        machine.first = vec![0; states];
        return Ok(());
    }
    let mut state = vec![0; built.variables.len()];
    let mut known = Packed::new(sight.parts());
    let mut key = vec![0; sight.parts()];
    // The first state of those at which the same is observed tells what that is.
    let mut tells = Vec::new();
    machine.first = Vec::with_capacity(states);
    for number in 0..states as u32 {
        explored.store.state(number, &mut state);
        sight.key(&state, &mut key).map_err(|(name, e)| no_value(built, &state, name, e))?;
        let (found, new) = known.number(&key);
        if new {
            tells.push(number);
        }
        machine.first.push(found);
    }
    drop(known);
    let dummy = std::mem::take(&mut machine.observations);
    machine.observations = Names::with_capacity(tells.len() + dummy.len(), 0);
    for name in dummy.iter() {
        machine.observations.intern(name);
    }
    for tells in &mut tells {
        explored.store.state(*tells, &mut state);
        *tells = machine.observations.intern(&sight.text(built, &state)).0;
    }
    machine.first.iter_mut().for_each(|seen| *seen = tells[*seen as usize]);
    Ok(())
}

/// A label or an observable cannot be computed at some state.
fn no_value(built: &Built, state: &[i64], name: &str, e: &str) -> Fault {
    let about = built.variables.iter().zip(state).take(20);
    let values: Vec<String> = about.map(|(v, &value)| shown(v.boolean, &v.name, value)).collect();
    Fault::new(FaultKind::Value, format!("`{name}` cannot be computed: {e}"))
        .help(format!("it happens where {}", values.join(", ")))
}

/// What the robot observes of a state.
enum Sight<'b> {
    /// What the model declares observable.
    Told(&'b [(String, code::Code)]),
    /// These variables.
    Changing(Vec<usize>),
}

impl Sight<'_> {
    fn parts(&self) -> usize {
        match self {
            Sight::Told(all) => all.len(),
            Sight::Changing(variables) => variables.len(),
        }
    }

    /// What is observed, in bits; or what has no value, and why.
    fn key(&self, state: &[i64], key: &mut [u64]) -> Result<(), (&str, &'static str)> {
        match self {
            Sight::Told(all) => {
                for (part, (name, code)) in key.iter_mut().zip(*all) {
                    *part = bits(code.value(state).map_err(|e| (name.as_str(), e))?);
                }
            }
            Sight::Changing(all) => key.iter_mut().zip(all).for_each(|(part, &v)| *part = state[v] as u64),
        }
        Ok(())
    }

    /// What is observed, in words.
    fn text(&self, built: &Built, state: &[i64]) -> String {
        let parts: Vec<String> = match self {
            Sight::Told(all) => {
                // Whoever asks has computed them before.
                all.iter().filter_map(|(name, code)| Some(part(name, code.value(state).ok()?))).collect()
            }
            Sight::Changing(all) => {
                let about = all.iter().map(|&v| (&built.variables[v], state[v]));
                about.map(|(variable, value)| shown(variable.boolean, &variable.name, value)).collect()
            }
        };
        parts.join(" ")
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
fn describe(machine: &mut Machine, built: &Built, explored: &Explored) -> Result<(), Fault> {
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
    // Those on the way to states are named, too.
    machine.states = Names::with_capacity(2 * states, 2 * states * 2 * built.variables.len().min(16));
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
            match variable.boolean && states <= NAMED {
                true => text += if value == 0 { "false" } else { "true" },
                false => write!(text, "{value}").expect("a text takes what is written"),
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
        for (name, code, values) in &mut flags {
            let value = code.value(&state).map_err(|e| no_value(built, &state, name, e))?;
            values.push(value.is_true());
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
    Ok(())
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
