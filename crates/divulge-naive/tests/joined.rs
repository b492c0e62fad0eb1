//! Branches of found plans are joined: no vertex could take the place of another, by the definitions.

use std::collections::BTreeSet;

use divulge::{
    limit::Unlimited,
    problem::{Kind, PGraphBuilder, Plan, Problem, Vertex},
    seek::SeekOptions,
    verdict::FoundPlan,
};
use divulge_naive::{
    Refusal,
    beyond::{check::verify_plan as verify_beyond, seek::refuse},
    check::{WorstCase, verify_plan},
    put,
    random::{self, Features, FilterKind, Profile, Rng, effort, seed},
};

/// A plan in which whatever leads to one vertex leads to another.
fn redirected(plan: &Plan, from: Vertex, to: Vertex) -> Plan {
    let mut b = PGraphBuilder::new();
    plan.graph.vertices().for_each(|v| _ = b.vertex(plan.graph.kind(v)));
    plan.graph.initial().iter().for_each(|&v| b.initial(v));
    for (v, arc) in plan.graph.all_arcs() {
        b.arc(v, arc.label, if arc.to == from { to } else { arc.to });
    }
    Plan { graph: b.build().expect("a graph that alternates"), ..plan.clone() }
}

/// Whether every observation that the plan foresees can be made wherever it is foreseen, as far as the robot knows.
fn foresees_nothing_needless(p: &Problem, plan: &Plan) -> bool {
    let world = &p.world.graph;
    let first: BTreeSet<Vertex> = world.initial().iter().copied().collect();
    let mut met = BTreeSet::from([(plan.graph.initial()[0], first)]);
    let mut todo: Vec<_> = met.iter().cloned().collect();
    while let Some((v, known)) = todo.pop() {
        if plan.is_terminal(v) {
            continue;
        }
        for arc in plan.graph.arcs(v) {
            let next: BTreeSet<Vertex> =
                known.iter().flat_map(|&w| world.step(w, arc.label)).map(|step| step.to).collect();
            if next.is_empty() {
                return plan.graph.kind(v) == Kind::Action;
            }
            if met.insert((arc.to, next.clone())) {
                todo.push((arc.to, next));
            }
        }
    }
    true
}

/// No vertex but the first could be left out because another takes its place; `worst` judges plans by the definitions.
fn nothing_can_be_joined(p: &Problem, found: &FoundPlan, worst: impl Fn(&Plan) -> Option<WorstCase>) {
    let (plan, most) = (&found.plan, found.worst_case);
    let own = worst(plan).map(|w| (w.events, w.cost));
    assert_eq!(own, Some((most.events, most.cost)), "{found:?} {p:?}");
    // Where a plan stops it does not go on instead.
    for from in plan.graph.vertices().skip(1).filter(|&v| !plan.is_terminal(v)) {
        for to in
            plan.graph.vertices().filter(|&to| to != from && plan.graph.kind(to) == plan.graph.kind(from))
        {
            let fewer = redirected(plan, from, to);
            let no_worse = |w: WorstCase| w.events <= most.events && w.cost <= most.cost;
            if worst(&fewer).is_some_and(no_worse) && foresees_nothing_needless(p, &fewer) {
                panic!("{to:?} could take the place of {from:?} in {found:?} for {p:?}");
            }
        }
    }
}

#[test]
fn branches_of_plans_are_joined() {
    let mut rng = Rng::new(seed(51));
    let mut branching = 0;
    for profile in [Profile { odd_kinds: false, ..Profile::seek_fixed() }, Profile::seek_divulged()] {
        for _ in 0..500 * effort() {
            let p = random::problem(&mut rng, &profile);
            let options = SeekOptions::default();
            let Some(found) =
                put::seek_plan(&p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"))
            else {
                continue;
            };
            branching += usize::from(found.plan.graph.vertices().any(|v| found.plan.graph.arcs(v).len() > 1));
            nothing_can_be_joined(&p, &found, |plan| {
                verify_plan(&p, plan).expect("a question that can be asked")
            });
        }
    }
    assert!(branching > 100, "{branching}");
}

/// Several observers, unseen events, runs, hindsight, the past.
#[test]
fn beyond_one_observer_too() {
    let mut rng = Rng::new(seed(52));
    let mut branching = 0;
    for profile in [Profile::seek_fixed(), Profile::seek_divulged()] {
        let profile =
            Profile { vertices: 3..=6, odd_kinds: false, filters: vec![FilterKind::Strongest], ..profile };
        for (_, features) in Features::each().into_iter().cycle().take(300 * effort()) {
            let p = random::beyond(&mut rng, &profile, features);
            if refuse(&p).is_err() || !random::fits(&p) {
                continue;
            }
            let found = match put::seek_plan(&p, &SeekOptions::default(), &Unlimited) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(e) => panic!("{e} {p:?}"),
            };
            if verify_beyond(&p, &found.plan) == Err(Refusal::TooLarge) {
                continue;
            }
            branching += usize::from(found.plan.graph.vertices().any(|v| found.plan.graph.arcs(v).len() > 1));
            nothing_can_be_joined(&p, &found, |plan| verify_beyond(&p, plan).unwrap_or(None));
        }
    }
    assert!(branching > 50, "{branching}");
}
