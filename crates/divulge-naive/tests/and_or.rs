//! The paper's AND–OR searches held against the native engines and the definitions, on random problems.

use divulge::{
    limit::{Limit, Polls, Unlimited},
    maps::MapOptions,
    problem::{Knows, Problem},
    seek::SeekOptions,
    verdict::QuestionError,
};
use divulge_naive::{
    check::verify_plan,
    examples::{merge, ngon, problem},
    maps::{allowed, partition_of, with_map},
    put::{and_or_both, and_or_plan, check_with, seek_both, seek_plan},
    random::{self, KnowsKind, Profile, Rng, effort, fits, seed},
};

/// How many problems had a solution, had none, and were given up.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    none: usize,
    given_up: usize,
}

fn same_plans(p: &Problem, tally: &mut Tally) {
    let map = p.observer.map.as_ref().expect("a map");
    let found = match and_or_plan(p, &Polls::new(400)) {
        Err(QuestionError::Limit(_)) => {
            tally.given_up += 1;
            return;
        }
        found => found.unwrap_or_else(|e| panic!("{e} {p:?}")),
    };
    let native = seek_plan(p, &SeekOptions::default(), &Unlimited).unwrap();
    assert_eq!(found.is_some(), native.is_some(), "{found:?} but {native:?} of {p:?}");
    let (Some(found), Some(native)) = (found, native) else {
        tally.none += 1;
        return;
    };
    tally.found += 1;
    assert_eq!(check_with(p, &found.plan, map, &Unlimited), Ok(None), "{found:?} {p:?}");
    let worst = verify_plan(p, &found.plan).unwrap().unwrap_or_else(|| panic!("{found:?} fails {p:?}"));
    assert_eq!((worst.events, worst.cost), (found.worst_case.events, found.worst_case.cost), "{p:?}");
    assert!(worst.events >= native.worst_case.events, "{p:?}");
}

#[test]
fn plans_when_something_fixed_is_divulged() {
    let (mut rng, mut tally) = (Rng::new(seed(21)), Tally::default());
    let problems = (0..4000 * effort()).map(|_| random::problem(&mut rng, &Profile::seek_fixed()));
    problems.filter(fits).for_each(|p| same_plans(&p, &mut tally));
    println!("{tally:?}");
    assert!(tally.found >= 1000 && tally.none >= 400 && tally.given_up == 0, "{tally:?}");
}

/// Here a search of some depth comes by a triple of which it already knows something better from fewer events.
#[test]
fn what_was_found_deeper_in_the_tree_is_kept() {
    let arcs = [
        ("u0", "a", "y0"),
        ("y0", "o", "u1"),
        ("u1", "a", "y0"),
        ("u1", "a", "goal"),
        ("u1", "b", "y1"),
        ("y1", "o", "u2"),
        ("u2", "a", "y1"),
        ("u2", "b", "goal"),
    ];
    let mut tally = Tally::default();
    same_plans(&problem(&arcs, &["u0"], &["goal"]), &mut tally);
    assert_eq!(tally.found, 1);
}

#[test]
fn plans_that_are_divulged() {
    let (mut rng, mut tally) = (Rng::new(seed(22)), Tally::default());
    for _ in 0..400 * effort() {
        same_plans(&random::problem(&mut rng, &Profile::seek_divulged()), &mut tally);
    }
    println!("{tally:?}");
    let all = tally.found + tally.none + tally.given_up;
    assert!(tally.found >= 100 && tally.none >= 40 && tally.given_up * 10 <= all, "{tally:?}");
}

/// What is found holds, under a map that the constraints allow.
fn both_hold(p: &Problem, found: &divulge::verdict::FoundMap) {
    let partition = partition_of(p, &found.map);
    assert!(allowed(p, &partition), "{found:?} {p:?}");
    assert_eq!(check_with(p, &found.plan, &found.map, &Unlimited), Ok(None), "{found:?} {p:?}");
    let mapped = with_map(p, &partition);
    let worst = verify_plan(&mapped, &found.plan).unwrap().unwrap_or_else(|| panic!("{found:?} fails {p:?}"));
    assert_eq!(worst.events, found.worst_case.events, "{p:?}");
}

#[test]
fn plans_and_maps_together() {
    let profile = Profile { knows: vec![KnowsKind::Plan], ..Profile::maps(false) };
    let (mut rng, mut tally) = (Rng::new(seed(23)), Tally::default());
    for _ in 0..300 * effort() {
        let p = random::problem(&mut rng, &profile);
        let found = match and_or_both(&p, &Polls::new(400)) {
            Err(QuestionError::Limit(_)) => {
                tally.given_up += 1;
                continue;
            }
            found => found.unwrap_or_else(|e| panic!("{e} {p:?}")),
        };
        let native = seek_both(&p, &MapOptions::default(), &Unlimited).unwrap();
        assert_eq!(found.is_some(), native.is_some(), "{found:?} but {native:?} of {p:?}");
        *(if found.is_some() { &mut tally.found } else { &mut tally.none }) += 1;
        if let Some(found) = found {
            both_hold(&p, &found);
        }
    }
    println!("{tally:?}");
    let all = tally.found + tally.none + tally.given_up;
    assert!(tally.found >= 50 && tally.none >= 20 && tally.given_up * 5 <= all, "{tally:?}");
}

#[test]
fn the_pentagon() {
    let mut p = ngon(5);
    let found = and_or_both(&p, &Unlimited).unwrap().expect("a plan and a map");
    both_hold(&p, &found);
    let [a2, a3, o1, o3] = ["a2", "a3", "o1", "o3"].map(|name| p.alphabet.get(name).unwrap());
    assert_eq!(found.map.image(a2), found.map.image(a3));
    assert_eq!(found.map.image(o1), found.map.image(o3));
    p.observer.constraints.separate.push(vec![a2, a3]);
    assert_eq!(and_or_both(&p, &Unlimited), Ok(None));
    let mut p = ngon(5);
    p.observer.map = Some(divulge::problem::LabelMap::identity(&p.alphabet));
    assert_eq!(and_or_plan(&p, &Unlimited), Ok(None));
    merge(&mut p, &[&["a2", "a3"], &["o1", "o3"]]);
    let mut tally = Tally::default();
    same_plans(&p, &mut tally);
    assert_eq!(tally.found, 1);
    p.observer.knows = Knows::World;
    same_plans(&p, &mut tally);
    assert_eq!(tally.found, 2);
}

#[test]
fn limits_are_honoured_and_what_is_not_covered_is_refused() {
    let mut p = ngon(5);
    assert_eq!(and_or_both(&p, &Polls::new(0)), Err(QuestionError::Limit(Limit::Time)));
    p.observer.knows = Knows::World;
    assert!(matches!(and_or_both(&p, &Unlimited), Err(QuestionError::Refused(_))));
}
