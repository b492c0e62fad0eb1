//! Reading a model as far as is wanted, within limits: for those who read while it is being written.

use super::facts::Facts;
use super::include::{self, Loader};
use super::scope::Within;
use super::{elaborate, model};
use crate::diagnostic::Diagnostics;
use divulge::{Limit, Monitor, problem::Problem};

/// How far a model is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Words, names and types alone: what takes no longer than the text is long.
    Text,
    /// The world, too.
    World,
}

/// What was made of a model.
#[derive(Debug)]
pub struct Reading {
    /// The problem, unless there are errors or the world was left out.
    pub problem: Option<Problem>,
    /// What is to be said of the text.
    pub diagnostics: Diagnostics,
    /// What is known of its names.
    pub facts: Facts,
    /// The limit that was hit before the world was known.
    pub stopped: Option<Limit>,
}

/// As [`load_all`](super::load_all), within limits, and only as far as is wanted.
pub fn read(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    overrides: &[(String, String)],
    depth: Depth,
    monitor: &dyn Monitor,
) -> Reading {
    let mut diagnostics = Diagnostics::new();
    let source = diagnostics.add_source(name, text);
    let items = include::items(source, loader, &mut diagnostics);
    if diagnostics.has_errors() {
        return Reading { problem: None, diagnostics, facts: Facts::default(), stopped: None };
    }
    let model = model::collect(items, source, &mut diagnostics);
    let within = Within { world: depth == Depth::World, monitor, threads: 1 };
    let made = elaborate::elaborate(&model, overrides, true, source, within, &mut diagnostics);
    let problem = made.problem.filter(|_| !diagnostics.has_errors());
    Reading { problem, diagnostics, facts: made.facts, stopped: made.stopped }
}
