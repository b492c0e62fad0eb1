//! Where lines go: standard output, and a stream of its own for an observer.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, Write},
};

use crate::status::Failure;

/// Takes lines. What was sent has left the process.
pub trait Stream {
    /// Sends whole lines.
    fn send(&mut self, lines: &[u8]) -> io::Result<()>;
}

/// Standard output.
pub struct Standard;

impl Stream for Standard {
    fn send(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(lines)?;
        out.flush()
    }
}

impl Stream for File {
    fn send(&mut self, lines: &[u8]) -> io::Result<()> {
        self.write_all(lines)
    }
}

/// An observer's own file or pipe, and what it was shown there before.
pub struct Own {
    file: File,
    path: String,
    past: Option<Past>,
}

/// What is in a file already.
struct Past {
    lines: BufReader<File>,
    /// How many of its bytes are whole lines that were recognised.
    bytes: u64,
}

impl Own {
    /// Opens a file, which is made if there is none, or a pipe, which waits for its reader. A file that is not empty is
    /// gone on with if `continuing`, and refused otherwise: it would be the stream of two runs.
    pub fn open(path: &str, continuing: bool) -> Result<Self, Failure> {
        let wrong =
            |e: io::Error| Failure::new(format!("{path} cannot be written: {e}"), "give another file");
        let is_file = std::fs::metadata(path).map_or(true, |about| about.is_file());
        if !is_file {
            let file = OpenOptions::new().write(true).open(path).map_err(wrong)?;
            return Ok(Self { file, path: path.to_owned(), past: None });
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(wrong)?;
        if file.metadata().map_err(wrong)?.len() > 0 && !continuing {
            return Err(Failure::new(
                format!("{path} is not empty, and no journal says how this run goes on from there"),
                "move it away, or give the journal of the run that it belongs to",
            ));
        }
        let lines = BufReader::new(File::open(path).map_err(wrong)?);
        Ok(Self { file, path: path.to_owned(), past: Some(Past { lines, bytes: 0 }) })
    }

    /// Whether the next image in the file is this line: `None` if it is another one. In a pipe nobody can look.
    pub fn has(&mut self, line: &[u8]) -> io::Result<Option<Option<bool>>> {
        let Some(past) = &mut self.past else { return Ok(None) };
        loop {
            let mut found = Vec::new();
            let read = past.lines.read_until(b'\n', &mut found)?;
            if found.last() != Some(&b'\n') {
                // What was cut off is shown again, whole.
                return Ok(Some(if line.starts_with(&found) { Some(false) } else { None }));
            }
            if found == line {
                past.bytes += read as u64;
                return Ok(Some(Some(true)));
            }
            if !found.ends_with(b"\"beat\": true}\n") {
                return Ok(Some(None));
            }
            past.bytes += read as u64;
        }
    }

    /// The stream, when all that is to be asked about the past was asked. Whatever else is in the file does not belong there.
    pub fn stream(self) -> Result<File, Failure> {
        let wrong =
            |e: io::Error| Failure::new(format!("{} cannot be used: {e}", self.path), "give another file");
        if let Some(Past { mut lines, mut bytes }) = self.past {
            lines.seek(io::SeekFrom::Start(bytes)).map_err(wrong)?;
            loop {
                let mut found = Vec::new();
                let read = lines.read_until(b'\n', &mut found).map_err(wrong)?;
                if !found.ends_with(b"\"beat\": true}\n") {
                    if found.ends_with(b"\n") {
                        return Err(Failure::new(
                            format!("{} shows more than the journal knows of", self.path),
                            "give the journal that it belongs to, or move it away",
                        ));
                    }
                    break;
                }
                bytes += read as u64;
            }
            self.file.set_len(bytes).map_err(wrong)?;
        }
        Ok(self.file)
    }
}
