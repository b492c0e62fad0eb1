//! `divulge demo`.

use divulge::{
    check::check_with,
    limit::Unlimited,
    problem::{Grid, Knows},
    seek::{SeekOptions, seek_plan},
};
use divulge_model::families::{Nuclear, nuclear};

use super::explore;
use crate::{
    arguments::{Exploring, Limits},
    limits::Watch,
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

/// The places that the introduction names.
const PLACES: [(&str, i64, i64); 4] = [("star", 1, 1), ("A", 0, 2), ("B", 1, 3), ("exit", 2, 2)];

/// Seeks a plan of the nuclear inspection and checks it.
pub fn run(asked: &Exploring, terminal: &Terminal) -> Result<Status, Failure> {
    let mut problem = nuclear(&Nuclear { knows: Knows::Plan, ..Nuclear::new(3, 4) })
        .map_err(|e| Failure::Message(e.to_string(), None))?;
    let options = SeekOptions::default();
    let found = seek_plan(&problem, &options, &Unlimited)?;
    let (Some(found), Some(map)) = (found, &problem.observer.map) else {
        return Ok(Status::No);
    };
    let violation = check_with(&problem, &found.plan, map, &Unlimited)?;
    let form = terminal.form(false);
    answer(|out| out.write_all(INTRODUCTION.as_bytes()))?;
    let watch = Watch::start(&Limits::default(), false, terminal);
    say::plan(form, &problem, map, Some(&found), &options, &watch)?;
    answer(|out| writeln!(out))?;
    let status = say::verdict(form, &problem, map, Some(&found.plan), violation.as_ref())?;
    if !asked.wanted() {
        terminal.note("\nTo walk through it in a browser: divulge demo --open\n");
    }
    let landmarks = PLACES.map(|(name, row, col)| (name.to_owned(), row, col)).to_vec();
    problem.grid = Some(Grid { row: "row".to_owned(), col: "col".to_owned(), landmarks });
    problem.plan = Some(found.plan);
    explore::also(asked, "demo", &problem, None, terminal)?;
    Ok(status)
}
