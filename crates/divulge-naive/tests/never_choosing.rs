//! Plans that never choose, held against the definitions.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    limit::Unlimited,
    problem::{
        Kind, Knows, Label, LabelMap, Names, Observer, PGraphBuilder, Plan, Problem, Scope, Stipulation,
        Vertex,
    },
    seek::{Minimize, Offers, SeekOptions},
    sets::BitSet,
    verdict::FoundPlan,
};
use divulge_naive::{
    Refusal,
    beyond::{check::verify_plan as verify_beyond, seek::refuse, single},
    check::verify_plan,
    expansion::Robot,
    graph::Set,
    put,
    random::{self, Features, FilterKind, KnowsKind, Profile, Rng, effort, seed},
    seek_plan::least_deterministic,
};

/// The definitions try plans of at most so many events.
const MOST: u64 = 5;

fn seek(p: &Problem, offers: Offers, minimize: Minimize) -> Option<FoundPlan> {
    let options = SeekOptions { offers, minimize, ..SeekOptions::default() };
    put::seek_plan(p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"))
}

/// What the robot knows and what everybody has seen, and what is done then.
type Decisions = BTreeMap<(Set, Vec<Vec<String>>), BTreeSet<Option<Label>>>;

/// What is done by what the robot knows and what everybody has seen: several actions, or stopping beside going on, are several things.
fn decisions(p: &Problem, plan: &Plan) -> Decisions {
    let robot = Robot::new(p);
    let maps: Vec<&LabelMap> = p.observers().map(|o| o.map.as_ref().expect("a map")).collect();
    let mut found = Decisions::new();
    let mut todo = vec![(plan.graph.initial()[0], robot.start(), vec![Vec::new(); maps.len()])];
    while let Some((v, known, seen)) = todo.pop() {
        let own = found.entry((known.clone(), seen.clone())).or_default();
        if plan.is_terminal(v) {
            own.insert(None);
            continue;
        }
        for arc in plan.graph.arcs(v) {
            if plan.graph.kind(v) == Kind::Action {
                own.insert(Some(arc.label));
            }
            let mut seen = seen.clone();
            for (map, seen) in maps.iter().zip(&mut seen) {
                seen.extend(map.look(arc.label).map(str::to_owned));
            }
            todo.push((arc.to, robot.after(&known, arc.label), seen));
        }
    }
    found
}

#[test]
fn plans_that_never_choose() {
    let (mut found, mut chance, mut longer) = (0, 0, 0);
    let mut rng = Rng::new(seed(43));
    for _ in 0..2000 * effort() {
        let p = random::problem(&mut rng, &Profile::seek_divulged());
        let least = match least_deterministic(&p) {
            Err(Refusal::TooLarge) => continue,
            least => least.unwrap_or_else(|refusal| panic!("{refusal} {p:?}")),
        };
        let single = seek(&p, Offers::Deterministic, Minimize::Events);
        let any = seek(&p, Offers::Sparing, Minimize::Events);
        assert_eq!(single.as_ref().map(|f| f.worst_case.events), least, "{p:?}");
        let Some(single) = single else {
            chance += usize::from(any.is_some());
            continue;
        };
        found += 1;
        longer += usize::from(any.is_some_and(|any| any.worst_case.events < single.worst_case.events));
        assert!(single.plan.choosing().is_empty(), "{single:?}");
        assert!(verify_plan(&p, &single.plan).expect("a question").is_some(), "{single:?} {p:?}");
        let decisions = decisions(&p, &single.plan);
        assert!(decisions.values().all(|own| own.len() <= 1), "{single:?} {p:?}");
    }
    println!("{found} found, {chance} only by chance, {longer} longer");
    assert!(found > 300 && chance > 5, "{found} found, {chance} only by chance, {longer} longer");
}

/// Small problems of which a plan is sought that somebody knows.
fn known_plans(features: Features) -> Profile {
    let mut knows = vec![KnowsKind::Plan];
    if features.observers {
        knows.extend([KnowsKind::Plan, KnowsKind::World, KnowsKind::GoalDirected]);
    }
    let small = Profile { vertices: 3..=6, actions: 1..=3, observations: 1..=2, ..Profile::seek_divulged() };
    Profile { knows, filters: vec![FilterKind::Strongest], ..small }
}

fn is_in_hindsight(stipulation: &Stipulation) -> bool {
    matches!(stipulation.scope, Scope::Hindsight { .. })
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Came {
    Found,
    OnlyByChance,
    None,
}

/// Seeks a plan that never chooses, the shortest and the cheapest; `None` if it is too large for the definitions.
fn compare(p: &Problem, past: bool) -> Option<Came> {
    let least = match single::least_events(p, MOST) {
        Err(Refusal::TooLarge) => return None,
        least => least.unwrap_or_else(|refusal| panic!("{refusal} {p:?}")),
    };
    let shortest = seek(p, Offers::Deterministic, Minimize::Events);
    let events = shortest.as_ref().map(|found| found.worst_case.events);
    // What another observer makes of earlier moments counts as something that the robot knows, but engines keep only what can still matter of it.
    let recalling = |o: &&Observer| o.knows != Knows::Plan && o.stipulations.iter().any(is_in_hindsight);
    let same_class = p.observers().all(|o| !recalling(&o));
    if same_class {
        assert_eq!(events.filter(|&events| events <= MOST), least, "{p:?}");
    }
    let cheapest = seek(p, Offers::Deterministic, Minimize::Cost);
    assert_eq!(cheapest.is_some(), shortest.is_some(), "{p:?}");
    for found in shortest.iter().chain(&cheapest) {
        assert!(found.plan.choosing().is_empty(), "{found:?} {p:?}");
        if verify_beyond(p, &found.plan) != Err(Refusal::TooLarge) {
            assert!(verify_beyond(p, &found.plan).expect("a question").is_some(), "{found:?} {p:?}");
        }
        // What the robot knows of the past is more than where it may be.
        let decided = decisions(p, &found.plan).into_values();
        assert!(past || decided.into_iter().all(|own| own.len() <= 1), "{found:?} {p:?}");
    }
    let Some((shortest, cheapest)) = shortest.zip(cheapest) else {
        let chance = seek(p, Offers::Permissive, Minimize::Events).is_some();
        return Some(if chance { Came::OnlyByChance } else { Came::None });
    };
    let cost = cheapest.worst_case.cost;
    assert!(cost <= shortest.worst_case.cost, "{p:?}");
    if cheapest.worst_case.events <= MOST && same_class {
        let exists = single::exists(p, MOST, Some(cost));
        assert!(exists == Ok(true) || exists == Err(Refusal::TooLarge), "{cost} {p:?}");
    }
    if let Some(cheaper) = cost.checked_sub(1).filter(|_| same_class) {
        assert_ne!(single::exists(p, MOST, Some(cheaper)), Ok(true), "{cost} {p:?}");
    }
    Some(Came::Found)
}

/// With unseen events, runs, the past, several observers; and with the least cost.
#[test]
fn beyond_one_observer_too() {
    let mut rng = Rng::new(seed(46));
    let mut came: BTreeMap<(&str, Came), usize> = BTreeMap::new();
    let plain = [("plain", Features::default())];
    for (name, features) in plain.into_iter().chain(Features::each()).cycle().take(5000 * effort()) {
        let p = random::beyond(&mut rng, &known_plans(features), features);
        let knowing = p.observers().any(|o| o.knows == Knows::Plan);
        if refuse(&p).is_err() || !random::fits(&p) || !knowing {
            continue;
        }
        if let Some(word) = compare(&p, features.past) {
            *came.entry((name, word)).or_default() += 1;
        }
    }
    println!("{came:?}");
    let all = |word: Came| came.iter().filter(|((_, w), _)| *w == word).map(|(_, n)| n).sum::<usize>();
    assert!(all(Came::Found) > 200 && all(Came::OnlyByChance) > 5 && all(Came::None) > 100, "{came:?}");
    for name in ["plain", "observers", "unseen", "runs", "past", "unseen runs", "observers unseen"] {
        assert!(came.get(&(name, Came::Found)).is_some_and(|n| *n > 10), "{name}: {came:?}");
    }
}

/// What the robot knows and what has been seen.
type Situation = (Set, Vec<String>);

/// What is done: one action, stopping, or (where something is observed) going on.
type Doing = BTreeMap<Situation, Option<Vec<Label>>>;

/// Every plan that never chooses, of at most so many events: shown to `see` until that tells that it is enough. Tells whether it was, unless there are too
/// many.
fn each_plan(p: &Problem, most: u64, mut see: impl FnMut(&Plan) -> bool) -> Option<bool> {
    let (robot, map) = (Robot::new(p), p.observer.map.as_ref().expect("a map"));
    let after = |(known, seen): &Situation, label: Label| {
        let mut seen = seen.clone();
        seen.extend(map.look(label).map(str::to_owned));
        (robot.after(known, label), seen)
    };
    let mut tried = 0;
    let mut todo = vec![Doing::new()];
    while let Some(doing) = todo.pop() {
        tried += 1;
        if tried > 150 {
            return None;
        }
        // What is reached, in order of the number of events.
        let (mut order, mut depth): (Vec<Situation>, Vec<u64>) = (vec![(robot.start(), Vec::new())], vec![0]);
        let mut open = None;
        let mut at = 0;
        while at < order.len() && open.is_none() {
            let (here, so_far) = (order[at].clone(), depth[at]);
            match doing.get(&here) {
                None => open = Some((here, so_far)),
                Some(labels) => {
                    for &label in labels.iter().flatten() {
                        let next = after(&here, label);
                        if !order.contains(&next) {
                            order.push(next);
                            depth.push(so_far + 1);
                        }
                    }
                }
            }
            at += 1;
        }
        match open {
            None if see(&as_plan(p, &order, &doing, &after)) => return Some(true),
            None => {}
            Some((here, so_far)) => {
                let mut options: Vec<Option<Vec<Label>>> = vec![None];
                let labels: Vec<Label> = robot.events(&here.0).into_iter().collect();
                if so_far < most && !labels.is_empty() {
                    match robot.acts(&here.0) {
                        true => options.extend(labels.into_iter().map(|l| Some(vec![l]))),
                        false => options.push(Some(labels)),
                    }
                }
                let with = |option| doing.clone().into_iter().chain([(here.clone(), option)]).collect();
                todo.extend(options.into_iter().map(with));
            }
        }
    }
    Some(false)
}

/// The plan that does this in each situation.
fn as_plan(
    p: &Problem,
    order: &[Situation],
    doing: &Doing,
    after: &dyn Fn(&Situation, Label) -> Situation,
) -> Plan {
    let robot = Robot::new(p);
    let number =
        |situation: &Situation| order.iter().position(|other| other == situation).expect("it is reached");
    let (mut b, mut names) = (PGraphBuilder::new(), Names::new());
    for (i, (known, _)) in order.iter().enumerate() {
        b.vertex(if robot.acts(known) { Kind::Action } else { Kind::Observation });
        names.intern(&i.to_string());
    }
    b.initial(Vertex(0));
    for (i, here) in order.iter().enumerate() {
        for &label in doing[here].iter().flatten() {
            b.arc(Vertex(i as u32), label, Vertex(number(&after(here, label)) as u32));
        }
    }
    let terminal = BitSet::from_fn(order.len(), |i| doing[&order[i]].is_none());
    Plan { graph: b.build().expect("it alternates"), names, terminal }
}

/// An observer who knows the plan and looks back at it: against all plans of a few events, each judged by the definitions.
#[test]
fn in_hindsight() {
    const MOST: u64 = 4;
    let mut rng = Rng::new(seed(47));
    let (mut found, mut none, mut later) = (0, 0, 0);
    let plain = Features::default();
    let each = [plain, Features { unseen: true, ..plain }, Features { runs: true, ..plain }];
    for features in each.into_iter().cycle().take(600 * effort()) {
        let mut p = random::beyond(&mut rng, &known_plans(features), features);
        // What is to be kept from the observer is where the world is at some time, of which it may learn later.
        let secret = p.world.name(Vertex(rng.below(p.world.graph.len()) as u32));
        let formula = format!("!knows(is({secret}))").parse().expect("a formula");
        let within = rng.chance(30).then(|| 1 + rng.below(2) as u32);
        let own = Stipulation { name: "later".to_owned(), scope: Scope::Hindsight { within }, formula };
        p.observer.stipulations.retain(|s| s.scope == Scope::Run);
        p.observer.stipulations.push(own);
        if !random::fits(&p) {
            continue;
        }
        let (mut least, mut judged): (Option<u64>, bool) = (None, true);
        let all = each_plan(&p, MOST, |plan| {
            let verdict = verify_beyond(&p, plan);
            judged &= verdict.is_ok();
            let worst = verdict.ok().flatten().map(|worst| worst.events);
            least = least.into_iter().chain(worst.filter(|&events| events <= MOST)).min();
            least == Some(0)
        });
        // Formulas may be too large for the definitions.
        if all.is_none() || !judged {
            continue;
        }
        let single = seek(&p, Offers::Deterministic, Minimize::Events);
        let events = single.as_ref().map(|found| found.worst_case.events);
        assert_eq!(events.filter(|&events| events <= MOST), least, "{p:?}");
        let cheapest = seek(&p, Offers::Deterministic, Minimize::Cost);
        assert_eq!(cheapest.is_some(), single.is_some(), "{p:?}");
        for plan in single.iter().chain(&cheapest) {
            let decisions = decisions(&p, &plan.plan);
            assert!(decisions.values().all(|own| own.len() <= 1), "{plan:?} {p:?}");
            let verified = verify_beyond(&p, &plan.plan);
            assert!(
                verified == Err(Refusal::TooLarge) || verified.expect("a question").is_some(),
                "{plan:?} {p:?}"
            );
        }
        found += usize::from(single.is_some());
        none += usize::from(single.is_none());
        // Whether looking back made a difference.
        let mut now = p.clone();
        now.observer
            .stipulations
            .iter_mut()
            .filter(|s| is_in_hindsight(s))
            .for_each(|s| s.scope = Scope::Always);
        let without =
            seek(&now, Offers::Deterministic, Minimize::Events).map(|found| found.worst_case.events);
        later += usize::from(without != events);
    }
    println!("{found} found, {none} none, {later} otherwise than without hindsight");
    assert!(found > 40 && none > 40 && later > 0, "{found} found, {none} none, {later}");
}
