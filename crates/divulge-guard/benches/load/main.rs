//! How many events a second pass the guard, and how long they take: an inspection of 60 × 62 fields (of 60 × 60 there is no plan).
//!
//! `cargo bench -p divulge-guard -- FOLDER PROGRAM`: FOLDER is where journals are on a disk, PROGRAM the `divulge` that is measured as a process of
//! its own, through pipes; without it, the gate alone is measured, in this process. Tables are printed on standard output.

mod gate;
mod process;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use divulge::{
    Unlimited,
    ask::ask,
    problem::{Kind, Label, Names, PGraphBuilder, Plan, Problem, Vertex},
    sets::BitSet,
    setting::Setting,
};
use divulge_guard::{Chance, Guard, Told};
use divulge_model::families::{Nuclear, nuclear};

/// How often the robot goes one field to and fro before the inspection: four events each time.
const TURNS: u32 = 25_000;

/// A folder that is kept in memory.
const MEMORY: &str = "/dev/shm";

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let disk = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let program = arguments.next();
    let mut problem = nuclear(&Nuclear::new(60, 62)).expect("the family has such a member");
    let answer = ask(&problem).seek_plan().within(&Unlimited).expect("it can be asked");
    let found = answer.found().expect("there is a plan");
    eprintln!("plan: {} vertices, at most {} events", found.plan.graph.len(), found.worst_case.events);
    let memory = Some(Path::new(MEMORY)).filter(|folder| folder.is_dir());
    let folders: Vec<(&str, Option<&Path>)> = [
        Some(("no journal", None)),
        memory.map(|memory| ("journal in memory", Some(memory))),
        Some(("journal on disk", Some(&*disk))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let plan = found.plan.clone();
    problem.plan = Some(wandering(&problem, &plan));
    if let Some(program) = program {
        process::rows(&problem, &program, &disk, &folders);
        println!();
    }
    problem.plan = Some(plan);
    let setting = Setting::pose(&problem, problem.plan.as_ref(), &Unlimited).expect("it can be posed");
    let begin = Instant::now();
    let mut guard = Guard::new(&setting).expect("it can be guarded");
    let all = guard.prepare(&setting).expect("there is no limit");
    eprintln!("prepared in {:.0?}{}", begin.elapsed(), if all { "" } else { ", in part" });
    gate::rows(&problem, &setting, &folders);
}

/// The plan after the robot has gone to and fro for a while.
fn wandering(problem: &Problem, plan: &Plan) -> Plan {
    let [right, left, nothing] =
        ["right", "left", "nothing"].map(|name| problem.alphabet.get(name).expect("an event"));
    let mut b = PGraphBuilder::new();
    let own = |v: Vertex| Vertex(v.0 + 4 * TURNS);
    for _ in 0..2 * TURNS {
        b.vertex(Kind::Action);
        b.vertex(Kind::Observation);
    }
    plan.graph.vertices().for_each(|v| _ = b.vertex(plan.graph.kind(v)));
    let inspect = own(plan.graph.initial()[0]);
    b.initial(Vertex(0));
    for turn in 0..TURNS {
        let at = |n: u32| if 4 * turn + n == 4 * TURNS { inspect } else { Vertex(4 * turn + n) };
        for (n, label) in (0..).zip([right, nothing, left, nothing]) {
            b.arc(at(n), label, at(n + 1));
        }
    }
    plan.graph.all_arcs().for_each(|(v, arc)| b.arc(own(v), arc.label, own(arc.to)));
    let graph = b.build().expect("actions and observations alternate");
    let turns: Vec<String> = (0..4 * TURNS).map(|n| format!("turn {n}")).collect();
    let names: Names = turns.iter().map(String::as_str).chain(plan.names.iter()).collect();
    let terminal = BitSet::from_fn(graph.len(), |v| {
        v.checked_sub(4 * TURNS as usize).is_some_and(|v| plan.terminal.contains(v))
    });
    Plan { graph, names, terminal }
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
            Some(Told::Do(label)) => label,
            Some(Told::Observe) => {
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

/// What this share of some sorted times is within.
fn at(times: &[Duration], share: f64) -> Duration {
    times[((times.len() - 1) as f64 * share) as usize]
}
