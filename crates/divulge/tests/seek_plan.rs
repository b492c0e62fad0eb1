//! SEEK a plan against the definitions: the same verdict and the same least worst case, and plans that hold.

use divulge::{
    limit::Unlimited,
    problem::{Knows, Problem, Scope},
    seek::{Minimize, SeekOptions},
    verdict::{FoundPlan, QuestionError, WorstCase},
};
use divulge_naive::{
    Refusal,
    check::verify_plan,
    examples::{merge, ngon, problem, stipulate},
    put::{check_with, seek_plan},
    random::{self, Profile, Rng},
    seek_plan as naive,
};

fn seek(problem: &Problem, minimize: Minimize) -> Result<Option<FoundPlan>, QuestionError> {
    seek_plan(problem, &SeekOptions { minimize, ..SeekOptions::default() }, &Unlimited)
}

fn shortest(problem: &Problem) -> Option<(u64, u64)> {
    let found = seek(problem, Minimize::Events).expect("a question that can be asked")?;
    let map = problem.observer.map.as_ref().expect("a map");
    assert_eq!(check_with(problem, &found.plan, map, &Unlimited), Ok(None));
    Some((found.worst_case.events, found.worst_case.cost))
}

/// The plan is state-determined, acyclic and trimmed, holds by the definitions, and is as good as it says.
fn holds(problem: &Problem, found: &FoundPlan) {
    let plan = &found.plan;
    assert!(plan.graph.is_state_determined());
    assert!(plan.graph.vertices().all(|v| !plan.is_terminal(v) || plan.graph.arcs(v).is_empty()));
    assert_eq!(divulge::graph::reachable(&plan.graph).count(), plan.graph.len());
    let worst = verify_plan(problem, plan).expect("a question that can be asked").unwrap_or_else(|| {
        panic!("the plan does not hold: {found:?} for {problem:?}");
    });
    assert_eq!(found.worst_case, WorstCase { events: worst.events, cost: worst.cost });
}

/// How often a plan was found, and how often there is none.
fn compare(seed: u64, count: usize, tries: usize, profile: &Profile) -> (usize, usize) {
    // Graphs that start otherwise than the world are refused.
    let profile = &Profile { odd_kinds: false, ..profile.clone() };
    let (mut rng, count) = (Rng::new(random::seed(seed)), count * random::effort());
    let (mut found, mut none) = (0, 0);
    for _ in 0..count {
        let problem = if tries > 1 {
            random::problem_where(&mut rng, profile, tries, naive::stipulations_matter)
        } else {
            random::problem(&mut rng, profile)
        };
        let least = naive::seek_plan(&problem);
        let (fast, cheap) = (seek(&problem, Minimize::Events), seek(&problem, Minimize::Cost));
        match least {
            Err(Refusal::TooLarge) => {}
            Err(refusal) => assert!(fast.is_err() && cheap.is_err(), "{refusal} in {problem:?}"),
            Ok(None) => {
                assert_eq!((fast, cheap), (Ok(None), Ok(None)), "in {problem:?}");
                none += 1;
            }
            Ok(Some(least)) => {
                let fast = fast.unwrap().unwrap_or_else(|| panic!("there is a plan for {problem:?}"));
                let cheap = cheap.unwrap().unwrap_or_else(|| panic!("there is a plan for {problem:?}"));
                assert_eq!(fast.worst_case.events, least.events, "in {problem:?}");
                assert_eq!(cheap.worst_case.cost, least.cost, "in {problem:?}");
                holds(&problem, &fast);
                holds(&problem, &cheap);
                found += 1;
            }
        }
    }
    (found, none)
}

#[test]
fn agrees_with_the_definitions_when_something_fixed_is_divulged() {
    let (found, none) = compare(21, 4000, 1, &Profile::seek_fixed());
    assert!(found > 1000 && none > 1000, "{found} found, {none} none");
}

#[test]
fn agrees_where_the_stipulations_make_plans_longer() {
    let (found, _) = compare(22, 60, 200, &Profile::seek_fixed());
    assert!(found > 20, "{found} found");
}

