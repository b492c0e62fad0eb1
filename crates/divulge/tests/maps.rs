//! SEEK a map, both and every map against the definitions: the same verdicts, counts, frontiers and least lengths.

use std::collections::BTreeMap;

use divulge::{
    ask::{Asking, Verdict, ask},
    limit::{Limit, Polls, Unlimited},
    maps::{MapOptions, Prefer, Sharing},
    problem::{
        Filter, FilterGraph, Knows, LabelMap, NamedGraph, Names, Observer, PGraphBuilder, Problem, Scope,
    },
    verdict::{FoundMap, QuestionError, SoFar},
};
use divulge_naive::{
    Refusal,
    check::verify_plan,
    examples::{self, ngon, stipulate},
    maps as naive,
    put::{and_or_both, seek_both, seek_map, seek_maps},
    random::{self, FilterKind, KnowsKind, Profile, Rng},
};

/// The map and plan hold by the definitions, respect the constraints and are as good as they say.
fn holds(problem: &Problem, found: &FoundMap) {
    let map = naive::partition_of(problem, &found.map);
    assert!(naive::allowed(problem, &map), "{found:?} breaks the constraints of {problem:?}");
    let mapped = naive::with_map(problem, &map);
    let worst = verify_plan(&mapped, &found.plan).expect("a question that can be asked");
    let worst = worst.unwrap_or_else(|| panic!("the plan does not hold: {found:?} for {problem:?}"));
    assert_eq!((found.worst_case.events, found.worst_case.cost), (worst.events, worst.cost));
    assert_eq!(found.merge_cost, naive::merge_cost(&problem.observer.constraints, &map));
}

fn one(problem: &Problem, options: &MapOptions) -> Result<Option<FoundMap>, QuestionError> {
    if problem.plan.is_some() {
        seek_map(problem, options, &Unlimited)
    } else {
        seek_both(problem, options, &Unlimited)
    }
}

/// Compares one problem; tells whether it has a feasible map, or nothing if it was not compared.
fn compare(problem: &Problem, turn: usize) -> Option<bool> {
    let expected = match naive::seek_maps(problem) {
        Err(Refusal::TooLarge) => return None,
        Err(refusal) => {
            assert!(one(problem, &MapOptions::default()).is_err(), "{refusal} in {problem:?}");
            return None;
        }
        Ok(expected) => expected,
    };
    // Every other time the work is shared out in the smallest tasks, which these problems would be too small for.
    let shared = Sharing { alone: 1, budget: 1, ahead: 3 };
    let sharing = if turn.is_multiple_of(2) { shared } else { Sharing::default() };
    let options = MapOptions { sharing, ..MapOptions::default() };
    let frontier = seek_maps(problem, true, &options, &Unlimited).expect("askable");
    assert_eq!(frontier.feasible, expected.feasible.len() as u128, "feasible in {problem:?}");
    assert_eq!(frontier.maps, expected.total as u128, "maps in {problem:?}");
    for (found, naive) in [(&frontier.finest, expected.finest()), (&frontier.coarsest, expected.coarsest())] {
        let ours: BTreeMap<_, u64> =
            found.iter().map(|f| (naive::partition_of(problem, &f.map), f.worst_case.events)).collect();
        let theirs: BTreeMap<_, u64> =
            naive.iter().map(|(&map, worst)| (map.clone(), worst.events)).collect();
        assert_eq!(ours, theirs, "frontier in {problem:?}");
        assert_eq!(found.len(), ours.len(), "a map twice in {problem:?}");
    }
    compare_one(problem, &expected, &options, turn);
    // Without patience whole maps are guessed from the start; under other filters that is slow, and few will do.
    if problem.observer.filter == Filter::Strongest || expected.total <= 10 {
        compare_one(problem, &expected, &MapOptions { patience: 0, ..MapOptions::default() }, turn + 1);
    }
    Some(!expected.feasible.is_empty())
}

