//! Reading the question.

use std::io::Read;

use divulge::problem::Problem;
use divulge_model::{
    diagnostic::{Diagnostics, decode},
    document,
};

use crate::{output::Terminal, status::Failure};

/// A problem from a file, whatever it is written in.
#[derive(Debug)]
pub struct Input {
    /// The problem.
    pub problem: Problem,
    gap: Option<Diagnostics>,
}

impl Input {
    /// Reads a document or a model; `-` is standard input. Warnings are printed.
    pub fn read(path: &str, terminal: &Terminal) -> Result<Self, Failure> {
        let (name, text) = text(path)?;
        let document = document::read(&name, &text)?;
        terminal.findings(&document.warnings);
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
        ("<standard input>", read)
    } else {
        (path, std::fs::read(path))
    };
    let bytes = bytes.map_err(|e| {
        Failure::new(
            format!("{name} cannot be read: {e}"),
            "give the path of a problem document or a model, or `-`",
        )
    })?;
    Ok((name.to_owned(), decode(name, bytes)?))
}
