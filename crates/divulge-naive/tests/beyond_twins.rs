//! The twins of what goes beyond one observer, held against the letter of the definitions and against each other.

use std::collections::{BTreeMap, BTreeSet};

use divulge::{
    formula::{Atom, Formula, Span},
    problem::{Kind, Label, LabelMap, Names, PGraphBuilder, Plan, Problem, Scope},
    sets::BitSet,
};
use divulge_naive::{
    Refusal,
    beyond::{
        self,
        check::verify_plan,
        known,
        past::{Estimate, Place},
        runs::{Run, atoms_of, holds_at},
        seek::{Plans, refuse},
        watcher::Watcher,
        witness::{Witness, wrong},
    },
    check, examples,
    expansion::Robot,
    graph::{Set, plain},
    joint::Reason,
    random::{self, Features, FilterKind, KnowsKind, Profile, Rng, effort, seed},
    seek_plan,
};

fn strings(letters: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![vec![]], |all, _| {
        all.iter().flat_map(|s| (0..letters).map(move |l| [&s[..], &[l]].concat())).collect()
    })
}

/// Automata say of every short sequence what the table says, and call a prefix bad if nothing short completes it.
#[test]
fn automata_of_runs_follow_the_table() {
    let is = |atom: &Atom, letter: &usize| match atom {
        Atom::State(name, _) => letter >> usize::from(name == "q") & 1 == 1,
        other => unreachable!("{other:?}"),
    };
    let atom = |name: &str| Formula::Atom(Atom::State(name.to_owned(), Span::default()));
    let mut rng = Rng::new(seed(1));
    let (mut bad, mut hopeful) = (0, 0);
    for _ in 0..120 * effort() {
        let formula = random::temporal(&mut rng, &[atom("p"), atom("q")], 3);
        let run = Run::new(&formula).unwrap();
        let state = |s: &[usize]| s.iter().fold(0, |at, letter| run.after_where(at, |a| is(a, letter)));
        for s in (1..=4).flat_map(|n| strings(4, n)) {
            assert_eq!(run.accepts(state(&s)), holds_at(&formula, &s, 0, &is), "{formula} {s:?}");
        }
        for s in (1..=2).flat_map(|n| strings(4, n)) {
            let completes = |more: Vec<usize>| holds_at(&formula, &[&s[..], &more].concat(), 0, &is);
            let hope = (0..=4).flat_map(|n| strings(4, n)).any(completes);
            assert_eq!(run.is_bad(state(&s)), !hope, "{formula} {s:?}");
            *(if hope { &mut hopeful } else { &mut bad }) += 1;
        }
        assert!(atoms_of(&formula).len() <= 2);
    }
    assert!(bad > 100 && hopeful > 1000, "{bad} bad, {hopeful} not");
}

fn small() -> Profile {
    Profile {
        vertices: 2..=5,
        actions: 1..=2,
        observations: 1..=2,
        plan_vertices: 1..=4,
        stipulations: 1..=2,
        ..Profile::default()
    }
}

fn executions(problem: &Problem, most: usize) -> Vec<(Vec<Label>, Set)> {
    let world = plain(&problem.world.graph);
    let mut all = vec![(Vec::new(), world.initial.clone())];
    let mut last = 0;
    for _ in 0..most {
        let level = last..all.len();
        last = all.len();
        for i in level {
            let (s, at) = all[i].clone();
            for event in at.iter().flat_map(|&w| world.labels(w)).collect::<BTreeSet<_>>() {
                all.push(([&s[..], &[event]].concat(), world.after(&at, &event)));
            }
        }
    }
    all
}

/// The places that an execution reaches, one path at a time.
fn places(watcher: &Watcher<'_>, problem: &Problem, s: &[Label]) -> Estimate {
    let world = plain(&problem.world.graph);
    let mut paths: Vec<Vec<usize>> = world.initial.iter().map(|&v| vec![v]).collect();
    for event in s {
        let on = |path: &Vec<usize>| {
            let next = world.step(*path.last().unwrap(), event);
            next.into_iter().map(|v| [&path[..], &[v]].concat()).collect::<Vec<_>>()
        };
        paths = paths.iter().flat_map(on).collect();
    }
    let walk = |path: Vec<usize>| -> Place {
        path[1..].iter().fold(watcher.asked.begin(path[0]), |place, &v| watcher.asked.go(&place, v))
    };
    paths.into_iter().map(walk).collect()
}

