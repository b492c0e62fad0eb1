//! Which actions found plans offer, held against the definitions.

use divulge::{
    limit::Unlimited,
    problem::{Label, PGraphBuilder, Plan, Problem, Vertex},
    seek::{Minimize, Offers, SeekOptions},
    verdict::{Choices, FoundPlan},
};
use divulge_naive::{
    Refusal,
    beyond::{check::verify_plan as verify_beyond, seek::refuse},
    check::verify_plan,
    put,
    random::{self, Features, Profile, Rng, effort, seed},
    seek_plan::{least_events, seek_plan},
};

fn seek(p: &Problem, offers: Offers, minimize: Minimize) -> Option<FoundPlan> {
    let options = SeekOptions { offers, minimize, ..SeekOptions::default() };
    put::seek_plan(p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"))
}

/// A plan with those of a vertex's actions alone for which `keep` holds.
fn keeping(plan: &Plan, at: Vertex, keep: impl Fn(Label) -> bool) -> Plan {
    let mut b = PGraphBuilder::new();
    plan.graph.vertices().for_each(|v| _ = b.vertex(plan.graph.kind(v)));
    plan.graph.initial().iter().for_each(|&v| b.initial(v));
    for (v, arc) in plan.graph.all_arcs().filter(|(v, arc)| *v != at || keep(arc.label)) {
        b.arc(v, arc.label, arc.to);
    }
    Plan { graph: b.build().expect("a part of a graph"), ..plan.clone() }
}

/// Every action that is offered beside others is needed, by the definitions; tells how many there are.
fn each_is_needed(p: &Problem, found: &FoundPlan, holds: impl Fn(&Plan) -> bool) -> usize {
    assert!(holds(&found.plan), "{found:?} {p:?}");
    assert_eq!(found.choices, Choices::Needed, "small plans are proven to offer nothing needless: {found:?}");
    let mut offered = 0;
    for v in found.plan.choosing() {
        for label in found.plan.graph.labels(v).collect::<Vec<_>>() {
            offered += 1;
            let fewer = keeping(&found.plan, v, |other| other != label);
            assert!(!holds(&fewer), "{label:?} at {v:?} of {found:?} could be left out for {p:?}");
            let alone = keeping(&found.plan, v, |other| other == label);
            assert!(!holds(&alone), "{label:?} at {v:?} of {found:?} is enough for {p:?}");
        }
    }
    offered
}

#[test]
fn no_offered_action_can_be_left_out() {
    let (mut found, mut choosing, mut fewer) = (0, 0, 0);
    let mut rng = Rng::new(seed(41));
    for _ in 0..1500 * effort() {
        let p = random::problem(&mut rng, &Profile::seek_divulged());
        let Some(sparing) = seek(&p, Offers::Sparing, Minimize::Events) else { continue };
        found += 1;
        let holds = |plan: &Plan| verify_plan(&p, plan).expect("a question that can be asked").is_some();
        choosing += usize::from(each_is_needed(&p, &sparing, holds) > 0);
        let permissive = seek(&p, Offers::Permissive, Minimize::Events).expect("there is one");
        assert!(holds(&permissive.plan), "{permissive:?} {p:?}");
        assert_eq!(permissive.worst_case.events, sparing.worst_case.events, "{p:?}");
        fewer += usize::from(sparing.plan.graph.arc_count() < permissive.plan.graph.arc_count());
        match least_events(&p) {
            Ok(least) => assert_eq!(least, Some(sparing.worst_case.events), "{p:?}"),
            Err(refusal) => assert_eq!(refusal, Refusal::TooLarge),
        }
    }
    println!("{found} found, {choosing} choose, {fewer} offer less");
    assert!(
        found > 300 && choosing > 2 && fewer > 100,
        "{found} found, {choosing} choose, {fewer} offer less"
    );
}

#[test]
fn the_cheapest_offer_nothing_needless_either() {
    let mut rng = Rng::new(seed(42));
    for _ in 0..300 * effort() {
        let p = random::problem(&mut rng, &Profile::seek_divulged());
        let Some(cheapest) = seek(&p, Offers::Sparing, Minimize::Cost) else { continue };
        each_is_needed(&p, &cheapest, |plan| verify_plan(&p, plan).expect("a question").is_some());
        match seek_plan(&p) {
            Ok(least) => assert_eq!(least.map(|l| l.cost), Some(cheapest.worst_case.cost), "{p:?}"),
            Err(refusal) => assert_eq!(refusal, Refusal::TooLarge),
        }
    }
}

/// Several observers, unseen events, runs, the past.
#[test]
fn beyond_one_observer_too() {
    let (mut found, mut choosing) = (0, 0);
    let mut rng = Rng::new(seed(44));
    let profile = Profile { vertices: 3..=6, ..Profile::seek_divulged() };
    for (_, features) in Features::each().into_iter().cycle().take(700 * effort()) {
        let p = random::beyond(&mut rng, &profile, features);
        if refuse(&p).is_err() || !random::fits(&p) {
            continue;
        }
        let sparing = match put::seek_plan(&p, &SeekOptions::default(), &Unlimited) {
            Ok(Some(found)) => found,
            Ok(None) => continue,
            Err(e) => panic!("{e} {p:?}"),
        };
        // Some are too large to be judged by the definitions.
        if verify_beyond(&p, &sparing.plan) == Err(Refusal::TooLarge) {
            continue;
        }
        found += 1;
        let holds = |plan: &Plan| match verify_beyond(&p, plan) {
            Ok(worst) => worst.is_some(),
            Err(refusal) => panic!("{refusal} {p:?}"),
        };
        choosing += usize::from(each_is_needed(&p, &sparing, holds) > 0);
    }
    println!("{found} found, {choosing} choose");
    assert!(found > 100 && choosing > 0, "{found} found, {choosing} choose");
}

/// Where nobody knows the plan, one action suffices everywhere.
#[test]
fn plans_that_nobody_knows_never_choose() {
    let (mut rng, mut found) = (Rng::new(seed(45)), 0);
    for _ in 0..800 * effort() {
        let p = random::problem(&mut rng, &Profile { odd_kinds: false, ..Profile::seek_fixed() });
        for minimize in [Minimize::Events, Minimize::Cost] {
            for offers in [Offers::Sparing, Offers::Permissive, Offers::Deterministic] {
                let Some(plan) = seek(&p, offers, minimize) else { continue };
                found += 1;
                assert!(plan.plan.choosing().is_empty() && plan.choices == Choices::Needed, "{plan:?} {p:?}");
            }
        }
    }
    assert!(found > 500, "{found}");
}
