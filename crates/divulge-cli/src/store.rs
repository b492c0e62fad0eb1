//! What was done of a long search over maps, in a file, so that it is not lost when the search is interrupted.
//!
//! The first line says what the search is about. Each line after it is a task that was carried out: the name of the task, and what came of it,
//! with a sum by which a line that was cut off is noticed. Lines are only ever added.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use divulge::{
    ask::Question,
    maps::{Done, Keep, Task},
    problem::Problem,
};
use divulge_guard::digest;

use crate::status::Failure;

/// How the first line begins; the number is the version.
const HEAD: &str = "divulge-store 1 ";

/// Tasks that were carried out, in a file.
pub struct Store {
    path: String,
    known: HashMap<u128, Done>,
    /// The file, and what went wrong when it was last written.
    file: Mutex<(File, Option<io::Error>)>,
}

impl Store {
    /// Opens the store of a question about a problem, or makes it where there is no file.
    pub fn open(path: &str, problem: &Problem, question: &Question) -> Result<Self, Failure> {
        let trouble = |e: io::Error| {
            Failure::new(
                format!("the store {path} cannot be used: {e}"),
                "name a file that can be read and written",
            )
        };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(trouble)?;
        if in_use(&file) {
            return Err(Failure::new(
                format!("the store {path} is in use by another search"),
                "wait until that has ended, or name another file",
            ));
        }
        let head = head(problem, question);
        let mut store = Self { path: path.to_owned(), known: HashMap::new(), file: Mutex::new((file, None)) };
        let good = store.read(&head)?;
        let mut file = store.file();
        let end = file.0.seek(SeekFrom::End(0)).map_err(trouble)?;
        // A line that was cut off was being written when the search was interrupted.
        if good < end {
            file.0.set_len(good).map_err(trouble)?;
        }
        if good == 0 {
            file.0.write_all(head.as_bytes()).map_err(trouble)?;
        }
        drop(file);
        Ok(store)
    }

    /// Reads the lines; gives where the last whole one ends.
    fn read(&mut self, head: &str) -> Result<u64, Failure> {
        let path = &self.path;
        let damaged = |number: usize| {
            Failure::new(
                format!("line {number} of the store {path} is damaged"),
                "restore the file from a copy, or remove it and begin anew",
            )
        };
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut from = BufReader::new(&file.0);
        let (mut good, mut line) = (0, Vec::new());
        for number in 1.. {
            line.clear();
            let read = from.read_until(b'\n', &mut line).map_err(|_| damaged(number))?;
            if read == 0 {
                break;
            }
            let whole = line.last() == Some(&b'\n');
            if number == 1 {
                if line != head.as_bytes() && (whole || !head.as_bytes().starts_with(&line)) {
                    return Err(another(path, &line));
                }
            } else if whole {
                let (name, done) = parsed(&line).ok_or_else(|| damaged(number))?;
                self.known.insert(name, done);
            }
            if !whole {
                break;
            }
            good += read as u64;
        }
        Ok(good)
    }

    fn file(&self) -> std::sync::MutexGuard<'_, (File, Option<io::Error>)> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many tasks it has.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// What went wrong when it was written, in a sentence.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.file().1.take()?;
        Some(format!("warning: the store {} could not be written: {trouble}\n", self.path))
    }
}

/// Whether another search uses the file, and does not end soon: one that was killed may still be ending.
fn in_use(file: &File) -> bool {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(100)),
            // Where files cannot be locked, whoever asks takes care of it.
            Err(TryLockError::Error(_)) | Ok(()) => return false,
        }
    }
    true
}

/// The file is no store, or that of another question.
fn another(path: &str, line: &[u8]) -> Failure {
    if line.starts_with(HEAD.as_bytes()) {
        return Failure::new(
            format!("the store {path} belongs to another question"),
            "name another file; a store can be used again only for the same question about the same problem",
        );
    }
    Failure::new(format!("{path} is not a store of `seek maps`, and stays as it is"), "name another file")
}

/// The first line: the problem's digest, and what changes which tasks there are.
fn head(problem: &Problem, question: &Question) -> String {
    let Question { any_map, any_plan, .. } = question;
    format!("{HEAD}{} maps any-map={any_map} any-plan={any_plan}\n", digest(problem))
}

/// What a task is called: a hash of its bytes.
fn name(task: &Task) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    task.to_bytes().iter().fold(start, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

fn line(name: u128, done: &Done) -> String {
    let bytes: String = done.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name:032x} {bytes}\n")
}

fn parsed(line: &[u8]) -> Option<(u128, Done)> {
    let (name, bytes) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    if name.len() != 32 || !bytes.is_ascii() {
        return None;
    }
    let bytes: Option<Vec<u8>> =
        (0..bytes.len()).step_by(2).map(|at| u8::from_str_radix(bytes.get(at..at + 2)?, 16).ok()).collect();
    Some((u128::from_str_radix(name, 16).ok()?, Done::from_bytes(&bytes?).ok()?))
}

impl Keep for Store {
    fn recall(&self, task: &Task) -> Option<Done> {
        self.known.get(&name(task)).cloned()
    }

    fn note(&self, task: &Task, done: &Done) {
        let line = line(name(task), done);
        let mut file = self.file();
        // Once a line could not be written whole, nothing may follow it.
        if file.1.is_none() {
            file.1 = file.0.write_all(line.as_bytes()).err();
        }
    }
}
