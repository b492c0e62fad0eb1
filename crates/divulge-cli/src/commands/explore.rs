//! `divulge explore`, and the page that other commands write beside their answer.

use std::path::{Path, PathBuf};

use divulge::{
    ask::{Answer, Verdict, What},
    problem::Problem,
};
use divulge_explore::page::{LARGEST, Opening, TooLarge, page};
use divulge_render::words;

use super::{events::execution, present::completed, watched};
use crate::{
    arguments::{Explore, Exploring},
    input::Input,
    output::{Terminal, to_file},
    status::{Failure, Status},
};

/// Writes the page for a problem; what it lacks is sought first.
pub fn run(asked: &Explore, terminal: &Terminal) -> Result<Status, Failure> {
    watched(&asked.limits, false, terminal, |watch| {
        let input = Input::read(&asked.source, terminal, watch)?;
        let (problem, note) = completed(input, watch)?;
        watch.answered();
        if let Some(events) = &asked.events {
            execution(&problem, events)?;
        }
        let path = asked.out.clone().unwrap_or_else(|| beside(&asked.source.file));
        let opening = Opening { events: asked.events.clone(), note };
        write(&problem, &opening, &path, asked.open, terminal)?;
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
) -> Result<(), Failure> {
    if !asked.wanted() {
        return Ok(());
    }
    let path = asked.explore.clone().unwrap_or_else(|| beside(file));
    write(problem, &Opening { events: None, note }, &path, asked.open, terminal)
}

/// What a page says first where there is no plan or no map: a headline, and why.
pub fn note(problem: &Problem, found: &Answer) -> Option<(String, String)> {
    let Verdict::None { .. } = found.verdict else { return None };
    let headline = match found.question.what {
        What::Plan => "There is no plan that keeps all of this",
        _ => "There is no map under which all of this is kept",
    };
    let text = words::answer(problem, found, words::Style::plain());
    Some((headline.to_owned(), text.trim_start_matches("none").trim().to_owned()))
}

/// Where the page for a file goes if nothing else is said: into the folder where one is.
fn beside(file: &str) -> String {
    let stem = Path::new(file).file_stem().filter(|_| file != "-");
    PathBuf::from(stem.unwrap_or("divulge".as_ref())).with_extension("html").display().to_string()
}

fn write(
    problem: &Problem,
    opening: &Opening,
    path: &str,
    open: bool,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if open && path == "-" {
        return Err(Failure::new("a page on standard output cannot be opened", "name a file with --out"));
    }
    let text = page(problem, opening).map_err(|TooLarge(bytes)| {
        Failure::new(
            format!(
                "the problem is too large for a page: {} MB, and {} MB is the most",
                bytes >> 20,
                LARGEST >> 20
            ),
            "explore a smaller one of its kind, or walk through it with `divulge step`",
        )
    })?;
    to_file(path, |out| out.write_all(text.as_bytes()))?;
    if path != "-" {
        terminal.note(&format!("{path}: open it in a browser\n"));
    }
    if open {
        show(path, terminal);
    }
    Ok(())
}

/// Opens a page with whatever this machine opens pages with. The page is there if that fails, so it is no failure.
fn show(path: &str, terminal: &Terminal) {
    let (command, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let started = std::process::Command::new(command).args(arguments).arg(path).spawn();
    if let Err(e) = started {
        terminal.note(&format!("no browser could be opened ({command}: {e}); open {path} yourself\n"));
    }
}
