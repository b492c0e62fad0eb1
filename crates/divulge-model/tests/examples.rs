//! The examples mean what they say: sizes, verdicts, and the same worlds as those built vertex by vertex.

#[allow(dead_code)]
mod models;

use divulge::expansion::{Actions, expand};
use divulge::problem::{Alphabet, Builder, Kind, LabelMap, Problem, Vertex, World};
use divulge::question::{Unlimited, check};
use models::{example, examples};
use std::collections::{BTreeMap, HashSet};

/// What `check` answers: "holds", or the reason and the stipulation.
fn verdict(problem: &Problem) -> String {
    match check(problem, &Unlimited).unwrap() {
        None => "holds".to_owned(),
        Some(violation) => {
            let stipulation = violation.stipulation.map(|i| problem.observer.stipulations[i].name.as_str());
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
    assert_eq!(expand(&problem.world, Actions::Safe).graph.len(), 154);
    assert_eq!(problem.grid, Some(("row".to_owned(), "col".to_owned())));
    assert!(problem.world.vertex("u(row=0,col=0,pebble,high)").is_some());
    assert!(problem.world.vertex("y(row=2,col=3,breeder,low)").is_some());
    let larger = example("nuclear.divulge", &[("rows", "4"), ("cols", "5"), ("plan", "none")]);
    assert_eq!(larger.world.graph.len(), 4 * 5 * 4 * 2);
}

/// The facility inspection, built vertex by vertex.
fn nuclear(rows: i64, cols: i64) -> (Alphabet, World) {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    let star = (rows / 2, (cols / 2 - 1).max(1));
    let (a, breeder, exit) = ((0, cols / 2), (rows / 2, cols - 1), (rows - 1, cols / 2));
    let name = |k: &str, r: i64, c: i64, f: &str, q: &str| format!("{k}_{r}_{c}_{f}_{q}");
    let cells: Vec<(i64, i64, &str, &str)> = (0..rows)
        .flat_map(|r| (0..cols).map(move |c| (r, c)))
        .flat_map(|(r, c)| ["pebble", "breeder"].map(|f| (r, c, f)))
        .flat_map(|(r, c, f)| ["high", "low"].map(|q| (r, c, f, q)))
        .collect();
    for &(r, c, f, q) in &cells {
        let (u, y) = (name("u", r, c, f, q), name("y", r, c, f, q));
        b.vertex(&u, Kind::Action).vertex(&y, Kind::Observation);
        for v in [&u, &y] {
            b.prop(v, "row", r).prop(v, "col", c).prop(v, "facility", f).prop(v, "rad", q);
        }
        if (r, c) == exit {
            b.mark(&u);
        }
    }
    for &(r, c, f, q) in &cells {
        let (u, y) = (name("u", r, c, f, q), name("y", r, c, f, q));
        for (action, dr, dc) in [("left", 0, -1), ("right", 0, 1), ("up", -1, 0), ("down", 1, 0)] {
            let (to_r, to_c) = (r + dr, c + dc);
            if (r, c) != exit && (0..rows).contains(&to_r) && (0..cols).contains(&to_c) {
                b.edge(&u, [action], &name("y", to_r, to_c, f, q));
            }
        }
        let seen = match (r, c) {
            place if place == star => {
                if f == "pebble" {
                    "blue"
                } else {
                    "dark"
                }
            }
            place if place == (if f == "pebble" { a } else { breeder }) => q,
            place if place == exit => "exit",
            _ => "nothing",
        };
        b.edge(&y, [seen], &u);
        if (r, c) == (0, 0) {
            b.initial(&u);
        }
    }
    let world = b.world().unwrap();
    (alphabet, world)
}

/// The loop with a hidden split, built vertex by vertex.
fn ngon(n: i64) -> (Alphabet, World) {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    let lanes = ["none", "one", "two"];
    let places = || (0..n).flat_map(|i| lanes.map(|k| (i, k)));
    for (i, k) in places() {
        b.vertex(&format!("u{i}{k}"), Kind::Action).vertex(&format!("y{i}{k}"), Kind::Observation);
        for v in ["u", "y"] {
            b.prop(&format!("{v}{i}{k}"), "place", i);
        }
    }
    for (c, seen) in [("1", "o1"), ("2", "o3")] {
        let (u, y) = (format!("uC{c}"), format!("yC{c}"));
        b.vertex(&u, Kind::Action).vertex(&y, Kind::Observation).mark(&u).edge(&y, [seen], &u);
        let place = if c == "1" { n } else { n + 1 };
        b.prop(&u, "place", place).prop(&y, "place", place);
    }
    for (i, k) in places() {
        b.edge(&format!("u{i}{k}"), ["a1"], &format!("y{}{k}", (i + 1) % n));
        if (i, k) == (0, "none") {
            b.edge("y0none", ["o1"], "u0one").edge("y0none", ["o3"], "u0two");
        } else {
            b.edge(&format!("y{i}{k}"), ["o2"], &format!("u{i}{k}"));
        }
    }
    b.edge("u1none", ["a2"], "yC1")
        .edge("u1one", ["a2"], "yC1")
        .edge("u1two", ["a3"], "yC2")
        .initial("u0none");
    let world = b.world().unwrap();
    (alphabet, world)
}

/// The properties in `wanted` of a set of vertices, as texts.
fn shown(world: &World, members: &[u32], wanted: &[&str]) -> Vec<String> {
    let of = |v: u32| {
        let props = world.props.of(Vertex(v)).filter(|(n, _)| wanted.contains(n));
        format!(
            "{:?} {:?}",
            world.is_goal(Vertex(v)),
            props.map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>()
        )
    };
    let mut all: Vec<String> = members.iter().map(|&v| of(v)).collect();
    all.sort();
    all
}

/// Both worlds offer the same events, and look the same to the robot, after every execution.
fn assert_alike(a: (&Alphabet, &World), b: (&Alphabet, &World), wanted: &[&str]) {
    let (left, right) = (expand(a.1, Actions::Some), expand(b.1, Actions::Some));
    assert_eq!(a.1.graph.len(), b.1.graph.len());
    assert_eq!(a.1.graph.arc_count(), b.1.graph.arc_count());
    let mut todo = vec![(left.initial(), right.initial())];
    let mut seen: HashSet<(Vertex, Vertex)> = todo.iter().copied().collect();
    while let Some((u, v)) = todo.pop() {
        assert_eq!(left.graph.kind(u), right.graph.kind(v));
        assert_eq!(shown(a.1, left.members(u), wanted), shown(b.1, right.members(v), wanted));
        let step = |alphabet: &Alphabet, graph: &divulge::problem::PGraph, x| -> BTreeMap<String, Vertex> {
            graph.arcs(x).iter().map(|arc| (alphabet.name(arc.label).to_owned(), arc.to)).collect()
        };
        let (from_u, from_v) = (step(a.0, &left.graph, u), step(b.0, &right.graph, v));
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
        let (alphabet, world) = nuclear(rows, cols);
        assert_alike(
            (&model.alphabet, &model.world),
            (&alphabet, &world),
            &["row", "col", "facility", "rad"],
        );
    }
    for n in [5, 7] {
        let model = example("pentagon.divulge", &[("n", &n.to_string())]);
        let (alphabet, world) = ngon(n);
        assert_alike((&model.alphabet, &model.world), (&alphabet, &world), &["place"]);
    }
}

#[test]
fn nothing_looks_alike_under_the_identity() {
    let problem = example("pentagon_plain_violated.divulge", &[]);
    assert_eq!(problem.observer.map, Some(LabelMap::identity(&problem.alphabet)));
}
