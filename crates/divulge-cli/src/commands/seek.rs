//! `divulge seek plan`.

use divulge::{
    problem::Problem,
    seek::{self, SeekOptions},
    verdict::{QuestionError, SoFar},
};
use divulge_model::document;

use super::{ask, explore};
use crate::{
    arguments::{Answering, Engine, Minimize, SeekPlan},
    input::Input,
    output::{Terminal, to_file},
    say,
    status::{Failure, Status},
};

/// Seeks a plan; the map is given.
pub fn plan(asked: &SeekPlan, terminal: &Terminal) -> Result<Status, Failure> {
    let options = options(asked.minimize, asked.shortest, asked.threads)?;
    if asked.engine == Engine::AndOr && (asked.shortest || asked.minimize == Minimize::Cost) {
        return Err(Failure::new(
            "the and-or engine finds some plan, neither the shortest nor the cheapest",
            "leave out --engine and-or, or leave out --shortest and --minimize cost",
        ));
    }
    one_answer(&asked.answering)?;
    let Answering { asking, explore, out } = &asked.answering;
    ask(asking, terminal, |input, watch| {
        input.total_map()?;
        asked.answering.writable(&input)?;
        let mut problem = input.problem;
        let map = problem.observer.map.clone().ok_or(QuestionError::NeedsMap)?;
        let found = match asked.engine {
            Engine::Native => seek::seek_plan(&problem, &options, watch),
            Engine::AndOr => divulge::and_or::seek_plan(&problem, &map, watch),
        };
        let form = terminal.form(asking.json);
        if let (Err(QuestionError::Limit(limit)), Some(SoFar::Plan(best))) = (&found, watch.best()) {
            watch.answered();
            let so_far = SoFar::Plan(best.clone());
            let status = say::so_far(form, &problem, Some(&map), None, *limit, Some(&so_far))?;
            terminal.note(&watch.stopped(*limit));
            if let Some(path) = out {
                terminal.note(&format!(
                    "{path} holds the best found so far, which is not proven to be the best\n"
                ));
                problem.plan = Some(best.plan);
                write_out(path, &problem, terminal)?;
            }
            return Ok(status);
        }
        let found = found?;
        let status = say::plan(form, &problem, &map, found.as_ref(), &options, watch)?;
        if let (None, true) = (&found, explore.wanted()) {
            let reason = say::no_plan(&problem, &options, watch);
            let note = Some(explore::no_plan(&reason));
            explore::also(explore, &asking.source.file, &problem, note, terminal)?;
        }
        if let Some(found) = found {
            problem.plan = Some(found.plan);
            if let Some(path) = out {
                write_out(path, &problem, terminal)?;
            }
            explore::also(explore, &asking.source.file, &problem, None, terminal)?;
        }
        Ok(status)
    })
}

impl Answering {
    /// What is to be written must be complete before anything is sought.
    pub fn writable(&self, input: &Input) -> Result<(), Failure> {
        if self.out.is_some() { input.total_maps() } else { Ok(()) }
    }
}

/// Writes the question with its answer, as a document in which the other observers stay.
pub fn write_out(path: &str, problem: &Problem, terminal: &Terminal) -> Result<(), Failure> {
    to_file(path, |out| document::write(problem, out))?;
    if !problem.others.is_empty() {
        terminal.note(&format!(
            "note: {path} holds all observers; choose one with --observer to check the plan\n"
        ));
    }
    Ok(())
}

/// Standard output takes one answer.
pub fn one_answer(asked: &Answering) -> Result<(), Failure> {
    let taken = |path: &Option<String>| path.as_deref() == Some("-");
    let (out, page) = (taken(&asked.out), taken(&asked.explore.explore));
    if !((asked.asking.json && (out || page)) || (out && page)) {
        return Ok(());
    }
    let both = match (asked.asking.json, out, page) {
        (true, true, _) => "--json and --out -",
        (true, ..) => "--json and --explore -",
        _ => "--out - and --explore -",
    };
    Err(Failure::new(
        format!("{both} would both write to standard output, and what is there could not be told apart"),
        "name a file instead of `-`, or leave one of them out",
    ))
}

/// How plans are sought.
pub fn options(minimize: Minimize, shortest: bool, threads: usize) -> Result<SeekOptions, Failure> {
    let minimize = match minimize {
        Minimize::Events => seek::Minimize::Events,
        Minimize::Cost if shortest => {
            return Err(Failure::new(
                "--shortest and --minimize cost ask for different plans",
                "leave one of them out",
            ));
        }
        Minimize::Cost => seek::Minimize::Cost,
    };
    Ok(SeekOptions { minimize, threads, ..SeekOptions::default() })
}
