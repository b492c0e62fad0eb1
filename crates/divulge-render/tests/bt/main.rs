//! Plans as behavior trees: they keep the library's published rules, and run as the plans do.

mod rules;
mod run;
mod xml;

use std::collections::BTreeSet;

use divulge::{
    ask::ask,
    limit::Unlimited,
    problem::{Alphabet, Builder, Kind, Label, Plan, Vertex},
};
use divulge_naive::random::{self, Profile, Rng};
use divulge_render::bt::{BehaviorTree, NoTree};
use run::{End, Executions};

/// An observation that no plan has.
const UNHEARD: &str = "unheard of";

fn written(plan: &Plan, alphabet: &Alphabet) -> Result<String, NoTree> {
    let mut out = Vec::new();
    BehaviorTree::new(plan, alphabet, &Unlimited)?.write(&mut out).expect("memory takes all");
    Ok(String::from_utf8(out).expect("text"))
}

/// What may happen in the plan, up to so many events, straight from the definition. Any observation may come.
fn planned(plan: &Plan, alphabet: &Alphabet, most: usize) -> Executions {
    let heard: Vec<Label> = alphabet.labels().filter(|&l| alphabet.kind(l) == Kind::Observation).collect();
    let mut found = Executions::new();
    let mut todo: Vec<(Vec<String>, BTreeSet<Vertex>)> =
        vec![(Vec::new(), plan.graph.initial().iter().copied().collect())];
    while let Some((events, at)) = todo.pop() {
        if events.len() == most {
            found.insert((events, End::Enough));
            continue;
        }
        let Some(&some) = at.first() else {
            found.insert((events, End::Failure));
            continue;
        };
        if plan.is_terminal(some) {
            found.insert((events, End::Success));
            continue;
        }
        let borne: BTreeSet<Label> = at.iter().flat_map(|&v| plan.graph.labels(v)).collect();
        if borne.is_empty() {
            found.insert((events, End::Failure));
            continue;
        }
        let labels: Vec<Label> = match plan.graph.kind(some) {
            Kind::Action => borne.into_iter().collect(),
            Kind::Observation => heard.clone(),
        };
        if plan.graph.kind(some) == Kind::Observation {
            let last = [events.clone(), vec![UNHEARD.to_owned()]].concat();
            let end = if last.len() == most { End::Enough } else { End::Failure };
            found.insert((last, end));
        }
        for label in labels {
            let next = at.iter().flat_map(|&v| plan.graph.step(v, label)).map(|arc| arc.to).collect();
            let more = [events.clone(), vec![alphabet.name(label).to_owned()]].concat();
            todo.push((more, next));
        }
    }
    found
}

/// Whether the tree keeps the rules and makes the executions of the plan; what it is like.
fn agrees(plan: &Plan, alphabet: &Alphabet, most: usize) -> String {
    let text = written(plan, alphabet).unwrap_or_else(|e| panic!("{e}"));
    let file = xml::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    rules::keeps(&file).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let heard: Vec<String> = alphabet
        .labels()
        .filter(|&l| alphabet.kind(l) == Kind::Observation)
        .map(|l| alphabet.name(l).to_owned())
        .chain([UNHEARD.to_owned()])
        .collect();
    let ran = run::executions(&file, &heard, most).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(ran, planned(plan, alphabet, most), "{text}");
    text
}

#[test]
fn found_plans_run_as_they_should() {
    for (rows, cols) in [(3, 4), (4, 5)] {
        let family = divulge_model::families::Nuclear::new(rows, cols);
        let problem = divulge_model::families::nuclear(&family).expect("a problem");
        let answer = ask(&problem).seek_plan().within(&Unlimited).expect("an answer");
        let plan = &answer.found().expect("a plan").plan;
        let text = agrees(plan, &problem.alphabet, 12);
        assert!(text.contains("is=\"blue\"") && text.contains("part_2"), "{text}");
    }
}

#[test]
fn random_plans_run_as_they_should() {
    let (mut tried, mut refused, mut joined, mut chosen, mut branched) = (0, 0, 0, 0, 0);
    for seed in 0..2000 * random::effort() as u64 {
        let mut rng = Rng::new(seed);
        let profile = if seed % 2 == 0 { Profile::default() } else { Profile::default().deterministic() };
        let problem = random::problem(&mut rng, &profile);
        let plan = random::plan(&mut rng, &problem, &profile);
        match written(&plan, &problem.alphabet) {
            Ok(_) => {
                let text = agrees(&plan, &problem.alphabet, 6);
                tried += 1;
                joined += usize::from(text.contains("<SubTree"));
                chosen += usize::from(text.contains("<Control"));
                branched += usize::from(text.contains("way_"));
            }
            Err(NoTree::Undecided(_)) => refused += 1,
            Err(e) => panic!("{e}"),
        }
    }
    assert!(tried > 1000 && refused > 0, "{tried} {refused}");
    assert!(joined > 50 && chosen > 50 && branched > 20, "{joined} {chosen} {branched}");
}

