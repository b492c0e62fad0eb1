//! How searches over maps are shared out: how much is done before there are tasks, how long tasks are, and what several hands would give.
//!
//! `cargo bench -p divulge --bench sharing [-- [nodes=N] FILE ...]` asks `seek maps` about problems that grow, or about documents, and gives up after N nodes. Work is counted in
//! nodes of games, so the figures are the same on any machine. From the work of each task, and from when it can begin, follows how long so many
//! hands would take that begin tasks in order and wait for nothing else.

use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use divulge::{
    Problem,
    ask::{Question, Verdict, What, ask},
    limit::{Limit, Monitor, Progress},
    maps::{Crew, Hands, Office},
    problem::Knows,
    verdict::{Classified, QuestionError, SoFar},
};
use divulge_model::families::{Nuclear, nuclear};

/// A task: how many had been taken when it could begin, and its work.
struct Seen {
    after: usize,
    work: u64,
}

/// Remembers how much work was done when the first task began.
#[derive(Default)]
struct Alone {
    work: AtomicU64,
    over: AtomicBool,
    most: u64,
}

impl Monitor for Alone {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if progress.doing == "searching maps" && !self.over.load(Relaxed) {
            self.work.fetch_max(progress.explored, Relaxed);
        }
        if self.over.load(Relaxed) && progress.explored > self.most {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

/// Carries out tasks one by one, and takes note of them.
struct Clerk<'a, 'b, 'c> {
    hands: &'a Hands<'b, 'c>,
    alone: &'a Alone,
    seen: RefCell<Vec<Seen>>,
}

impl Crew for Clerk<'_, '_, '_> {
    fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
        self.alone.over.store(true, Relaxed);
        let (mut waiting, mut taken) = (VecDeque::new(), 0);
        loop {
            waiting.extend(std::iter::from_fn(|| office.give()).map(|task| (task, taken)));
            let Some((task, after)) = waiting.pop_front() else { return Ok(()) };
            let done = self.hands.one(&task)?;
            self.seen.borrow_mut().push(Seen { after, work: done.effort });
            taken += 1;
            if !office.take(done)? {
                return Ok(());
            }
        }
    }
}

/// When the last task is over if there are so many hands.
fn span(tasks: &[Seen], hands: usize) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..hands).map(|_| Reverse(0)).collect();
    // When each result can be taken: after its task, and after those before.
    let mut taken: Vec<u64> = Vec::with_capacity(tasks.len());
    for Seen { after, work } in tasks {
        let Reverse(hand) = free.pop().expect("there are hands");
        let ready = after.checked_sub(1).map_or(0, |last| taken[last]);
        let end = hand.max(ready) + work;
        free.push(Reverse(end));
        taken.push(end.max(taken.last().copied().unwrap_or(0)));
    }
    taken.last().copied().unwrap_or(0)
}

fn row(name: &str, problem: &Problem, most: u64) -> Result<(), QuestionError> {
    let question = Question { any_map: true, ..Question::new(What::Maps) };
    let alone = &Alone { most, ..Alone::default() };
    question.with_hands(problem, alone, |hands| {
        let clerk = Clerk { hands, alone, seen: RefCell::default() };
        let answer = ask(problem).question(question.clone()).crew(&clerk).within(alone)?;
        let decided = match answer.verdict {
            Verdict::Frontier { frontier, .. } => format!("{} would do", frontier.feasible),
            Verdict::Unknown { best: Some(best), .. } => match *best {
                SoFar::Maps(Classified { feasible, infeasible, maps }) => {
                    format!(
                        "{feasible} would do, {infeasible} would not, {} open",
                        maps - feasible - infeasible
                    )
                }
                _ => "unknown".to_owned(),
            },
            _ => "none would do".to_owned(),
        };
        let tasks = clerk.seen.into_inner();
        let work: u64 = tasks.iter().map(|seen| seen.work).sum();
        let alone = alone.work.load(Relaxed);
        let longest = tasks.iter().map(|seen| seen.work).max().unwrap_or(0);
        let mean = work / tasks.len().max(1) as u64;
        let (all, count) = (alone + work, tasks.len());
        print!("| {name} | {decided} | {all} | {alone} | {count} | {mean} | {longest} |");
        for hands in [2, 4, 16] {
            print!(" {:.1} |", all as f64 / (alone + span(&tasks, hands)).max(1) as f64);
        }
        println!();
        Ok(())
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| problem | maps | nodes in all | before there are tasks | tasks | nodes of a task | of the longest | 2 hands | 4 | 16 |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut files, mut most) = (0, u64::MAX);
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        if let Some(nodes) = argument.strip_prefix("nodes=") {
            most = nodes.parse()?;
            continue;
        }
        let read = divulge_model::document::read(&argument, &std::fs::read_to_string(&argument)?);
        row(&argument, &read.map_err(|wrong| format!("{argument}: {wrong:?}"))?.problem, most)?;
        files += 1;
    }
    let known = [(Knows::Plan, "plan"), (Knows::GoalDirected, "goal-directed"), (Knows::World, "world")];
    for (knows, name) in known.into_iter().filter(|_| files == 0) {
        for (rows, cols) in [(3, 4), (4, 5)] {
            let problem = nuclear(&Nuclear { knows: knows.clone(), ..Nuclear::new(rows, cols) })?;
            row(&format!("nuclear {rows} × {cols}, {name}"), &problem, most)?;
        }
    }
    Ok(())
}
