//! `divulge check`, `audit` and `seek`: a question is put together, asked, and its answer presented.

use divulge::{
    ask::{self, Question, What},
    maps,
    problem::{Label, Problem},
    seek,
};
use divulge_model::options::{self, Opacity};

use super::{
    present::{Presented, present},
    reading,
};
use crate::{
    arguments::{
        Answering, Asking, Audit, Check, Engine, Minimize, Offering, Prefer, SeekBoth, SeekMap, SeekMaps,
        SeekPlan,
    },
    condition::{condition, wrong},
    foreign,
    input::Input,
    output::Terminal,
    status::{Failure, Status},
};

/// Does the plan, with its map, solve the world and keep the stipulations?
pub fn check(asked: &Check, terminal: &Terminal) -> Result<Status, Failure> {
    let wanted = Presented {
        explore: Some(&asked.explore),
        itf: asked.traced.itf.as_deref(),
        ..plainly(&asked.asking)
    };
    put(&asked.asking, &wanted, of(&asked.asking, What::Check), terminal)
}

/// Do the stipulations of scope `always` hold whatever the robot does?
pub fn audit(asked: &Audit, terminal: &Terminal) -> Result<Status, Failure> {
    let Audit { asking, traced, opacity, secret } = asked;
    let wanted = Presented { itf: traced.itf.as_deref(), ..plainly(asking) };
    let Some((notion, secret)) = opacity.zip(secret.as_deref()) else {
        return put(asking, &wanted, of(asking, What::Audit), terminal);
    };
    one_answer(&wanted)?;
    reading(asking, terminal, |mut input, watch| {
        input.total_map()?;
        opaque(&mut input, notion, secret)?;
        present(&input, of(asking, What::Audit), &wanted, terminal, watch)
    })
}

/// A question, on as many threads as may be used.
fn of(asking: &Asking, what: What) -> Question {
    Question { threads: asking.limits.threads, ..Question::new(what) }
}

/// Has nothing stipulated but opacity, of everybody.
fn opaque(input: &mut Input, notion: Opacity, secret: &str) -> Result<(), Failure> {
    let secret = condition("--secret", secret)?;
    foreign::secret(input, &secret)?;
    notion.stipulate(&mut input.problem, secret).map_err(|e| wrong("--secret", e))
}

/// Seeks a plan; the map is given.
pub fn seek_plan(asked: &SeekPlan, terminal: &Terminal) -> Result<Status, Failure> {
    let question = Question {
        minimize: minimize(asked.minimize),
        offers: offers(asked.offering),
        shortest: asked.shortest,
        engine: engine(asked.engine),
        threads: asked.answering.asking.limits.threads,
        ..Question::new(What::Plan)
    };
    let Some(after) = &asked.after else { return seek(&asked.answering, question, terminal) };
    let Answering { asking, explore, out } = &asked.answering;
    if out.is_some() || explore.wanted() {
        return Err(Failure::new(
            "a plan that goes on after some events is no answer to the question from the start",
            "leave out --out and --explore; --json has the plan",
        ));
    }
    question.consistent()?;
    reading(asking, terminal, |input, watch| {
        input.total_map()?;
        let question = Question { after: events(&input.problem, after)?, ..question };
        present(&input, question, &plainly(asking), terminal, watch)
    })
}

/// The events that have happened.
fn events(problem: &Problem, text: &str) -> Result<Vec<Label>, Failure> {
    options::events(problem, text).map_err(|unknown| {
        Failure::new(
            format!("--after: there is no event `{unknown}`"),
            "events are separated by commas, as in --after \"right,nothing\"",
        )
    })
}

/// Seeks a map for the plan that is given.
pub fn seek_map(asked: &SeekMap, terminal: &Terminal) -> Result<Status, Failure> {
    seek(&asked.answering, of_map(asked, What::Map), terminal)
}

/// Seeks a plan and a map.
pub fn seek_both(asked: &SeekBoth, terminal: &Terminal) -> Result<Status, Failure> {
    let question = Question {
        minimize: minimize(asked.minimize),
        offers: offers(asked.offering),
        engine: engine(asked.engine),
        ..of_map(&asked.map, What::Both)
    };
    seek(&asked.map.answering, question, terminal)
}

