//! The game for a fixed divulged plan as an MDP for PRISM and Storm.
//!
//! *Background.* A state is a triple: what the robot knows, the divulged plan, the observer. Where it is the robot's turn, it chooses an action; where it is the
//! world's, one of the observations happens, all with the same chance: only whether it has one matters.
//!
//! *Practical.* `Pmax=? [ F "goal" ]` is 1 if and only if the goal is reached almost surely while the stipulations are kept; `Rmin=? [ F "goal" ]` with the
//! rewards `"actions"` is the least expected number of actions.

use std::io::{self, Write};

use divulge::{
    and_or::TripleGraph,
    problem::{Alphabet, Kind, Label},
};

/// Writes the model. Actions are numbered, `a0`, `a1`, …; comments say what they are.
///
/// # Errors
/// Those of `out`.
pub fn prism(mut out: impl Write, graph: &TripleGraph, alphabet: &Alphabet) -> io::Result<()> {
    let triples = graph.triples();
    writeln!(out, "// A state is a triple: what the robot knows, the divulged plan, the observer.")?;
    writeln!(out, "// Chances are equal: only whether something can happen matters.")?;
    writeln!(
        out,
        "// Pmax=? [ F \"goal\" ] is 1 if the goal is reached almost surely and every stipulation is kept."
    )?;
    let mut used = vec![false; alphabet.len()];
    triples.iter().flat_map(|t| &t.arcs).for_each(|(label, _)| used[label.index()] = true);
    for (number, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        let label = Label(number as u32);
        if alphabet.kind(label) == Kind::Action {
            writeln!(out, "// a{number}: {}", alphabet.name(label).escape_debug())?;
        }
    }
    writeln!(out, "mdp\n\nmodule game")?;
    // A world in which nothing may be done at all is still one state.
    writeln!(out, "  v : [0..{}] init 0;\n", triples.len().saturating_sub(1).max(1))?;
    for (v, triple) in triples.iter().enumerate() {
        match triple.kind {
            Kind::Action => {
                for (label, to) in &triple.arcs {
                    writeln!(out, "  [a{}] v={v} -> (v'={to});", label.index())?;
                }
            }
            Kind::Observation if !triple.arcs.is_empty() => {
                let chance = triple.arcs.len();
                let all: Vec<String> =
                    triple.arcs.iter().map(|(_, to)| format!("1/{chance} : (v'={to})")).collect();
                let seen: Vec<String> = triple
                    .arcs
                    .iter()
                    .map(|&(label, _)| alphabet.name(label).escape_debug().to_string())
                    .collect();
                writeln!(out, "  [] v={v} -> {}; // {}", all.join(" + "), seen.join(", "))?;
            }
            Kind::Observation => {}
        }
    }
    writeln!(out, "endmodule\n")?;
    let goal: Vec<String> =
        triples.iter().enumerate().filter(|(_, t)| t.stops).map(|(v, _)| format!("v={v}")).collect();
    writeln!(
        out,
        "label \"goal\" = {};\n",
        if goal.is_empty() { "false".to_owned() } else { goal.join(" | ") }
    )?;
    writeln!(out, "rewards \"actions\"")?;
    for (number, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        if alphabet.kind(Label(number as u32)) == Kind::Action {
            writeln!(out, "  [a{number}] true : 1;")?;
        }
    }
    writeln!(out, "endrewards")
}