/// A plan drawn by hand: edges, and terminal vertices. Vertices that begin with `u` act.
fn drawn(edges: &[(&str, &str, &str)], terminal: &[&str]) -> (Plan, Alphabet) {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    let kind = |v: &str| if v.starts_with('u') { Kind::Action } else { Kind::Observation };
    let mut seen = BTreeSet::new();
    for &v in edges.iter().flat_map(|(from, _, to)| [from, to]).chain(terminal) {
        if seen.insert(v) {
            b.vertex(v, kind(v));
        }
    }
    b.initial(edges.first().map_or_else(|| terminal[0], |(from, ..)| from));
    for (from, label, to) in edges {
        b.edge(from, [*label], to);
    }
    for v in terminal {
        b.mark(v);
    }
    let plan = b.plan().expect("a plan");
    (plan, alphabet)
}

#[test]
fn loops_labels_and_ends() {
    // Going on until the light is green.
    let (plan, alphabet) = drawn(&[("u", "go", "y"), ("y", "red", "u"), ("y", "green", "u2")], &["u2"]);
    let text = agrees(&plan, &alphabet, 9);
    assert!(text.contains("at := 1") && text.matches("<BehaviorTree").count() == 2, "{text}");
    // It has terminated before anything happens.
    let (plan, alphabet) = drawn(&[], &["u"]);
    assert!(agrees(&plan, &alphabet, 3).contains("<AlwaysSuccess/>"));
    // It is stuck.
    let (plan, alphabet) = drawn(&[("u", "go", "y"), ("y", "o", "u2")], &[]);
    assert!(agrees(&plan, &alphabet, 5).contains("<AlwaysFailure/>"));
    // Labels of every kind of text.
    let odd = [
        "a<b>\"&'c",
        "tab\there",
        "two\nlines",
        "3 left",
        "3 right",
        "-- -->",
        "é🦀",
        "a;b",
        "01",
        "1",
        "1.0",
    ];
    let edges: Vec<(&str, &str, &str)> =
        odd.iter().map(|&o| ("y", o, if o.len() > 3 { "u1" } else { "u2" })).collect();
    let all = [&[("u", "{not an entry", "y")][..], &edges, &[("u2", "go", "y")]].concat();
    let (plan, alphabet) = drawn(&all, &["u1"]);
    agrees(&plan, &alphabet, 4);
}

#[test]
fn what_has_no_tree_is_refused() {
    for label in ["{entry}", " {entry} ", "json:3", "bell\u{7}", " "] {
        let (plan, alphabet) = drawn(&[("u", label, "y")], &["y"]);
        assert_eq!(written(&plan, &alphabet), Err(NoTree::Label(label.to_owned())), "{label:?}");
    }
    let (plan, alphabet) = drawn(&[("u", "a", "y1"), ("u", "a", "y2"), ("y2", "o", "u2")], &["y1", "u2"]);
    let refused = written(&plan, &alphabet).expect_err("it may stop or go on");
    assert!(refused.to_string().contains("terminates at `y1`, but after the same events it may also go on"));
}

#[test]
fn deep_plans_stay_shallow() {
    // At each of many places something else may end it: branch within branch.
    let mut edges: Vec<(String, String, String)> = Vec::new();
    for n in 0..300 {
        edges.push((format!("u{n}"), "go".into(), format!("y{n}")));
        edges.push((format!("y{n}"), "on".into(), format!("u{}", n + 1)));
        edges.push((format!("y{n}"), "off".into(), format!("u_end{n}")));
    }
    let edges: Vec<(&str, &str, &str)> = edges.iter().map(|(a, l, b)| (&a[..], &l[..], &b[..])).collect();
    let ends: Vec<String> = (0..300).map(|n| format!("u_end{n}")).chain(["u300".to_owned()]).collect();
    let ends: Vec<&str> = ends.iter().map(|s| &s[..]).collect();
    let (plan, alphabet) = drawn(&edges, &ends);
    let text = agrees(&plan, &alphabet, 40);
    let deepest = text.lines().map(|line| line.len() - line.trim_start().len()).max().unwrap_or(0) / 2;
    assert!(deepest < 50, "{deepest}");
}
