//! `divulge demo`.

use divulge::{
    problem::Knows,
    question::{
        Unlimited, check_with,
        seek::{SeekOptions, seek_plan},
    },
};
use divulge_model::families::{Nuclear, nuclear};

use crate::{
    output::{Terminal, answer},
    say,
    status::{Failure, Status},
};

const INTRODUCTION: &str = "\
A robot inspects a nuclear facility on a grid of 3 x 4 places:

    S . A .      S start      * shows the type: blue (pebble-bed) or dark (breeder)
    . * . B      E exit       A, B where the radioactivity of the one or the other type is measured
    . . E .

It does not know the type or the radioactivity beforehand. Somebody watches who knows the robot's
plan, but to whom all moves look alike, and blue and dark look alike. At the exit they must know
whether the radioactivity is high or low; which type it is they must never know.

";

/// Seeks a plan of the nuclear inspection and checks it.
pub fn run(terminal: &Terminal) -> Result<Status, Failure> {
    let problem = nuclear(&Nuclear { knows: Knows::Plan, ..Nuclear::new(3, 4) })
        .map_err(|e| Failure::Message(e.to_string(), None))?;
    let options = SeekOptions::default();
    let found = seek_plan(&problem, &options, &Unlimited)?;
    let (Some(found), Some(map)) = (found, &problem.observer.map) else {
        return Ok(Status::No);
    };
    let violation = check_with(&problem, &found.plan, map, &Unlimited)?;
    let form = terminal.form(false);
    answer(|out| out.write_all(INTRODUCTION.as_bytes()))?;
    say::plan(form, &problem, map, Some(&found), &options, &Unlimited)?;
    answer(|out| writeln!(out))?;
    say::verdict(form, &problem, map, Some(&found.plan), violation.as_ref())
}
