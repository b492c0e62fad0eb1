//! What is printed, and where.

use std::io::{self, BufWriter, IsTerminal, Write};

use divulge::limit::Limit;
use divulge_render::words::Style;

use crate::{
    arguments::Color,
    limits::Watch,
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

    /// How words on standard output are set.
    pub fn style(&self) -> Style {
        if self.colour_answer { Style::coloured() } else { Style::plain() }
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

    /// What is worth saying, although nothing is wrong.
    pub fn remarks(&self, all: &[String]) {
        let text: String = all.iter().map(|one| format!("note: {}\n", clean(one))).collect();
        self.note(&text);
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
            Failure::Internal(what, file) => {
                error_stream(&format!(
                    "internal error: the answer failed its own check, so it is not given: {}\n",
                    clean(&what)
                ));
                if let Some(file) = file {
                    error_stream(&format!(
                        "  help: this is a mistake in divulge; please report it with {file}, which holds the problem and the answer\n"
                    ));
                }
                return Status::Internal;
            }
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

/// How many bytes are written between two looks at the limits.
const PIECE: usize = 1 << 16;

/// Passes on what is written, and stops when a limit is hit.
struct Within<'a, W> {
    out: W,
    watch: &'a Watch,
    since: usize,
    hit: Option<Limit>,
}

impl<W> Within<'_, W> {
    fn look(&mut self, bytes: usize) -> io::Result<()> {
        self.since += bytes;
        if self.since < PIECE {
            return Ok(());
        }
        self.since = 0;
        self.watch.look().map_err(|limit| {
            self.hit = Some(limit);
            io::Error::other("a limit was hit")
        })
    }
}

impl<W: Write> Write for Within<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.look(bytes.len())?;
        self.out.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.look(bytes.len())?;
        self.out.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A text, made within the limits.
pub fn text_within(
    watch: &Watch,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, Failure> {
    let mut out = Within { out: Vec::with_capacity(PIECE), watch, since: 0, hit: None };
    match (write(&mut out), out.hit) {
        (Ok(()), _) => {
            Ok(String::from_utf8(out.out)
                .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
        }
        (Err(_), Some(limit)) => Err(Failure::Limit(limit)),
        (Err(e), None) => Err(Failure::Message(format!("the answer cannot be written: {e}"), None)),
    }
}

/// Writes to a file, or to standard output if `path` is `-`, within the limits: all of it, or nothing.
pub fn to_file_within(
    path: &str,
    watch: &Watch,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut hit = None;
    let written = to_file(path, |out| {
        let mut out = Within { out, watch, since: 0, hit: None };
        let written = write(&mut out);
        hit = out.hit;
        written
    });
    hit.map_or(written, |limit| Err(Failure::Limit(limit)))
}

/// Writes to a file, or to standard output if `path` is `-`. A file that is there stays as it is until the new one is complete.
pub fn to_file(path: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if path == "-" {
        return answer(write);
    }
    let complete = |file: std::fs::File| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    };
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let plain = std::fs::metadata(&target).map_or(true, |about| about.is_file());
    let beside = target.with_added_extension(format!("{}.part", std::process::id()));
    let written = match plain.then(|| std::fs::File::create(&beside).ok()).flatten() {
        Some(file) => {
            let done = complete(file).and_then(|()| std::fs::rename(&beside, &target));
            if done.is_err() {
                let _ = std::fs::remove_file(&beside);
            }
            done
        }
        // A device, or a folder that takes no new file: it is written in place.
        None => std::fs::File::create(path).and_then(complete),
    };
    written.map_err(|e| Failure::Message(format!("{path} cannot be written: {e}"), None))
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;
    use crate::arguments::Limits;

    fn watch(time_limit: Option<Duration>) -> Watch {
        Watch::start(&Limits { time_limit, ..Limits::default() }, false, &Terminal::silent())
    }

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = std::env::temp_dir().join(format!("divulge-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("picture.svg");
        let name = path.display().to_string();
        to_file_within(&name, &watch(None), |out| out.write_all(b"first")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        // The limit is hit while a large one is written.
        let over = watch(Some(Duration::ZERO));
        let large = vec![b'x'; 4 << 20];
        let result =
            to_file_within(&name, &over, |out| large.chunks(1000).try_for_each(|part| out.write_all(part)));
        assert!(matches!(result, Err(Failure::Limit(Limit::Time))), "{result:?}");
        over.answered();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left lying about");
        to_file_within(&name, &watch(None), |out| out.write_all(&large)).unwrap();
        assert_eq!(fs::read(&path).unwrap().len(), large.len());
        let nowhere = folder.join("no/such/folder.svg").display().to_string();
        assert!(matches!(to_file_within(&nowhere, &watch(None), |_| Ok(())), Err(Failure::Message(..))));
        fs::remove_dir_all(&folder).unwrap();
    }
}
