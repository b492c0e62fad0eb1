//! Reading the question.

use std::{fs::File, io::Read, path::Path};

use divulge::{
    limit::{self, threads},
    problem::Problem,
};
use divulge_host::{Files, short};
use divulge_model::{
    diagnostic::{Diagnostics, decode},
    document::{self, Whom},
    language::{self, looks_like_json},
    lint::{Places, lint, lint_for_audit},
};

use crate::{
    arguments::Source,
    foreign::{self, Origin},
    limits::Watch,
    output::Terminal,
    status::Failure,
};

/// A problem from a file, whatever it is written in.
#[derive(Debug)]
pub struct Input {
    /// The problem. Where an observer is chosen, the others are put aside.
    pub problem: Problem,
    /// What the file says of itself, if it is one of another tool.
    pub origin: Option<Origin>,
    /// Whether the world is from a file of another tool, given as it is or named by a model.
    pub from_file: bool,
    gap: Option<Diagnostics>,
    any_gap: Option<Diagnostics>,
}

impl Input {
    /// Reads a document or a model within the limits; `-` is standard input. Warnings are printed.
    pub fn read(source: &Source, terminal: &Terminal, watch: &Watch) -> Result<Self, Failure> {
        Self::read_with(source, Whom::Everybody, terminal, watch)
    }

    /// As [`read`](Self::read), where nothing is asked: several observers may lack a map.
    pub fn read_all(source: &Source, terminal: &Terminal, watch: &Watch) -> Result<Self, Failure> {
        Self::read_with(source, Whom::Anybody, terminal, watch)
    }

    fn read_with(
        source: &Source,
        unless_chosen: Whom<'_>,
        terminal: &Terminal,
        watch: &Watch,
    ) -> Result<Self, Failure> {
        let input = Self::within(source, unless_chosen, terminal, watch)?;
        watch.has_read();
        Ok(input)
    }

    fn within(
        source: &Source,
        unless_chosen: Whom<'_>,
        terminal: &Terminal,
        watch: &Watch,
    ) -> Result<Self, Failure> {
        let set = source.settings()?;
        let (name, text) = text(&source.file, Some(watch))?;
        if let Some((problem, origin)) = foreign::read(source, &name, &text, &set, terminal, watch)? {
            return Ok(Self { problem, origin: Some(origin), from_file: true, gap: None, any_gap: None });
        }
        if !looks_like_json(&text) {
            let anybody = unless_chosen == Whom::Anybody;
            let (read, found) = language::load_on(&name, &text, &Files, &set, anybody, watch.threads());
            return match read {
                Some(problem) => {
                    terminal.remarks(found.remarks());
                    terminal.findings(&found);
                    Ok(Self {
                        problem,
                        origin: None,
                        from_file: !found.remarks().is_empty(),
                        gap: None,
                        any_gap: None,
                    })
                }
                None => Err(found.into()),
            };
        }
        no_constants(&name, &set)?;
        let whom = set.first().map_or(unless_chosen, |(_, observer)| Whom::Named(observer));
        let mut document = document::read_with(&name, &text, whom, watch.threads())?;
        leave(text, watch.threads());
        if terminal.warns() {
            // A document without a goal is there to be audited.
            let look = if document.problem.world.goal.is_empty() { lint_for_audit } else { lint };
            look(&document.problem, &Places::default(), &mut document.warnings);
            terminal.findings(&document.warnings);
        }
        let (gap, any_gap) = (document.total_map().err(), document.total_maps().err());
        Ok(Self { problem: document.problem, origin: None, from_file: false, gap, any_gap })
    }

    /// For questions that take a map: it must say of every label of the world how it is seen.
    pub fn total_map(&self) -> Result<(), Failure> {
        self.gap.clone().map_or(Ok(()), |gap| Err(gap.into()))
    }

    /// For what writes the problem: whatever map there is gives an image of every label, since images are not made up.
    pub fn total_maps(&self) -> Result<(), Failure> {
        self.any_gap.clone().map_or(Ok(()), |gap| Err(gap.into()))
    }
}

