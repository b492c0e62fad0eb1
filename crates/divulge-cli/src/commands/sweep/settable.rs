//! Whether the file has what is to be set, told before anything is computed.

use divulge::limit::{Limit, Monitor, Progress};
use divulge_host::Files;
use divulge_model::{
    diagnostic::{Code, Diagnostics},
    foreign::{self, Given, Trouble},
    language::{self, looks_like_json},
};

use super::grid::Point;
use crate::{
    input::{no_constants, text},
    status::Failure,
};

/// Refuses what would be wrong at every point, or whatever the numbers: names that nothing has, values of another kind.
pub fn settable(file: &str, points: &[Point]) -> Result<(), Failure> {
    let (name, text) = text(file, None)?;
    let settings = || points.iter().map(|point| point.settings.as_slice());
    if looks_like_json(&text) {
        return settings().take(1).try_for_each(|set| no_constants(&name, set));
    }
    let first = settings().next().unwrap_or_default();
    let constants: Vec<_> = first.iter().filter(|(name, _)| name != "observer").cloned().collect();
    match foreign::read(&name, &text, Given { constants: &constants, second: None }, &AtOnce) {
        Some(Err(Trouble::Findings(found))) if is_misset(&found) => Err(found.into()),
        Some(_) => Ok(()),
        None => language::misset(&name, &text, &Files, settings()).map_or(Ok(()), |found| Err(found.into())),
    }
}

/// What is said of a value that is set, and not of the file, points nowhere.
fn is_misset(found: &Diagnostics) -> bool {
    found.iter().any(|one| one.span.is_none() && matches!(one.code, Code::ForeignName | Code::ForeignValue))
}

/// Gives up before the states of a file are worked out.
struct AtOnce;

impl Monitor for AtOnce {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        Err(Limit::Interrupt)
    }
}