/// Compares the questions that have one map for an answer. That no map would do is slow to prove under other filters than perfect
/// recall, and all of them prove it: so two are asked then, others at each `turn`.
fn compare_one(problem: &Problem, expected: &naive::Maps, options: &MapOptions, turn: usize) {
    let least = expected.least().map(|least| least.events);
    let cost = |map| naive::merge_cost(&problem.observer.constraints, map);
    let cheapest = expected.feasible.keys().map(cost).min();
    let prefer = |prefer| MapOptions { prefer, ..*options };
    let all = [
        MapOptions { shortest: true, ..*options },
        prefer(Prefer::Cheapest),
        prefer(Prefer::First),
        prefer(Prefer::Finest),
        prefer(Prefer::Coarsest),
    ];
    let slow = least.is_none() && problem.observer.filter != Filter::Strongest;
    for (number, asked) in all.iter().enumerate() {
        if slow && ![turn % all.len(), (turn + 2) % all.len()].contains(&number) {
            continue;
        }
        let found = one(problem, asked).expect("askable");
        assert_eq!(found.is_some(), least.is_some(), "{asked:?} in {problem:?}");
        let Some(found) = found else { continue };
        holds(problem, &found);
        let map = naive::partition_of(problem, &found.map);
        assert!(!asked.shortest || Some(found.worst_case.events) == least, "in {problem:?}");
        assert!(asked.prefer != Prefer::Cheapest || Some(found.merge_cost) == cheapest, "in {problem:?}");
        assert!(asked.prefer != Prefer::Finest || expected.finest().contains_key(&map), "in {problem:?}");
        assert!(asked.prefer != Prefer::Coarsest || expected.coarsest().contains_key(&map), "in {problem:?}");
    }
}

fn compare_many(seed: u64, count: usize, profile: &Profile) {
    let profile = &Profile { odd_kinds: false, ..profile.clone() };
    let (mut rng, count) = (Rng::new(random::seed(seed)), count * random::effort());
    let (mut found, mut none, mut bounded) = (0, 0, 0);
    for turn in 0..count {
        let problem = random::problem(&mut rng, profile);
        // A lower bound that some map meets and some does not.
        let least = problem.observer.constraints.min_images;
        bounded +=
            usize::from(least.is_some_and(|least| (3..=problem.world_labels.count()).contains(&least)));
        match compare(&problem, turn) {
            Some(true) => found += 1,
            Some(false) => none += 1,
            None => {}
        }
    }
    assert!(found * 10 > count && none * 20 > count, "{found} found, {none} none of {count}");
    assert!(bounded * 30 > count, "{bounded} of {count} ask for three images or more");
}

#[test]
fn agrees_with_the_definitions_when_the_plan_is_given() {
    compare_many(31, 600, &Profile::maps(true));
}

#[test]
fn agrees_with_the_definitions_when_both_are_sought() {
    compare_many(32, 200, &Profile::maps(false));
}

#[test]
fn agrees_with_the_definitions_under_the_image_filter() {
    let mut profile =
        Profile { filters: vec![FilterKind::Image], observations: 2..=2, ..Profile::maps(false) };
    profile.knows.retain(|&knows| knows != KnowsKind::Plan);
    compare_many(33, 150, &profile);
}

/// What had been found when a question was stopped at its n-th look; nothing if it was answered before.
fn stopped(asking: Asking<'_>, left: u64) -> Option<Option<SoFar>> {
    match asking.within(&Polls::new(left)).unwrap().verdict {
        Verdict::Unknown { limit: Limit::Time, best } => Some(best.map(|best| *best)),
        _ => None,
    }
}

#[test]
fn what_is_told_before_the_end_is_true() {
    let mut rng = Rng::new(77);
    let (mut cut, mut told) = (0, 0);
    for _ in 0..60 {
        let problem = random::problem(&mut rng, &Profile { odd_kinds: false, ..Profile::maps(false) });
        let Ok(expected) = naive::seek_maps(&problem) else { continue };
        for left in [3, 9, 20, 40, 80, 160] {
            let prefer =
                [Prefer::First, Prefer::Finest, Prefer::Coarsest, Prefer::Cheapest][left as usize % 4];
            let mut both = ask(&problem).seek_both().any_map().prefer(prefer);
            if left % 3 == 0 {
                both = both.shortest();
            }
            let best = stopped(both, left);
            cut += usize::from(best.is_some());
            if let Some(Some(SoFar::Map(found))) = best {
                holds(&problem, &found);
                told += 1;
            }
            let best = stopped(ask(&problem).seek_maps().any_map().any_plan(), left);
            cut += usize::from(best.is_some());
            if let Some(Some(SoFar::Maps(so_far))) = best {
                let feasible = expected.feasible.len() as u128;
                assert!(so_far.feasible <= feasible, "{so_far:?} in {problem:?}");
                assert!(so_far.infeasible <= so_far.maps - feasible, "{so_far:?} in {problem:?}");
                assert_eq!(so_far.maps, expected.total as u128);
                told += 1;
            }
        }
    }
    assert!(cut > 30 && told > 30, "{cut} stopped, {told} told");
}

