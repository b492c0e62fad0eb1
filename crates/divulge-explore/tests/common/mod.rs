//! Examples, opened.

use divulge::{Unlimited, problem::Problem};
use divulge_explore::Explorer;
use divulge_model::language::{self, NoIncludes};
use serde_json::Value;

/// An example, by its name.
pub fn model(name: &str) -> Problem {
    let path = format!("{}/../../examples/{name}.divulge", env!("CARGO_MANIFEST_DIR"));
    written(&std::fs::read_to_string(path).unwrap())
}

/// A model.
pub fn written(text: &str) -> Problem {
    let (problem, found) = language::load("test", text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", found.render(false)))
}

/// A session about a problem.
pub fn open(problem: Problem) -> Explorer<'static> {
    Explorer::open(problem, &Unlimited).unwrap()
}

/// What a session answers.
pub fn ask(explorer: &mut Explorer<'_>, request: Value) -> Value {
    serde_json::from_str(&explorer.answer(&request.to_string())).unwrap()
}
