//! A stipulation on a run as a table: a row for each of the observer's moments.

use divulge::{
    explain::{RunState, RunTold},
    formula::{Formula, Run},
};
use serde::Serialize;

use crate::words::{Told, atom, sentence};

/// A stipulation on a run, moment by moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunTable {
    /// What it speaks of: formulas of one estimate.
    pub parts: Vec<String>,
    /// The moments so far.
    pub moments: Vec<RunRow>,
    /// The number of the moment where it failed, and the parts by which it did.
    pub failed: Option<(usize, Vec<usize>)>,
    #[serde(skip)]
    why: String,
}

/// One moment of the observer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// How many events had happened when it began.
    pub events: usize,
    /// What was seen then; nothing at the start.
    pub saw: Option<String>,
    /// Which of the parts are true then.
    pub holds: Vec<bool>,
    /// `satisfied`, `kept`, `owed` or `broken`.
    pub state: &'static str,
    /// The same in words.
    pub words: &'static str,
}

pub(crate) fn table(
    formula: &Formula,
    run: &Run,
    moments: Vec<(usize, Vec<bool>)>,
    ends: bool,
    saw: impl Fn(usize) -> Option<String>,
) -> RunTable {
    let told = RunTold::new(formula, run, moments, ends);
    let rows = told.moments.iter().map(|moment| {
        let (state, words) = match moment.state {
            RunState::Satisfied => ("satisfied", "satisfied"),
            RunState::Kept => ("kept", "kept so far"),
            RunState::Owed => ("owed", "still owed"),
            RunState::Broken => ("broken", "broken"),
        };
        RunRow { events: moment.events, saw: saw(moment.events), holds: moment.holds.clone(), state, words }
    });
    RunTable {
        parts: told.atoms.iter().map(ToString::to_string).collect(),
        moments: rows.collect(),
        failed: told.failed.as_ref().map(|failed| (failed.moment, failed.atoms.clone())),
        why: why(&told, &saw),
    }
}

impl RunTable {
    fn last(&self) -> &'static str {
        self.moments.last().map_or("owed", |row| row.state)
    }

    /// How it stands, and why.
    pub(crate) fn told(&self) -> Told {
        let holds = match self.last() {
            "satisfied" | "kept" => Some(true),
            "broken" => Some(false),
            _ => None,
        };
        Told { holds, why: self.why.clone() }
    }

    /// How it stands, in a word or two.
    pub(crate) fn now(&self) -> &'static str {
        self.moments.last().map_or("still owed", |row| row.words)
    }
}

fn why(told: &RunTold, saw: impl Fn(usize) -> Option<String>) -> String {
    let last = told.moments.last().map(|moment| moment.state);
    let Some(failed) = told.failed.as_ref().filter(|_| last == Some(RunState::Broken)) else {
        return match last {
            Some(RunState::Satisfied) => "Whatever follows, this run satisfies it.",
            Some(RunState::Kept) => "It is true of the run if that ends here.",
            _ => "It is not true of the run so far, but can still become so.",
        }
        .to_owned();
    };
    let moment = &told.moments[failed.moment];
    let parts: Vec<String> = failed.atoms.iter().map(|&i| atom(&told.atoms[i], moment.holds[i])).collect();
    let when = match saw(moment.events) {
        None => "At the start".to_owned(),
        Some(image) => format!("At event {} (seen as {image})", moment.events),
    };
    match (parts.is_empty(), failed.at_end) {
        (true, true) => "The robot may stop here, and it is not true of the run.".to_owned(),
        (true, false) => {
            format!("{when} it was broken: nothing that may follow can make it true any more.")
        }
        (false, true) => sentence(&format!("the robot may stop here, but {}.", parts.join(", and "))),
        (false, false) => format!("{when} it was broken: {}.", parts.join(", and ")),
    }
}
