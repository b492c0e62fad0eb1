//! What is written of a plan: passages, folded where they say the same, and their lines.

use std::collections::BTreeMap;

use divulge::problem::{Kind, Label, Plan, Vertex};

use super::program::Program;

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

/// What is said from some place on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Passage {
    pub events: Vec<String>,
    pub then: Then,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Then {
    /// The vertex of the spelled plan; later, the number of the remark.
    Stop(usize),
    GoTo(usize),
    Nothing,
    Choice(Kind, Vec<(Vec<Label>, Passage)>),
}

/// A plan as it is written.
pub(super) struct Spelled {
    pub starts: Vec<Passage>,
    pub parts: Vec<Passage>,
    /// The plan with a terminal vertex for each `stop` that is written; it does what the plan does.
    pub plan: Plan,
}

impl Spelled {
    /// The whole program. `remark` numbers what is to be said at each terminal vertex of the spelled plan: branches of which the
    /// same is said, word for word, are made one.
    pub fn lines(self, program: &Program<'_>, remark: impl Fn(Vertex) -> usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let several = self.starts.len() > 1;
        for (i, start) in self.starts.into_iter().enumerate() {
            let lead = if several { format!("start {}: ", i + 1) } else { String::new() };
            program.write(&program.fold(start, &remark), &lead, 0, &mut lines);
        }
        for (part, passage) in self.parts.into_iter().enumerate() {
            lines.push(Line { indent: 0, text: format!("{}:", name(part)), remark: None, heading: true });
            program.write(&program.fold(passage, &remark), "", 1, &mut lines);
        }
        lines
    }
}

impl Program<'_> {
    fn fold(&self, passage: Passage, remark: &dyn Fn(Vertex) -> usize) -> Passage {
        let Passage { mut events, then } = passage;
        let (kind, choices) = match then {
            Then::Stop(node) => return Passage { events, then: Then::Stop(remark(Vertex(node as u32))) },
            Then::Choice(kind, choices) => (kind, choices),
            then => return Passage { events, then },
        };
        let mut first: BTreeMap<Passage, usize> = BTreeMap::new();
        let mut folded: Vec<Vec<Label>> = Vec::new();
        for (labels, passage) in choices {
            let at = *first.entry(self.fold(passage, remark)).or_insert(folded.len());
            match folded.get_mut(at) {
                Some(others) => others.extend(labels),
                None => folded.push(labels),
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
                    events.push(self.names(&folded[0]));
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

    fn write(&self, passage: &Passage, lead: &str, indent: usize, lines: &mut Vec<Line>) {
        let mut events = passage.events.clone();
        let mut remark = None;
        match &passage.then {
            Then::Stop(number) => {
                remark = Some(*number);
                events.push("stop".to_owned());
            }
            Then::GoTo(part) => events.push(format!("go to {}", name(*part))),
            Then::Nothing => events.push("(nothing to go on with)".to_owned()),
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

/// Events in turn; one that is repeated often is written once.
fn joined(events: &[String]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in events.chunk_by(|a, b| a == b) {
        match run.len() {
            times @ 3.. => texts.push(format!("{} ({times} times)", run[0])),
            _ => texts.extend_from_slice(run),
        }
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
