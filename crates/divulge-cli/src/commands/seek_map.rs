//! `divulge seek map`, `seek both` and `seek maps`.

use divulge::{
    answer::FoundMap,
    problem::{MapConstraints, Problem},
    question::seek::{
        and_or,
        maps::{MapOptions, Prefer, seek_both, seek_map, seek_maps},
    },
};
use divulge_model::document;

use super::{ask, explore, seek::options};
use crate::{
    arguments::{self, Engine, Minimize, SeekBoth, SeekMap, SeekMaps},
    input::Input,
    output::{Terminal, to_file},
    say,
    status::{Failure, Status},
};

/// Seeks a map for the plan that is given.
pub fn map(asked: &SeekMap, terminal: &Terminal) -> Result<Status, Failure> {
    let options = MapOptions { prefer: prefer(asked.prefer), ..MapOptions::default() };
    ask(&asked.asking, terminal, |input, watch| {
        let problem = sought(input, asked.any_map)?;
        let Some(plan) = &problem.plan else {
            return Err(Failure::new(
                "there is no `plan`, and `seek map` seeks a map for one",
                "add a `plan`, or seek a plan and a map with `divulge seek both`",
            ));
        };
        let found = seek_map(&problem, &options, watch)?;
        watch.answered();
        let form = terminal.form(asked.asking.json);
        let status = say::map(form, &problem, Some(plan), found.as_ref(), &options, watch)?;
        let reason =
            asked.explore.wanted().then(|| say::no_map(&problem, problem.plan.as_ref(), &options, watch));
        fill_in(asked, problem, found, reason, terminal)?;
        Ok(status)
    })
}

/// Seeks a plan and a map.
pub fn both(asked: &SeekBoth, terminal: &Terminal) -> Result<Status, Failure> {
    let SeekMap { asking, shortest, any_map, .. } = &asked.map;
    let best = *shortest || asked.map.prefer.is_some() || asked.minimize == Minimize::Cost;
    if asked.engine == Engine::AndOr && best {
        return Err(Failure::new(
            "the and-or engine finds some plan and some map, not the best",
            "leave out --engine and-or, or leave out --shortest, --prefer and --minimize cost",
        ));
    }
    let plan = options(asked.minimize, *shortest, asked.threads)?;
    let options = MapOptions { prefer: prefer(asked.map.prefer), shortest: *shortest, plan };
    ask(asking, terminal, |input, watch| {
        let problem = sought(input, *any_map)?;
        if problem.plan.is_some() {
            terminal.note(
                "note: the plan in the file is set aside, since one is sought; `seek map` seeks a map for it\n",
            );
        }
        let found = match asked.engine {
            Engine::Native => seek_both(&problem, &options, watch)?,
            Engine::AndOr => and_or::seek_both(&problem, watch)?,
        };
        watch.answered();
        let status = say::map(terminal.form(asking.json), &problem, None, found.as_ref(), &options, watch)?;
        let reason = asked.map.explore.wanted().then(|| say::no_map(&problem, None, &options, watch));
        fill_in(&asked.map, problem, found, reason, terminal)?;
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
        let frontier = seek_maps(&problem, plan, &options, watch)?;
        watch.answered();
        say::maps(terminal.form(asked.asking.json), &problem, plan, &frontier, &options, watch)
    })
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

/// Writes the question with its answer, as a document and as a page, where these are wanted. A map that is given leaves
/// nothing to constrain.
fn fill_in(
    asked: &SeekMap,
    mut problem: Problem,
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
    problem.plan = Some(found.plan);
    problem.observer.map = Some(found.map);
    problem.observer.constraints = MapConstraints::default();
    if let Some(path) = &asked.out {
        to_file(path, |out| document::write(&problem, out))?;
    }
    explore::also(&asked.explore, file, &problem, None, terminal)
}