impl Source {
    /// All that is set, the choice of an observer included, each name once.
    fn settings(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut set = self.set.clone();
        set.extend(self.observer.iter().map(|name| ("observer".to_owned(), name.clone())));
        let twice = (0..set.len()).find(|&i| set[..i].iter().any(|(name, _)| *name == set[i].0));
        let Some(second) = twice else { return Ok(set) };
        let name = &set[second].0;
        let values: Vec<String> =
            set.iter().filter(|(other, _)| other == name).map(|(_, value)| format!("`{value}`")).collect();
        Err(Failure::new(
            format!("`{name}` is set more than once: to {}", values.join(", then to ")),
            "set it once",
        ))
    }
}

/// A document has no constants to set.
pub fn no_constants(name: &str, set: &[(String, String)]) -> Result<(), Failure> {
    let Some((constant, _)) = set.iter().find(|(name, _)| name != "observer") else { return Ok(()) };
    Err(Failure::new(
        format!("`--set {constant}=…` sets a constant of a model, and {name} is a problem document"),
        "leave the option out, or give the model that the document was made from",
    ))
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
            match together(&file, bytes, watch)? {
                Some(bytes) => Ok(bytes),
                None => in_pieces(file, bytes, watch),
            }
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

/// Gives a text up; a large one is a matter for somebody else, if anybody else may do something.
fn leave(text: String, allowed: usize) {
    if threads(allowed, text.len(), MUCH) > 1 {
        std::thread::spawn(move || drop(text));
    }
}

enum Trouble {
    Reading(std::io::Error),
    Limit(Failure),
}

/// How much is read before the limits are looked at.
const PIECE: u64 = 1 << 20;

/// So many bytes are worth a thread.
const MUCH: usize = 2 << 20;

/// Reads a large file on several threads; `None` if it is not for them, or not what it was said to be.
#[cfg(unix)]
fn together(file: &File, expected: u64, watch: Option<&Watch>) -> Result<Option<Vec<u8>>, Trouble> {
    use std::os::unix::fs::FileExt;
    let Ok(size) = usize::try_from(expected) else { return Ok(None) };
    let count = threads(watch.map_or(1, Watch::threads), size, MUCH);
    if count == 1 || !file.metadata().is_ok_and(|about| about.is_file()) {
        return Ok(None);
    }
    let mut bytes = vec![0; size];
    let share = size.div_ceil(count);
    let mut shares: Vec<(usize, &mut [u8])> = bytes.chunks_mut(share).enumerate().collect();
    let done = limit::together(&mut shares, |(number, bytes)| {
        let mut at = (*number * share) as u64;
        for piece in bytes.chunks_mut(PIECE as usize) {
            watch.map_or(Ok(()), Watch::look).map_err(|limit| Trouble::Limit(Failure::Limit(limit)))?;
            file.read_exact_at(piece, at).map_err(Trouble::Reading)?;
            at += piece.len() as u64;
        }
        Ok(())
    });
    match done {
        // Somebody writes to it: whoever reads from the start says what there is to say.
        Err(Trouble::Reading(_)) => Ok(None),
        Err(limit) => Err(limit),
        Ok(()) => Ok((file.read_at(&mut [0], expected).ok() == Some(0)).then_some(bytes)),
    }
}

#[cfg(not(unix))]
fn together(_: &File, _: u64, _: Option<&Watch>) -> Result<Option<Vec<u8>>, Trouble> {
    Ok(None)
}

/// Reads all there is. `expected` bytes are there to be read, as far as that is known.
fn in_pieces(mut from: impl Read, expected: u64, watch: Option<&Watch>) -> Result<Vec<u8>, Trouble> {
    // A file may say what it likes about its size. Room for one byte more shows that it has ended.
    let mut bytes = Vec::with_capacity(expected.min(PIECE) as usize + 1);
    loop {
        watch.map_or(Ok(()), Watch::look).map_err(|limit| Trouble::Limit(Failure::Limit(limit)))?;
        let read = from.by_ref().take(PIECE).read_to_end(&mut bytes).map_err(Trouble::Reading)?;
        if read == 0 {
            return Ok(bytes);
        }
    }
}
