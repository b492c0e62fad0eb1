//! `divulge demo`.

use divulge::{
    ask::ask,
    problem::{Grid, Knows},
};
use divulge_model::families::{Nuclear, nuclear};
use divulge_render::words;

use super::{explore, present::status};
use crate::{
    arguments::{Exploring, Limits},
    limits::{Patience, Watch},
    output::{Terminal, answer},
    status::{Failure, Status},
};

const INTRODUCTION: &str = "\
A robot inspects a nuclear facility on a grid of 3 x 4 places:

    S . A .      S start      * shows the type: blue (pebble-bed) or dark (breeder)
    . * . B      E exit       A, B where the radioactivity of the one or the other type is measured
    . . E .

It does not know the type or the radioactivity beforehand. Somebody is watching who knows the
robot's plan. To them all moves look alike, and so do blue and dark. At the exit they must know
whether the radioactivity is high or low, but they must never know which type of facility it is.

";

/// The places that the introduction names.
const PLACES: [(&str, i64, i64); 4] = [("star", 1, 1), ("A", 0, 2), ("B", 1, 3), ("exit", 2, 2)];

/// Seeks a plan of the nuclear inspection and checks it.
pub fn run(asked: &Exploring, terminal: &Terminal) -> Result<Status, Failure> {
    let mut problem = nuclear(&Nuclear { knows: Knows::Plan, ..Nuclear::new(3, 4) })
        .map_err(|e| Failure::Message(e.to_string(), None))?;
    let watch = Watch::start(&Limits::default(), false, terminal);
    let patience = Patience::new(&watch);
    let style = terminal.style();
    let found = ask(&problem).seek_plan().explained(&patience).within(&watch)?;
    let Some(plan) = found.found().map(|found| found.plan.clone()) else { return Ok(Status::No) };
    let sought = words::answer(&problem, &found, style);
    problem.plan = Some(plan);
    let checked = ask(&problem).check().explained(&patience).within(&watch)?;
    let text = format!("{INTRODUCTION}{sought}\n{}", words::answer(&problem, &checked, style));
    watch.answered();
    answer(|out| out.write_all(text.as_bytes()))?;
    if !asked.wanted() {
        terminal.note("\nTo walk through it in a browser: divulge demo --open\n");
    }
    let landmarks = PLACES.map(|(name, row, col)| (name.to_owned(), row, col)).to_vec();
    problem.grid = Some(Grid { row: "row".to_owned(), col: "col".to_owned(), landmarks });
    explore::also(asked, "demo", &problem, None, terminal, &watch)?;
    Ok(status(&checked))
}