/// The estimate after s holds what look-alike executions of L(D) reach, and nothing that no longer one reaches either.
#[test]
fn estimates_are_what_look_alikes_reach() {
    let mut rng = Rng::new(seed(2));
    let features = Features { unseen: true, past: true, ..Features::default() };
    let profile =
        Profile { vertices: 2..=4, filters: vec![FilterKind::Strongest], plan_vertices: 1..=3, ..small() };
    let (mut same, mut fewer) = (0, 0);
    for _ in 0..150 * effort() {
        let p = random::beyond(&mut rng, &profile, features);
        let watcher = Watcher::new(&p, 0).unwrap();
        let looks =
            |s: &[Label]| -> Vec<String> { s.iter().filter_map(|&l| watcher.image(l).clone()).collect() };
        let mut reached: BTreeMap<Vec<String>, Estimate> = BTreeMap::new();
        let all: Vec<_> =
            executions(&p, 6).into_iter().filter(|(s, _)| !watcher.divulged.reached(s).is_empty()).collect();
        for (s, _) in &all {
            reached.entry(looks(s)).or_default().extend(places(&watcher, &p, s));
        }
        for (s, _) in all.iter().filter(|(s, _)| s.len() <= 2) {
            let memory = s.iter().fold(watcher.start(), |memory, &event| watcher.after(&memory, event));
            let estimate = watcher.estimate(&memory);
            let by_hand = &reached[&looks(s)];
            assert!(by_hand.is_subset(&estimate), "{by_hand:?} {estimate:?} {p:?}");
            *(if *by_hand == estimate { &mut same } else { &mut fewer }) += 1;
        }
    }
    assert!(same > 200 && same > 20 * fewer, "{same} the same, {fewer} not yet");
}

/// Audits in hindsight, against all short executions and all ways to part them.
#[test]
fn hindsight_is_what_the_letter_says() {
    let mut rng = Rng::new(seed(3));
    let features = Features { unseen: true, hindsight: true, past: true, ..Features::default() };
    let profile = Profile { filters: vec![FilterKind::Strongest], vertices: 2..=4, ..small() };
    let (mut broken, mut kept) = (0, 0);
    for _ in 0..150 * effort() {
        let p = random::beyond(&mut rng, &profile, features);
        let audit = beyond::audit::audit(&p).unwrap();
        let watcher = Watcher::new(&p, 0).unwrap();
        for (j, stipulation) in p.observer.stipulations.iter().enumerate() {
            if !matches!(stipulation.scope, Scope::Hindsight { .. }) {
                continue;
            }
            let shows = |s: &[Label]| {
                (0..=s.len()).any(|moment| {
                    let witness = Witness {
                        observer: 0,
                        stipulation: j,
                        execution: s.to_vec(),
                        moment: Some(moment),
                        estimate: None,
                    };
                    wrong(&p, &witness, false).unwrap().is_none()
                })
            };
            let all = executions(&p, 4).into_iter().map(|(s, _)| s);
            let admitted = all.filter(|s| !watcher.divulged.reached(s).is_empty());
            let shortest = admitted.filter(|s| shows(s)).map(|s| s.len()).min();
            let found = audit.get(&(0, j)).copied().filter(|&n| n <= 4);
            assert_eq!(found, shortest, "stipulation {j} of {p:?}");
            *(if found.is_some() { &mut broken } else { &mut kept }) += 1;
        }
    }
    assert!(broken > 20 && kept > 20, "{broken} broken, {kept} kept");
}

/// Without any of the additions, the twins are those that were there before.
#[test]
fn nothing_added_changes_nothing() {
    let mut rng = Rng::new(seed(4));
    for _ in 0..800 * effort() {
        let p = random::problem(&mut rng, &Profile::default());
        match (beyond::check::check(&p), check::check(&p)) {
            (Ok(new), Ok(old)) => {
                let mut known: BTreeMap<Reason, usize> = new.solves.clone();
                known.extend(new.outside.values().min().map(|&n| (Reason::OutsideDivulged, n)));
                known.extend(new.broken.values().min().map(|&n| (Reason::Stipulation, n)));
                assert_eq!(known, old.reportable(), "{p:?}");
            }
            (new, old) => assert_eq!(new.err(), old.err(), "{p:?}"),
        }
        let audit =
            divulge_naive::audit::audit(&p).map(|all| all.into_iter().map(|(j, n)| ((0, j), n)).collect());
        assert_eq!(beyond::audit::audit(&p), audit, "{p:?}");
    }
    for _ in 0..100 * effort() {
        let p = random::problem(&mut rng, &Profile::seek_fixed());
        let new = beyond::seek::seek_plan(&p, 0);
        assert_eq!(new, seek_plan::seek_plan(&p).map(Plans::Least), "{p:?}");
    }
    let mut found = [0; 2];
    for _ in 0..100 * effort() {
        let p = random::problem(&mut rng, &Profile { vertices: 4..=6, ..Profile::seek_divulged() });
        let (Ok(new), Ok(old)) = (known::least_events(&p, 5), seek_plan::least_events(&p)) else { continue };
        assert_eq!(new, old.filter(|&n| n <= 5), "{p:?}");
        found[usize::from(new.is_some())] += 1;
    }
    assert!(found[0] > 10 && found[1] > 10, "{found:?}");
}

/// A plan as a tree: what is done after each execution.
#[derive(Clone)]
enum Tree {
    Stop,
    Go(Vec<(Label, Tree)>),
}

