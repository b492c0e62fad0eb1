//! Writing `.fsm`.

use std::fmt::Write;

use crate::{Automaton, Unwritable};

/// The automaton as a `.fsm` file. Every event is written as controllable, because the format asks for that column.
///
/// # Errors
/// If a name has blanks in it, which separate columns.
pub fn write(automaton: &Automaton) -> Result<String, Unwritable> {
    let names =
        automaton.states.iter().map(|(name, _)| name).chain(automaton.events.iter().map(|(name, _)| name));
    for name in names {
        if name.is_empty() || name.contains(char::is_whitespace) {
            let reason = format!("`{name}` has blanks in it, and they separate columns in a .fsm file");
            return Err(Unwritable::new(reason, "rename it, or write a .gen file: --to gen"));
        }
    }
    let mut out = format!("{}\t{}\n", automaton.states.len(), automaton.initial);
    let mut steps = &automaton.steps[..];
    for (state, (name, marked)) in automaton.states.iter().enumerate() {
        let (own, rest) = steps.split_at(steps.partition_point(|step| step.0 == state));
        steps = rest;
        let _ = writeln!(out, "\n{name}\t{}\t{}", u8::from(*marked), own.len());
        for &(_, event, to) in own {
            let (event, seen) = &automaton.events[event];
            let _ =
                writeln!(out, "{event}\t{}\tc\t{}", automaton.states[to].0, if *seen { "o" } else { "uo" });
        }
    }
    Ok(out)
}
