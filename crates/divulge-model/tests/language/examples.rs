//! The examples mean what they say: sizes, verdicts, and the same worlds as those built vertex by vertex.

use crate::{example, examples};
use divulge::expansion::{Actions, expand};
use divulge::limit::Unlimited;
use divulge::problem::{Alphabet, Knows, LabelMap, Problem, Scope, Vertex, World};
use divulge::seek::SeekOptions;
use divulge_model::document;
use divulge_model::families::{Nuclear, ngon, nuclear};
use divulge_naive::put::{check, seek_plan};
use std::collections::{BTreeMap, HashSet};

/// What `check` answers: "holds", or the reason and the stipulation.
fn verdict(problem: &Problem) -> String {
    match check(problem, &Unlimited).unwrap() {
        None => "holds".to_owned(),
        Some(violation) => {
            let observer = problem.observers().nth(violation.observer).unwrap();
            let stipulation = violation.stipulation.map(|i| observer.stipulations[i].name.as_str());
            format!("{} {}", violation.reason.word(), stipulation.unwrap_or("")).trim_end().to_owned()
        }
    }
}

#[test]
fn verdicts() {
    let expected = [
        ("medicine.divulge", "holds"),
        ("medicine_prompt_violated.divulge", "stipulation discreet"),
        ("nuclear.divulge", "holds"),
        ("nuclear_hasty_violated.divulge", "stipulation hide"),
        ("nuclear_shy_violated.divulge", "stipulation learn"),
        ("pentagon.divulge", "holds"),
        ("pentagon_plain_violated.divulge", "stipulation alike"),
        ("pentagon_straight_violated.divulge", "stipulation alike"),
        ("remembering.divulge", "holds"),
        ("remembering_violated.divulge", "stipulation unclear"),
    ];
    for (name, wanted) in expected {
        assert_eq!(verdict(&example(name, &[])), wanted, "{name}");
    }
    assert_eq!(examples().len(), expected.len(), "every example has its verdict here");
    let expected = [
        ("observers/hospital.divulge", "holds"),
        ("observers/hospital_hasty_violated.divulge", "stipulation discreet"),
        ("observers/nuclear_spy.divulge", "holds"),
    ];
    for (name, wanted) in expected {
        assert_eq!(verdict(&example(name, &[])), wanted, "{name}");
    }
    assert_eq!(crate::examples_in("observers").len(), expected.len());
}

#[test]
fn parameters_choose_plans_and_observers() {
    assert_eq!(verdict(&example("nuclear.divulge", &[("plan", "hasty")])), "stipulation hide");
    assert_eq!(verdict(&example("remembering.divulge", &[("observer", "attentive")])), "stipulation unclear");
    assert!(example("nuclear.divulge", &[("plan", "none")]).plan.is_none());
    // The way round works for any loop; straight on does for none.
    for n in ["3", "7", "11"] {
        assert_eq!(verdict(&example("pentagon.divulge", &[("n", n)])), "holds");
    }
}

#[test]
fn the_nuclear_world_has_the_sizes_of_the_paper() {
    let problem = example("nuclear.divulge", &[]);
    assert_eq!(problem.world.graph.len(), 96);
    assert_eq!(expand(&problem.world, Actions::Safe, 1, &divulge::Unlimited).unwrap().graph.len(), 154);
    let grid = problem.grid.expect("the model says how it is drawn");
    assert_eq!((grid.row.as_str(), grid.col.as_str()), ("row", "col"));
    assert_eq!((grid.landmarks.len(), &grid.landmarks[0]), (4, &("star".to_owned(), 1, 1)));
    assert!(problem.world.vertex("u(row=0,col=0,pebble,high)").is_some());
    assert!(problem.world.vertex("y(row=2,col=3,breeder,low)").is_some());
    let larger = example("nuclear.divulge", &[("rows", "4"), ("cols", "5"), ("plan", "none")]);
    assert_eq!(larger.world.graph.len(), 4 * 5 * 4 * 2);
}

/// The properties in `wanted` of a set of vertices, as texts.
fn shown(world: &World, members: impl Iterator<Item = u32>, wanted: &[&str]) -> Vec<String> {
    let of = |v: u32| {
        let props = world.props.of(Vertex(v)).filter(|(n, _)| wanted.contains(n));
        format!(
            "{:?} {:?}",
            world.is_goal(Vertex(v)),
            props.map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>()
        )
    };
    let mut all: Vec<String> = members.map(of).collect();
    all.sort();
    all
}

/// Both worlds offer the same events, and look the same to the robot, after every execution.
fn assert_alike(a: &Problem, b: &Problem, wanted: &[&str]) {
    let expanded = |p: &divulge::Problem| expand(&p.world, Actions::Some, 1, &divulge::Unlimited).unwrap();
    let (left, right) = (expanded(a), expanded(b));
    assert_eq!(a.world.graph.len(), b.world.graph.len());
    assert_eq!(a.world.graph.arc_count(), b.world.graph.arc_count());
    let mut todo = vec![(left.initial(), right.initial())];
    let mut seen: HashSet<(Vertex, Vertex)> = todo.iter().copied().collect();
    while let Some((u, v)) = todo.pop() {
        assert_eq!(left.graph.kind(u), right.graph.kind(v));
        let of_left = shown(&a.world, left.members(u).iter(), wanted);
        assert_eq!(of_left, shown(&b.world, right.members(v).iter(), wanted));
        let step = |alphabet: &Alphabet, graph: &divulge::problem::PGraph, x| -> BTreeMap<String, Vertex> {
            graph.arcs(x).iter().map(|arc| (alphabet.name(arc.label).to_owned(), arc.to)).collect()
        };
        let (from_u, from_v) = (step(&a.alphabet, &left.graph, u), step(&b.alphabet, &right.graph, v));
        assert!(from_u.keys().eq(from_v.keys()), "{from_u:?} {from_v:?}");
        for pair in from_u.into_values().zip(from_v.into_values()) {
            if seen.insert(pair) {
                todo.push(pair);
            }
        }
    }
}

