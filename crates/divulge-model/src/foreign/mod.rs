//! Files of other tools, read as problems: the readers are `divulge-formats`; here what they find wrong gets codes and places.

mod said;

use divulge::{
    formula::{FormulaError, Predicate, resolve},
    limit::{Limit, Monitor},
    problem::{Kind, PGraphBuilder, Problem, Vertex},
    sets::BitSet,
};
use divulge_formats::{Beside, Failed, Fault, FaultKind, Recognised, recognise};
pub use divulge_formats::{Facts, Fixed, Format};
pub use said::{Said, Unfit, properties, secret};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, SourceId};

/// A file of another tool, read.
#[derive(Debug)]
pub struct Foreign {
    /// The world, and an observer who knows it and sees all that the file does not hide. Nothing is stipulated.
    pub problem: Problem,
    /// How large it is, as people of its field count.
    pub facts: Facts,
    /// The property of states that a plan is to keep away from, if the file tells; see [`dead_ends`].
    pub avoid: Option<String>,
    /// Whether the file says what the goal is, even if no state is one.
    pub goal: bool,
    /// Facts that are the same at every state, and therefore no properties.
    pub fixed: Fixed,
    /// What was taken for what, and what was dropped: a sentence each, without a final full stop.
    pub notes: Vec<String>,
}

/// Where the reader of a note says what the file leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// By options.
    Options,
    /// In a model.
    Model,
    /// In the fields of a page.
    Fields,
}

impl Foreign {
    /// How large the file is, what was taken for what, and what was dropped: a sentence each, without a final full stop. What has been `said` otherwise is left out.
    pub fn remarks(&self, name: &str, asked: Asked, said: &[&str]) -> Vec<String> {
        let Facts { format, states, transitions, events, .. } = self.facts;
        let size = format!(
            "{name} is read as {}: {}, {}, {}",
            format.title(),
            count(states, "state"),
            count(transitions, "transition"),
            count(events, if format.is_automaton() { "event" } else { "action" }),
        );
        let open = self.notes.iter().filter(|note| !said.iter().any(|option| note.contains(option)));
        std::iter::once(size).chain(open.map(|note| asked.worded(note))).collect()
    }
}

impl Asked {
    /// A note in the words of whoever reads it.
    fn worded(self, note: &str) -> String {
        match self {
            Asked::Options => note.to_owned(),
            Asked::Model => [
                ("`--initial`", "`start where`"),
                ("`--goal`", "`goal`"),
                ("`--avoid`", "`avoid`"),
                ("--goal marked", "goal marked"),
                ("--secret '!marked'", "stipulate hidden: !knows(!marked)"),
            ]
            .iter()
            .fold(note.to_owned(), |text, (option, word)| text.replace(option, word)),
            Asked::Fields => [
                ("`--initial`", "the field “Start”"),
                ("`--goal`", "the field “Goal”"),
                ("`--avoid`", "the field “Keep away from”"),
                ("--goal marked", "the goal marked"),
                ("--secret '!marked'", "the secret !marked"),
            ]
            .iter()
            .fold(note.to_owned(), |text, (option, word)| text.replace(option, word)),
        }
    }
}

/// `1 state`, `2 states`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Why a file of another tool was not read.
#[derive(Debug)]
pub enum Trouble {
    /// It is wrong.
    Findings(Diagnostics),
    /// A limit was hit.
    Limit(Limit),
}

/// What is said besides the file itself.
#[derive(Clone, Copy, Default)]
pub struct Given<'a> {
    /// Constants with their values, as text.
    pub constants: &'a [(String, String)],
    /// The name and the text of a second file: the domain of a planning problem.
    pub second: Option<(&'a str, &'a str)>,
}

/// The word for the format of a file of another tool, by its name or else by its content; `refused` if it is known, but not read; `None` if it is none.
pub fn recognised(name: &str, text: &str) -> Option<&'static str> {
    recognise(name, text).map(|recognised| match recognised {
        Recognised::Known(format) => format.word(),
        Recognised::Refused(..) => "refused",
    })
}

