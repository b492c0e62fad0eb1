//! What is printed, and where.

use std::io::{self, BufWriter, IsTerminal, Write};

use divulge_render::words::Style;

use crate::{
    arguments::Color,
    say::Form,
    status::{Failure, Status},
};

/// The program's two streams.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    colour: bool,
    colour_answer: bool,
    quiet: bool,
}

impl Terminal {
    /// Whether long work shows how far it has come: only to somebody who is looking.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Colours as asked, or where a stream is a terminal.
    pub fn new(color: Color, quiet: bool) -> Self {
        let wanted = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        };
        Self {
            colour: wanted(io::stderr().is_terminal()),
            colour_answer: wanted(io::stdout().is_terminal()),
            quiet,
        }
    }

    /// Says nothing.
    #[cfg(test)]
    pub fn silent() -> Self {
        Self { colour: false, colour_answer: false, quiet: true }
    }

    /// Whether answers on standard output are coloured.
    pub fn colours_answer(&self) -> bool {
        self.colour_answer
    }

    /// How an answer on standard output is set.
    pub fn form(&self, json: bool) -> Form {
        let style = if self.colour_answer { Style::coloured() } else { Style::plain() };
        Form { json, style }
    }

    /// Whether people want to be warned.
    pub fn warns(&self) -> bool {
        !self.quiet
    }

    /// Text for people on standard error, unless they want none.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            error_stream(text);
        }
    }

    /// Findings on standard error; warnings alone only if people want text.
    pub fn findings(&self, found: &divulge_model::diagnostic::Diagnostics) {
        if found.has_errors() || !self.quiet {
            error_stream(&found.render(self.colour));
        }
    }

    /// Says why there is no answer.
    pub fn fail(&self, failure: Failure) -> Status {
        match failure {
            Failure::Input(found) => error_stream(&found.render(self.colour)),
            Failure::Message(message, help) => {
                let (on, off) = if self.colour { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
                error_stream(&format!("{on}error{off}: {}\n", clean(&message)));
                if let Some(help) = help {
                    error_stream(&format!("  help: {}\n", clean(&help)));
                }
            }
            // What was being done is said by whoever watches it.
            Failure::Limit(_) => return Status::Unknown,
        }
        Status::Bad
    }
}

/// A message without what would command a terminal: names in it come from whoever wrote the problem.
fn clean(text: &str) -> String {
    let commands = |c: char| c.is_control() && c != '\n';
    text.chars().map(|c| if commands(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Nothing can be done about an error stream that cannot be written to.
fn error_stream(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes the answer to standard output. That nobody reads it to the end is no failure.
pub fn answer(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Message(format!("the answer cannot be written: {e}"), None))
        }
        _ => Ok(()),
    }
}

/// Writes to a file, or to standard output if `path` is `-`.
pub fn to_file(path: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if path == "-" {
        return answer(write);
    }
    let file = std::fs::File::create(path);
    let written = file.and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|e| Failure::Message(format!("{path} cannot be written: {e}"), None))
}
