//! What threads do together, and what one of them does alone: work and waiting are counted, so that it can be said what more processors than
//! there are would bring.
//!
//! `cargo bench -p divulge --features parallel --bench threads -- THREADS QUESTION FILE [NAME=VALUE ...]` reads a document or a model on so many threads, asks `plan`, `cost` or `audit`, and prints
//! a line for each phase: its name; processor seconds of whoever leads but for waiting and its own pieces; rounds; pieces; processor seconds of
//! all pieces, of the longest one of each round, and of waiting. `scripts/lib/threads/account.py` makes a table of that.

use std::{process::ExitCode, sync::Mutex};

use divulge::{
    Question, ask,
    ask::What,
    limit::{Limit, Monitor, Progress, Taken, account, taken},
    problem::Problem,
    seek::Minimize,
};
use divulge_model::{document, language};
use rustix::time::{ClockId, clock_gettime};

/// The processor time that this thread has used, in nanoseconds.
fn used() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What was counted when something began, and of each phase.
struct Phases {
    doing: &'static str,
    used: u64,
    taken: Taken,
    all: Vec<(&'static str, Phase)>,
}

/// What a phase took, in nanoseconds.
#[derive(Default)]
struct Phase {
    alone: u64,
    rounds: u64,
    pieces: u64,
    together: u64,
    longest: u64,
    waiting: u64,
}

impl Phases {
    fn turn_to(&mut self, doing: &'static str) {
        if doing == self.doing {
            return;
        }
        let (used, now) = (used(), taken());
        let before = std::mem::replace(&mut self.taken, now);
        let own = used - std::mem::replace(&mut self.used, used);
        let place = self.all.iter().position(|(other, _)| *other == self.doing).unwrap_or_else(|| {
            self.all.push((self.doing, Phase::default()));
            self.all.len() - 1
        });
        let phase = &mut self.all[place].1;
        phase.alone += own.saturating_sub(now.leaders - before.leaders + now.waiting - before.waiting);
        phase.rounds += now.rounds - before.rounds;
        phase.pieces += now.pieces - before.pieces;
        phase.together += now.all - before.all;
        phase.longest += now.longest - before.longest;
        phase.waiting += now.waiting - before.waiting;
        self.doing = doing;
    }
}

/// Whoever leads tells what it is doing; what the others tell is part of that.
struct Watch(std::thread::ThreadId, Mutex<Phases>);

impl Monitor for Watch {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if std::thread::current().id() == self.0 {
            self.1.lock().expect("no panic").turn_to(progress.doing);
        }
        Ok(())
    }
}

fn read(file: &str, text: &str, set: &[(String, String)], threads: usize) -> Result<Problem, String> {
    let cannot = || format!("{file} cannot be read");
    if text.trim_start().starts_with('{') {
        let read = document::read_with(file, text, document::Whom::Everybody, threads);
        return Ok(read.map_err(|_| cannot())?.problem);
    }
    language::load_on(file, text, &language::NoIncludes, set, false, threads).0.ok_or_else(cannot)
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [threads, question, file, set @ ..] = &words[..] else {
        return Err("threads needs how many there are, a question and a file".to_owned());
    };
    let threads: usize = threads.parse().map_err(|_| format!("{threads} is no number"))?;
    let set = set.iter().filter_map(|one| one.split_once('='));
    let set: Vec<_> = set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let what = match question.as_str() {
        "plan" | "cost" => What::Plan,
        "audit" => What::Audit,
        other => return Err(format!("nobody asks {other}")),
    };
    // The program has several threads read a file.
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    account(used);
    let phases = Phases { doing: "reading", used: used(), taken: taken(), all: Vec::new() };
    let watch = Watch(std::thread::current().id(), Mutex::new(phases));
    let problem = read(file, &text, &set, threads)?;
    watch.1.lock().expect("no panic").turn_to("asking");
    let minimize = if question == "cost" { Minimize::Cost } else { Minimize::Events };
    let question = Question { threads, minimize, ..Question::new(what) };
    let answer = ask(&problem).question(question).within(&watch).map_err(|e| e.to_string())?;
    watch.1.lock().expect("no panic").turn_to("ending");
    drop((answer, problem));
    let mut phases = watch.1.lock().expect("no panic");
    phases.turn_to("");
    for (doing, Phase { alone, rounds, pieces, together, longest, waiting }) in &phases.all {
        let [alone, together, longest, waiting] =
            [alone, together, longest, waiting].map(|&n| n as f64 / 1e9);
        println!("{doing}\t{alone:.6}\t{rounds}\t{pieces}\t{together:.6}\t{longest:.6}\t{waiting:.6}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
