//! What the observer can tell where a plan terminates, against the definitions, on random problems.

use std::collections::BTreeSet;

use divulge::{
    explain::{Ending, Sure},
    formula::resolve,
    limit::Unlimited,
    problem::{Problem, Value, Vertex},
};
use divulge_naive::{
    graph::Set,
    observer::ends,
    put::{check, endings},
    random::{Profile, Rng, problem},
};

fn compare(problem: &Problem, ending: &Ending, estimates: &BTreeSet<Set>) {
    let world = &problem.world;
    assert_eq!(ending.minds, estimates.len());
    for (name, known) in &ending.known {
        let column = world.props.column(name).unwrap();
        let values = |set: &Set| -> BTreeSet<Option<Value>> {
            set.iter().map(|&v| column.get(Vertex(v as u32)).cloned()).collect()
        };
        let (told, confused): (BTreeSet<_>, BTreeSet<_>) =
            estimates.iter().map(values).partition(|values| values.len() == 1);
        assert_eq!(known.told, told.into_iter().flatten().collect());
        assert_eq!(known.confused, confused);
    }
    for (predicate, sure) in &ending.facts {
        let mask = resolve::vertices(world, predicate).unwrap();
        let some = |test: &dyn Fn(&Set) -> bool| estimates.iter().any(test);
        let inside = |set: &Set| set.iter().filter(|&&v| mask.contains(v)).count();
        let wanted = Sure {
            yes: some(&|set| inside(set) == set.len()),
            no: some(&|set| inside(set) == 0),
            unsure: some(&|set| (1..set.len()).contains(&inside(set))),
        };
        assert_eq!(*sure, wanted, "{predicate}");
    }
}

#[test]
fn endings_are_those_of_the_definitions() {
    let (mut rng, mut compared) = (Rng::new(31), 0);
    let profile = Profile { broken_plans: 0, ..Profile::default() };
    for _ in 0..3000 {
        let problem = problem(&mut rng, &profile);
        let (plan, map) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
        if check(&problem, &Unlimited) != Ok(None) {
            continue;
        }
        let found = endings(&problem, plan, map, &Unlimited).unwrap().expect("a plan that holds is expected");
        let wanted = ends(&problem, plan).unwrap();
        assert_eq!(found.len(), wanted.len());
        for (ending, (v, estimates)) in found.iter().zip(&wanted) {
            assert_eq!(ending.at.index(), *v);
            compare(&problem, ending, estimates);
            compared += 1;
        }
    }
    assert!(compared > 800, "only {compared} endings were compared");
}
