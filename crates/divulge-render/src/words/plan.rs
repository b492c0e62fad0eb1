//! Plans for people: the program, its worst case, and what the observer can tell at the end.

use std::collections::BTreeSet;

use divulge::{
    ask::Account,
    problem::{Kind, Plan, Problem, Vertex},
    verdict::WorstCase,
};

use super::{
    ends::{Notes, at_all_ends},
    layout::{GLUE, columns, count, paragraph},
    program::{Line, lines},
    style::Style,
};

/// A program with more lines than this is cut short.
const LINES: usize = 200;

/// A plan as an indented program, with what the observer can tell where it stops, as far as its account has them; `worst` is its worst case,
/// where it was computed.
pub fn plan(
    problem: &Problem,
    plan: &Plan,
    worst: Option<WorstCase>,
    account: Option<&Account>,
    style: Style,
) -> String {
    let mut out = heading(plan, worst);
    let Some(Account { program, endings, each }) = account else {
        return out + "  (too long to write out here; the plan as JSON has it all)\n";
    };
    let notes = endings.as_ref().map(|ends| Notes::new(problem, ends)).unwrap_or_default();
    let lines = lines(program, &problem.alphabet, |v| notes.number(v));
    let shown = &lines[..lines.len().min(LINES)];
    if shown.len() < lines.len() {
        out += &paragraph(&in_short(plan, shown.len(), lines.len()), 0, 2, style);
    }
    let column = note_column(shown, &notes, style);
    for line in shown {
        out += &program_line(line, &notes, column, style);
    }
    let more = lines.len() - shown.len();
    match (more, program.plan.is_some()) {
        (0, true) => {}
        (_, true) => {
            out += &format!(
                "  … and {}; the plan as JSON or as a picture has them all\n",
                count(more, "more line")
            );
        }
        (_, false) => out += "  … and so on; the plan as JSON has it all\n",
    }
    if column.is_none() {
        out += &below(shown, &notes, style);
    }
    if let Some(common) = &notes.common {
        let several = lines.iter().filter(|line| line.remark.is_some()).count() > 1;
        let where_ = if several { "At every stop" } else { "At the end" };
        out += &paragraph(&format!("{where_} the observer {common}."), 0, 2, style);
    }
    for (number, ending) in each {
        if let Some(told) = at_all_ends(&problem.clone().about(*number), ending) {
            let said = format!("In the end {} {told}.", problem.called(*number));
            out += &paragraph(&said, 0, 2, style);
        }
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

/// What a long plan is like.
fn in_short(plan: &Plan, shown: usize, lines: usize) -> String {
    let decides = |v: &Vertex| {
        let arcs = plan.graph.arcs(*v);
        plan.graph.kind(*v) == Kind::Observation && arcs.iter().any(|arc| arc.to != arcs[0].to)
    };
    let decided = plan.graph.vertices().filter(|v| !plan.is_terminal(*v)).filter(decides).count();
    format!(
        "What is observed decides what comes next at {}; the robot chooses at {}. The first {shown} of {lines} lines:",
        count(decided, "vertex"),
        count(plan.choosing().len(), "vertex")
    )
}

/// What a line's `stop` says of the observer, if anything: the number of the text, and the text.
fn note<'n>(line: &Line, notes: &'n Notes) -> Option<(usize, &'n str)> {
    let number = line.remark?;
    let text = notes.texts.get(number)?;
    (!text.is_empty()).then_some((number, text))
}

fn beside(note: &str) -> String {
    format!("-- the observer {note}")
}

fn indent(line: &Line) -> usize {
    2 + 2 * line.indent
}

/// Where notes begin that stand beside their lines; if there is no room for all of them, they are numbered and stand below.
fn note_column(lines: &[Line], notes: &Notes, style: Style) -> Option<usize> {
    let noted: Vec<&Line> = lines.iter().filter(|line| note(line, notes).is_some()).collect();
    let widest = noted.iter().map(|line| indent(line) + columns(&line.text)).max()? + 2;
    let longest =
        noted.iter().filter_map(|line| note(line, notes)).map(|(_, text)| columns(&beside(text))).max()?;
    (widest + longest <= style.width).then_some(widest)
}

fn program_line(line: &Line, notes: &Notes, column: Option<usize>, style: Style) -> String {
    let indent = indent(line);
    let mut text = line.text.clone();
    let note = note(line, notes);
    if let (Some((number, _)), None) = (note, column) {
        text += &format!(" [{number}]");
    }
    let mut out = paragraph(&text, indent, indent + 4, style);
    if line.heading {
        out = style.strong(out.trim_end()) + "\n";
    }
    if let (Some((_, note)), Some(column)) = (note, column) {
        let beside = beside(note).replace(GLUE, " ");
        out = format!("{:column$}{}\n", out.trim_end(), style.faint(&beside));
    }
    out
}

/// The notes that lines refer to by their numbers.
fn below(lines: &[Line], notes: &Notes, style: Style) -> String {
    let used: BTreeSet<(usize, &str)> = lines.iter().filter_map(|line| note(line, notes)).collect();
    let say = |(number, text)| paragraph(&format!("At [{number}] the observer {text}."), 0, 2, style);
    used.into_iter().map(say).collect()
}
