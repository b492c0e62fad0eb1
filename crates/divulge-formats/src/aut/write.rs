//! Writing `.aut`.

use std::fmt::Write;

use crate::{Automaton, Unwritable};

/// The automaton as an `.aut` file. States are numbered, the initial one is 0; marks are left out.
///
/// # Errors
/// If there are several initial states, or if an event goes unseen that is not called `i` or `tau`: the format has no other way to say so.
pub fn write(automaton: &Automaton) -> Result<String, Unwritable> {
    if automaton.initial != 1 {
        let reason = format!("{} states are initial, and an .aut file has one", automaton.initial);
        return Err(Unwritable::new(reason, "write a .fsm or a .gen file: --to fsm, --to gen"));
    }
    let internal = |name: &str| matches!(name, "i" | "tau");
    if let Some((name, seen)) = automaton.events.iter().find(|(name, seen)| *seen == internal(name)) {
        let reason = match seen {
            true => format!("`{name}` is seen, and would be an internal action in an .aut file"),
            false => format!("`{name}` is not seen, and only `i` and `tau` are not in an .aut file"),
        };
        return Err(Unwritable::new(reason, "write a .fsm or a .gen file: --to fsm, --to gen"));
    }
    let mut out = format!("des (0, {}, {})\n", automaton.steps.len(), automaton.states.len());
    for &(from, event, to) in &automaton.steps {
        let name = &automaton.events[event].0;
        if name.contains(['\n', '\r']) {
            return Err(Unwritable::new(
                format!("`{}` has a line break in it", name.escape_debug()),
                "rename it",
            ));
        }
        let _ = writeln!(out, "({from}, \"{name}\", {to})");
    }
    Ok(out)
}
