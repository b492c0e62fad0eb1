use divulge::{
    Unlimited,
    limit::{Polls, Progress},
};
use divulge_host::Files;
use divulge_model::language;

use super::*;

fn walk() -> Walk {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nuclear.divulge");
    let text = std::fs::read_to_string(path).expect("an example");
    let (problem, found) = language::load("nuclear.divulge", &text, &Files, &[]);
    let problem = problem.unwrap_or_else(|| panic!("{}", found.render(false)));
    Walk::new(problem, Look { colour: false, unicode: false }, &Unlimited).expect("a walk")
}

#[test]
fn whatever_is_computed_keeps_to_the_limits() {
    let mut walk = walk();
    for line in ["g", "", "right", "s", "a", "p", "w seek", "w knows world", "w merge left right", "w reset"]
    {
        let command = parse(line).expect("a command");
        walk.answer(&Command::Jump(0), &Unlimited).expect("the start");
        // However far it comes, a limit that was hit shows, and nothing has changed.
        let before = (walk.trail.clone(), walk.at, walk.what.clone(), walk.verdict.clone());
        let none = walk.answer(&command, &Polls::new(0));
        assert_eq!(none, Err("this takes too long".to_owned()), "{line}");
        assert_eq!((walk.trail.clone(), walk.at, walk.what.clone(), walk.verdict.clone()), before, "{line}");
        assert!(walk.answer(&command, &Unlimited).is_ok(), "{line}");
    }
}

/// Leaves time to follow events, but none to search.
struct NoSearch;

impl Monitor for NoSearch {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        if progress.doing == "following the events" { Ok(()) } else { Err(Limit::Time) }
    }
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let said = walk().answer(&Command::WhatIf(command::WhatIf::Seek), &NoSearch).expect("an answer");
    assert!(said.contains("The search takes too long here"), "{said}");
    assert!(said.contains("Not decided here"), "{said}");
}

#[test]
fn long_lines_are_cut_short() {
    let mut text = vec![b'x'; 200_000];
    text.extend_from_slice(b"\nq\n");
    let mut lines = &text[..];
    let first = line(&mut lines).unwrap().unwrap();
    assert!(first.len() < 100_000, "{}", first.len());
    assert_eq!(line(&mut lines).unwrap().as_deref(), Some("q"));
    assert_eq!(line(&mut lines).unwrap(), None);
}
