//! An execution as a table, step by step.

use divulge::{
    explain::{Moment, Replay},
    problem::{Kind, Label, LabelMap, Problem, Vertex},
};

use super::{estimate::Describer, layout::Table, style::Style};

/// Longer executions are shortened in the middle: so many steps from the start, so many to the end.
const SHOWN: (usize, usize) = (6, 14);

const UNEXPECTED: &str = "(not expected: no estimate)";

/// What an event is to the robot: an action that it takes, or something that it observes.
pub(super) fn event(problem: &Problem, label: Label) -> String {
    let name = problem.alphabet.name(label);
    match problem.alphabet.kind(label) {
        Kind::Action => name.to_owned(),
        Kind::Observation => format!("  observes {name}"),
    }
}

/// The steps of a replay: what the robot did or observed, what the observer saw, and its estimate.
pub fn steps(problem: &Problem, map: &LabelMap, replay: &Replay, style: Style) -> String {
    let describer = Describer::new(problem);
    let mut table = Table::new(&["n", "the robot", "observer saw", "observer's estimate"]);
    let skipped = skipped(replay.moments.len());
    for (n, moment) in replay.moments.iter().enumerate() {
        if skipped.contains(&n) {
            if n == skipped.start {
                let gap = format!("… {} more steps …", skipped.len());
                table.row(vec!["…".to_owned(), String::new(), String::new(), gap]);
            }
            continue;
        }
        let (did, saw) = match moment.event {
            None => ("(start)".to_owned(), String::new()),
            Some((label, _)) => (event(problem, label), map.shown(label).to_owned()),
        };
        // What is not seen changes nothing for the observer.
        let unseen = moment.event.is_some_and(|(_, image)| image.is_none()) && moment.estimate.is_some();
        let holds = if unseen { "(as before)".to_owned() } else { estimate(&describer, moment) };
        table.row(vec![n.to_string(), did, saw, holds]);
    }
    table.text(style)
}

/// What an observer saw, image by image, and its estimates: nothing was seen before the first, and there may be no estimate.
pub fn seen(problem: &Problem, moments: &[(&str, Option<&[Vertex]>)], style: Style) -> String {
    let describer = Describer::new(problem);
    let mut table = Table::new(&["n", "observer saw", "observer's estimate"]);
    let skipped = skipped(moments.len());
    for (n, (saw, set)) in moments.iter().enumerate() {
        if n == skipped.start && !skipped.is_empty() {
            let gap = format!("… {} more steps …", skipped.len());
            table.row(vec!["…".to_owned(), String::new(), gap]);
        }
        if !skipped.contains(&n) {
            let holds = set.map_or(UNEXPECTED.to_owned(), |set| describer.set(set));
            table.row(vec![n.to_string(), (*saw).to_owned(), holds]);
        }
    }
    table.text(style)
}

/// Which of so many rows are left out.
pub(super) fn skipped(rows: usize) -> std::ops::Range<usize> {
    let (first, last) = SHOWN;
    if rows > first + last + 1 { first..rows - last } else { 0..0 }
}

fn estimate(describer: &Describer<'_>, moment: &Moment) -> String {
    match &moment.estimate {
        Some(set) => describer.set(set),
        None => UNEXPECTED.to_owned(),
    }
}
