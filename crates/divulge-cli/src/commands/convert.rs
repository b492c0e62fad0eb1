//! `divulge convert`.

use divulge::question::{QuestionError, Unlimited, seek::and_or::triple_graph};
use divulge_model::document;
use divulge_render::{dot, smv};

use crate::{
    arguments::{Convert, Form, Part},
    input::Input,
    output::{Terminal, to_file},
    status::{Failure, Status},
};

/// Writes the problem as a document, one of its graphs as a picture, or its game as a model.
pub fn run(asked: &Convert, terminal: &Terminal) -> Result<Status, Failure> {
    let input = Input::read(&asked.source, terminal)?;
    let problem = &input.problem;
    if asked.to == Form::Json {
        // A document that is written has a total map or none: images are not made up.
        input.total_map()?;
        to_file(&asked.out, |out| document::write(problem, out))?;
        return Ok(Status::Yes);
    }
    if asked.to == Form::Smv {
        return model(asked, &input);
    }
    let mut there = true;
    to_file(&asked.out, |out| {
        there = match (asked.part, &problem.plan) {
            (Part::World, _) => dot::world(out, problem).map(|()| true)?,
            (Part::Plan, Some(plan)) => dot::plan(out, plan, &problem.alphabet).map(|()| true)?,
            (Part::Plan, None) => false,
            (Part::Divulged, _) => dot::divulged(out, problem)?,
            (Part::Filter, _) => dot::filter(out, problem)?,
        };
        Ok(())
    })?;
    if !there {
        return Err(Failure::new("the problem has no such graph to draw", "`--part world` is always there"));
    }
    Ok(Status::Yes)
}

/// Writes the game for the given map as a model that asks for a plan of some length.
fn model(asked: &Convert, input: &Input) -> Result<Status, Failure> {
    let Some(depth) = asked.depth else {
        return Err(Failure::new(
            "a model asks for a plan of a certain length, and none is given",
            "add --depth K to ask for a plan of at most K events",
        ));
    };
    input.total_map()?;
    let problem = &input.problem;
    let map = problem.observer.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let graph = triple_graph(problem, map, &Unlimited)?;
    to_file(&asked.out, |out| smv(out, &graph, &problem.alphabet, depth as usize))?;
    Ok(Status::Yes)
}
