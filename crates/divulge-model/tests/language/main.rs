//! The language: what its constructs mean, its canonical layout, its examples; and what these tests share.

mod examples;
mod format;
mod semantics;
mod threads;
mod write;

use divulge::problem::Problem;
use divulge_model::language::{self, Included, Loader};
use std::path::{Path, PathBuf};

/// The examples' folder.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Includes are looked for beside what includes them, in the examples' folder.
struct Examples;

impl Loader for Examples {
    fn load(&self, path: &str, from: &str) -> Result<Included, String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let text = std::fs::read_to_string(folder().join(&path)).map_err(|e| e.to_string())?;
        Ok(Included { name: path.display().to_string(), text })
    }
}

/// Every example's file name and text.
fn examples() -> Vec<(String, String)> {
    let all = examples_in("");
    assert!(all.len() >= 8);
    all
}

/// The same of a folder among the examples.
fn examples_in(part: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder().join(part)).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<(String, String)> = files
        .filter(|p| p.extension().is_some_and(|e| e == "divulge"))
        .map(|p| {
            let name = Path::new(part).join(p.file_name().unwrap()).display().to_string();
            (name, std::fs::read_to_string(&p).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// The problem that a text is; it must be one, without even a warning.
fn problem(name: &str, text: &str, sets: &[(&str, &str)]) -> Problem {
    let sets: Vec<(String, String)> = sets.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (problem, diagnostics) = language::load(name, text, &Examples, &sets);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(false));
    problem.unwrap()
}

/// The problem of an example.
fn example(name: &str, sets: &[(&str, &str)]) -> Problem {
    problem(name, &std::fs::read_to_string(folder().join(name)).unwrap(), sets)
}
