//! A task that was explored, as a machine: what is observed, what states are called, and their properties.

use rustc_hash::FxHashMap;

use super::{
    explore::Explored,
    task::{Bits, Change, Test},
};
use crate::{Fixed, Format, Machine, Property, Step, text::listed};

/// States are named by what is true of them, unless there are more than so many.
const NAMED: usize = 20_000;

/// Facts by states: with more of them, single facts are no properties.
const MOST_CELLS: usize = 20_000_000;

/// Observations list what is not so as well, if they are about at most so many facts.
const FEW: usize = 3;

/// What the robot learns.
enum Sight {
    /// Nothing.
    Blind,
    /// How uncertain effects turn out: these bits.
    Outcomes(Vec<u32>),
    /// What actions observe.
    Actions,
    /// What sensors tell at every state.
    Sensors,
}

pub(super) fn machine(bits: &Bits<'_>, explored: Explored) -> Machine {
    let mut machine = Machine::new(Format::Pddl);
    machine.name = Some(bits.task.name.clone());
    let sight = sight(bits, &explored);
    names(&mut machine, bits, &explored);
    properties(&mut machine, bits, &explored);
    let states = explored.states.len() as u32;
    machine.goal = Some((0..states).map(|s| bits.goal.holds(explored.states.get(s))).collect());
    let always: Vec<String> = bits.always().map(|fact| bits.task.shown(fact)).collect();
    machine.fixed = Fixed {
        so: always.iter().map(String::as_str).collect(),
        predicates: bits.task.predicates.iter().map(|(name, _)| name.clone()).collect(),
    };
    notes(&mut machine, bits, &sight, &explored);
    let mut observer = Observing { known: FxHashMap::default(), sight, bits };
    if matches!(observer.sight, Sight::Sensors) {
        machine.first =
            explored.initial.iter().map(|&s| observer.sensed(&mut machine, explored.states.get(s))).collect();
    }
    let mut events: FxHashMap<u32, u32> = FxHashMap::default();
    for step in &explored.steps {
        let event = *events.entry(step.action).or_insert_with(|| {
            let mut name = bits.actions[step.action as usize].name.clone();
            while !machine.events.intern(&name).1 {
                name.push('\'');
            }
            machine.events.len() as u32 - 1
        });
        let seen = observer.seen(&mut machine, step.action, explored.states.get(step.to), step.open);
        machine.steps.push(Step { from: step.from, event, to: step.to, seen });
    }
    machine.unseen = vec![false; machine.events.len()];
    machine.transitions = machine.steps.len();
    machine.initial = explored.initial;
    machine
}

fn sight(bits: &Bits<'_>, explored: &Explored) -> Sight {
    if !bits.task.sensors.is_empty() {
        return Sight::Sensors;
    }
    if bits.task.actions.iter().any(|action| action.observe.is_some()) {
        return Sight::Actions;
    }
    let mut open = vec![false; bits.facts.len()];
    bits.actions.iter().for_each(|action| uncertain(&action.change, &mut open));
    let open: Vec<u32> = (0..).zip(&open).filter(|(_, open)| **open).map(|(bit, _)| bit).collect();
    if open.is_empty() || explored.initial.len() > 1 { Sight::Blind } else { Sight::Outcomes(open) }
}

/// The bits that chance decides about.
fn uncertain(change: &Change, open: &mut [bool]) {
    match change {
        Change::Set(..) => {}
        Change::All(all) => all.iter().for_each(|one| uncertain(one, open)),
        Change::When(_, inner) => uncertain(inner, open),
        Change::OneOf(all) => {
            let sets: Vec<Vec<(u32, bool)>> = all.iter().map(plain).collect();
            for (i, set) in sets.iter().enumerate() {
                for literal in set {
                    let everywhere =
                        sets.iter().enumerate().all(|(j, other)| i == j || other.contains(literal));
                    open[literal.0 as usize] |= !everywhere;
                }
            }
            // What depends on a condition is taken to be open.
            all.iter().for_each(|one| nested(one, false, open));
        }
    }
}

/// What is set whatever else is so.
fn plain(change: &Change) -> Vec<(u32, bool)> {
    match change {
        Change::Set(bit, is) => vec![(*bit, *is)],
        Change::All(all) => all.iter().flat_map(plain).collect(),
        Change::When(..) | Change::OneOf(_) => Vec::new(),
    }
}

fn nested(change: &Change, inside: bool, open: &mut [bool]) {
    match change {
        Change::Set(bit, _) => open[*bit as usize] |= inside,
        Change::All(all) => all.iter().for_each(|one| nested(one, inside, open)),
        Change::When(_, inner) => nested(inner, true, open),
        Change::OneOf(all) => all.iter().for_each(|one| nested(one, true, open)),
    }
}

struct Observing<'b, 't> {
    known: FxHashMap<Vec<u64>, u32>,
    sight: Sight,
    bits: &'b Bits<'t>,
}

impl Observing<'_, '_> {
    /// What is observed after an action; several outcomes are told apart.
    fn seen(&mut self, machine: &mut Machine, action: u32, state: &[u64], open: bool) -> u32 {
        match &self.sight {
            Sight::Blind => 0,
            Sight::Outcomes(_) if !open => 0,
            Sight::Outcomes(outcomes) => {
                let tests: Vec<Test> = outcomes.iter().map(|&bit| Test::Bit(bit)).collect();
                let told = tests.iter().zip(outcomes).map(|(test, &bit)| {
                    (self.bits.task.shown(&self.bits.facts[bit as usize]), test.holds(state))
                });
                let all: Vec<(String, bool)> = told.collect();
                machine.observations.intern(&text(&all)).0
            }
            Sight::Actions => {
                let observe = &self.bits.actions[action as usize].observe;
                if observe.is_empty() {
                    return 0;
                }
                let all: Vec<(String, bool)> =
                    observe.iter().map(|(name, test)| (name.clone(), test.holds(state))).collect();
                let parts: Vec<String> = all.iter().map(|(name, is)| sign(name, *is)).collect();
                machine.observations.intern(&parts.join(", ")).0
            }
            Sight::Sensors => self.sensed(machine, state),
        }
    }

