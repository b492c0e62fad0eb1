//! The game for a fixed divulged plan as a model for NuSMV or nuXmv.
//!
//! *Background.* CTL has no operator for games, but a plan of at most K events can be asked for: `EX` where the robot chooses,
//! `AX` where the world does, nested K deep. Vertices alternate strictly, so at each depth one of the two will do, and the
//! formula's length is linear in K.
//!
//! *Practical.* The model has one variable, the triple; a triple where nothing may happen follows itself, because CTL
//! speaks of infinite paths. `stop` says where the robot may stop, `goes_on` where it may wait for an observation.

use std::io::{self, Write};

use divulge::{
    and_or::{Triple, TripleGraph},
    problem::{Alphabet, Kind},
};

/// Writes a model whose specification holds exactly if there is a plan of at most `depth` events.
///
/// # Errors
/// Those of `out`.
pub fn smv(mut out: impl Write, graph: &TripleGraph, alphabet: &Alphabet, depth: usize) -> io::Result<()> {
    let triples = graph.triples();
    writeln!(out, "-- Is there a plan of at most {depth} events?")?;
    writeln!(out, "-- A vertex is a triple: what the robot knows, the divulged plan, the observer.")?;
    writeln!(out, "MODULE main\nVAR")?;
    // A range of one number is not a range.
    writeln!(out, "  vertex : 0..{};", triples.len().saturating_sub(1).max(1))?;
    writeln!(out, "ASSIGN\n  init(vertex) := 0;\n  next(vertex) := case")?;
    for (v, triple) in triples.iter().enumerate().filter(|(_, triple)| !triple.arcs.is_empty()) {
        let to: Vec<String> = triple.arcs.iter().map(|(_, to)| to.to_string()).collect();
        let by: Vec<String> =
            triple.arcs.iter().map(|&(l, _)| alphabet.name(l).escape_debug().to_string()).collect();
        writeln!(out, "    vertex = {v} : {{{}}}; -- {}", to.join(", "), by.join(", "))?;
    }
    writeln!(out, "    TRUE : vertex;\n  esac;\nDEFINE")?;
    members(&mut out, "stop", triples, |t| t.stops)?;
    members(&mut out, "goes_on", triples, |t| t.kind == Kind::Observation && !t.arcs.is_empty())?;
    specification(out, triples.first().map_or(Kind::Action, |t| t.kind), depth)
}

/// Defines the set of the triples with some property.
fn members(
    out: &mut impl Write,
    name: &str,
    triples: &[Triple],
    property: impl Fn(&Triple) -> bool,
) -> io::Result<()> {
    let all: Vec<String> =
        triples.iter().enumerate().filter(|(_, t)| property(t)).map(|(v, _)| v.to_string()).collect();
    if all.is_empty() {
        return writeln!(out, "  {name} := FALSE;");
    }
    writeln!(out, "  {name} := vertex in {{{}}};", all.join(", "))
}

/// The nested formula, for a first vertex of this kind. Where it is the robot's turn it may stop or choose; where it is the
/// world's, it may stop or wait.
fn specification(mut out: impl Write, first: Kind, depth: usize) -> io::Result<()> {
    write!(out, "CTLSPEC ")?;
    let mut kind = first;
    for _ in 0..depth {
        match kind {
            Kind::Action => write!(out, "(stop | EX ")?,
            Kind::Observation => write!(out, "(stop | goes_on & AX ")?,
        }
        kind = kind.other();
    }
    write!(out, "stop")?;
    for _ in 0..depth {
        write!(out, ")")?;
    }
    writeln!(out, ";")
}
