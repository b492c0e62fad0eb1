//! Plans for people: the program, its worst case, and what the observer can tell at the end.

use std::collections::BTreeMap;

use divulge::{
    answer::{Ending, Held, Known, WorstCase},
    problem::{Plan, Problem, Value, Vertex},
};

use super::{
    clause::remark,
    estimate::{Describer, values_list},
    layout::{count, few, paragraph},
    program::{Line, Program},
    style::Style,
};

/// A program with more lines than this is cut short.
const LINES: usize = 200;

/// A plan as an indented program.
///
/// `worst` is its worst case, and `endings` what the observer can tell where it terminates, each where it was computed.
pub fn plan(
    problem: &Problem,
    plan: &Plan,
    worst: Option<WorstCase>,
    endings: Option<&[Ending]>,
    style: Style,
) -> String {
    let mut out = heading(plan, worst);
    let notes = Notes::new(problem, endings.unwrap_or_default());
    let lines = Program::new(plan, &problem.alphabet).lines();
    for line in lines.iter().take(LINES) {
        out += &program_line(line, &notes, style);
    }
    if let Some(more) = lines.len().checked_sub(LINES).filter(|&more| more > 0) {
        out += &format!("  … and {more} more lines; the plan as JSON or as a picture has them all\n");
    }
    if let Some(common) = &notes.common {
        out += &paragraph(&format!("At the end the observer {common}."), 0, 2, style);
    }
    out
}

fn heading(plan: &Plan, worst: Option<WorstCase>) -> String {
    let size = count(plan.graph.len(), "vertex");
    match worst {
        Some(WorstCase { events, cost }) => {
            let events = count(usize::try_from(events).unwrap_or(usize::MAX), "event");
            format!("A plan of {size}: at most {events}, cost at most {cost}.\n")
        }
        None => format!("A plan of {size}.\n"),
    }
}

fn program_line(line: &Line, notes: &Notes, style: Style) -> String {
    let indent = 2 + 2 * line.indent;
    let mut out = paragraph(&line.text, indent, indent + 4, style);
    if line.heading {
        out = style.strong(out.trim_end()) + "\n";
    }
    if let Some(note) = line.stops.and_then(|v| notes.at.get(&v)) {
        for part in paragraph(&format!("-- the observer {note}"), indent + 4, indent + 7, style).lines() {
            out += &style.faint(part);
            out.push('\n');
        }
    }
    out
}

/// What is said at the ends: the same everywhere, or for each terminal vertex.
struct Notes {
    common: Option<String>,
    at: BTreeMap<Vertex, String>,
}

impl Notes {
    fn new(problem: &Problem, endings: &[Ending]) -> Self {
        let describer = Describer::new(problem);
        let mut at: BTreeMap<Vertex, String> =
            endings.iter().filter_map(|end| Some((end.at, note(&describer, end)?))).collect();
        let first = at.values().next().cloned();
        let common = first.filter(|first| at.len() == endings.len() && at.values().all(|note| note == first));
        if common.is_some() {
            at.clear();
        }
        Self { common, at }
    }
}

/// What the observer can tell of the properties that matter: "knows rad = high, cannot tell facility (…)". If the
/// stipulations speak of places rather than of properties, which of those it holds possible.
fn note(describer: &Describer<'_>, ending: &Ending) -> Option<String> {
    let known = |name: &&str| ending.known.iter().find(|(n, _)| n == name);
    let mut parts: Vec<String> = Vec::new();
    if !describer.asked().is_empty() || ending.possible.is_empty() {
        let telling = describer.telling().iter().filter_map(known);
        parts.extend(telling.map(|(name, known)| property(name, known)));
    } else {
        for (held, said) in [
            (Held::Always, "holds possible:"),
            (Held::Sometimes, "may hold possible:"),
            (Held::Never, "rules out:"),
        ] {
            let those = ending.possible.iter().filter(|(_, h)| *h == held);
            let those: Vec<String> = those.map(|(predicate, _)| remark(predicate)).collect();
            if !those.is_empty() {
                parts.push(format!("{said} {}", few(&those, 5)));
            }
        }
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn property(name: &str, known: &Known) -> String {
    let told: Vec<Option<&Value>> = known.told.iter().map(Option::as_ref).collect();
    let mut confused: Vec<Option<&Value>> = known.confused.iter().flatten().map(Option::as_ref).collect();
    confused.sort_unstable();
    confused.dedup();
    match (&told[..], known.confused.is_empty()) {
        ([Some(one)], true) => format!("knows {name} = {one}"),
        ([None], true) => format!("knows that there is no {name}"),
        (_, true) => format!("knows {name} ({}, as the case may be)", values_list(&told)),
        ([], false) => format!("cannot tell {name} (one of {})", values_list(&confused)),
        (_, false) => {
            format!("may know {name} ({}) or not (one of {})", values_list(&told), values_list(&confused))
        }
    }
}
