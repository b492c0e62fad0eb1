//! `divulge sweep`: one question about a family of problems, each point in a process of its own.
//!
//! Processes rather than threads: limits and memory are those of one point, and a point that takes its process down takes nothing else along.

mod grid;
mod point;
mod settable;
mod source;
mod store;
mod table;

use std::{
    collections::{HashMap, VecDeque},
    io::Write,
    process::{Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use clap::Parser;
use serde_json::{Map, Value};

use self::{
    grid::{Point, points},
    point::{Child, ended},
    store::{About, Row, Store, Turn},
};
use crate::{
    arguments::{Arguments, Sweep},
    output::{Terminal, to_file},
    status::{Failure, Status},
};

pub use self::point::{POINT, belong, row};

/// How often a point is asked about whose process is killed each time.
const TIMES: usize = 3;

/// What is asked at every point.
pub struct Asked {
    /// As the command line calls it, such as `seek plan`.
    pub question: String,
    /// The words of the command, options included.
    words: Vec<String>,
    /// The options by name, without those that do not change the answer.
    pub options: Map<String, Value>,
}

/// Asks everywhere, and prints a table.
pub fn run(asked: &Sweep, terminal: &Terminal) -> Result<Status, Failure> {
    let (names, points) = points(&asked.set)?;
    let question = question(&asked.question, &asked.file)?;
    let text = source::text(&asked.file)
        .map_err(|e| Failure::Message(format!("cannot read {}: {e}", asked.file), None))?;
    settable::settable(&asked.file, &points)?;
    let about = About::new(&question, &asked.file, &text);
    let store = Store::open(asked.store.as_deref(), &about)?;
    if let Some(began) = store.begun_by()? {
        terminal.note(&format!(
            "warning: this sweep was begun by divulge {began}, and this is {}: what its rows took cannot be compared\n",
            env!("CARGO_PKG_VERSION")
        ));
    }
    let known = store.rows()?;
    let todo: VecDeque<Point> = points
        .iter()
        .filter(|point| !known.get(&point.name).is_some_and(|row| row.settled(&asked.limits, asked.again)))
        .cloned()
        .collect();
    let stopped = Arc::new(AtomicBool::new(false));
    let hear = Arc::clone(&stopped);
    let _ = ctrlc::set_handler(move || hear.store(true, Ordering::Relaxed));
    let before = points.len() - todo.len();
    let work = Work {
        asked,
        question: &question,
        stopped: &stopped,
        known: &known,
        store: Mutex::new(store),
        left: Mutex::new((todo, Vec::new())),
    };
    work.all(before, points.len(), terminal)?;
    let rows = lock(&work.store).rows()?;
    let done: Vec<(&Point, Option<&Row>)> = points.iter().map(|p| (p, rows.get(&p.name))).collect();
    let written = |out: &mut dyn Write| table::csv(out, &names, &done);
    if let Some(path) = &asked.csv {
        to_file(path, written)?;
    }
    if asked.csv.as_deref() != Some("-") {
        crate::output::answer(|out| table::text(out, &names, &done))?;
    }
    if stopped.load(Ordering::Relaxed) {
        let done = done.iter().filter(|(_, row)| row.is_some()).count();
        let more = if asked.store.is_some() { "; the same command goes on from here" } else { "" };
        terminal.note(&format!("interrupted: {done} of {} points are done{more}\n", points.len()));
        return Ok(Status::Unknown);
    }
    let failed = done.iter().any(|(_, row)| row.is_none_or(|row| row.status != "done"));
    Ok(if failed { Status::No } else { Status::Yes })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The question, looked at as the command that it is.
fn question(given: &str, file: &str) -> Result<Asked, Failure> {
    let words = grid::words(given).ok_or_else(|| {
        Failure::new(
            "--question: a quotation mark is not closed",
            "put the whole question into quotation marks of the other kind",
        )
    })?;
    let count = if words.first().is_some_and(|word| word == "seek") { 2 } else { 1 };
    let head = words[..count.min(words.len())].join(" ");
    let known = ["check", "audit", "seek plan", "seek map", "seek both", "seek maps"];
    if !known.contains(&head.as_str()) {
        let help = format!("the questions are {}", known.join(", "));
        return Err(Failure::new(format!("there is no question `{head}`"), help));
    }
    // What a point decides for itself, or what would be written once for all points.
    let taken = [
        "--set",
        "--json",
        "--time-limit",
        "--memory-limit",
        "--threads",
        "--out",
        "--explore",
        "--open",
        "--itf",
        "--store",
    ];
    if let Some(word) = words.iter().find(|word| taken.contains(&word.split('=').next().unwrap_or(""))) {
        return Err(Failure::new(
            format!("the question cannot have the option {word}"),
            "--set, --threads and the limits are options of `sweep` itself; a point writes nothing but its row",
        ));
    }
    let full = ["divulge".to_owned()].into_iter().chain(words.iter().cloned()).chain([file.to_owned()]);
    if let Err(e) = Arguments::try_parse_from(full) {
        let first = e.to_string();
        let line = first.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        return Err(Failure::new(format!("--question: {line}"), format!("see `divulge {head} --help`")));
    }
    Ok(Asked { question: head, options: options(&words[count..]), words })
}

/// Options as Python has them: `--any-map` is `any_map: true`.
fn options(words: &[String]) -> Map<String, Value> {
    let mut found = Map::new();
    let mut last: Option<String> = None;
    for word in words {
        if let Some(option) = word.strip_prefix("--") {
            let (name, value) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let name = name.replace('-', "_");
            found.insert(name.clone(), value.map_or(Value::Bool(true), grid::value));
            last = value.is_none().then_some(name);
        } else if let Some(name) = last.take() {
            found.insert(name, grid::value(word));
        }
    }
    found
}

/// How often those who wait for others look whether they are done.
const LOOK: Duration = Duration::from_millis(100);

/// The points that are left, and how each is asked about.
struct Work<'a> {
    asked: &'a Sweep,
    question: &'a Asked,
    stopped: &'a AtomicBool,
    /// What was known in the beginning.
    known: &'a HashMap<String, Row>,
    store: Mutex<Store>,
    /// Those to look at, and those that other processes were at when they were looked at.
    left: Mutex<(VecDeque<Point>, Vec<Point>)>,
}

impl Work<'_> {
    /// Asks about all points that are left, several at a time, and keeps every row as soon as it is known.
    fn all(&self, known: usize, points: usize, terminal: &Terminal) -> Result<(), Failure> {
        let left = lock(&self.left).0.len();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads =
            if self.asked.limits.threads == 0 { cores } else { self.asked.limits.threads }.min(left);
        let (send, receive) = mpsc::channel();
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let send = send.clone();
                scope.spawn(move || {
                    while let Some(done) = self.one() {
                        if send.send(done).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut pace = table::Pace::new(known, points, threads.max(1), begin);
            let mut result = Ok(());
            while let Ok(done) = receive.recv() {
                match done {
                    Ok(row) => pace.took(&row),
                    // What cannot be kept is not worth working for.
                    Err(e) => {
                        self.stopped.store(true, Ordering::Relaxed);
                        result = Err(e);
                    }
                }
                if terminal.shows_progress() {
                    terminal.note(&format!("\r\x1b[K{pace}"));
                }
            }
            if terminal.shows_progress() && left > 0 {
                terminal.note("\n");
            }
            result
        })
    }

    /// What came of the next point, whoever has asked about it; `None` if there is none left, or if it was interrupted.
    fn one(&self) -> Option<Result<Row, Failure>> {
        let (point, turn) = self.next()?;
        match turn {
            Ok(Turn::Known(row)) => Some(Ok(row)),
            Ok(_) => {
                let row = self.ask(&point)?;
                Some(lock(&self.store).put(&point, &row).map(|()| row))
            }
            Err(e) => Some(Err(e)),
        }
    }

    /// The next point that no other process is at, once there is one.
    fn next(&self) -> Option<(Point, Result<Turn, Failure>)> {
        while !self.stopped.load(Ordering::Relaxed) {
            let next = lock(&self.left).0.pop_front();
            let Some(point) = next else {
                if lock(&self.left).1.is_empty() {
                    return None;
                }
                std::thread::sleep(LOOK);
                let (todo, theirs) = &mut *lock(&self.left);
                todo.extend(theirs.drain(..));
                continue;
            };
            let turn = lock(&self.store).claim(&point, |row| {
                // Whoever asks again means what was known in the beginning.
                let new = self.known.get(&point.name) != Some(row);
                row.settled(&self.asked.limits, self.asked.again && !new)
            });
            if matches!(turn, Ok(Turn::Theirs)) {
                lock(&self.left).1.push(point);
            } else {
                return Some((point, turn));
            }
        }
        None
    }

    /// One point; `None` if it was interrupted. One whose process was killed is asked about again.
    fn ask(&self, point: &Point) -> Option<Row> {
        for _ in 1..TIMES {
            let row = self.ask_once(point)?;
            if row.status != "lost" {
                return Some(row);
            }
        }
        self.ask_once(point)
    }

    fn ask_once(&self, point: &Point) -> Option<Row> {
        let limits = &self.asked.limits;
        let failed = |error: String| Some(Row::failed("failed", error, limits));
        let mut command = match std::env::current_exe() {
            Ok(path) => Command::new(path),
            Err(e) => return failed(format!("this program cannot be found: {e}")),
        };
        command.args(&self.question.words).arg(&self.asked.file);
        command.args(["--json", "--quiet", "--threads", "1"]);
        for (name, value) in &point.settings {
            command.arg("--set").arg(format!("{name}={value}"));
        }
        if let Some(time) = limits.time_limit {
            command.arg("--time-limit").arg(time.as_secs_f64().to_string());
        }
        if let Some(memory) = limits.memory_limit {
            command.arg("--memory-limit").arg(memory.to_string());
        }
        command.env(POINT, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = match Child::start(command) {
            Ok(child) => child,
            Err(e) => return failed(format!("the process of this point cannot be started: {e}")),
        };
        let output = child.wait(|| self.stopped.load(Ordering::Relaxed), Duration::from_millis(5))?;
        ended(&output, limits)
    }
}
