//! `divulge seek map`, `seek both` and `seek maps`.

use divulge::{
    and_or,
    limit::Limit,
    maps::{MapOptions, Prefer, seek_both, seek_map, seek_maps},
    problem::{MapConstraints, Plan, Problem},
    verdict::{FoundMap, QuestionError, SoFar},
};

use super::{
    ask, explore,
    seek::{one_answer, options, write_out},
};
use crate::{
    arguments::{self, Answering, Engine, Minimize, SeekBoth, SeekMap, SeekMaps},
    input::Input,
    limits::Watch,
    output::Terminal,
    say::{self, Form},
    status::{Failure, Status},
};

/// Seeks a map for the plan that is given.
pub fn map(asked: &SeekMap, terminal: &Terminal) -> Result<Status, Failure> {
    let options = MapOptions { prefer: prefer(asked.prefer), ..MapOptions::default() };
    one_answer(&asked.answering)?;
    let answering = &asked.answering;
    let Answering { asking, explore, out } = answering;
    ask(asking, terminal, |input, watch| {
        answering.writable(&input)?;
        let problem = sought(input, asked.any_map)?;
        let Some(plan) = &problem.plan else {
            return Err(Failure::new(
                "there is no `plan`, and `seek map` seeks a map for one",
                "add a `plan`, or seek a plan and a map with `divulge seek both`",
            ));
        };
        let form = terminal.form(asking.json);
        let found = match seek_map(&problem, &options, watch) {
            Err(QuestionError::Limit(limit)) => {
                let plan = problem.plan.clone();
                return stopped(form, terminal, problem, plan.as_ref(), limit, watch, out.as_deref());
            }
            found => found?,
        };
        let status = say::map(form, &problem, Some(plan), found.as_ref(), &options, watch)?;
        let reason = explore.wanted().then(|| say::no_map(&problem, problem.plan.as_ref(), &options, watch));
        fill_in(&asked.answering, problem, found, reason, terminal)?;
        Ok(status)
    })
}

/// Seeks a plan and a map.
pub fn both(asked: &SeekBoth, terminal: &Terminal) -> Result<Status, Failure> {
    let SeekMap { answering, shortest, any_map, .. } = &asked.map;
    one_answer(answering)?;
    let Answering { asking, explore, out } = answering;
    let best = *shortest || asked.map.prefer.is_some() || asked.minimize == Minimize::Cost;
    if asked.engine == Engine::AndOr && best {
        return Err(Failure::new(
            "the and-or engine finds some plan and some map, not the best",
            "leave out --engine and-or, or leave out --shortest, --prefer and --minimize cost",
        ));
    }
    let plan = options(asked.minimize, *shortest, asked.threads)?;
    let options =
        MapOptions { prefer: prefer(asked.map.prefer), shortest: *shortest, plan, ..MapOptions::default() };
    ask(asking, terminal, |input, watch| {
        answering.writable(&input)?;
        let problem = sought(input, *any_map)?;
        if problem.plan.is_some() {
            terminal.note(
                "note: the plan in the file is set aside, since one is sought; `seek map` seeks a map for it\n",
            );
        }
        let form = terminal.form(asking.json);
        let found = match asked.engine {
            Engine::Native => seek_both(&problem, &options, watch),
            Engine::AndOr => and_or::seek_both(&problem, watch),
        };
        let found = match found {
            Err(QuestionError::Limit(limit)) => {
                return stopped(form, terminal, problem, None, limit, watch, out.as_deref());
            }
            found => found?,
        };
        let status = say::map(form, &problem, None, found.as_ref(), &options, watch)?;
        let reason = explore.wanted().then(|| say::no_map(&problem, None, &options, watch));
        fill_in(answering, problem, found, reason, terminal)?;
        Ok(status)
    })
}

/// Seeks every map.
pub fn maps(asked: &SeekMaps, terminal: &Terminal) -> Result<Status, Failure> {
    let plan = options(arguments::Minimize::Events, asked.shortest, asked.threads)?;
    let options = MapOptions { plan, ..MapOptions::default() };
    ask(&asked.asking, terminal, |input, watch| {
        let problem = sought(input, asked.any_map)?;
        let plan = problem.plan.as_ref().filter(|_| !asked.any_plan);
        let form = terminal.form(asked.asking.json);
        let frontier = match seek_maps(&problem, plan, &options, watch) {
            Err(QuestionError::Limit(limit)) => {
                return stopped(form, terminal, problem.clone(), plan, limit, watch, None);
            }
            frontier => frontier?,
        };
        say::maps(form, &problem, plan, &frontier, &options, watch)
    })
}

/// Says what had been found when a limit was hit, and writes it where the answer was to go.
fn stopped(
    form: Form,
    terminal: &Terminal,
    problem: Problem,
    plan: Option<&Plan>,
    limit: Limit,
    watch: &Watch,
    out: Option<&str>,
) -> Result<Status, Failure> {
    watch.answered();
    let best = watch.best();
    let status = say::so_far(form, &problem, None, plan, limit, best.as_ref())?;
    terminal.note(&watch.stopped(limit));
    if let (Some(path), Some(SoFar::Map(found))) = (out, best) {
        terminal.note(&format!("{path} holds the best found so far, which is not proven to be the best\n"));
        write_out(path, &answered(problem, found), terminal)?;
    }
    Ok(status)
}

fn prefer(asked: Option<arguments::Prefer>) -> Prefer {
    match asked {
        None => Prefer::First,
        Some(arguments::Prefer::Finest) => Prefer::Finest,
        Some(arguments::Prefer::Coarsest) => Prefer::Coarsest,
        Some(arguments::Prefer::Cheapest) => Prefer::Cheapest,
    }
}

/// The problem without a map: one that is given is an answer already, unless it is to be set aside.
fn sought(input: Input, any_map: bool) -> Result<Problem, Failure> {
    let mut problem = input.problem;
    if problem.observer.map.take().is_some() && !any_map {
        return Err(Failure::new(
            "the observer has a map, and this question seeks one",
            "remove the map, or set it aside with --any-map; `divulge check` and `divulge seek plan` take it as it is",
        ));
    }
    Ok(problem)
}

/// The question with its answer. A map that is given leaves nothing to constrain.
fn answered(mut problem: Problem, found: FoundMap) -> Problem {
    problem.plan = Some(found.plan);
    problem.observer.map = Some(found.map);
    problem.observer.constraints = MapConstraints::default();
    problem
}

/// Writes the question with its answer, as a document and as a page, where these are wanted.
fn fill_in(
    asked: &Answering,
    problem: Problem,
    found: Option<FoundMap>,
    reason: Option<String>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let file = &asked.asking.source.file;
    let Some(found) = found else {
        return explore::also(
            &asked.explore,
            file,
            &problem,
            reason.as_deref().map(explore::no_map),
            terminal,
        );
    };
    let problem = answered(problem, found);
    if let Some(path) = &asked.out {
        write_out(path, &problem, terminal)?;
    }
    explore::also(&asked.explore, file, &problem, None, terminal)
}
