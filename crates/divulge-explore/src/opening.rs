//! What a page begins with: the problem as it is shown, and what is said of it before anything is walked through.

use divulge::{
    Limit, Monitor, Progress,
    problem::{Grid, Problem},
};
use serde_json::{Value, json};

use crate::{Explorer, GridRequest};

/// What a page opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The events that have happened; none: the page chooses, a violation if there is one, else the start.
    pub events: Option<Vec<String>>,
    /// What is to be said first, such as why there is no plan: a headline, and a text in lines.
    pub note: Option<(String, String)>,
}

/// The problem as a page shows it.
pub fn shown(problem: &Problem) -> Problem {
    let mut shown = problem.clone();
    for observer in shown.observers_mut().filter(|observer| observer.map.is_some()) {
        // A document has a map or constraints on one.
        observer.constraints = Default::default();
    }
    // The page is about whoever the question is about.
    shown.aside.clear();
    shown
}

/// What a page holds beside the document of the problem, which is as [`shown`] gives it.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn data(shown: &Problem, opening: &Opening, monitor: &dyn Monitor) -> Result<Value, Limit> {
    let about = Explorer::open(shown.clone(), monitor)?.answer(r#"{"do": "about"}"#);
    // What was given up there because of a limit is no page.
    monitor.poll(&Progress { doing: "making the page", ..Progress::default() })?;
    let grid = shown.grid.clone().map(|Grid { row, col, landmarks }| GridRequest { row, col, landmarks });
    Ok(json!({
        "grid": grid,
        "about": serde_json::from_str::<Value>(&about).unwrap_or_default(),
        "events": opening.events,
        "note": opening.note,
    }))
}
