//! `divulge explore`, and the page that other commands write beside their answer.

use std::path::{Path, PathBuf};

use divulge::problem::Problem;
use divulge_explore::page::{NoPage, Opening, page};

use super::{attend, events::execution, present::completed, watched};
use crate::{
    arguments::{Explore, Exploring},
    input::Input,
    limits::Watch,
    output::{Terminal, to_file_within},
    status::{Failure, Status},
};

/// Writes the page for a problem; what it lacks is sought first.
pub fn run(asked: &Explore, terminal: &Terminal) -> Result<Status, Failure> {
    openable(asked.open, asked.out.as_deref())?;
    watched(&asked.limits, false, terminal, |watch| {
        attend(&asked.source.file, watch);
        let input = Input::read(&asked.source, terminal, watch)?;
        let (problem, note) = completed(input, watch)?;
        if let Some(events) = &asked.events {
            execution(&problem, events)?;
        }
        let path = asked.out.clone().unwrap_or_else(|| beside(&asked.source.file));
        let opening = Opening { events: asked.events.clone(), note };
        write(&problem, &opening, &path, watch)?;
        watch.answered();
        told(&path, asked.open, terminal);
        Ok(Status::Yes)
    })
}

impl Exploring {
    /// Whether a page is wanted.
    pub fn wanted(&self) -> bool {
        self.open || self.explore.is_some()
    }
}

/// Writes the page for an answer, if one is wanted. `note` is what it should say first.
pub fn also(
    asked: &Exploring,
    file: &str,
    problem: &Problem,
    note: Option<(String, String)>,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<(), Failure> {
    if !asked.wanted() {
        return Ok(());
    }
    openable(asked.open, asked.explore.as_deref())?;
    let path = asked.explore.clone().unwrap_or_else(|| beside(file));
    match write(problem, &Opening { events: None, note }, &path, watch) {
        // The question is answered all the same.
        Err(Failure::Limit(limit)) => terminal.note(&format!("no page was made: {}", watch.stopped(limit))),
        made => {
            made?;
            told(&path, asked.open, terminal);
        }
    }
    Ok(())
}

/// Where the page for a file goes if nothing else is said: into the folder where one is.
fn beside(file: &str) -> String {
    let stem = Path::new(file).file_stem().filter(|_| file != "-");
    PathBuf::from(stem.unwrap_or("divulge".as_ref())).with_extension("html").display().to_string()
}

/// What goes to standard output is in no file that could be opened.
pub fn openable(open: bool, path: Option<&str>) -> Result<(), Failure> {
    match path {
        Some("-") if open => {
            Err(Failure::new("a page on standard output cannot be opened", "name a file with --out"))
        }
        _ => Ok(()),
    }
}

/// Makes the page and writes it, within the limits.
fn write(problem: &Problem, opening: &Opening, path: &str, watch: &Watch) -> Result<(), Failure> {
    let text = page(problem, opening, watch).map_err(|e| match e {
        NoPage::Limit(limit) => Failure::Limit(limit),
        NoPage::TooLarge(_) => Failure::new(
            e.to_string(),
            "explore a smaller problem of this kind, or walk through this one with `divulge step`",
        ),
    })?;
    to_file_within(path, watch, |out| out.write_all(text.as_bytes()))
}

/// Says where the page is, and opens it if that is wanted. The page is there if it cannot be opened, so that is no failure.
pub fn told(path: &str, open: bool, terminal: &Terminal) {
    if path == "-" {
        return;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
    match open.then(|| open::that_detached(absolute)) {
        None => terminal.note(&format!("{path}: open it in a browser\n")),
        Some(Ok(())) => terminal.note(&format!("{path}: opened in a browser\n")),
        Some(Err(e)) => {
            terminal
                .note(&format!("{path}: no browser could be started here ({e}); open the file yourself\n"));
        }
    }
}
