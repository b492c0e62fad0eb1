//! Worlds and what is drawn of them; and the problems that these tests share.

mod pictures;
#[cfg(feature = "png")]
mod png;
mod random;
mod read_back;
mod scene;
mod unlimited;

use divulge::problem::Problem;
use divulge_model::language::{self, Included, Loader, NoIncludes};

/// The problem that a text is.
fn load(text: &str) -> Problem {
    let (problem, found) = language::load("test", text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", found.render(false)))
}

/// Included files lie beside the including ones.
struct Files;

impl Loader for Files {
    fn load(&self, path: &str, from: &str) -> Result<Included, String> {
        let name = std::path::Path::new(from).with_file_name(path).display().to_string();
        let text = std::fs::read_to_string(&name).map_err(|e| e.to_string())?;
        Ok(Included { name, text })
    }
}

/// The problem of an example.
fn example(name: &str) -> Problem {
    let path = format!("{}/../../examples/{name}.divulge", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (problem, found) = language::load(&path, &text, &Files, &[]);
    problem.unwrap_or_else(|| panic!("{}", found.render(false)))
}

/// Examples of every kind.
const EXAMPLES: [&str; 13] = [
    "medicine",
    "medicine_prompt_violated",
    "nuclear",
    "nuclear_hasty_violated",
    "pentagon",
    "pentagon_plain_violated",
    "remembering_violated",
    "theory/shortcut",
    "theory/stopping",
    "theory/silent",
    "observers/hospital",
    "observers/hospital_hasty_violated",
    "observers/nuclear_spy",
];
