//! A plan as a short indented program: its lines.

use std::collections::BTreeMap;

use divulge::{
    explain::{Passage, Program, Then},
    problem::{Alphabet, Kind, Label, Vertex},
};

use super::layout::list;

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// How far it is indented, in steps.
    pub indent: usize,
    /// What it says.
    pub text: String,
    /// The remark that belongs to its `stop`, if it ends with one.
    pub remark: Option<usize>,
    /// Whether it is the heading of a part.
    pub heading: bool,
}

/// The whole program. `remark` numbers what is to be said at each terminal vertex of the spelled plan: branches of which the
/// same is said, word for word, are made one.
pub(super) fn lines(program: &Program, alphabet: &Alphabet, remark: impl Fn(Vertex) -> usize) -> Vec<Line> {
    let writer = Writer { alphabet, remark: &remark };
    let mut lines = Vec::new();
    let several = program.starts.len() > 1;
    for (i, start) in program.starts.iter().enumerate() {
        let lead = if several { format!("start {}: ", i + 1) } else { String::new() };
        writer.write(&writer.fold(start), &lead, 0, &mut lines);
    }
    for (part, passage) in program.parts.iter().enumerate() {
        lines.push(Line { indent: 0, text: format!("{}:", name(part)), remark: None, heading: true });
        writer.write(&writer.fold(passage), "", 1, &mut lines);
    }
    lines
}

struct Writer<'a> {
    alphabet: &'a Alphabet,
    remark: &'a dyn Fn(Vertex) -> usize,
}

impl Writer<'_> {
    /// The passage with the number of its remark in place of each stop, and branches of which the same is said made one.
    fn fold(&self, passage: &Passage) -> Passage {
        let mut events = passage.events.clone();
        let (kind, choices) = match &passage.then {
            Then::Stop(node) => {
                let remark = (self.remark)(*node);
                return Passage { events, then: Then::Stop(Vertex(remark as u32)) };
            }
            Then::Choice(kind, choices) => (*kind, choices),
            then => return Passage { events, then: then.clone() },
        };
        let mut first: BTreeMap<Passage, usize> = BTreeMap::new();
        let mut folded: Vec<Vec<Label>> = Vec::new();
        for (labels, passage) in choices {
            let at = *first.entry(self.fold(passage)).or_insert(folded.len());
            match folded.get_mut(at) {
                Some(others) => others.extend(labels),
                None => folded.push(labels.clone()),
            }
        }
        let mut choices: Vec<(usize, Passage)> =
            first.into_iter().map(|(passage, at)| (at, passage)).collect();
        choices.sort_unstable_by_key(|(at, _)| *at);
        for labels in &mut folded {
            labels.sort_unstable();
            labels.dedup();
        }
        match <[_; 1]>::try_from(choices) {
            Ok([(_, only)]) => {
                if kind == Kind::Action {
                    events.push(folded[0].clone());
                }
                events.extend(only.events);
                Passage { events, then: only.then }
            }
            Err(choices) => {
                let choices =
                    choices.into_iter().map(|(at, passage)| (std::mem::take(&mut folded[at]), passage));
                Passage { events, then: Then::Choice(kind, choices.collect()) }
            }
        }
    }

    fn names(&self, labels: &[Label]) -> String {
        let names: Vec<&str> = labels.iter().map(|&l| self.alphabet.name(l)).collect();
        list(&names, "or")
    }

    fn write(&self, passage: &Passage, lead: &str, indent: usize, lines: &mut Vec<Line>) {
        let mut events: Vec<String> = passage.events.iter().map(|labels| self.names(labels)).collect();
        let mut remark = None;
        match &passage.then {
            Then::Stop(number) => {
                remark = Some(number.index());
                events.push("stop".to_owned());
            }
            Then::GoTo(part) => events.push(format!("go to {}", name(*part))),
            Then::Nothing => events.push("(nothing to go on with)".to_owned()),
            Then::Cut => events.push("…".to_owned()),
            Then::Choice(..) => {}
        }
        let text = format!("{lead}{}", joined(&events)).trim_end().to_owned();
        if !text.is_empty() {
            lines.push(Line { indent, text, remark, heading: false });
        }
        if let Then::Choice(kind, choices) = &passage.then {
            let deeper = indent + usize::from(!lead.is_empty());
            let word = if *kind == Kind::Observation { "if" } else { "either" };
            for (labels, passage) in choices {
                self.write(passage, &format!("{word} {}: ", self.names(labels)), deeper, lines);
            }
        }
    }
}

/// Events that are repeated together are at most so many.
const BLOCK: usize = 8;

/// Events in turn; what is repeated often, one event or several together, is written once.
fn joined(events: &[String]) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut rest = events;
    while !rest.is_empty() {
        let times = |len: usize| rest.chunks(len).take_while(|chunk| *chunk == &rest[..len]).count();
        let lengths =
            (1..=BLOCK.min(rest.len())).map(|len| (len, times(len))).filter(|&(_, times)| times > 2);
        // What covers most; of that, the shortest.
        let most = lengths.max_by_key(|&(len, times)| (len * times, std::cmp::Reverse(len)));
        let (len, times) = most.unwrap_or((1, 1));
        texts.push(match (len, times) {
            (_, 1) => rest[0].clone(),
            (1, times) => format!("{} ({times} times)", rest[0]),
            (len, times) => format!("{times} times ({})", joined(&rest[..len])),
        });
        rest = &rest[len * times..];
    }
    texts.join(", ")
}

/// A, B, …, Z, A1, B1, …
fn name(part: usize) -> String {
    let letter = char::from(b'A' + (part % 26) as u8);
    match part / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
