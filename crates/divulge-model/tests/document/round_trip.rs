//! What is written reads back as the same problem.

use divulge::problem::{Alphabet, Filter, Knows, Label, LabelMap, Observer, PGraph, Problem, Scope};
use divulge_model::diagnostic::Code;
use divulge_model::document::{Whom, read, read_for, to_string};
use divulge_naive::random::{Rng, odd};

const PROBLEMS: u64 = 3000;

fn reread(text: &str) -> Problem {
    let document =
        read("written.json", text).unwrap_or_else(|found| panic!("{}\n{text}", found.render(false)));
    assert!(document.warnings.is_empty(), "{}", document.warnings.render(false));
    assert!(document.total_map().is_ok());
    document.problem
}

/// Arcs with labels by name, since labels may be numbered anew.
fn arcs(graph: &PGraph, name: impl Fn(Label) -> String) -> Vec<(u32, String, u32)> {
    let mut all: Vec<_> = graph.all_arcs().map(|(v, a)| (v.0, name(a.label), a.to.0)).collect();
    all.sort();
    all
}

fn same_graph(a: (&PGraph, &Alphabet), b: (&PGraph, &Alphabet)) {
    assert_eq!(arcs(a.0, |l| a.1.name(l).to_owned()), arcs(b.0, |l| b.1.name(l).to_owned()));
    assert_eq!(a.0.initial(), b.0.initial());
    assert!(a.0.vertices().eq(b.0.vertices()) && a.0.vertices().all(|v| a.0.kind(v) == b.0.kind(v)));
}

/// Label names with what is said of each.
fn labels(p: &Problem) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = p
        .alphabet
        .labels()
        .map(|l| {
            let image = p.observer.map.as_ref().map(|m| m.shown(l).to_owned());
            let world = p.world_labels.contains(l.index());
            let fixed: Vec<_> = p.observer.constraints.fixed.iter().filter(|(m, _)| *m == l).collect();
            let fixed = fixed.first().map(|(_, image)| image.clone());
            (
                p.alphabet.name(l).to_owned(),
                format!("{:?}{}{world}{image:?}{fixed:?}", p.alphabet.kind(l), p.cost(l)),
            )
        })
        .filter(|(_, said)| !said.is_empty())
        .collect();
    all.sort();
    all
}

/// Equality by names.
fn same(p: &Problem, q: &Problem) {
    // A label that nothing bears and nothing lists is not written.
    assert_eq!(labels(p), labels(q));
    same_graph((&p.world.graph, &p.alphabet), (&q.world.graph, &q.alphabet));
    assert_eq!((&p.name, &p.world.names, &p.world.goal), (&q.name, &q.world.names, &q.world.goal));
    for v in p.world.graph.vertices() {
        let of = |w: &Problem| {
            let mut all: Vec<_> =
                w.world.props.of(v).map(|(n, value)| (n.to_owned(), value.clone())).collect();
            all.sort();
            all
        };
        assert_eq!(of(p), of(q));
    }
    match (&p.plan, &q.plan) {
        (Some(a), Some(b)) => {
            same_graph((&a.graph, &p.alphabet), (&b.graph, &q.alphabet));
            assert_eq!((&a.names, &a.terminal), (&b.names, &b.terminal));
        }
        (a, b) => assert!(a.is_none() && b.is_none()),
    }
    let (a, b) = (&p.observer, &q.observer);
    assert_eq!((&a.name, &a.stipulations), (&b.name, &b.stipulations));
    match (&a.knows, &b.knows) {
        (Knows::Plans(some), Knows::Plans(others)) => {
            assert_eq!(some.len(), others.len());
            for (x, y) in some.iter().zip(others) {
                same_graph((&x.graph, &p.alphabet), (&y.graph, &q.alphabet));
                assert_eq!((&x.names, &x.terminal), (&y.names, &y.terminal));
            }
        }
        (Knows::Graph(x), Knows::Graph(y)) => same_graph((&x.graph, &p.alphabet), (&y.graph, &q.alphabet)),
        (x, y) => assert_eq!(x, y),
    }
    match (&a.filter, &b.filter) {
        (Filter::Graph(x), Filter::Graph(y)) => {
            let of =
                |f: &divulge::problem::FilterGraph| arcs(&f.graph.graph, |l| f.images.name(l.0).to_owned());
            assert_eq!(of(x), of(y));
        }
        (x, y) => assert_eq!(x, y),
    }
    assert_eq!(p.others.len(), q.others.len());
    for (a, b) in p.others.iter().zip(&q.others) {
        assert_eq!((&a.name, &a.stipulations, &a.knows), (&b.name, &b.stipulations, &b.knows));
        let seen = |p: &Problem, o: &Observer| -> Vec<(String, Option<String>)> {
            let map = o.map.as_ref().expect("a map");
            let look = |l| (p.alphabet.name(l).to_owned(), map.look(l).map(str::to_owned));
            let mut all: Vec<_> = p.alphabet.labels().map(look).collect();
            all.sort();
            all
        };
        assert_eq!(seen(p, a), seen(q, b));
    }
    let groups = |p: &Problem| {
        let c = &p.observer.constraints;
        let name = |l: &Label| p.alphabet.name(*l).to_owned();
        let named =
            |gs: &[Vec<Label>]| gs.iter().map(|g| g.iter().map(name).collect::<Vec<_>>()).collect::<Vec<_>>();
        let costs: Vec<_> = c.merge_cost.iter().map(|(a, b, cost)| (name(a), name(b), *cost)).collect();
        let mut unseen: Vec<_> = c.unseen.iter().map(name).collect();
        unseen.sort();
        (named(&c.merge), named(&c.separate), (c.max_images, c.min_images), costs, unseen)
    };
    assert_eq!(groups(p), groups(q));
}

