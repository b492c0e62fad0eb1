//! `divulge info`.

use std::sync::atomic::{AtomicU64, Ordering};

use divulge::{
    expansion::{Actions, expand},
    formula::{Clause, Stipulations},
    limit::{Limit, Monitor, Progress},
    problem::{Filter, Kind, Knows, LabelMap, Observer, Problem, Stipulation},
    verdict::QuestionError,
};
use divulge_render::{
    json::{self, Clauses, Info, Watcher},
    words,
};

use super::{attend, watched};
use crate::{
    arguments::{self, Over},
    input::Input,
    limits::Watch,
    output::{Terminal, answer},
    status::{Failure, Status},
};

/// Says how large the problem is, and who watches.
pub fn run(asked: &arguments::Info, terminal: &Terminal) -> Result<Status, Failure> {
    watched(&asked.asking.limits, asked.asking.json, terminal, |watch| {
        attend(&asked.asking.source.file, watch);
        let input = Input::read_all(&asked.asking.source, terminal, watch)?;
        let problem = &input.problem;
        let expanded = expanded(&input, watch)?;
        let compiled = match asked.clauses {
            Some(_) => problem.observers().enumerate().map(|(i, o)| compile(problem, i, o)).collect(),
            None => Ok(Vec::new()),
        }?;
        if asked.asking.json {
            let mut info = measure(problem, expanded);
            info.source = input.origin.as_ref().map(|origin| origin.counted());
            info.clauses = asked.clauses.map(|_| clausal(problem, &compiled));
            watch.answered();
            answer(|out| json::info(out, &info))?;
            return Ok(Status::Yes);
        }
        let style = terminal.style();
        let mut text = words::info(problem, expanded, "--observer NAME", style);
        if let Some(over) = asked.clauses {
            let over = match over {
                Over::Predicates => words::Over::Predicates,
                Over::Vertices => words::Over::Vertices,
            };
            for (observer, compiled) in problem.observers().zip(&compiled) {
                text.push('\n');
                if let (Some(name), false) = (&observer.name, problem.others.is_empty()) {
                    text += &format!("{name}\n");
                }
                text += &words::clauses(problem, observer, compiled, over, style)?;
            }
        }
        watch.answered();
        answer(|out| out.write_all(text.as_bytes()))?;
        Ok(Status::Yes)
    })
}

/// The stipulations that have clauses, ready to be written so.
fn compile(problem: &Problem, number: usize, observer: &Observer) -> Result<Stipulations, Failure> {
    let plain = |s: &&Stipulation| words::has_clauses(s);
    let plain: Vec<Stipulation> = observer.stipulations.iter().filter(plain).cloned().collect();
    Stipulations::compile(&problem.world, &plain)
        .map_err(|(i, e)| QuestionError::Formula { observer: number, number: i, e }.into())
}

/// Of a file of another tool, the sets that a robot cannot tell apart are counted up to so many, and so many for each vertex, and never more than
/// the last number: its own sizes are what people ask for, and there may be more sets than anybody can wait for.
const MOST_SETS: (usize, usize, usize) = (100_000, 4, 500_000);

/// The members of these sets, all together: each takes four bytes.
const MOST_MEMBERS: u64 = 50_000_000;

/// The vertices and arcs of the expanded world; or, for a file of another tool, more vertices than this.
fn expanded(input: &Input, watch: &Watch) -> Result<Result<[usize; 2], usize>, Failure> {
    let world = &input.problem.world;
    let (some, each, at_most) = MOST_SETS;
    let most = if input.from_file { (some + each * world.graph.len()).min(at_most) } else { usize::MAX };
    let counted = Counted { bounded: input.from_file, most: most as u64, passed: AtomicU64::new(0), watch };
    match expand(world, Actions::Some, watch.threads(), &counted) {
        Ok(expanded) => Ok(Ok([expanded.graph.len(), expanded.graph.arc_count()])),
        Err(limit) => match counted.passed.load(Ordering::Relaxed) {
            0 => Err(QuestionError::from(limit).into()),
            passed => Ok(Err(passed as usize)),
        },
    }
}

/// Stops when too much has been explored.
struct Counted<'w> {
    /// Whether anything is too much.
    bounded: bool,
    most: u64,
    /// How many sets there were when it was too much.
    passed: AtomicU64,
    watch: &'w Watch,
}

impl Monitor for Counted<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if self.bounded && (progress.explored > self.most || progress.members > MOST_MEMBERS) {
            self.passed.store(progress.explored.min(self.most).max(1), Ordering::Relaxed);
            return Err(Limit::Memory);
        }
        self.watch.poll(progress)
    }
}

fn measure(problem: &Problem, expanded: Result<[usize; 2], usize>) -> Info {
    let world = &problem.world;
    let labels =
        |kind| problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index())).count();
    let several = !problem.others.is_empty();
    Info {
        world: [world.graph.len(), world.graph.arc_count(), world.graph.initial().len(), world.goal.count()],
        labels: [labels(Kind::Action), labels(Kind::Observation)],
        expanded,
        state_determined: world.graph.is_state_determined(),
        source: None,
        clauses: None,
        observers: problem.observers().filter(|_| several).map(|o| watcher(problem, o)).collect(),
    }
}

fn watcher(problem: &Problem, observer: &Observer) -> Watcher {
    let unseen = match &observer.map {
        Some(map) => map.unseen().collect(),
        None => observer.constraints.unseen.clone(),
    };
    Watcher {
        name: observer.name.clone().unwrap_or_default(),
        knows: match observer.knows {
            Knows::Plan => "plan",
            Knows::Plans(_) => "plans",
            Knows::GoalDirected => "goal-directed",
            Knows::World => "world",
            Knows::Graph(_) => "graph",
        },
        filter: match observer.filter {
            Filter::Strongest => "strongest",
            Filter::Image => "image",
            Filter::Graph(_) => "graph",
        },
        images: observer.map.as_ref().map(LabelMap::len),
        unseen: unseen.iter().map(|&l| problem.alphabet.name(l).to_owned()).collect(),
        stipulations: observer.stipulations.clone(),
    }
}

fn clausal(problem: &Problem, compiled: &[Stipulations]) -> Vec<Clauses> {
    let several = !problem.others.is_empty();
    let mut found = Vec::new();
    for (observer, all) in problem.observers().zip(compiled) {
        let one = |c: &Clause| (json::clause(&all.plain(c)), c.is_dual_horn());
        let mut compiled = all.all().iter();
        for s in &observer.stipulations {
            let clauses =
                if words::has_clauses(s) { compiled.next().and_then(|c| c.clauses()) } else { None };
            found.push(Clauses {
                observer: observer.name.clone().filter(|_| several),
                name: s.name.clone(),
                scope: s.scope.word(),
                clauses: clauses.map(|clauses| clauses.iter().map(one).collect()),
            });
        }
    }
    found
}
