//! Reading `.aut`.

use crate::{
    Fault, FaultKind, Faults, Format, Machine, Property, Step,
    text::{Word, count, lines, place},
};

/// More states than this are refused before any room is made for them.
const MOST_STATES: u32 = 50_000_000;

/// Reads a transition system.
///
/// # Errors
/// All that is wrong with it.
pub fn read(text: &str) -> Result<Machine, Vec<Fault>> {
    let mut faults = Faults::new();
    let mut lines = lines(text);
    let Some(header) = header(lines.next(), text.len(), &mut faults) else { return Err(faults.into_list()) };
    let mut machine = Machine::new(Format::Aut);
    for line in lines {
        if faults.is_full() {
            break;
        }
        let Some([from, label, to]) = transition(line, &mut faults) else { continue };
        let ends = [state(from, header.states, &mut faults), state(to, header.states, &mut faults)];
        let name = unquoted(label.text);
        let (event, new) = machine.events.intern(name);
        if new {
            let hidden = matches!(name, "i" | "tau");
            machine.unseen.push(hidden);
        }
        machine.transitions += 1;
        if let [Some(from), Some(to)] = ends {
            machine.steps.push(Step { from, event, to, seen: 0 });
        }
    }
    if machine.transitions != header.transitions && faults.is_empty() {
        let message = format!(
            "the header says {}, but there are {}",
            count(header.transitions, "transition"),
            machine.transitions
        );
        let cut = machine.transitions < header.transitions;
        let help = if cut { "the file may be cut off" } else { "correct the header" };
        faults.push(Fault::new(FaultKind::Syntax, message).at(header.at.place(), "").help(help));
    }
    faults.or(|| {
        for state in 0..header.states {
            machine.states.intern(&state.to_string());
        }
        machine.initial = vec![header.first];
        machine.properties = vec![Property::names("state", &machine.states)];
        let hidden = machine.events.iter().zip(&machine.unseen).filter(|(_, hidden)| **hidden);
        let hidden: Vec<String> = hidden.map(|(name, _)| format!("`{name}`")).collect();
        machine.notes.push(match hidden.is_empty() {
            false => {
                format!("{}, the internal action, is not seen; every other event is", hidden.join(" or "))
            }
            true => "every event is seen; an internal action would be called `i` or `tau`".to_owned(),
        });
        let mut distinct = machine.steps.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let again = machine.steps.len() - distinct.len();
        if again > 0 {
            machine
                .notes
                .push(format!("{again} of the transitions repeat an earlier one, which changes nothing"));
        }
        machine
    })
}

struct Header<'a> {
    first: u32,
    transitions: usize,
    states: u32,
    at: Word<'a>,
}

fn header<'a>(line: Option<Word<'a>>, end: usize, faults: &mut Faults) -> Option<Header<'a>> {
    let line = line.unwrap_or(Word { text: "", start: end });
    let inside = line.text.strip_prefix("des").map(str::trim_start).and_then(inside);
    let Some(inside) = inside else {
        let fault = Fault::new(FaultKind::Syntax, "the first line is not the header of a transition system");
        faults.push(
            fault
                .at(line.place(), "")
                .help("it is `des (FIRST, TRANSITIONS, STATES)`, such as `des (0, 92, 74)`"),
        );
        return None;
    };
    let parts: Vec<Word<'a>> = split(line, inside, ',').collect();
    if let Some(part) = parts.first().filter(|part| part.text.contains('/')) {
        faults.push(distribution(*part));
        return None;
    }
    let [first, transitions, states] = parts[..] else {
        let fault =
            Fault::new(FaultKind::Syntax, format!("the header has three numbers, not {}", parts.len()));
        faults.push(fault.at(line.place(), "").help("it is `des (FIRST, TRANSITIONS, STATES)`"));
        return None;
    };
    let count = |word: Word<'_>, faults: &mut Faults| -> Option<u32> {
        let read = word.text.parse().ok();
        if read.is_none() {
            let fault = Fault::new(FaultKind::Syntax, format!("`{}` is not a number", word.text));
            faults.push(fault.at(word.place(), "").help("the header is `des (FIRST, TRANSITIONS, STATES)`"));
        }
        read
    };
    let numbers = [first, transitions, states].map(|word| count(word, faults));
    let [Some(number), Some(transitions), Some(all)] = numbers else { return None };
    if all > MOST_STATES {
        let message = format!("{all} states are too many: at most {MOST_STATES} are listed");
        faults.push(
            Fault::new(FaultKind::TooLarge, message).at(states.place(), "").help("reduce the system first"),
        );
        return None;
    }
    let first = state(first, all, faults).filter(|_| number < all)?;
    Some(Header { first, transitions: transitions as usize, states: all, at: line })
}

/// What stands between the first `(` and the last `)`.
fn inside(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')')
}

fn split<'a>(line: Word<'a>, part: &'a str, at: char) -> impl Iterator<Item = Word<'a>> {
    part.split(at).map(move |piece| trimmed(line, piece))
}

fn trimmed<'a>(line: Word<'a>, piece: &'a str) -> Word<'a> {
    let text = piece.trim();
    Word { text, start: line.start + (text.as_ptr() as usize - line.text.as_ptr() as usize) }
}

/// A label may have commas in it: the first and the last comma are what separates.
fn transition<'a>(line: Word<'a>, faults: &mut Faults) -> Option<[Word<'a>; 3]> {
    let parts = inside(line.text).and_then(|inside| {
        let (from, rest) = inside.split_once(',')?;
        let (label, to) = rest.rsplit_once(',')?;
        Some([from, label, to].map(|part| trimmed(line, part)))
    });
    match parts {
        Some([_, label, _]) if !label.text.is_empty() => parts,
        _ => {
            let fault = Fault::new(FaultKind::Syntax, "this is not a transition");
            let help = "a transition is `(FROM, LABEL, TO)`, such as `(0, \"send\", 1)`";
            faults.push(fault.at(line.place(), "").help(help));
            None
        }
    }
}

fn state(word: Word<'_>, states: u32, faults: &mut Faults) -> Option<u32> {
    match word.text.parse::<u32>() {
        Ok(number) if number < states => return Some(number),
        Ok(number) => {
            let message =
                format!("there is no state {number}: the header says {}", count(states as usize, "state"));
            let help = "states are numbered from 0; the last number of the header is how many there are";
            faults.push(Fault::new(FaultKind::Name, message).at(word.place(), "").help(help));
        }
        Err(_) if word.text.contains('/') => faults.push(distribution(word)),
        Err(_) => {
            let fault =
                Fault::new(FaultKind::Syntax, format!("`{}` is not the number of a state", word.text));
            faults.push(fault.at(word.place(), "").help("a transition is `(FROM, LABEL, TO)`"));
        }
    }
    None
}

fn distribution(word: Word<'_>) -> Fault {
    Fault::new(
        FaultKind::Unsupported,
        "the system is probabilistic: a distribution stands in place of a state",
    )
    .at(place(word.start, word.start + word.text.len()), "states with their probabilities")
    .help("write a transition to each state of the distribution, if all that matters is what can happen")
}

/// A label without the quotes around it.
fn unquoted(label: &str) -> &str {
    label.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(label)
}
