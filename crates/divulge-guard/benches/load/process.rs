//! The guard as a process of its own, through real pipes: from the line that a robot writes to the image that an observer reads.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use divulge::{Unlimited, problem::Problem, setting::Setting};
use divulge_model::document;

use crate::{at, run};

/// How fast the robot speaks.
#[derive(Clone, Copy)]
enum Pace {
    /// Without waiting for anything.
    Flat,
    /// So many lines each millisecond.
    EachMillisecond(usize),
    /// It waits for the image of each event.
    Waiting,
}

/// Prints a row for each way to put events through.
pub fn rows(problem: &Problem, program: &str, disk: &Path, folders: &[(&str, Option<&Path>)]) {
    let file = disk.join(format!("divulge-load-{}.json", std::process::id()));
    fs::write(&file, document::to_string(problem)).expect("the folder can be written to");
    let setting = Setting::pose(problem, problem.plan.as_ref(), &Unlimited).expect("it can be posed");
    let lines = run(problem, &setting, 1);
    println!(
        "| through pipes | events | events a second | median | 99.9 % within | within 1 ms | memory at first, at last |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let paces = [
        ("at once", Pace::Flat),
        ("100 each millisecond", Pace::EachMillisecond(100)),
        ("one by one", Pace::Waiting),
    ];
    for (name, folder) in folders {
        for (how, pace) in paces {
            // A disk takes milliseconds for each event that is waited for.
            let events = match pace {
                Pace::Waiting if *name == "journal on disk" => 3_000,
                _ => lines.len() - 1,
            };
            let journal =
                folder.map(|folder| folder.join(format!("divulge-load-{}.journal", std::process::id())));
            let mut command = fresh(program, &file);
            journal.iter().for_each(|path| _ = command.arg("--journal").arg(path));
            let measured = Driven::start(&mut command).drive(&lines[..events], pace);
            println!("| {name}, {how} | {} |", measured.row());
            if let (Some(_), Pace::Flat) = (&journal, pace) {
                // The guard that wrote it was ended; another one reads it, and says how far it got.
                let (_, without) = start_of(&mut fresh(program, &file));
                let (again, with) = start_of(&mut command);
                assert!(again.contains(&format!("\"events\": {events}")), "{again}");
                println!(
                    "| {name}, restart | {events} | | ready in {with:.1?}, {without:.1?} without it | | | |"
                );
            }
            journal.map(fs::remove_file);
        }
    }
    let _ = fs::remove_file(&file);
}

fn fresh(program: &str, file: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("guard").arg(file).args(["--quiet", "--seed", "1"]);
    command
}

/// What a guard says first, and how long that takes.
fn start_of(command: &mut Command) -> (String, Duration) {
    let begin = Instant::now();
    let Driven { mut child, hello, .. } = Driven::start(command);
    let took = begin.elapsed();
    let _ = child.kill();
    let _ = child.wait();
    (hello, took)
}

struct Measured {
    total: Duration,
    times: Vec<Duration>,
    memory: [u64; 2],
}

impl Measured {
    fn row(mut self) -> String {
        self.times.sort_unstable();
        let soon = self.times.partition_point(|time| *time <= Duration::from_millis(1));
        format!(
            "{} | {:.0} | {:.1?} | {:.1?} | {:.2} % | {:.1}, {:.1} MiB",
            self.times.len(),
            self.times.len() as f64 / self.total.as_secs_f64(),
            at(&self.times, 0.5),
            at(&self.times, 0.999),
            100.0 * soon as f64 / self.times.len() as f64,
            self.memory[0] as f64 / 1024.0,
            self.memory[1] as f64 / 1024.0,
        )
    }
}

/// A guard that has said that it is ready.
struct Driven {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Its first line.
    hello: String,
}

impl Driven {
    fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let (stdin, mut stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut said = Vec::new();
        // Then comes what to do, unless the robot observes next.
        while !said.ends_with(b"\n") {
            let mut byte = [0];
            stdout.read_exact(&mut byte).expect("the guard says what to do first");
            said.push(byte[0]);
        }
        Self { child, stdin, stdout, hello: String::from_utf8_lossy(&said).into_owned() }
    }

    /// Every event of the nuclear world is seen, so each has one image.
    fn drive(mut self, lines: &[Vec<u8>], pace: Pace) -> Measured {
        let first = memory(self.child.id());
        let begin = Instant::now();
        let seen = Arc::new(AtomicUsize::new(0));
        let reader = std::thread::spawn({
            let (seen, all, mut from) = (Arc::clone(&seen), lines.len(), self.stdout);
            move || {
                let mut images = Images::default();
                let mut piece = vec![0; 1 << 16];
                let mut times: Vec<Duration> = Vec::with_capacity(all);
                while times.len() < all {
                    let read = from.read(&mut piece).expect("the guard can be heard");
                    assert!(read > 0, "the guard ended after {} images", times.len());
                    let new = images.count(&piece[..read]);
                    times.extend(std::iter::repeat_n(begin.elapsed(), new));
                    seen.store(times.len(), Ordering::Release);
                }
                (times, from)
            }
        });
        let said = say(&mut self.stdin, lines, pace, begin, &seen);
        let (heard, _open) = reader.join().expect("the reader reads to the end");
        let memory = [first, memory(self.child.id())];
        let total = *heard.last().expect("there are events");
        let times = heard.iter().zip(&said).map(|(heard, said)| heard.saturating_sub(*said)).collect();
        // It was begun here, and what it would still say is not asked for.
        let _ = self.child.kill();
        let _ = self.child.wait();
        Measured { total, times, memory }
    }
}

/// Says every line; tells when each was said.
fn say(
    to: &mut ChildStdin,
    lines: &[Vec<u8>],
    pace: Pace,
    begin: Instant,
    seen: &AtomicUsize,
) -> Vec<Duration> {
    let mut times = Vec::with_capacity(lines.len());
    let together = match pace {
        Pace::Flat => 2048,
        Pace::EachMillisecond(lines) => lines,
        Pace::Waiting => 1,
    };
    for (tick, batch) in (0u32..).zip(lines.chunks(together)) {
        if let Pace::EachMillisecond(_) = pace {
            std::thread::sleep((Duration::from_millis(1) * tick).saturating_sub(begin.elapsed()));
        }
        let text = batch.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect::<Vec<u8>>();
        times.extend(std::iter::repeat_n(begin.elapsed(), batch.len()));
        to.write_all(&text).expect("the guard listens");
        while matches!(pace, Pace::Waiting) && seen.load(Ordering::Acquire) < times.len() {
            std::thread::yield_now();
        }
    }
    times
}

/// Counts lines with images in pieces of a stream.
#[derive(Default)]
struct Images {
    line: Vec<u8>,
}

impl Images {
    fn count(&mut self, piece: &[u8]) -> usize {
        let mut found = 0;
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                assert!(!self.line.starts_with(b"{\"held\""), "{}", String::from_utf8_lossy(&self.line));
                found += usize::from(self.line.starts_with(b"{\"to\""));
                self.line.clear();
            }
        }
        found
    }
}

/// The memory of a process, in KiB; 0 where the system does not tell.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