#[test]
fn the_rules_give_the_worlds_that_are_meant() {
    for (rows, cols) in [(3, 4), (4, 5), (6, 8)] {
        let sets = [("rows", rows.to_string()), ("cols", cols.to_string()), ("plan", "none".to_owned())];
        let sets: Vec<(&str, &str)> = sets.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let model = example("nuclear.divulge", &sets);
        let built = nuclear(&Nuclear::new(rows, cols)).unwrap();
        assert_alike(&model, &built, &["row", "col", "facility", "rad"]);
    }
    for n in [2, 5, 7] {
        let model = example("pentagon.divulge", &[("n", &n.to_string())]);
        // The chargers have no place there.
        assert_alike(&model, &ngon(n, Knows::Plan).unwrap(), &[]);
    }
}

/// Seeking, whose verdict depends on everything, gives the same answers for both.
#[test]
fn the_rules_give_the_problems_that_are_meant() {
    let seek = |problem: &Problem| {
        let found = seek_plan(problem, &SeekOptions::default(), &Unlimited).unwrap();
        found.map(|f| f.worst_case.events)
    };
    for (rows, cols) in [(3, 4), (4, 5)] {
        let sets = [("rows", rows.to_string()), ("cols", cols.to_string()), ("plan", "none".to_owned())];
        let sets: Vec<(&str, &str)> = sets.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let model = example("nuclear.divulge", &sets);
        assert_eq!(seek(&model), seek(&nuclear(&Nuclear::new(rows, cols)).unwrap()));
    }
    assert_eq!(seek(&example("nuclear.divulge", &[("plan", "none")])), Some(12));
    assert_eq!(seek(&example("pentagon.divulge", &[("plan", "none")])), Some(14));
    assert_eq!(seek(&example("pentagon_plain_violated.divulge", &[("plan", "none")])), None);
    let mut built = ngon(5, Knows::Plan).unwrap();
    let image = |name: &str| {
        match name {
            "a2" | "a3" => "leave",
            "o1" | "o3" => "lane",
            _ => name,
        }
        .to_owned()
    };
    built.observer.map = Some(LabelMap::from_fn(&built.alphabet, |l| image(built.alphabet.name(l))));
    assert_eq!(seek(&built), Some(14));
}

#[test]
fn nothing_looks_alike_under_the_identity() {
    let problem = example("pentagon_plain_violated.divulge", &[]);
    assert_eq!(problem.observer.map, Some(LabelMap::identity(&problem.alphabet)));
}

#[test]
fn examples_survive_being_written_as_documents() {
    for (name, text) in examples() {
        let problem = crate::problem(&name, &text, &[]);
        let mut json = Vec::new();
        document::write(&problem, &mut json).unwrap();
        // An observer that was chosen is one of several there.
        let chosen = problem.observer.name.as_deref().filter(|_| !problem.aside.is_empty());
        let whom = chosen.map_or(document::Whom::Everybody, document::Whom::Named);
        let read = document::read_for("x.json", std::str::from_utf8(&json).unwrap(), whom);
        let read = read.unwrap_or_else(|d| panic!("{}", d.render(false)));
        assert_eq!(verdict(&read.problem), verdict(&problem), "{name}");
        assert_eq!(read.problem.world.graph.len(), problem.world.graph.len());
    }
}

/// What is stipulated of several observers, of whole runs and of hindsight: read as it is meant, and the same again.
#[test]
fn examples_with_several_observers() {
    for (name, text) in crate::examples_in("observers") {
        let problem = crate::problem(&name, &text, &[]);
        assert_eq!(problem.observers().count(), 2, "{name}");
        let again = document::read("x.json", &document::to_string(&problem)).unwrap().problem;
        assert_eq!(document::to_string(&again), document::to_string(&problem), "{name}");
        let model = divulge_model::language::write(&problem).unwrap();
        let (again, _) = divulge_model::language::load("x.divulge", &model, &crate::Examples, &[]);
        assert_eq!(document::to_string(&again.unwrap()), document::to_string(&problem), "{name}");
    }
    let hospital = example("observers/hospital.divulge", &[]);
    let scopes: Vec<(&str, Scope)> =
        hospital.observers().flat_map(|o| &o.stipulations).map(|s| (s.name.as_str(), s.scope)).collect();
    let expected =
        [("discreet", Scope::Hindsight { within: None }), ("informed", Scope::Run), ("in_time", Scope::Run)];
    assert_eq!(scopes, expected);
    let unseen =
        |i: usize| hospital.observers().nth(i).and_then(|o| o.map.as_ref()).unwrap().unseen().count();
    assert_eq!((unseen(0), unseen(1)), (5, 10));
    assert_eq!(example("observers/hospital.divulge", &[("observer", "nurse")]).aside.len(), 1);
    // The plans of the examples are as short as any.
    for (name, events) in [("observers/hospital.divulge", 17), ("observers/nuclear_spy.divulge", 12)] {
        let problem = example(name, &[("plan", "none")]);
        let found = seek_plan(&problem, &SeekOptions::default(), &Unlimited).unwrap().expect("a plan");
        assert_eq!(found.worst_case.events, events, "{name}");
    }
}
