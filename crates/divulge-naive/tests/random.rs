//! The generator reaches every corner, and the twins agree with what strings themselves say.

use std::collections::{BTreeMap, BTreeSet};

use divulge::problem::{Label, Problem};
use divulge_naive::{
    Refusal,
    audit::audit,
    check::check,
    graph::{Graph, Set, plain},
    observer::Observer,
    random::{FilterKind, Profile, Rng, problem},
    witness::estimate_after,
};

fn problems(seed: u64, count: usize, profile: &Profile) -> impl Iterator<Item = Problem> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |_| problem(&mut rng, profile))
}

fn count(tally: &mut BTreeMap<String, usize>, what: impl ToString) {
    *tally.entry(what.to_string()).or_default() += 1;
}

#[test]
fn every_reason_occurs_and_many_problems_hold() {
    let mut tally = BTreeMap::new();
    for p in problems(1, 3000, &Profile::default()) {
        match check(&p) {
            Err(Refusal::Untraceable(_)) => count(&mut tally, "untraceable"),
            Err(other) => panic!("{other}"),
            Ok(faults) if faults.holds() => count(&mut tally, "holds"),
            Ok(faults) => faults.reportable().keys().for_each(|r| count(&mut tally, r.word())),
        }
        match audit(&p) {
            Ok(broken) => count(&mut tally, if broken.is_empty() { "audit holds" } else { "audit broken" }),
            Err(refusal) => assert!(matches!(refusal, Refusal::Untraceable(_))),
        }
    }
    println!("{tally:?}");
    for (what, least) in [
        ("holds", 600),
        ("unsafe-action", 100),
        ("unforeseen-observation", 100),
        ("terminates-off-goal", 100),
        ("stuck", 100),
        ("unbounded", 30),
        ("outside-divulged", 60),
        ("stipulation", 300),
        ("untraceable", 30),
        ("audit holds", 600),
        ("audit broken", 500),
    ] {
        assert!(tally.get(what).is_some_and(|&n| n >= least), "{what}: {tally:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_problems() {
    let profile = Profile::default();
    assert!(problems(5, 50, &profile).eq(problems(5, 50, &profile)));
}

#[test]
fn deterministic_profiles_are_deterministic() {
    let profile = Profile::default().deterministic();
    assert!(problems(6, 200, &profile).all(|p| p.world.graph.is_state_determined()));
}

/// All executions of a graph of at most this length, with what each reaches.
fn strings(graph: &Graph<Label>, longest: usize) -> BTreeMap<Vec<Label>, Set> {
    let mut all = BTreeMap::from([(vec![], graph.initial.clone())]);
    let mut last = all.clone();
    for _ in 0..longest {
        let mut next = BTreeMap::new();
        for (string, at) in &last {
            for label in at.iter().flat_map(|&v| graph.labels(v)).collect::<BTreeSet<_>>() {
                next.insert([&string[..], &[label]].concat(), graph.after(at, &label));
            }
        }
        all.extend(next.clone());
        last = next;
    }
    all
}

#[test]
fn perfect_recall_is_all_executions_with_the_same_image() {
    let profile = Profile { filters: vec![FilterKind::Strongest], ..Profile::default() };
    for p in problems(2, 300, &profile) {
        let observer = Observer::new(&p).unwrap();
        let world = strings(&plain(&p.world.graph), 4);
        let image = |s: &[Label]| s.iter().map(|&l| observer.image(l).to_owned()).collect::<Vec<_>>();
        for s in world.keys() {
            let alike = world.iter().filter(|(t, _)| image(t) == image(s));
            let admitted = alike.filter(|(t, _)| !observer.divulged.reached(*t).is_empty());
            let estimate: Set = admitted.flat_map(|(_, at)| at.clone()).collect();
            assert_eq!(estimate_after(&observer, s), estimate, "{p:?} {s:?}");
        }
    }
}

#[test]
fn filters_estimate_all_that_short_executions_reach_and_no_more_than_is_true() {
    let profile = Profile {
        filters: vec![FilterKind::Image, FilterKind::Graph],
        bad_filters: false,
        vertices: 2..=5,
        ..Profile::default()
    };
    let (mut equal, mut tried) = (0, 0);
    for p in problems(3, 300, &profile) {
        let observer = Observer::new(&p).unwrap();
        let memory = |s: &[Label]| s.iter().fold(observer.start(), |m, &l| observer.after(&m, l));
        let mut estimates: BTreeMap<_, Set> = BTreeMap::new();
        for (s, at) in strings(&plain(&p.world.graph), 6) {
            let admitted = !observer.divulged.reached(&s).is_empty();
            estimates.entry(memory(&s)).or_default().extend(if admitted { at } else { Set::new() });
        }
        for (memory, estimate) in estimates {
            assert!(estimate.is_subset(&observer.estimate(&memory)), "{p:?}");
            tried += 1;
            equal += usize::from(estimate == observer.estimate(&memory));
        }
    }
    assert!(equal * 100 >= tried * 95, "{equal} of {tried} estimates are complete after six events");
}