/// Every plan of at most so many events.
fn trees(robot: &Robot, known: &Set, most: usize) -> Vec<Tree> {
    let mut all = if robot.may_terminate(known) { vec![Tree::Stop] } else { Vec::new() };
    let events: Vec<Label> = robot.events(known).into_iter().collect();
    if most == 0 || !robot.may_go_on(known) {
        return all;
    }
    let mut partial: Vec<Vec<(Label, Tree)>> = vec![Vec::new()];
    for event in events {
        let after = trees(robot, &robot.after(known, event), most - 1);
        let with = |p: &Vec<(Label, Tree)>| {
            let mut longer: Vec<_> =
                after.iter().map(|tree| [&p[..], &[(event, tree.clone())]].concat()).collect();
            if robot.acts(known) {
                longer.push(p.clone());
            }
            longer
        };
        partial = partial.iter().flat_map(with).collect();
        if partial.len() > 3000 {
            return Vec::new();
        }
    }
    all.extend(partial.into_iter().filter(|p| !p.is_empty()).map(Tree::Go));
    all
}

fn plan_of(tree: &Tree, first: Kind) -> Plan {
    let (mut b, mut names, mut terminal) = (PGraphBuilder::new(), Names::new(), Vec::new());
    let root = b.vertex(first);
    b.initial(root);
    let mut todo = vec![(tree, root, first)];
    while let Some((tree, v, kind)) = todo.pop() {
        match tree {
            Tree::Stop => terminal.push(v.index()),
            Tree::Go(next) => {
                for (event, tree) in next {
                    let to = b.vertex(kind.other());
                    b.arc(v, *event, to);
                    todo.push((tree, to, kind.other()));
                }
            }
        }
    }
    let graph = b.build().unwrap();
    for v in graph.vertices() {
        names.intern(&format!("p{}", v.index()));
    }
    Plan { terminal: BitSet::from_fn(graph.len(), |v| terminal.contains(&v)), names, graph }
}

/// Every plan of at most three events, checked one by one.
#[test]
fn known_plans_are_those_that_pass_the_check() {
    let mut rng = Rng::new(seed(5));
    let features = Features { observers: true, unseen: true, runs: true, hindsight: true, past: true };
    let profile = Profile {
        vertices: 3..=5,
        plan: false,
        knows: vec![KnowsKind::Plan, KnowsKind::Plan, KnowsKind::World],
        filters: vec![FilterKind::Strongest],
        solvable: (100, 1),
        ..small()
    };
    let mut found = [0; 2];
    for _ in 0..120 * effort() {
        let p = random::beyond(&mut rng, &profile, features);
        if !p.observers().any(|o| o.knows == divulge::problem::Knows::Plan) || refuse(&p).is_err() {
            continue;
        }
        let robot = Robot::new(&p);
        let all = trees(&robot, &robot.start(), 3);
        if all.len() > 400 {
            continue;
        }
        let plans = all.iter().map(|tree| plan_of(tree, p.world.graph.initial_kind()));
        let checked: Result<Vec<_>, Refusal> = plans.map(|plan| verify_plan(&p, &plan)).collect();
        let Ok(checked) = checked else { continue };
        let least = checked.into_iter().flatten().map(|worst| worst.events).min();
        match known::least_events(&p, 3) {
            Err(refusal) => assert_eq!(refusal, Refusal::TooLarge),
            Ok(searched) => {
                assert_eq!(searched, least, "{p:?}");
                found[usize::from(least.is_some())] += 1;
            }
        }
    }
    assert!(found[0] > 20 && found[1] > 20, "{found:?}");
}

/// A corridor of two rooms; how it is entered is not seen, and leaving it tells which room it was.
#[test]
fn what_is_learnt_later() {
    let mut p = examples::problem(
        &[("u0", "a", "y1"), ("u0", "b", "y2"), ("y1", "o", "u1"), ("y2", "r", "u2")],
        &["u0"],
        &["u1", "u2"],
    );
    let unseen = |p: &mut Problem, names: &[&str]| {
        let look = |l: Label| Some(p.alphabet.name(l)).filter(|name| !names.contains(name));
        p.observer.map = Some(LabelMap::seen_from_fn(&p.alphabet, look));
    };
    unseen(&mut p, &["a", "b"]);
    for (scope, length) in [
        (Scope::Always, None),
        (Scope::Hindsight { within: Some(0) }, None),
        (Scope::Hindsight { within: Some(1) }, Some(2)),
        (Scope::Hindsight { within: None }, Some(2)),
    ] {
        p.observer.stipulations.clear();
        examples::stipulate(&mut p, scope, "!knows(is(y1) | is(u0))");
        assert_eq!(beyond::audit::audit(&p).unwrap().get(&(0, 0)).copied(), length, "{scope:?}");
    }
    p.observer.stipulations.clear();
    examples::stipulate(&mut p, Scope::Always, "!knows(was(is(y1)))");
    assert_eq!(beyond::audit::audit(&p).unwrap(), [((0, 0), 2)].into());
    unseen(&mut p, &["a", "b", "o", "r"]);
    assert!(beyond::audit::audit(&p).unwrap().is_empty(), "who sees nothing learns nothing");
}
