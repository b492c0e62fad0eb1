//! Writing `.gen`.

use std::fmt::Write;

use crate::{Automaton, Unwritable};

/// The automaton as a libFAUDES generator.
///
/// # Errors
/// If a name has a quote in it, for which the format has no sign.
pub fn write(automaton: &Automaton) -> Result<String, Unwritable> {
    let title = automaton.name.as_deref().unwrap_or("Generator");
    let names = automaton.states.iter().map(|(name, _)| name.as_str());
    let all = names.chain(automaton.events.iter().map(|(name, _)| name.as_str())).chain([title]);
    if let Some(name) = all.into_iter().find(|name| name.contains(['"', '\n', '\r'])) {
        let reason = format!(
            "`{}` has a quote or a line break in it, which a .gen file cannot have",
            name.escape_debug()
        );
        return Err(Unwritable::new(reason, "rename it"));
    }
    let mut out = format!("<Generator>\n\"{title}\"\n\n<Alphabet>\n");
    for (name, seen) in &automaton.events {
        let _ = writeln!(out, "\"{name}\"{}", if *seen { "" } else { " +o+" });
    }
    let state = |number: usize| format!("\"{}\"", automaton.states[number].0);
    let section = |out: &mut String, name: &str, states: Vec<usize>| {
        let _ = write!(out, "\n<{name}>\n");
        for number in states {
            let _ = writeln!(out, "{}", state(number));
        }
        let _ = writeln!(out, "</{name}>");
    };
    out += "</Alphabet>\n";
    section(&mut out, "States", (0..automaton.states.len()).collect());
    out += "\n<TransRel>\n";
    for &(from, event, to) in &automaton.steps {
        let _ = writeln!(out, "{} \"{}\" {}", state(from), automaton.events[event].0, state(to));
    }
    out += "</TransRel>\n";
    section(&mut out, "InitStates", (0..automaton.initial).collect());
    let marked =
        automaton.states.iter().enumerate().filter(|(_, (_, marked))| *marked).map(|(number, _)| number);
    section(&mut out, "MarkedStates", marked.collect());
    out += "</Generator>\n";
    Ok(out)
}
