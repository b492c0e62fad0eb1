//! How the engines grow with their problems: `cargo bench -p divulge --bench growth [-- FAMILY ...]` prints one table for each
//! family and, if valgrind is there, one of the instructions that some rows take (`-- instructions` prints that alone). Every row is measured in a process of its own, so that its memory is its own, and by the processor time of that
//! process, so that other programs disturb it less; where the system does not tell these, wall-clock time and no memory.
//!
//! `growth --document FILE [cost]` measures the plan sought in any problem document. `growth --row FAMILY SIZE ...` measures one row and prints it bare, which is what a profiler wants to run, with `GROWTH_ONCE`
//! in the environment to have the question answered only once. `GROWTH_THREADS` says how many threads may be used (with the feature
//! `parallel`); the processor time is that of the first one, which waits for the others where they do more.

use std::{
    process::Command,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use divulge::{
    Question, ask,
    ask::What,
    expansion::{Actions, EXPANDING, expand},
    limit::{Limit, Monitor, Progress, Unlimited},
    problem::{Knows, Problem},
    seek::{Minimize, SeekOptions},
};
use divulge_model::{
    document,
    families::{Automaton, Nuclear, automaton, corridor, ice, keypad, nuclear, parcels, rooms},
};
use divulge_naive::put::seek_plan;

/// The families and the sizes at which they are measured, smaller before larger.
const FAMILIES: [(&str, &[&[u64]]); 9] = [
    ("nuclear", &[&[20, 22], &[40, 42], &[60, 62], &[100, 102], &[140, 142], &[200, 202]]),
    ("nuclear-none", &[&[20, 20], &[60, 60], &[100, 100], &[200, 200]]),
    ("nuclear-goal-directed", &[&[20, 22], &[40, 42], &[60, 62], &[100, 102]]),
    ("nuclear-cost", &[&[20, 22], &[40, 42], &[60, 62], &[100, 102]]),
    ("keypad", &[&[20, 10], &[40, 10], &[80, 10], &[160, 10], &[160, 40], &[320, 40]]),
    (
        "rooms",
        &[&[30, 3, 2, 1], &[40, 3, 2, 2], &[50, 3, 2, 2], &[100, 3, 2, 2], &[140, 3, 2, 1], &[140, 3, 2, 2]],
    ),
    ("parcels", &[&[10, 3], &[20, 3], &[40, 3], &[80, 3], &[160, 3]]),
    ("corridor", &[&[100], &[200], &[400], &[800], &[1600], &[3200]]),
    ("ice", &[&[6, 6], &[8, 8], &[12, 12], &[16, 16], &[24, 24], &[32, 32]]),
];

/// The random automata of 1,000 states that are audited: states, events, images, arcs in hundredths, secret and initial states,
/// number. One initial state or all, few secret ones or many, sparse, deterministic and dense, much and little merged.
const AUDITS: [&[u64]; 16] = [
    &[1000, 2, 1, 100, 10, 1, 1],
    &[1000, 4, 2, 100, 20, 1, 1],
    &[1000, 4, 2, 100, 200, 1, 2],
    &[1000, 5, 2, 100, 100, 1, 3],
    &[1000, 6, 3, 100, 50, 1, 1],
    &[1000, 10, 5, 100, 100, 1, 1],
    &[1000, 4, 2, 150, 100, 1, 1],
    &[1000, 6, 3, 90, 50, 1, 1],
    &[1000, 3, 2, 100, 20, 10, 4],
    &[1000, 2, 2, 130, 10, 1000, 1],
    &[1000, 5, 3, 100, 50, 1000, 1],
    &[1000, 6, 3, 90, 500, 1000, 1],
    &[1000, 3, 2, 100, 5, 1, 1],
    &[1000, 5, 3, 100, 20, 1, 1],
    &[1000, 6, 3, 50, 100, 1, 1],
    &[1000, 8, 6, 50, 50, 1000, 1],
];

/// The rows whose instructions are counted, besides the audits.
const COUNTED: [(&str, &[u64]); 6] = [
    ("nuclear", &[20, 22]),
    ("nuclear-goal-directed", &[20, 22]),
    ("keypad", &[20, 10]),
    ("rooms", &[40, 3, 2, 2]),
    ("corridor", &[100]),
    ("ice", &[6, 6]),
];

/// The most that was reported.
#[derive(Default)]
struct Watch {
    explored: AtomicU64,
    stored: AtomicU64,
    arcs: AtomicU64,
    members: AtomicU64,
    phases: std::sync::Mutex<Phases>,
}

/// How long what was reported took, by the clock.
#[derive(Default)]
struct Phases {
    doing: &'static str,
    since: Option<Instant>,
    all: Vec<(&'static str, f64)>,
}

impl Phases {
    fn turn_to(&mut self, doing: &'static str) {
        let now = Instant::now();
        if let Some(since) = self.since.replace(now) {
            let took = (now - since).as_secs_f64();
            match self.all.iter_mut().find(|(other, _)| *other == self.doing) {
                Some((_, sum)) => *sum += took,
                None => self.all.push((self.doing, took)),
            }
        }
        self.doing = doing;
    }
}

impl Monitor for Watch {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.phases.lock().expect("no panic").turn_to(progress.doing);
        // The expanded vertices have a column of their own.
        if progress.doing != EXPANDING {
            self.explored.fetch_max(progress.explored, Relaxed);
        }
        self.stored.fetch_max(progress.stored, Relaxed);
        self.arcs.fetch_max(progress.arcs, Relaxed);
        self.members.fetch_max(progress.members, Relaxed);
        Ok(())
    }
}

fn make(family: &str, size: &[u64]) -> Result<Problem, String> {
    let size: Vec<usize> = size.iter().map(|&n| n as usize).collect();
    let made = match (family, &size[..]) {
        ("nuclear" | "nuclear-none" | "nuclear-cost", &[rows, cols]) => nuclear(&Nuclear::new(rows, cols)),
        ("nuclear-goal-directed", &[rows, cols]) => {
            nuclear(&Nuclear { knows: Knows::GoalDirected, ..Nuclear::new(rows, cols) })
        }
        ("keypad", &[digits, places]) => keypad(digits, places),
        ("audit", &[states, events, images, arcs, secrets, starts, seed]) => {
            automaton(&Automaton { states, events, images, arcs, secrets, starts, seed: seed as u64 })
        }
        ("rooms", &[n, doors, colours, seed]) => rooms(n, doors, colours, seed as u64),
        ("parcels", &[size, kinds]) => parcels(size, kinds),
        ("corridor", &[length]) => corridor(length),
        ("ice", &[rows, cols]) => ice(rows, cols),
        _ => return Err(format!("no family {family} of {} parameters", size.len())),
    };
    made.map_err(|e| e.to_string())
}

/// Measures one row: verdict, worst case, expanded vertices, nodes, beliefs, seconds, bytes, arcs, members of sets.
fn row(family: &str, problem: &Problem) -> Result<String, String> {
    let watch = Watch::default();
    let minimize = if family.ends_with("cost") { Minimize::Cost } else { Minimize::Events };
    let threads = std::env::var("GROWTH_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let options = SeekOptions { minimize, threads, ..SeekOptions::default() };
    let memory = peak_bytes();
    let (started, processor) = (Instant::now(), processor_seconds());
    watch.phases.lock().expect("no panic").turn_to("");
    let mut verdict = answer(family, problem, &options, &watch)?;
    if std::env::var_os("GROWTH_PHASES").is_some() {
        let mut phases = watch.phases.lock().expect("no panic");
        phases.turn_to("");
        phases.all.iter().for_each(|(doing, took)| eprintln!("{took:.3} s {doing}"));
    }
    // Short runs are made many times, or the clock is too coarse for them.
    let (mut runs, used) = (1, || match (processor, processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => started.elapsed().as_secs_f64(),
    });
    let once = std::env::var_os("GROWTH_ONCE").is_some();
    while !once && used() < 0.3 && started.elapsed().as_secs_f64() < 3.0 {
        verdict = answer(family, problem, &options, &watch)?;
        runs += 1;
    }
    let seconds = used() / f64::from(runs);
    let bytes = memory.zip(peak_bytes()).map_or(0, |(before, after)| after - before);
    let (nodes, beliefs) = (watch.explored.load(Relaxed), watch.stored.load(Relaxed));
    // What a robot knows does not matter to an audit, and there may be too many such sets to find.
    let (expanded, known) = if family == "audit" {
        (problem.world.graph.len(), 0)
    } else {
        let expansion = expand(&problem.world, Actions::Safe, 1, &Unlimited).expect("no limit");
        let known: usize = expansion.graph.vertices().map(|v| expansion.members(v).count()).sum();
        (expansion.graph.len(), known as u64)
    };
    let (arcs, members) = (watch.arcs.load(Relaxed), watch.members.load(Relaxed) + known);
    Ok(format!("{verdict}\t{expanded}\t{nodes}\t{beliefs}\t{seconds:.6}\t{bytes}\t{arcs}\t{members}"))
}

/// Asks the question once. Instructions are counted here, so it must remain a function.
#[inline(never)]
fn answer(family: &str, problem: &Problem, options: &SeekOptions, watch: &Watch) -> Result<String, String> {
    if family == "audit" {
        let question = Question { threads: options.threads, ..Question::new(What::Audit) };
        let found = ask(problem).question(question).within(watch).map_err(|e| e.to_string())?;
        return Ok(found
            .violation()
            .map_or("holds".to_owned(), |v| format!("violated after {}", v.execution.len())));
    }
    let found = seek_plan(problem, options, watch).map_err(|e| e.to_string())?;
    Ok(found
        .map_or("none".to_owned(), |f| format!("{} events, cost {}", f.worst_case.events, f.worst_case.cost)))
}

/// The processor time that this thread has used.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

/// The most memory that this process has held.
fn peak_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// One row in a process of its own.
fn measured(family: &str, size: &[u64]) -> Result<Vec<String>, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.args(["--row", family]).args(size.iter().map(u64::to_string));
    let output = command.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last().filter(|_| output.status.success()) {
        Some(line) => Ok(line.split('\t').map(str::to_owned).collect()),
        None => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn table(family: &str, sizes: &[&[u64]]) -> Result<(), String> {
    println!("\n### {family}\n");
    println!(
        "| size | answer | expanded vertices | nodes | arcs | beliefs | members | seconds | ns per node | ns per arc | bytes per node |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut over_nodes, mut over_all) = (Vec::new(), Vec::new());
    for size in sizes {
        let cells = measured(family, size)?;
        let [verdict, expanded, nodes, beliefs, seconds, bytes, arcs, members] = &cells[..] else {
            return Err(format!("a row of {} cells", cells.len()));
        };
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        let (n, a, m, s) = (number(nodes), number(arcs), number(members), number(seconds));
        let (per_node, per_arc, each) = (s * 1e9 / n, s * 1e9 / a, number(bytes) / n);
        let size: Vec<String> = size.iter().map(u64::to_string).collect();
        let size = size.join(" × ");
        println!(
            "| {size} | {verdict} | {expanded} | {nodes} | {arcs} | {beliefs} | {members} | {s:.3} | {per_node:.0} | {per_arc:.0} | {each:.0} |"
        );
        over_nodes.push((n.ln(), s.ln()));
        over_all.push(((n + a + m).ln(), s.ln()));
    }
    println!("\nFitted exponent of seconds over nodes: {:.2}.", slope(&over_nodes));
    println!(
        "Fitted exponent of seconds over nodes, arcs and members, those of the expanded world among them: {:.2}.",
        slope(&over_all)
    );
    Ok(())
}

/// The audits: there is nothing in them that grows.
fn audits() -> Result<(), String> {
    println!("\n### audit\n\n| size | answer | vertices | milliseconds |\n|---|---|---:|---:|");
    for size in AUDITS {
        let cells = measured("audit", size)?;
        let milliseconds = cells[4].parse::<f64>().unwrap_or(f64::NAN) * 1e3;
        let size: Vec<String> = size.iter().map(u64::to_string).collect();
        println!("| {} | {} | {} | {milliseconds:.3} |", size.join(" × "), cells[0], cells[1]);
    }
    Ok(())
}

/// The instructions that the answer to one row takes, as valgrind counts them.
fn counted(family: &str, size: &[u64]) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=growth::answer"]);
    command.arg(std::env::current_exe().ok()?).args(["--row", family]).args(size.iter().map(u64::to_string));
    let output = command.env("GROWTH_ONCE", "1").output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()
}

/// The instructions of some rows, which do not depend on what else the machine does.
fn instructions() {
    println!("\n### instructions\n\n| row | instructions |\n|---|---:|");
    let audits = AUDITS.iter().map(|size| ("audit", *size));
    for (family, size) in COUNTED.into_iter().chain(audits) {
        let Some(count) = counted(family, size) else {
            println!("\nNot counted: valgrind is needed for that.");
            return;
        };
        let size: Vec<String> = size.iter().map(u64::to_string).collect();
        println!("| {family} {} | {count} |", size.join(" × "));
    }
}

/// The slope of the straight line that fits best.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (mx, my) = (sx / n, sy / n);
    let (above, below) =
        points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx).powi(2)));
    above / below
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let Some(("--row", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        let (family, size) = rest.split_first().ok_or("--row needs a family and a size")?;
        let size: Result<Vec<u64>, _> = size.iter().map(|word| word.parse()).collect();
        println!("{}", row(family, &make(family, &size.map_err(|e| e.to_string())?)?)?);
        return Ok(());
    }
    if let Some(("--document", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        let file = rest.first().ok_or("--document needs a file")?;
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        let problem = document::read(file, &text).map_err(|_| format!("{file} cannot be read"))?.problem;
        println!("{}", row(rest.get(1).map_or("events", String::as_str), &problem)?);
        return Ok(());
    }
    let wanted = |family: &str| words.is_empty() || words.iter().any(|word| word == family);
    for (family, sizes) in FAMILIES.into_iter().filter(|(family, _)| wanted(family)) {
        table(family, sizes)?;
    }
    if wanted("audit") {
        audits()?;
    }
    if wanted("instructions") {
        instructions();
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            std::process::ExitCode::FAILURE
        }
    }
}
