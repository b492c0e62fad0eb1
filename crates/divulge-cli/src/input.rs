//! Reading the question.

use std::{io::Read, path::Path};

use divulge::problem::Problem;
use divulge_host::{Files, short};
use divulge_model::{
    diagnostic::{Diagnostics, decode},
    document,
    language::{self, looks_like_json},
    lint::{Places, lint, lint_for_audit},
};

use crate::{arguments::Source, output::Terminal, status::Failure};

/// A problem from a file, whatever it is written in.
#[derive(Debug)]
pub struct Input {
    /// The problem.
    pub problem: Problem,
    gap: Option<Diagnostics>,
}

impl Input {
    /// Reads a document or a model; `-` is standard input. Warnings are printed.
    pub fn read(source: &Source, terminal: &Terminal) -> Result<Self, Failure> {
        let (name, text) = text(&source.file)?;
        if !looks_like_json(&text) {
            let (problem, found) = language::load(&name, &text, &Files, &source.set);
            return match problem {
                Some(problem) => {
                    terminal.findings(&found);
                    Ok(Self { problem, gap: None })
                }
                None => Err(found.into()),
            };
        }
        if let Some((constant, _)) = source.set.first() {
            return Err(Failure::new(
                format!("`--set {constant}=…` sets a constant of a model, and {name} is a problem document"),
                "leave the option out, or give the model that the document was made from",
            ));
        }
        let mut document = document::read(&name, &text)?;
        if terminal.warns() {
            // A document without a goal is there to be audited.
            let look = if document.problem.world.goal.is_empty() { lint_for_audit } else { lint };
            look(&document.problem, &Places::default(), &mut document.warnings);
            terminal.findings(&document.warnings);
        }
        Ok(Self { gap: document.total_map().err(), problem: document.problem })
    }

    /// For questions that take a map: it must give an image of every label of the world.
    pub fn total_map(&self) -> Result<(), Failure> {
        self.gap.clone().map_or(Ok(()), |gap| Err(gap.into()))
    }
}

/// The text of a file, and the name that people know it by.
pub fn text(path: &str) -> Result<(String, String), Failure> {
    let (name, bytes) = if path == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes);
        ("<standard input>".to_owned(), read)
    } else {
        (short(Path::new(path)), std::fs::read(path))
    };
    let bytes = bytes.map_err(|e| {
        Failure::new(
            format!("{name} cannot be read: {e}"),
            "give the path of a problem document or a model, or `-`",
        )
    })?;
    let text = decode(&name, bytes)?;
    Ok((name, text))
}