#[test]
fn agrees_on_worlds_of_every_shape() {
    // Every dead end, silent vertex, foreign label and filter that cannot trace.
    let mut profile = Profile { plan: false, ..Profile::default() };
    profile.knows.retain(|k| *k != random::KnowsKind::Plan);
    let (found, none) = compare(23, 3000, 1, &profile);
    assert!(found > 500 && none > 500, "{found} found, {none} none");
}

#[test]
fn agrees_with_the_definitions_when_the_plan_is_divulged() {
    let (found, none) = compare(24, 600, 1, &Profile::seek_divulged());
    assert!(found > 100 && none > 100, "{found} found, {none} none");
}

#[test]
fn the_pentagon_when_only_the_world_is_known() {
    let mut pentagon = ngon(5);
    pentagon.observer.knows = Knows::World;
    assert_eq!(shortest(&pentagon), None, "the identity hides nothing");
    merge(&mut pentagon, &[&["a2", "a3"], &["o1", "o3"]]);
    assert_eq!(shortest(&pentagon), Some((14, 7)));
    pentagon.observer.stipulations.clear();
    assert_eq!(shortest(&pentagon), Some((4, 2)));
}

#[test]
fn a_goal_where_the_end_stipulation_fails_is_passed_through() {
    // The first goal is at the start, where the observer still thinks that the other lane is possible.
    let arcs =
        [("u0", "a", "y0"), ("y0", "o", "u1"), ("u1", "b", "y1"), ("u1", "c", "y2"), ("y2", "o", "u2")];
    let mut p = problem(&arcs, &["u0"], &["u0", "y1", "u2"]);
    assert_eq!(shortest(&p), Some((0, 0)));
    merge(&mut p, &[&["b", "c"]]);
    stipulate(&mut p, Scope::End, "!state(u0) & !state(y1)");
    assert_eq!(shortest(&p), Some((4, 2)));
}

#[test]
fn events_that_cost_nothing_do_not_go_round_for_ever() {
    let arcs =
        [("u0", "a", "y0"), ("y0", "o", "u0"), ("u0", "b", "y1"), ("y1", "o", "u1"), ("u1", "a", "y2")];
    let mut p = problem(&arcs, &["u0"], &["y2"]);
    for (name, cost) in [("a", 0), ("b", 0), ("o", 0)] {
        p.costs.push((p.alphabet.get(name).expect("a label"), cost));
    }
    let found = seek(&p, Minimize::Cost).expect("an answer").expect("a plan");
    assert_eq!(found.worst_case, WorstCase { events: 3, cost: 0 });
    holds(&p, &found);
}

/// Two ways to the goal whose costs cannot be told apart by sums that stop at the largest number.
#[test]
fn costs_that_cannot_be_counted_are_refused() {
    let arcs = [
        ("u0", "big", "y1"),
        ("y1", "o", "u1"),
        ("u1", "big", "goal"),
        ("u0", "mid", "y3"),
        ("y3", "o", "u3"),
        ("u3", "mid", "y4"),
        ("y4", "o", "u4"),
        ("u4", "mid", "goal"),
    ];
    let mut p = problem(&arcs, &["u0"], &["goal"]);
    let [big, mid] = ["big", "mid"].map(|name| p.alphabet.get(name).expect("a label"));
    p.costs = vec![(big, u64::MAX), (mid, 1 << 63)];
    for knows in [Knows::World, Knows::Plan] {
        p.observer.knows = knows;
        for minimize in [Minimize::Events, Minimize::Cost] {
            assert!(matches!(seek(&p, minimize), Err(QuestionError::Refused(_))));
        }
    }
    p.costs = vec![(big, u64::MAX), (mid, 1 << 61)];
    let cheap = seek(&p, Minimize::Cost).expect("a question that can be asked").expect("a plan");
    assert_eq!(cheap.worst_case, WorstCase { events: 5, cost: 3 << 61 });
}
