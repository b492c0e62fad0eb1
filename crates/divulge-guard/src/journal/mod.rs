//! The journal: what happened, written and synced before anything of it is shown.
//!
//! *Practical.* A text file, one record a line: a checksum (CRC-32), a blank, and a JSON object whose `n` counts the records. It is only
//! ever appended to. A last line without an end was torn when the machine stopped: nothing of it was shown, and it is dropped. Whatever
//! else does not read as it was written is refused. The checksum finds damage; it does not stop anybody who forges the file.

mod record;

pub(crate) use record::{Record, Start};

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Seek, Write},
    path::{Path, PathBuf},
};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("the journal {} cannot be used: {e}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        e: io::Error,
    },
    /// It is something else than a file.
    #[error("the journal {} is not a regular file", .0.display())]
    NoFile(PathBuf),
    /// Somebody else is writing to it.
    #[error("another guard is writing to the journal {}", .0.display())]
    InUse(PathBuf),
    /// A record is damaged.
    #[error("the journal {} is damaged in line {line}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// It was written for another problem, plan or mode.
    #[error("the journal {} belongs to {what}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it belongs to.
        what: String,
    },
}

/// A journal, open.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How many records it holds, with those that wait.
    records: u64,
    /// How many images the last record about it says that each observer was shown.
    shown: Vec<u64>,
    /// How many beats it says had come.
    beats: u64,
    waiting: Vec<u8>,
}

impl Journal {
    /// Opens a journal, made if there is none, for nobody else. A torn last record is dropped.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let wrong = |e| JournalError::File { path: path.to_owned(), e };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        {
            // What happened is nobody's business but the robot's.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let file = options.open(path).map_err(wrong)?;
        if !file.metadata().map_err(wrong)?.is_file() {
            return Err(JournalError::NoFile(path.to_owned()));
        }
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(e)) => return Err(wrong(e)),
            Ok(()) => {}
        }
        let mut journal = Self {
            path: path.to_owned(),
            file,
            records: 0,
            shown: Vec::new(),
            beats: 0,
            waiting: Vec::new(),
        };
        let (mut records, mut bytes, mut shown, mut beats) = (0, 0, Vec::new(), 0);
        journal.each(|record, length| {
            if let Record::Shown(counts, come) = record {
                shown = counts;
                beats = come.unwrap_or(beats);
            }
            records += 1;
            bytes += length;
            Ok(())
        })?;
        (journal.records, journal.shown, journal.beats) = (records, shown, beats);
        if bytes < journal.file.metadata().map_err(wrong)?.len() {
            journal.file.set_len(bytes).map_err(wrong)?;
        }
        if records == 0 {
            journal.keep_name();
        }
        Ok(journal)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn shown(&self) -> &[u64] {
        &self.shown
    }

    pub(crate) fn beats(&self) -> u64 {
        self.beats
    }

    /// Whether nothing is in it yet.
    pub fn is_new(&self) -> bool {
        self.records == 0
    }

    /// A new file's name outlives a loss of power only once its folder is synced; where that cannot be done, the system sees to it.
    fn keep_name(&self) {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }

    /// Every record, in order, with the bytes that it takes; ends before a torn one.
    pub(crate) fn each(
        &mut self,
        mut see: impl FnMut(Record, u64) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        let path = self.path.clone();
        let wrong = |e| JournalError::File { path: path.clone(), e };
        self.file.rewind().map_err(wrong)?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut text = Vec::new();
        for number in 0.. {
            text.clear();
            // No record is longer; what is, is not read into memory to find that out.
            let length =
                io::Read::take(&mut reader, record::MOST).read_until(b'\n', &mut text).map_err(wrong)?;
            if text.last() != Some(&b'\n') {
                if text.len() as u64 == record::MOST {
                    let why = "it is too long".to_owned();
                    return Err(JournalError::Damaged { path, line: number + 1, why });
                }
                break;
            }
            let read = Record::read(&text[..text.len() - 1], number);
            let damaged = |why| JournalError::Damaged { path: path.clone(), line: number + 1, why };
            see(read.map_err(damaged)?, length as u64)?;
        }
        Ok(())
    }

    /// Adds a record, to be written with the next [`sync`](Self::sync).
    pub(crate) fn add(&mut self, record: &Record) {
        record.write(self.records, &mut self.waiting);
        self.records += 1;
    }

    /// Writes what waits; from then on it is there, whatever happens to the machine.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.file.write_all(&self.waiting)?;
        self.waiting.clear();
        self.file.sync_data()
    }

    /// Writes what waits, which need not outlive the machine.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        self.file.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}
