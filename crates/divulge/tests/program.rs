//! Plans as programs: spelling one out changes nothing, and what is said at its stops is so by the definitions.

use std::collections::BTreeMap;

use divulge::{
    explain::{Ending, Known, Program, Sure},
    formula::resolve,
    graph::separating_execution,
    limit::Unlimited,
    problem::Plan,
};
use divulge_naive::{
    graph::Set,
    observer::ends,
    put::{check, endings},
    random::{Profile, Rng, problem},
};

/// The plan with a vertex for each stop that is written.
fn spelled(plan: &Plan) -> Plan {
    Program::of(plan, &Unlimited).unwrap().plan.expect("a small plan is spelled out whole")
}

/// All that is so at any of the ends.
fn together(ends: &[Ending]) -> (BTreeMap<String, Known>, Vec<(String, Sure)>) {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let mut facts: BTreeMap<String, Sure> = BTreeMap::new();
    for end in ends {
        for (name, more) in &end.known {
            let known = known.entry(name.clone()).or_default();
            known.told.extend(more.told.iter().cloned());
            known.confused.extend(more.confused.iter().cloned());
        }
        for (predicate, more) in &end.facts {
            let sure = facts.entry(predicate.to_string()).or_default();
            sure.yes |= more.yes;
            sure.no |= more.no;
            sure.unsure |= more.unsure;
        }
    }
    (known, facts.into_iter().collect())
}

/// What is said at a stop is so of the estimates there, the observer knowing the plan as it is, not as it is spelled out.
#[test]
fn stops_are_those_of_the_definitions() {
    let (mut rng, mut compared) = (Rng::new(6), 0);
    let profile = Profile { broken_plans: 0, ..Profile::default() };
    for _ in 0..2000 {
        let problem = problem(&mut rng, &profile);
        let (map, plan) = (problem.observer.map.as_ref().unwrap(), problem.plan.as_ref().unwrap());
        if check(&problem, &Unlimited) != Ok(None) {
            continue;
        }
        let spelled = spelled(plan);
        let found = endings(&problem, &spelled, map, &Unlimited).unwrap().expect("it holds");
        let wanted = ends(&problem, &spelled).unwrap();
        assert_eq!(found.len(), wanted.len());
        for (end, (at, estimates)) in found.iter().zip(&wanted) {
            assert_eq!((end.at.index(), end.minds), (*at, estimates.len()));
            for (predicate, sure) in &end.facts {
                let mask = resolve::vertices(&problem.world, predicate).unwrap();
                let inside = |set: &Set| set.iter().filter(|&&v| mask.contains(v)).count();
                assert_eq!(sure.yes, estimates.iter().any(|set| inside(set) == set.len()));
                assert_eq!(sure.no, estimates.iter().any(|set| inside(set) == 0));
                assert_eq!(sure.unsure, estimates.iter().any(|set| (1..set.len()).contains(&inside(set))));
            }
            compared += 1;
        }
    }
    assert!(compared > 600, "only {compared} stops were compared");
}

/// A plan that is spelled out does what the plan does, and ends as it ends.
#[test]
fn spelling_changes_nothing() {
    let mut rng = Rng::new(5);
    let (mut several, mut tried) = (0, 0);
    for _ in 0..3000 {
        let problem = problem(&mut rng, &Profile::default());
        let (map, plan) = (problem.observer.map.as_ref().unwrap(), problem.plan.as_ref().unwrap());
        let spelled = spelled(plan);
        assert_eq!(spelled.graph, spelled.effective(), "nothing follows a stop");
        let (before, after) = (plan.effective(), &spelled.graph);
        for (small, large) in [(&before, after), (after, &before)] {
            assert_eq!(separating_execution(small, large, &Unlimited), Ok(None));
        }
        let Ok(Some(whole)) = endings(&problem, plan, map, &Unlimited) else { continue };
        let ends = endings(&problem, &spelled, map, &Unlimited).unwrap().expect("the same is expected");
        assert_eq!(together(&ends), together(&whole));
        tried += 1;
        several += usize::from(ends.len() > whole.len());
    }
    assert!(tried > 1000 && several > 100, "{tried} plans, of which {several} have more stops than ends");
}