#[test]
fn more_images_than_allowed_are_refused() {
    let mut problem = ngon(5);
    problem.observer.map = None;
    problem.observer.constraints.max_images = Some(3);
    problem.observer.constraints.min_images = Some(4);
    let refused = |e: QuestionError| e.to_string().contains("at least 4 and at most 3 images");
    assert!(seek_both(&problem, &MapOptions::default(), &Unlimited).is_err_and(refused));
    assert!(seek_maps(&problem, false, &MapOptions::default(), &Unlimited).is_err_and(refused));
    assert!(and_or_both(&problem, &Unlimited).is_err_and(refused));
}

#[test]
fn a_start_that_no_map_can_save_is_none() {
    for knows in [Knows::World, Knows::GoalDirected, Knows::Plan] {
        let arcs = [("y0", "o", "u0"), ("u0", "a", "y1"), ("u0", "b", "y2"), ("y2", "o", "u0")];
        let mut problem = examples::problem(&arcs, &["y0"], &["y1"]);
        problem.observer.map = None;
        problem.observer.knows = knows;
        // The first estimate is {y0} whatever the map, and only the stipulation tells that this is lost.
        stipulate(&mut problem, Scope::Always, r#"possible(is("y1")) | possible(is("y2")) | state("u0")"#);
        assert_eq!(compare(&problem, 0), Some(false));
    }
}

#[test]
fn agrees_with_the_definitions_on_stipulations_that_seldom_hold() {
    let profile = &Profile { lenience: 1, odd_kinds: false, ..Profile::maps(false) };
    let mut rng = Rng::new(34);
    let none =
        (0..300).filter(|&turn| compare(&random::problem(&mut rng, profile), turn) == Some(false)).count();
    assert!(none > 50, "{none}");
}

#[test]
fn a_world_without_labels_has_one_map() {
    for knows in [Knows::World, Knows::GoalDirected, Knows::Plan] {
        let mut problem = examples::problem(&[], &["u0"], &["u0"]);
        problem.observer.map = None;
        problem.observer.knows = knows;
        assert_eq!(compare(&problem, 0), Some(true));
    }
}

#[test]
fn the_pentagon_has_four_maps() {
    let mut problem = ngon(5);
    problem.observer.map = None;
    assert_eq!(problem.observer.knows, Knows::Plan);
    let frontier = seek_maps(&problem, false, &MapOptions::default(), &Unlimited).unwrap();
    assert_eq!((frontier.feasible, frontier.maps), (4, 25));
    assert_eq!(compare(&problem, 0), Some(true));
}

#[test]
fn a_filter_that_names_the_images_is_refused() {
    let mut problem = ngon(5);
    problem.observer.map = None;
    problem.observer.knows = Knows::World;
    let graph = NamedGraph { graph: problem.world.graph.clone(), names: problem.world.names.clone() };
    problem.observer.filter = Filter::Graph(Box::new(FilterGraph { graph, images: Names::new() }));
    assert!(matches!(naive::seek_maps(&problem), Err(Refusal::FilterOfSoughtMap)));
    let asked = seek_both(&problem, &MapOptions::default(), &Unlimited);
    assert!(matches!(asked, Err(QuestionError::Refused(_))), "{asked:?}");
}

#[test]
fn a_filter_of_somebody_else_that_cannot_trace_is_bad_input_whatever_map_is_sought() {
    let mut problem = ngon(5);
    problem.observer.map = None;
    let mut graph = PGraphBuilder::new();
    let only = graph.vertex(problem.world.graph.initial_kind());
    graph.initial(only);
    let graph =
        NamedGraph { graph: graph.build().expect("a p-graph"), names: ["only"].into_iter().collect() };
    let map = Some(LabelMap::identity(&problem.alphabet));
    let filter = Filter::Graph(Box::new(FilterGraph { graph, images: Names::new() }));
    problem.others.push(Observer { map, filter, ..Observer::new(Knows::World) });
    for (number, observer) in problem.observers_mut().enumerate() {
        observer.name = Some(format!("observer {number}"));
    }
    let asked = seek_both(&problem, &MapOptions::default(), &Unlimited);
    assert!(matches!(asked, Err(QuestionError::FilterCannotTrace(_))), "{asked:?}");
    let asked = seek_maps(&problem, true, &MapOptions::default(), &Unlimited);
    assert!(matches!(asked, Err(QuestionError::FilterCannotTrace(_))), "{asked:?}");
}