/// Reads a file of another tool; `None` if it is none, as far as name and content tell.
pub fn read(
    name: &str,
    text: &str,
    given: Given<'_>,
    monitor: &dyn Monitor,
) -> Option<Result<Foreign, Trouble>> {
    Some(match parsed(name, text, given, monitor) {
        Read::Unknown => return None,
        Read::Done(read) => Ok(*read),
        Read::Limit(limit) => Err(Trouble::Limit(limit)),
        Read::Faults(faults) => {
            let mut found = Diagnostics::new();
            let texts = std::iter::once((name, text)).chain(given.second);
            let sources: Vec<SourceId> = texts.map(|(name, text)| found.add_source(name, text)).collect();
            faults.into_iter().for_each(|fault| found.push(finding(fault, &sources)));
            Err(Trouble::Findings(found))
        }
    })
}

/// What came of reading a file.
pub(crate) enum Read {
    /// It is none of another tool.
    Unknown,
    /// It was read.
    Done(Box<Foreign>),
    /// It is wrong.
    Faults(Vec<Fault>),
    /// A limit was hit.
    Limit(Limit),
}

impl From<Failed> for Read {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Limit(limit) => Read::Limit(limit),
            Failed::Faults(faults) => Read::Faults(faults),
        }
    }
}

pub(crate) fn parsed(name: &str, text: &str, given: Given<'_>, monitor: &dyn Monitor) -> Read {
    let format = match recognise(name, text) {
        None => return Read::Unknown,
        Some(Recognised::Known(format)) => format,
        Some(Recognised::Refused(what, help)) => {
            return Read::Faults(vec![Fault::new(FaultKind::Unsupported, what).help(help)]);
        }
    };
    let beside = Beside { constants: given.constants, domain: given.second.map(|(_, text)| text) };
    let mut machine = match divulge_formats::read(format, text, beside, monitor) {
        Ok(machine) => machine,
        Err(failed) => return failed.into(),
    };
    let (facts, notes) = (machine.facts(), std::mem::take(&mut machine.notes));
    let (avoid, fixed) = (machine.avoid.take(), std::mem::take(&mut machine.fixed));
    let goal = machine.goal.is_some();
    match machine.problem() {
        Ok(problem) => Read::Done(Box::new(Foreign { problem, facts, avoid, goal, fixed, notes })),
        Err(fault) => Read::Faults(vec![fault]),
    }
}

/// A mistake, with its code and its place in one of the texts.
pub(crate) fn finding(fault: Fault, sources: &[SourceId]) -> Diagnostic {
    let diagnostic = Diagnostic::new(code(fault.kind), fault.message).help_opt(fault.help);
    match fault.place.and_then(|place| sources.get(place.text).copied().zip(Some(place))) {
        Some((source, place)) => diagnostic.at(source.span(place.start, place.end), fault.label),
        None => diagnostic,
    }
}

fn code(kind: FaultKind) -> Code {
    match kind {
        FaultKind::Syntax => Code::ForeignSyntax,
        FaultKind::Name => Code::ForeignName,
        FaultKind::Value => Code::ForeignValue,
        FaultKind::Unsupported => Code::ForeignUnsupported,
        FaultKind::TooLarge => Code::ForeignTooLarge,
    }
}

/// The states (action vertices) that a condition is true of.
///
/// # Errors
/// If the condition does not fit the world.
pub fn states(problem: &Problem, condition: &Predicate) -> Result<BitSet, FormulaError> {
    let mut set = resolve::vertices(&problem.world, condition)?;
    for v in problem.world.graph.vertices().filter(|&v| problem.world.graph.kind(v) == Kind::Observation) {
        set.remove(v.index());
    }
    Ok(set)
}

/// The same problem, started at other states.
///
/// # Panics
/// If there are none.
pub fn start_at(problem: &mut Problem, states: &BitSet) {
    let initial: Vec<Vertex> = states.iter().map(|v| Vertex(v as u32)).collect();
    rebuild(problem, &initial, |_| true);
}

/// The same problem, in which nothing leads on from these states.
pub fn dead_ends(problem: &mut Problem, states: &BitSet) {
    let initial = problem.world.graph.initial().to_vec();
    rebuild(problem, &initial, |from| !states.contains(from.index()));
}

fn rebuild(problem: &mut Problem, initial: &[Vertex], keep: impl Fn(Vertex) -> bool) {
    let old = &problem.world.graph;
    let mut graph = PGraphBuilder::new();
    for v in old.vertices() {
        graph.vertex(old.kind(v));
    }
    for (v, arc) in old.all_arcs().filter(|&(v, _)| keep(v)) {
        graph.arc(v, arc.label, arc.to);
    }
    initial.iter().for_each(|&v| graph.initial(v));
    problem.world.graph = graph.build().expect("a part of a graph with initial vertices of one kind");
}
