//! Hand-computed examples of the questions about maps.

use std::collections::BTreeSet;

use divulge::problem::{Knows, Problem, Scope};
use divulge_naive::{
    Refusal,
    check::WorstCase,
    examples::{ngon, plan, problem, stipulate},
    maps::{Partition, merge_cost, partition_of, partitions_of, refines, seek_maps, with_map},
    random::{self, Profile, Rng},
};

/// A partition by names: labels of a block are parted by spaces, blocks by commas.
fn partition(problem: &Problem, text: &str) -> Partition {
    let label = |name: &str| problem.alphabet.get(name).unwrap();
    text.split(',').map(|block| block.split_whitespace().map(label).collect()).collect()
}

#[test]
fn the_pentagon_has_four_feasible_maps_of_twenty_five() {
    let mut p = ngon(5);
    let maps = seek_maps(&p).unwrap();
    assert_eq!((maps.total, maps.feasible.len()), (25, 4));
    let must = partition(&p, "a1,a2 a3,o1 o3,o2");
    assert!(maps.feasible.keys().all(|map| refines(&must, map)));
    assert_eq!(maps.finest().into_keys().collect::<Vec<_>>(), [&must]);
    assert_eq!(maps.finest()[&must], WorstCase { events: 14, cost: 7 });
    let all = partition(&p, "a1 a2 a3,o1 o2 o3");
    assert_eq!(maps.coarsest().into_keys().collect::<Vec<_>>(), [&all]);
    assert_eq!(maps.least().map(|w| w.events), Some(14));
    p.observer.constraints.separate.push(vec![p.alphabet.get("a2").unwrap(), p.alphabet.get("a3").unwrap()]);
    let maps = seek_maps(&p).unwrap();
    assert_eq!((maps.total, maps.feasible.len(), maps.least()), (15, 0, None));
}

/// u0 –a,b,c→ three goals, of which the observer must not know the first.
fn fork() -> Problem {
    let mut p =
        problem(&[("u0", "a", "y1"), ("u0", "b", "y2"), ("u0", "c", "y3")], &["u0"], &["y1", "y2", "y3"]);
    stipulate(&mut p, Scope::Always, "!knows(is(y1))");
    p
}

#[test]
fn a_given_plan_needs_its_action_hidden() {
    let mut p = fork();
    p.plan = Some(plan(&mut p, &[("p0", "a", "q1")], &["p0"], &["q1"]));
    let maps = seek_maps(&p).unwrap();
    assert_eq!((maps.total, maps.feasible.len()), (5, 3));
    let finest: BTreeSet<&Partition> = maps.finest().into_keys().collect();
    assert_eq!(finest, [&partition(&p, "a b,c"), &partition(&p, "a c,b")].into());
    assert_eq!(maps.coarsest().into_keys().collect::<Vec<_>>(), [&partition(&p, "a b c")]);
    p.observer.knows = Knows::Plan;
    assert!(seek_maps(&p).unwrap().feasible.is_empty(), "whoever knows the plan knows the action");
}

#[test]
fn constraints_are_honoured() {
    let mut p = fork();
    p.plan = Some(plan(&mut p, &[("p0", "a", "q1")], &["p0"], &["q1"]));
    let label = |p: &Problem, name: &str| p.alphabet.get(name).unwrap();
    let count = |p: &Problem| seek_maps(p).map(|maps| (maps.total, maps.feasible.len())).unwrap();
    let (a, b, c) = (label(&p, "a"), label(&p, "b"), label(&p, "c"));
    p.observer.constraints.merge = vec![vec![b, c]];
    assert_eq!(count(&p), (2, 1));
    p.observer.constraints.merge.clear();
    p.observer.constraints.fixed = vec![(a, "x".into()), (c, "y".into())];
    assert_eq!(count(&p), (3, 1));
    p.observer.constraints.fixed = vec![(a, "x".into()), (b, "x".into())];
    assert_eq!(count(&p), (2, 2));
    p.observer.constraints.max_images = Some(1);
    assert_eq!(count(&p), (1, 1));
    p.observer.constraints.fixed.clear();
    p.observer.constraints.max_images = Some(2);
    assert_eq!(count(&p), (4, 3));
    p.observer.constraints.min_images = Some(2);
    assert_eq!(count(&p), (3, 2));
    p.observer.constraints.max_images = None;
    assert_eq!(count(&p), (4, 2));
    p.observer.constraints.min_images = Some(4);
    assert_eq!(count(&p), (0, 0));
    p.observer.constraints.merge_cost = vec![(a, b, 3), (c, b, 4)];
    assert_eq!(merge_cost(&p.observer.constraints, &partition(&p, "a b c")), 7);
    assert_eq!(merge_cost(&p.observer.constraints, &partition(&p, "a c,b")), 0);
}

#[test]
fn a_sought_plan_may_differ_from_map_to_map() {
    let p = fork();
    assert_eq!(seek_maps(&p).unwrap().feasible.len(), 5, "b and c are always open");
}

#[test]
fn partitions_and_maps_agree() {
    let mut rng = Rng::new(4);
    for _ in 0..50 {
        let p = random::problem(&mut rng, &Profile::maps(false));
        let all = partitions_of(&p);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for map in all {
            let mapped = with_map(&p, &map);
            assert_eq!(partition_of(&p, mapped.observer.map.as_ref().unwrap()), map);
        }
    }
}

#[test]
fn random_problems_have_feasible_and_infeasible_maps() {
    for plan in [true, false] {
        let mut rng = Rng::new(5);
        let (mut none, mut some, mut all, mut too_large) = (0, 0, 0, 0);
        for _ in 0..150 {
            let p = random::problem(&mut rng, &Profile::maps(plan));
            match seek_maps(&p) {
                Ok(maps) if maps.feasible.is_empty() => none += 1,
                Ok(maps) if maps.feasible.len() == maps.total => all += 1,
                Ok(_) => some += 1,
                Err(refusal) => {
                    assert_eq!(refusal, Refusal::TooLarge);
                    too_large += 1;
                }
            }
        }
        println!("plan given: {plan}: {none} none, {some} some, {all} all, {too_large} too large");
        assert!(none >= 5 && some >= 5 && all >= 5 && too_large <= 5);
    }
}
