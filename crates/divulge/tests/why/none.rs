//! Reasons for there being no map.

use divulge::{
    limit::{Polls, Unlimited},
    maps::MapOptions,
    problem::{Knows, MapConstraints, Problem, Scope},
    seek::SeekOptions,
    verdict::{Demand, MapConflict, NoMap, Obstacle, Reason},
};
use divulge_naive::{
    examples::{ngon, plan, problem, stipulate},
    maps::seek_maps,
    put::{seek_both, seek_map, why_no_map},
    random::{self, Profile, Rng},
};

fn why(problem: &Problem) -> NoMap {
    let options = MapOptions::default();
    let found = match &problem.plan {
        Some(_) => seek_map(problem, &options, &Unlimited),
        None => seek_both(problem, &options, &Unlimited),
    };
    assert_eq!(found, Ok(None));
    why_no_map(problem, problem.plan.as_ref(), &SeekOptions::default(), &Unlimited).expect("a reason")
}

/// The pentagon with its chargers told apart by the way there.
fn told_apart() -> Problem {
    let mut p = ngon(5);
    p.observer.map = None;
    let [a1, a2, a3] = ["a1", "a2", "a3"].map(|name| p.alphabet.get(name).expect("a label"));
    p.observer.constraints.separate.push(vec![a1, a2, a3]);
    p.observer.constraints.max_images = Some(5);
    p
}

#[test]
fn a_demand_that_cannot_be_met_is_named() {
    let p = told_apart();
    let NoMap::Conflict(conflict) = why(&p) else { panic!("a2 and a3 must look alike") };
    let [a2, a3] = ["a2", "a3"].map(|name| p.alphabet.get(name).expect("a label"));
    assert_eq!(conflict.demands, [Demand::Separate(a2, a3)]);
    assert!(conflict.minimal && conflict.parts.len() == 1);
}

#[test]
fn demands_may_contradict_each_other() {
    let mut p = ngon(5);
    p.observer.map = None;
    let [a1, a2, a3] = ["a1", "a2", "a3"].map(|name| p.alphabet.get(name).expect("a label"));
    let fixed = vec![(a1, "x".to_owned()), (a2, "y".to_owned()), (a3, "y".to_owned())];
    p.observer.constraints = MapConstraints { merge: vec![vec![a1, a3]], fixed, ..MapConstraints::default() };
    let NoMap::Conflict(conflict) = why(&p) else { panic!("a3 looks like x and like y") };
    let wanted = [Demand::Merge(a1, a3), Demand::Fixed(a1, "x".into()), Demand::Fixed(a3, "y".into())];
    assert!(conflict.minimal && conflict.parts.is_empty());
    assert_eq!(conflict.demands, wanted);
}

#[test]
fn other_reasons_are_told_from_conflicts() {
    let mut p = problem(&[("u0", "a", "y1"), ("u0", "b", "y2")], &["u0"], &["y1"]);
    stipulate(&mut p, Scope::Always, "false");
    let own = plan(&mut p, &[("p0", "a", "q0")], &["p0"], &["q0"]);
    let other = plan(&mut p, &[("p0", "b", "q0")], &["p0"], &["q0"]);
    assert!(matches!(why(&p), NoMap::Conflict(c) if c.minimal && c.parts.len() == 1));
    p.plan = Some(other.clone());
    assert!(matches!(why(&p), NoMap::PlanFails(v) if v.reason == Reason::TerminatesOffGoal));
    p.plan = Some(own);
    p.observer.knows = Knows::Plans(vec![other]);
    assert_eq!(why(&p), NoMap::NotAdmitted);
    p.plan = None;
    assert_eq!(why(&p), NoMap::NotAdmitted);
    let lost = problem(&[("u0", "a", "y1"), ("u0", "b", "y2")], &["u0"], &[]);
    let NoMap::Unsolvable(stuck) = why(&lost) else { panic!("there is no goal") };
    assert!(stuck.places.iter().any(|place| place.obstacle == Obstacle::Silence));
}

#[test]
fn a_limit_leaves_a_conflict_that_is_none_the_less_one() {
    let p = told_apart();
    let (mut whole, mut partial) = (0, 0);
    for looks in (0..24).map(|i| 1 << i) {
        let monitor = Polls::new(looks);
        let Ok(NoMap::Conflict(conflict)) = why_no_map(&p, None, &SeekOptions::default(), &monitor) else {
            continue;
        };
        assert_eq!(seek_both(&only(&p, &conflict, |_| true), &MapOptions::default(), &Unlimited), Ok(None));
        *(if conflict.minimal { &mut whole } else { &mut partial }) += 1;
    }
    assert!(whole > 0 && partial > 0, "{whole} minimal, {partial} not");
}

/// The problem with those parts and demands of the conflict alone that are kept; numbered parts first.
fn only(problem: &Problem, conflict: &MapConflict, keep: impl Fn(usize) -> bool) -> Problem {
    let mut changed = crate::only(problem, &conflict.parts, &keep);
    changed.observer.constraints = MapConstraints::default();
    let constraints = &mut changed.observer.constraints;
    for (_, demand) in conflict.demands.iter().enumerate().filter(|&(i, _)| keep(conflict.parts.len() + i)) {
        match demand {
            Demand::Merge(a, b) => constraints.merge.push(vec![*a, *b]),
            Demand::Separate(a, b) => constraints.separate.push(vec![*a, *b]),
            Demand::Fixed(l, image) => constraints.fixed.push((*l, image.clone())),
            Demand::MaxImages(most) => constraints.max_images = Some(*most),
            Demand::MinImages(least) => constraints.min_images = Some(*least),
        }
    }
    changed
}

#[test]
fn conflicts_are_minimal() {
    let (mut conflicts, mut demands, mut several) = (0, 0, 0);
    for (seed, count, given) in [(51, 250, true), (52, 120, false)] {
        let mut rng = Rng::new(seed);
        for _ in 0..count {
            let p = random::problem(&mut rng, &Profile { odd_kinds: false, ..Profile::maps(given) });
            if !seek_maps(&p).is_ok_and(|maps| maps.feasible.is_empty()) {
                continue;
            }
            let NoMap::Conflict(conflict) = why(&p) else { continue };
            assert!(conflict.minimal);
            let none = |p: &Problem| seek_maps(p).map(|maps| maps.feasible.is_empty());
            assert_eq!(none(&only(&p, &conflict, |_| true)), Ok(true), "{conflict:?} in {p:?}");
            let size = conflict.parts.len() + conflict.demands.len();
            for left_out in 0..size {
                let rest = only(&p, &conflict, |i| i != left_out);
                assert_eq!(none(&rest), Ok(false), "without {left_out} of {conflict:?} in {p:?}");
            }
            conflicts += 1;
            demands += conflict.demands.len();
            several += usize::from(size > 1);
        }
    }
    assert!(conflicts > 20 && demands > 5 && several > 5, "{conflicts} {demands} {several}");
}
