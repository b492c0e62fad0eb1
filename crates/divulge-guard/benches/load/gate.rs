//! The gate by itself, in this process: from lines to the bytes that are shown.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use divulge::{problem::Problem, setting::Setting};
use divulge_guard::{Chance, Gate, Guard, Journal, Mode, Options, Out, Standing, lines::Writer};

use crate::{at, run};

/// How many events are measured for each row, at most.
const EVENTS: usize = 100_000;

/// Prints a row for each way to put events through.
pub fn rows(problem: &Problem, setting: &Setting<'_>, folders: &[(&str, Option<&Path>)]) {
    println!("| in one process | events a second | median | 99.9 % within |");
    println!("|---|---:|---:|---:|");
    for (name, folder) in folders {
        for (how, together) in [("one by one", 1), ("64 at once", 64), ("a whole run at once", 1024)] {
            if folder.is_none() && together > 1 {
                continue;
            }
            let path =
                folder.map(|folder| folder.join(format!("divulge-load-{}.journal", std::process::id())));
            // A disk takes milliseconds each time.
            let most = if *name == "journal on disk" { EVENTS.min(3_000 * together) } else { EVENTS };
            let (mut times, events) = measure(problem, setting, path.as_ref(), together, most);
            path.map(std::fs::remove_file);
            let total: Duration = times.iter().sum();
            times.sort_unstable();
            let whole = if together > 1 { " for all" } else { "" };
            println!(
                "| {name}, {how} | {:.0} | {:.1?}{whole} | {:.1?}{whole} |",
                events as f64 / total.as_secs_f64(),
                at(&times, 0.5),
                at(&times, 0.999),
            );
        }
    }
}

/// How long each batch of lines took, from their bytes to the bytes that are shown, and how many lines there were.
fn measure(
    problem: &Problem,
    setting: &Setting<'_>,
    journal: Option<&PathBuf>,
    together: usize,
    most: usize,
) -> (Vec<Duration>, usize) {
    let writer = Writer::new(problem, Mode::Enforce);
    let options = Options { mode: Mode::Enforce, chance: Chance::Seed(1) };
    let (mut times, mut events, mut bytes) = (Vec::new(), 0, Vec::new());
    // Batches stay small enough for a run, so larger ones are made of many runs, each of its own gate.
    while events < most {
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
    (times, events)
}