    fn sensed(&mut self, machine: &mut Machine, state: &[u64]) -> u32 {
        if let Some(&seen) = self.known.get(state) {
            return seen;
        }
        let active = self.bits.sensors.iter().filter(|sensor| sensor.test.holds(state));
        let mut parts: Vec<String> = active
            .flat_map(|sensor| sensor.observe.iter().map(|(name, test)| sign(name, test.holds(state))))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let seen = if parts.is_empty() { 0 } else { machine.observations.intern(&parts.join(", ")).0 };
        self.known.insert(state.to_vec(), seen);
        seen
    }
}

fn sign(name: &str, is: bool) -> String {
    if is { name.to_owned() } else { format!("!{name}") }
}

/// What is so, in words; of few facts also what is not.
fn text(all: &[(String, bool)]) -> String {
    let few = all.len() <= FEW;
    let parts: Vec<String> =
        all.iter().filter(|(_, is)| *is || few).map(|(name, is)| sign(name, *is)).collect();
    if parts.is_empty() { "(none)".to_owned() } else { parts.join(", ") }
}

fn names(machine: &mut Machine, bits: &Bits<'_>, explored: &Explored) {
    let states = explored.states.len();
    for number in 0..states as u32 {
        if states > NAMED {
            machine.states.intern(&format!("s{number}"));
            continue;
        }
        let state = explored.states.get(number);
        let facts = (0..).zip(&bits.facts).filter(|(bit, _)| Test::Bit(*bit).holds(state));
        let parts: Vec<String> = facts.map(|(_, fact)| bits.task.shown(fact)).collect();
        let name = if parts.is_empty() { "(none)".to_owned() } else { parts.join(", ") };
        machine.states.intern(&name);
    }
}

/// A predicate that is true of at most one tuple of objects everywhere is a property with that tuple as its value; single facts are flags.
fn properties(machine: &mut Machine, bits: &Bits<'_>, explored: &Explored) {
    let states = explored.states.len();
    let task = bits.task;
    for (predicate, (name, arity)) in (0..).zip(&task.predicates) {
        let own: Vec<u32> = (0..)
            .zip(&bits.facts)
            .filter(|(_, fact)| fact.predicate == predicate)
            .map(|(bit, _)| bit)
            .collect();
        if own.is_empty() || *arity == 0 {
            continue;
        }
        let mut of = Vec::with_capacity(states);
        for number in 0..states as u32 {
            let state = explored.states.get(number);
            let mut holding = own
                .iter()
                .enumerate()
                .filter(|(_, bit)| Test::Bit(**bit).holds(state))
                .map(|(i, _)| i as u32);
            let first = holding.next().unwrap_or(Property::NONE);
            if holding.next().is_some() {
                break;
            }
            of.push(first);
        }
        if of.len() == states {
            let value = |&bit: &u32| {
                let objects =
                    bits.facts[bit as usize].objects.iter().map(|&o| task.objects[o as usize].0.as_str());
                crate::machine::value(&objects.collect::<Vec<_>>().join(" "))
            };
            machine.properties.push(Property {
                name: name.clone(),
                values: own.iter().map(value).collect(),
                of,
            });
        }
    }
    let flags = (0..).zip(&bits.facts);
    let all = bits.facts.len().saturating_mul(states) <= MOST_CELLS;
    for (bit, fact) in flags.filter(|(_, fact)| all || fact.objects.is_empty()) {
        let name = task.shown(fact);
        if machine.properties.iter().all(|known| known.name != name) {
            let of = (0..states as u32).map(|number| Test::Bit(bit).holds(explored.states.get(number)));
            machine.properties.push(Property::flag(&name, of));
        }
    }
    if !all {
        machine
            .notes
            .push("single facts are no properties of the states, because there are too many".to_owned());
    }
}

fn notes(machine: &mut Machine, bits: &Bits<'_>, sight: &Sight, explored: &Explored) {
    machine.notes.extend(bits.task.notes.iter().cloned());
    machine.notes.push(match sight {
        Sight::Blind if explored.initial.len() > 1 => {
            "the start is uncertain and nothing is sensed, so the robot observes nothing (conformant planning)".to_owned()
        }
        Sight::Blind => "nothing is uncertain, so there is nothing to observe".to_owned(),
        Sight::Outcomes(outcomes) => {
            let facts: Vec<String> =
                outcomes.iter().map(|&bit| bits.task.shown(&bits.facts[bit as usize])).collect();
            let list = listed(facts.iter().map(String::as_str));
            format!("the robot observes how `oneof` turns out: {list}")
        }
        Sight::Actions => "the robot observes what its sensing actions tell, and nothing else".to_owned(),
        Sight::Sensors => "the robot observes what its sensors tell, at the start and after every action".to_owned(),
    });
    let fixed: Vec<&str> = (0..)
        .zip(&bits.task.predicates)
        .filter(|&(predicate, _)| {
            bits.always().any(|fact| fact.predicate == predicate)
                && bits.facts.iter().all(|fact| fact.predicate != predicate)
        })
        .map(|(_, (name, _))| name.as_str())
        .collect();
    if !fixed.is_empty() {
        machine
            .notes
            .push(format!("facts that never change are no properties of the states: {}", listed(fixed)));
    }
    if explored.initial.len() > 1 {
        machine.notes.push(format!("{} states may be the first", explored.initial.len()));
    }
}