#[test]
fn what_is_written_reads_back() {
    let mut met = [0; 6];
    for seed in 0..PROBLEMS {
        let p = odd(&mut Rng::new(seed));
        let text = to_string(&p);
        let q = reread(&text);
        same(&p, &q);
        let stipulations: Vec<_> = p.observers().flat_map(|o| &o.stipulations).collect();
        met[0] += usize::from(!p.others.is_empty());
        met[1] += usize::from(p.observer.map.as_ref().is_some_and(LabelMap::hides));
        met[2] += usize::from(!p.observer.constraints.unseen.is_empty());
        met[3] += stipulations.iter().filter(|s| s.scope == Scope::Run).count();
        met[4] +=
            stipulations.iter().filter(|s| matches!(s.scope, Scope::Hindsight { within: Some(_) })).count();
        met[5] += stipulations.iter().flat_map(|s| s.formula.predicates()).filter(|p| p.is_past()).count();
        // How labels are numbered does not show in the text.
        assert_eq!(to_string(&q), text, "{seed}");
        assert_eq!(reread(&text), q, "{seed}\n{text}");
    }
    assert!(met.iter().all(|&often| often > 50), "{met:?}");
}

#[test]
fn several_observers_are_kept_and_one_is_chosen() {
    for seed in 0..PROBLEMS / 5 {
        let mut p = odd(&mut Rng::new(seed));
        p.others.clear();
        p.observer.name = Some("second".to_owned());
        let alone = p.clone();
        // The second observer's graphs may bear labels that nothing else does.
        let map = Some(LabelMap::identity(&p.alphabet));
        let first = Observer { name: Some("first".to_owned()), map, ..Observer::new(Knows::World) };
        p.others = vec![std::mem::replace(&mut p.observer, first)];
        let text = to_string(&p);
        let chosen = |whom| read_for("written.json", &text, whom).map(|document| document.problem);
        let named = chosen(Whom::Named("third"));
        assert!(named.is_err_and(|found| found.iter().all(|d| d.code == Code::DocObservers)));
        for whom in [Whom::Named("first"), Whom::Everybody, Whom::Anybody] {
            let read = chosen(whom).unwrap();
            assert_eq!(to_string(&read), text, "{seed}");
            assert_eq!(
                (read.others.len(), read.aside.len()),
                if whom == Whom::Named("first") { (0, 1) } else { (1, 0) }
            );
        }
        let mut second = chosen(Whom::Named("second")).unwrap();
        assert_eq!(second.aside.len(), 1);
        assert_eq!(second.aside[0].name.as_deref(), Some("first"));
        let again = to_string(&second);
        let back = read_for("again.json", &again, Whom::Named("first")).unwrap().problem;
        assert_eq!(to_string(&back), text, "{seed}");
        second.aside.clear();
        same(&alone, &second);
    }
}

#[test]
fn sections_may_come_in_any_order() {
    let parts = [
        r#""format": "divulge/1""#,
        r#""observers": [{"stipulations": [{"formula": "!knows(wet) & !state(\"u\")", "scope": "end"}], "map": {"b": "B", "a": "A", "o": "O", "p": "P"}, "knows": {"graph": {"edges": [{"labels": ["a", "b"], "to": "j", "from": "i"}], "initial": ["i"], "vertices": {"i": {"kind": "action"}, "j": {"kind": "observation", "terminal": true}}}}}]"#,
        r#""costs": {"o": 3, "b": 7}"#,
        r#""plan": {"edges": [{"to": "q", "from": "p", "labels": ["a"]}], "initial": ["p"], "vertices": {"p": {"kind": "action"}, "q": {"terminal": true, "kind": "observation"}}}"#,
        r#""world": {"edges": [{"labels": ["a"], "from": "u", "to": "y"}, {"to": "u", "labels": ["o"], "from": "y"}], "initial": ["u"], "vertices": {"u": {"props": {"wet": true}, "kind": "action"}, "y": {"kind": "observation"}}, "actions": ["a"], "observations": ["p", "o"]}"#,
    ];
    let read_in = |order: &[usize]| {
        let fields: Vec<&str> = order.iter().map(|&i| parts[i]).collect();
        reread(&format!("{{{}}}", fields.join(", ")))
    };
    let first = read_in(&[0, 1, 2, 3, 4]);
    assert_eq!(first.world.graph.arc_count(), 2);
    for order in [[4, 3, 2, 1, 0], [4, 0, 1, 2, 3], [1, 4, 0, 3, 2], [3, 2, 1, 4, 0]] {
        assert_eq!(read_in(&order), first);
    }
}
