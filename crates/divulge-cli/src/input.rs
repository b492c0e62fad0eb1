//! Reading the question.

use std::{fs::File, io::Read, path::Path};

use divulge::problem::Problem;
use divulge_host::{Files, short};
use divulge_model::{
    diagnostic::{Diagnostics, decode},
    document,
    language::{self, looks_like_json},
    lint::{Places, lint, lint_for_audit},
};

use crate::{arguments::Source, limits::Watch, output::Terminal, status::Failure};

/// A problem from a file, whatever it is written in.
#[derive(Debug)]
pub struct Input {
    /// The problem.
    pub problem: Problem,
    gap: Option<Diagnostics>,
}

impl Input {
    /// Reads a document or a model within the limits; `-` is standard input. Warnings are printed.
    pub fn read(source: &Source, terminal: &Terminal, watch: &Watch) -> Result<Self, Failure> {
        let input = Self::within(source, terminal, watch)?;
        watch.has_read();
        Ok(input)
    }

    fn within(source: &Source, terminal: &Terminal, watch: &Watch) -> Result<Self, Failure> {
        let (name, text) = text(&source.file, Some(watch))?;
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

/// The text of a file, read within the limits if there are any, and the name that people know it by.
pub fn text(path: &str, watch: Option<&Watch>) -> Result<(String, String), Failure> {
    let (name, bytes) = if path == "-" {
        ("<standard input>".to_owned(), in_pieces(std::io::stdin().lock(), 0, watch))
    } else {
        let name = short(Path::new(path));
        let bytes = File::open(path).map_err(Trouble::Reading).and_then(|file| {
            // What does not fit is not begun.
            let bytes = file.metadata().map_or(0, |about| about.len());
            watch.map_or(Ok(()), |watch| watch.room_for(bytes)).map_err(Trouble::Limit)?;
            in_pieces(file, bytes, watch)
        });
        (name, bytes)
    };
    let bytes = bytes.map_err(|trouble| match trouble {
        Trouble::Limit(limit) => limit,
        Trouble::Reading(e) => Failure::new(
            format!("{name} cannot be read: {e}"),
            "give the path of a problem document or a model, or `-`",
        ),
    })?;
    let text = decode(&name, bytes)?;
    Ok((name, text))
}

enum Trouble {
    Reading(std::io::Error),
    Limit(Failure),
}

/// How much is read before the limits are looked at.
const PIECE: u64 = 1 << 20;

/// Reads all there is. `expected` bytes are there to be read, as far as that is known.
fn in_pieces(mut from: impl Read, expected: u64, watch: Option<&Watch>) -> Result<Vec<u8>, Trouble> {
    // A file may say what it likes about its size. Room for one byte more shows that it has ended.
    let mut bytes = Vec::with_capacity(expected.min(PIECE) as usize + 1);
    loop {
        watch.map_or(Ok(()), Watch::look).map_err(Trouble::Limit)?;
        let read = from.by_ref().take(PIECE).read_to_end(&mut bytes).map_err(Trouble::Reading)?;
        if read == 0 {
            return Ok(bytes);
        }
    }
}