/// Seeks every map.
pub fn seek_maps(asked: &SeekMaps, terminal: &Terminal) -> Result<Status, Failure> {
    let question = Question {
        any_map: asked.any_map,
        any_plan: asked.any_plan,
        threads: asked.asking.limits.threads,
        ..Question::new(What::Maps)
    };
    let wanted = Presented { store: asked.store.as_deref(), ..plainly(&asked.asking) };
    put(&asked.asking, &wanted, question, terminal)
}

fn of_map(asked: &SeekMap, what: What) -> Question {
    Question {
        prefer: prefer(asked.prefer),
        shortest: asked.shortest,
        any_map: asked.any_map,
        threads: asked.answering.asking.limits.threads,
        ..Question::new(what)
    }
}

fn seek(asked: &Answering, question: Question, terminal: &Terminal) -> Result<Status, Failure> {
    let wanted =
        Presented { explore: Some(&asked.explore), out: asked.out.as_deref(), ..plainly(&asked.asking) };
    put(&asked.asking, &wanted, question, terminal)
}

/// The answer to a question, and nothing beside it.
fn plainly(asking: &Asking) -> Presented<'_> {
    Presented {
        json: asking.json,
        file: &asking.source.file,
        explore: None,
        out: None,
        itf: None,
        store: None,
    }
}

fn put(
    asking: &Asking,
    wanted: &Presented<'_>,
    question: Question,
    terminal: &Terminal,
) -> Result<Status, Failure> {
    one_answer(wanted)?;
    question.consistent()?;
    reading(asking, terminal, |input, watch| {
        if matches!(question.what, What::Check | What::Audit | What::Plan) {
            input.total_map()?;
        }
        match question.what {
            What::Audit => foreign::needs_secret(&input)?,
            _ => foreign::needs_goal(&input)?,
        }
        if wanted.out.is_some() {
            // What is to be written must be complete before anything is sought.
            input.total_maps()?;
        }
        if question.what == What::Both && input.problem.plan.is_some() {
            terminal.note(
                "note: the plan in the file is set aside, since one is sought; `seek map` seeks a map for it\n",
            );
        }
        present(&input, question, wanted, terminal, watch)
    })
}

/// Standard output takes one answer.
fn one_answer(wanted: &Presented<'_>) -> Result<(), Failure> {
    let page = wanted.explore.and_then(|explore| explore.explore.as_deref());
    let (out, page) = (wanted.out == Some("-"), page == Some("-"));
    let both = match (wanted.json, out, page) {
        _ if wanted.itf == Some("-") => "the answer and --itf -",
        (true, true, _) => "--json and --out -",
        (true, _, true) => "--json and --explore -",
        (_, true, true) => "--out - and --explore -",
        _ => return Ok(()),
    };
    Err(Failure::new(
        format!("{both} would both write to standard output, and nobody could tell one from the other"),
        "name a file instead of `-`, or leave one of them out",
    ))
}

fn minimize(asked: Minimize) -> seek::Minimize {
    match asked {
        Minimize::Events => seek::Minimize::Events,
        Minimize::Cost => seek::Minimize::Cost,
    }
}

fn offers(asked: Offering) -> seek::Offers {
    match asked {
        Offering { deterministic: true, .. } => seek::Offers::Deterministic,
        Offering { permissive: true, .. } => seek::Offers::Permissive,
        Offering { .. } => seek::Offers::Sparing,
    }
}

fn engine(asked: Engine) -> ask::Engine {
    match asked {
        Engine::Native => ask::Engine::Native,
        Engine::AndOr => ask::Engine::AndOr,
    }
}

fn prefer(asked: Option<Prefer>) -> maps::Prefer {
    match asked {
        None => maps::Prefer::First,
        Some(Prefer::Finest) => maps::Prefer::Finest,
        Some(Prefer::Coarsest) => maps::Prefer::Coarsest,
        Some(Prefer::Cheapest) => maps::Prefer::Cheapest,
    }
}
