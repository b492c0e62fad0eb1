//! `divulge convert`.

use divulge_model::document;
use divulge_render::dot;

use crate::{
    arguments::{Convert, Form, Part},
    input::Input,
    output::{Terminal, to_file},
    status::{Failure, Status},
};

/// Writes the problem as a document, or one of its graphs as a picture.
pub fn run(asked: &Convert, terminal: &Terminal) -> Result<Status, Failure> {
    let input = Input::read(&asked.source, terminal)?;
    let problem = &input.problem;
    if asked.to == Form::Json {
        // A document that is written has a total map or none: images are not made up.
        input.total_map()?;
        to_file(&asked.out, |out| document::write(problem, out))?;
        return Ok(Status::Yes);
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
