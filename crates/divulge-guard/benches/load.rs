//! How many events a second pass the gate, and how long the slowest of a thousand takes: an inspection of 60 × 62 fields
//! (of 60 × 60 there is no plan).
//!
//! `cargo bench -p divulge-guard`; `-- FOLDER` puts the journals somewhere else than the folder for temporary files. Rows of a table are
//! printed on standard output, the rest on standard error.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use divulge::{
    Unlimited,
    ask::ask,
    problem::{Kind, Label, Problem, Vertex},
    setting::Setting,
};
use divulge_guard::{Chance, Gate, Guard, Journal, Mode, Options, Out, Standing, lines::Writer};
use divulge_model::families::{Nuclear, nuclear};

/// How many events are measured for each row.
const EVENTS: usize = 100_000;

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let folder = folder.map_or_else(std::env::temp_dir, PathBuf::from);
    let mut problem = nuclear(&Nuclear::new(60, 62)).expect("the family has such a member");
    let answer = ask(&problem).seek_plan().within(&Unlimited).expect("it can be asked");
    let found = answer.found().expect("there is a plan");
    eprintln!("plan: {} vertices, at most {} events", found.plan.graph.len(), found.worst_case.events);
    problem.plan = Some(found.plan.clone());
    let setting = Setting::pose(&problem, problem.plan.as_ref(), &Unlimited).expect("it can be posed");
    let begin = Instant::now();
    let mut guard = Guard::new(&setting).expect("it can be guarded");
    let all = guard.prepare(&setting).expect("there is no limit");
    eprintln!("prepared in {:.0?}{}", begin.elapsed(), if all { "" } else { ", in part" });
    for (name, journal, together) in [
        ("no journal, one by one", false, 1),
        ("journal, one by one", true, 1),
        ("journal, 64 at once", true, 64),
        ("journal, 1024 at once", true, 1024),
    ] {
        let path = folder.join(format!("divulge-load-{}.journal", std::process::id()));
        let times = measure(&problem, &setting, journal.then_some(&path), together);
        let _ = std::fs::remove_file(&path);
        report(name, times, together);
    }
}

/// How long each batch of events took, from its lines to the bytes that are shown.
fn measure(
    problem: &Problem,
    setting: &Setting<'_>,
    journal: Option<&PathBuf>,
    together: usize,
) -> Vec<Duration> {
    let writer = Writer::new(problem, Mode::Enforce);
    let options = Options { mode: Mode::Enforce, chance: Chance::Seed(1) };
    let (mut times, mut events, mut bytes) = (Vec::new(), 0, Vec::new());
    // Batches stay small enough for a run, so larger ones are made of many runs, each of its own gate.
    while events < EVENTS {
        let mut guard = Guard::new(setting).expect("it can be guarded");
        guard.prepare(setting).expect("there is no limit");
        let opened = journal.map(|path| {
            let _ = std::fs::remove_file(path);
            Journal::open(path).expect("the folder can be written to")
        });
        let mut gate = Gate::open(guard, options, "digest", opened, None).expect("the journal is new");
        let lines = run(problem, setting, events as u64);
        gate.commit();
        gate.take();
        for batch in lines.chunks(together) {
            bytes.clear();
            let begin = Instant::now();
            batch.iter().for_each(|line| gate.line(line));
            gate.commit();
            for out in gate.take() {
                writer.line(&out, &mut bytes);
                if let Out::Image { observer, n, .. } = out {
                    gate.shown(observer as usize, n);
                }
            }
            std::hint::black_box(&bytes);
            times.push(begin.elapsed());
            events += batch.len();
        }
        assert_eq!(*gate.standing(), Standing::Ended);
    }
    times
}

/// The lines of a run in which the world does one thing or another.
fn run(problem: &Problem, setting: &Setting<'_>, seed: u64) -> Vec<Vec<u8>> {
    let graph = &problem.world.graph;
    let mut guard = Guard::new(setting).expect("it can be guarded");
    let mut lines = Vec::new();
    let start = Chance::Seed(seed).choose(graph.initial().len(), 0).expect("a seed is there");
    let mut at: Vertex = graph.initial()[start];
    loop {
        let turn = guard.events();
        let label: Label = match guard.choose(Chance::Seed(1)).expect("a seed is there") {
            Some(divulge_guard::Told::Do(label)) => label,
            Some(divulge_guard::Told::Observe) => {
                assert_eq!(graph.kind(at), Kind::Observation);
                let seen: Vec<Label> = graph.labels(at).collect();
                seen[Chance::Seed(seed).choose(seen.len(), turn).expect("a seed is there")]
            }
            _ => break,
        };
        let to = graph.step(at, label);
        at = to[Chance::Seed(seed).choose(to.len(), turn).expect("a seed is there")].to;
        guard.advance(label);
        lines.push(format!("{{\"event\": \"{}\"}}", problem.alphabet.name(label)).into_bytes());
    }
    lines.push(b"{\"end\": true}".to_vec());
    lines
}

fn report(name: &str, mut times: Vec<Duration>, together: usize) {
    let total: Duration = times.iter().sum();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let whole = if together > 1 { " for all" } else { "" };
    println!(
        "| {name} | {:.0} | {:.1?}{whole} | {:.1?}{whole} |",
        EVENTS as f64 / total.as_secs_f64(),
        at(0.5),
        at(0.999),
    );
}
