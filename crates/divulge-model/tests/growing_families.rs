//! The families that are there for their structure: solvable where they should be, and answers that hold.

use divulge::{
    problem::Problem,
    question::{
        Unlimited, check_with,
        seek::{SeekOptions, seek_plan},
    },
};
use divulge_model::families::{corridor, ice, keypad, rooms};

fn events(problem: Problem) -> Option<u64> {
    let found = seek_plan(&problem, &SeekOptions::default(), &Unlimited).expect("an answer")?;
    let map = problem.observer.map.as_ref().expect("a map");
    assert_eq!(check_with(&problem, &found.plan, map, &Unlimited), Ok(None));
    Some(found.worst_case.events)
}

#[test]
fn keypads_are_typed_in_digit_by_digit() {
    assert_eq!(events(keypad(4, 1).expect("a keypad")), Some(5));
    assert_eq!(events(keypad(9, 3).expect("a keypad")), Some(9));
}

#[test]
fn corridors_are_walked_from_end_to_end() {
    for length in [2, 3, 10, 41] {
        let found = events(corridor(length).expect("a corridor")).expect("a plan");
        assert!(found == 2 * length as u64 + 2, "{found} events for {length} steps");
    }
}

#[test]
fn a_robot_on_ice_gets_to_the_corner() {
    for (rows, cols) in [(2, 2), (3, 4)] {
        assert!(events(ice(rows, cols).expect("a rink")).is_some());
    }
}

#[test]
fn mazes_have_ways_to_the_vault() {
    let found = (0..10).filter_map(|seed| events(rooms(12, 3, 2, seed).expect("a maze"))).count();
    assert!(found > 2, "{found} of 10");
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    assert!(
        keypad(3, 1).is_err() && corridor(1).is_err() && ice(1, 5).is_err() && rooms(3, 2, 1, 0).is_err()
    );
}
