//! What each construct of the language means, on models small enough to write the answer down.

use divulge::graph::trace;
use divulge::problem::{Filter, Kind, Knows, Label, Problem, Scope, Value, Vertex};
use divulge_model::diagnostic::Code;
use divulge_model::language::{NoIncludes, load, load_all};

/// The problem of a text that has no errors (warnings are no matter here).
fn problem(text: &str) -> Problem {
    let (problem, diagnostics) = load("m.divulge", text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", diagnostics.render(false)))
}

fn codes(text: &str, sets: &[(&str, &str)]) -> Vec<Code> {
    let sets: Vec<(String, String)> = sets.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (_, diagnostics) = load("m.divulge", text, &NoIncludes, &sets);
    diagnostics.iter().map(|d| d.code).filter(|&c| c != Code::NoObserver).collect()
}

/// Every edge of the world, sorted.
fn edges(problem: &Problem) -> Vec<String> {
    let world = &problem.world;
    let edge = |(from, arc): (Vertex, divulge::problem::Arc)| {
        format!("{} -{}-> {}", world.name(from), problem.alphabet.name(arc.label), world.name(arc.to))
    };
    let mut all: Vec<String> = world.graph.all_arcs().map(edge).collect();
    all.sort();
    all
}

fn names(problem: &Problem, members: impl Iterator<Item = Vertex>) -> Vec<String> {
    let mut all: Vec<String> = members.map(|v| problem.world.name(v).to_owned()).collect();
    all.sort();
    all
}

fn initial(problem: &Problem) -> Vec<String> {
    names(problem, problem.world.graph.initial().iter().copied())
}

fn goal(problem: &Problem) -> Vec<String> {
    names(problem, problem.world.goal.iter().map(|v| Vertex(v as u32)))
}

#[test]
fn assignments_happen_together_and_outcomes_are_alternatives() {
    let p = problem(
        "world {
          a: 0..1 = 0
          b: 0..1 = 1
          action swap { a := b; b := a }
          action tip when a = 0 { (a, b) := (1, 1) } or { }
          observe { o }
          goal a = b
        }",
    );
    let expected = [
        "u(a=0,b=1) -swap-> y(a=1,b=0)",
        "u(a=0,b=1) -tip-> y(a=0,b=1)",
        "u(a=0,b=1) -tip-> y(a=1,b=1)",
        "u(a=1,b=0) -swap-> y(a=0,b=1)",
        "u(a=1,b=1) -swap-> y(a=1,b=1)",
        "y(a=0,b=1) -o-> u(a=0,b=1)",
        "y(a=1,b=0) -o-> u(a=1,b=0)",
        "y(a=1,b=1) -o-> u(a=1,b=1)",
    ];
    assert_eq!(edges(&p), expected);
    assert_eq!(initial(&p), ["u(a=0,b=1)"]);
    assert_eq!(goal(&p), ["u(a=1,b=1)"]);
}

#[test]
fn observations_by_value_by_condition_several_at_once_and_otherwise() {
    let p = problem(
        "world {
          x: 0..3
          colour: {red, green} = red
          flag: bool = true
          start observing
          observe {
            colour when x = 0
            low | high by x < 1 when x in 0..1
            either | or_this when x = 2
            flag otherwise { flag := false }
          }
          goal true
        }",
    );
    let expected = [
        "y(x=0,red,flag=true) -low-> u(x=0,red,flag=true)",
        "y(x=0,red,flag=true) -red-> u(x=0,red,flag=true)",
        "y(x=1,red,flag=true) -high-> u(x=1,red,flag=true)",
        "y(x=2,red,flag=true) -either-> u(x=2,red,flag=true)",
        "y(x=2,red,flag=true) -or_this-> u(x=2,red,flag=true)",
        "y(x=3,red,flag=true) -flag=true-> u(x=3,red,flag=false)",
    ];
    assert_eq!(edges(&p), expected);
    // Labels that only a value would make, and that never happen, are not there.
    assert!(p.alphabet.get("green").is_none() && p.alphabet.get("flag=false").is_none());
    assert_eq!(p.alphabet.len(), p.world_labels.count());
}

#[test]
fn starts_and_goals() {
    let world = |rest: &str| {
        problem(&format!(
            "world {{ x: 0..2; c: {{p, q}} = p; action a {{ x := 0 }}; observe {{ o }}; {rest} }}"
        ))
    };
    let p = world("goal x = 1");
    assert_eq!(initial(&p), ["u(x=0,p)", "u(x=1,p)", "u(x=2,p)"]);
    assert_eq!(goal(&p), ["u(x=1,p)"]);
    let p = world("start where x != 1; goal observing x = 0");
    assert_eq!(initial(&p), ["u(x=0,p)", "u(x=2,p)"]);
    assert_eq!(goal(&p), ["y(x=0,p)"]);
    let p = world("start observing where x = 0 | c = q; goal anywhere x = 0; goal acting false");
    assert_eq!(initial(&p), ["y(x=0,p)"]);
    assert_eq!(goal(&p), ["u(x=0,p)", "y(x=0,p)"]);
}

#[test]
fn arithmetic_and_conditions() {
    let holds = |condition: &str| {
        let p = problem(&format!(
            "const n = 7, yes = true
            let pair = (n / 2, -n / 2), word = q
            type small = 0..5
            def twice(k) = 2 * k
            def between(v, low, high) = low <= v & v <= high
            world {{ x: small = 3; c: {{p, q}} = q; b: bool = false; action a; observe {{ o }}; goal {condition} }}"
        ));
        !p.world.goal.is_empty()
    };
    for yes in [
        "pair = (3, -4)",
        "-7 % 3 = 2 & 7 % -3 = -2 & -7 / 2 = -4",
        "min(x, 2, 9) = 2 & max(x, 2) = 3 & abs(x - 5) = 2",
        "twice(x) + 1 = n & twice x = 6",
        "between(x, 0, 3) & !between(x, 4, 5)",
        "x in {1, 3} & x in 2..4 & !(x in {1, 2})",
        "c = word & c != p & c in {p, q}",
        "(if b then 1 else 2) = 2",
        "b <-> x = 4 & true",
        "!b & (b = false) & yes",
        "b -> false",
        "x = 1 -> x = 2 -> false",
        "(x, c) = (3, q) & (x, c) != (3, p)",
        "not b and (x = 3 or b) and (b implies b) and (b iff b)",
        "!x = 4 & 1 + 2 * x - 1 = 6",
        "c = \"q\"",
    ] {
        assert!(holds(yes), "{yes}");
        assert!(!holds(&format!("!({yes})")), "{yes}");
    }
}

#[test]
fn definitions_may_take_tuples_and_be_used_without_parentheses() {
    let text = |goal: &str| {
        format!(
            "let spot = (1, 2)
            def at(p) = (x, y) = p
            world {{ x: 0..2 = 1; y: 0..2 = 2; action a; observe {{ o }}; goal {goal} }}"
        )
    };
    for goal in ["at spot", "at(spot)", "at (1, 2)", "at((1, 2))", "at(1, 2)"] {
        assert_eq!(goal_count(&text(goal)), 1, "{goal}");
    }
    assert_eq!(goal_count(&text("!at spot")), 0);
}

fn goal_count(text: &str) -> usize {
    problem(text).world.goal.count()
}

const THREE: &str = "world {
  x: 0..2 = 0
  y: 0..2
  secret: {red, green}
  wet: bool
  action go when x < 2 { x := x + 1 }
  observe { wet | dry by wet; nothing otherwise }
  goal x = 2
}
";

/// The formulas of an observer's stipulations, as the core prints them.
fn formulas(stipulations: &str) -> Vec<String> {
    let text = format!(
        "{THREE}def near = x > 1\ndef hidden(v) = !knows(v)\nobserver {{ knows world\n{stipulations}\n}}"
    );
    problem(&text).observer.stipulations.iter().map(|s| s.formula.to_string()).collect()
}

#[test]
fn stipulations_become_formulas() {
    let found = formulas(
        "stipulate a: always !knows(secret)
         stipulate b: hidden(secret) | hidden(wet)
         stipulate c: at end possible(near & goal) -> knows_whether(wet)
         stipulate d: possible(kind = action & !(x, secret) = (1, red)) <-> state(\"u(x=0,y=0,red,wet=true)\")
         stipulate e: knows(if wet then x = 1 else goal)
         stipulate f: 1 + 1 = 2 -> possible(is(\"u(x=0,y=0,red,wet=true)\"))",
    );
    let expected = [
        "!(knows(secret = red) | knows(secret = green))",
        "!(knows(secret = red) | knows(secret = green)) | !knows(wet)",
        "possible(x > 1 & goal) -> knows(wet) | knows(!wet)",
        "possible(kind = action & !(x = 1 & secret = red)) <-> state(\"u(x=0,y=0,red,wet=true)\")",
        "knows(wet & x = 1 | !wet & goal)",
        "true -> possible(is(\"u(x=0,y=0,red,wet=true)\"))",
    ];
    assert_eq!(found, expected);
}

#[test]
fn comparisons_of_variables_become_properties() {
    let text = format!(
        "{THREE}observer {{ knows world\nstipulate a: knows(x + y > 2) | possible(!(x + y > 2) & x = y)\n}}"
    );
    let p = problem(&text);
    let formula = p.observer.stipulations[0].formula.to_string();
    assert_eq!(formula, "knows(condition_1) | possible(!condition_1 & condition_2)");
    for v in p.world.graph.vertices() {
        let int = |name: &str| match p.world.props.column(name).unwrap().get(v) {
            Some(Value::Int(i)) => *i,
            other => panic!("{other:?}"),
        };
        let (x, y) = (int("x"), int("y"));
        assert_eq!(p.world.props.column("condition_1").unwrap().get(v), Some(&Value::Bool(x + y > 2)));
        assert_eq!(p.world.props.column("condition_2").unwrap().get(v), Some(&Value::Bool(x == y)));
    }
}

#[test]
fn maps_and_constraints() {
    let p = problem(&format!(
        "{THREE}observer {{ knows plan; sees wet, dry as damp; others as \"?\" }}\nplan {{ go; go }}"
    ));
    let map = p.observer.map.as_ref().unwrap();
    let image = |name: &str| map.shown(p.alphabet.get(name).unwrap()).to_owned();
    assert_eq!([image("wet"), image("dry"), image("go")], ["damp", "damp", "?"]);
    let p =
        problem(&format!("{THREE}observer {{ knows world; sees wet, dry as themselves; others as \"?\" }}"));
    let map = p.observer.map.as_ref().unwrap();
    let image = |name: &str| map.shown(p.alphabet.get(name).unwrap()).to_owned();
    assert_eq!([image("wet"), image("dry"), image("go")], ["wet", "dry", "?"]);
    let p = problem(&format!(
        "{THREE}cost go = 3\ncost wet, dry = 2
        observer {{
          knows world
          merge wet, dry
          separate nothing, wet
          fixed dry as \"x y\"
          max images 2 + 2
          min images 2
          merge cost nothing, wet, dry = 5
        }}"
    ));
    let label = |name: &str| p.alphabet.get(name).unwrap();
    let (go, wet, dry, nothing) = (label("go"), label("wet"), label("dry"), label("nothing"));
    let c = &p.observer.constraints;
    assert!(p.observer.map.is_none());
    assert_eq!(c.merge, [vec![wet, dry]]);
    assert_eq!(c.separate, [vec![nothing, wet]]);
    assert_eq!(c.fixed, [(dry, "x y".to_owned())]);
    assert_eq!((c.max_images, c.min_images), (Some(4), Some(2)));
    assert_eq!(c.merge_cost, [(nothing, wet, 5), (nothing, dry, 5), (wet, dry, 5)]);
    assert_eq!([p.cost(go), p.cost(wet), p.cost(dry)], [3, 2, 2]);
}

#[test]
fn every_kind_of_knowledge_and_filter() {
    let with = |clauses: &str| {
        problem(&format!(
            "{THREE}plan one {{ go }}\nplan two {{ go; go }}\nuse plan two
            graph free {{ d0: start; d0 -go-> d1 -wet, dry, nothing-> d0 }}
            observer {{ {clauses} }}"
        ))
        .observer
    };
    assert_eq!(with("knows plan").knows, Knows::Plan);
    assert_eq!(with("knows world").knows, Knows::World);
    assert_eq!(with("knows goal-directed").knows, Knows::GoalDirected);
    assert!(matches!(with("knows plans [one, two]").knows, Knows::Plans(plans) if plans.len() == 2));
    let drawn = with("knows graph { d0: start; d0 -go-> d1 -wet, dry, nothing-> d0 }").knows;
    assert!(matches!(&drawn, Knows::Graph(g) if g.graph.len() == 2 && g.graph.arc_count() == 4));
    assert_eq!(with("knows graph free").knows, drawn);
    assert_eq!(with("knows world").filter, Filter::Strongest);
    assert_eq!(with("knows world; filter strongest").filter, Filter::Strongest);
    assert_eq!(with("knows world; filter image").filter, Filter::Image);
    let Filter::Graph(filter) =
        with("knows world; filter graph { i: start; i -any-> j -any, \"it all\"-> i }").filter
    else {
        panic!("a graph")
    };
    assert_eq!(filter.images.iter().collect::<Vec<_>>(), ["any", "it all"]);
    assert_eq!(filter.graph.graph.initial_kind(), Kind::Action);
}

#[test]
fn worlds_drawn_by_hand() {
    let p = problem(
        "world graph {
          actions spare
          u0: start, room = lab, x = 3, wet
          y0: goal, room = hall
          u0 -a, b-> y0 -o-> u1 -\"c d\"-> y1
          y1: x = -2, wet = false
        }
        observer { knows world; sees others as themselves
          stipulate s: !knows(room) & possible(x > 2) & !possible(wet = false & x = -2) & !knows(!wet) }",
    );
    assert_eq!(edges(&p), ["u0 -a-> y0", "u0 -b-> y0", "u1 -c d-> y1", "y0 -o-> u1"]);
    assert_eq!((initial(&p), goal(&p)), (vec!["u0".to_owned()], vec!["y0".to_owned()]));
    assert_eq!(p.alphabet.kind(p.alphabet.get("spare").unwrap()), Kind::Action);
    let v = |name: &str| p.world.vertex(name).unwrap();
    assert_eq!(p.world.props.column("room").unwrap().get(v("u0")), Some(&Value::Text("lab".to_owned())));
    assert_eq!(p.world.props.column("wet").unwrap().get(v("u0")), Some(&Value::Bool(true)));
    assert_eq!(p.world.props.column("x").unwrap().get(v("y1")), Some(&Value::Int(-2)));
    let formula = p.observer.stipulations[0].formula.to_string();
    let expected = "!(knows(room = lab) | knows(room = hall)) & possible(x > 2) \
                    & !possible(wet = false & x = -2) & !knows(!wet)";
    assert_eq!(formula, expected);
    // A world that starts with an observation: the label tells.
    let p = problem("world graph { observations o; s: start; s -o-> t; t: goal }");
    assert_eq!(p.world.graph.initial_kind(), Kind::Observation);
}

const SIGNALS: &str = "world {
  action a; action b
  observe { o; p; q }
  goal true
}
";

/// Where a plan is after an execution: "goes on", "stops" (`|` if both are possible), or "is lost".
fn after(program: &str, execution: &str) -> String {
    let p = problem(&format!("{SIGNALS}plan {{ {program} }}"));
    let plan = p.plan.unwrap();
    let labels: Vec<Label> = execution.split_whitespace().map(|l| p.alphabet.get(l).unwrap()).collect();
    let mut found: Vec<&str> = trace(&plan.effective(), &labels)
        .into_iter()
        .map(|v| if plan.is_terminal(v) { "stops" } else { "goes on" })
        .collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { "is lost".to_owned() } else { found.join("|") }
}

#[test]
fn programs() {
    for (program, execution, expected) in [
        ("", "", "stops"),
        ("stop", "a", "is lost"),
        ("a", "", "goes on"),
        ("a", "a", "goes on"),
        ("a", "a o", "stops"),
        ("a", "a q", "stops"),
        ("a", "b", "is lost"),
        ("a | b; a", "b o a o", "stops"),
        ("a; if o { b } else if p { a } ; a", "a o b o a p", "stops"),
        ("a; if o { b } else if p { a } ; a", "a p b", "is lost"),
        ("a; if o { b } else if p { a } ; a", "a q a o", "stops"),
        ("a; if !(o | p) { stop }; b", "a q", "stops"),
        ("a; if !(o | p) { stop }; b", "a p b o", "stops"),
        ("a; if not o { stop } else { b }", "a o b q", "stops"),
        ("a; while o { a }; b", "a o a o a p b o", "stops"),
        ("a; while o { a }; b", "a o b", "is lost"),
        ("a; while !q { if o { b } else { a } }", "a o b p a q", "stops"),
        ("repeat 3 { a }", "a o a o a", "goes on"),
        ("repeat 3 { a }", "a o a o a o", "stops"),
        ("repeat 0 { a }", "", "stops"),
        ("choose { a; b } or { a; stop } or { b }", "", "goes on"),
        ("choose { a; b } or { a; stop } or { b }", "a o", "goes on|stops"),
        ("choose { a; b } or { a; stop } or { b }", "b o", "stops"),
        ("choose { } or { a }", "", "goes on|stops"),
    ] {
        assert_eq!(after(program, execution), expected, "`{program}` after `{execution}`");
    }
}

#[test]
fn programs_in_worlds_that_start_with_an_observation() {
    let p = problem(
        "world { start observing; action a; action b; observe { o; p }; goal true }\nplan { if o { a } else { stop } }",
    );
    let plan = p.plan.unwrap();
    let at = |execution: &[&str]| {
        let labels: Vec<Label> = execution.iter().map(|l| p.alphabet.get(l).unwrap()).collect();
        trace(&plan.effective(), &labels).into_iter().map(|v| plan.is_terminal(v)).collect::<Vec<_>>()
    };
    assert_eq!(plan.graph.initial_kind(), Kind::Observation);
    assert_eq!((at(&["o"]), at(&["p"]), at(&["o", "a", "p"])), (vec![false], vec![true], vec![true]));
}

#[test]
fn parameters() {
    let text = "const n = 2, which = p, on = false\nlet m = n + 1
        world { x: 0..m = 0; c: {p, q} = which; b: bool = on; action a when x < m { x := x + 1 }; observe { o }
          goal x = m & c = which & b = on }";
    let with = |sets: &[(&str, &str)]| {
        crate::problem("m.divulge", &format!("{text}\nobserver {{ knows world }}"), sets)
    };
    assert_eq!(with(&[]).world.graph.len(), 2 * 4 - 1);
    assert_eq!(with(&[("n", " 1 + 9 ")]).world.graph.len(), 2 * 12 - 1);
    assert!(with(&[("which", "q"), ("on", "true")]).world.vertex("u(x=0,q,b=true)").is_some());
    assert_eq!(codes(text, &[("n", "1 +")]), [Code::Unexpected]);
    assert_eq!(codes(text, &[("n", "q")]), [Code::TypeMismatch]);
    assert_eq!(codes(text, &[("which", "r")]), [Code::UnknownName]);
    assert_eq!(codes(text, &[("m", "3")]), [Code::UnknownParameter]);
    assert_eq!(codes(text, &[("plan", "x")]), [Code::UnknownReference]);
}

#[test]
fn warnings_that_are_not_deserved_are_not_given() {
    // A goal without actions is no deadlock; a stipulation that fails only later is not hopeless.
    let text = "world { x: 0..1 = 0; s: {p, q}; action a when x = 0 { x := 1 }; observe { s when x = 1 }
        goal x = 1 }
        observer { knows world; sees others as themselves
          stipulate a: !knows(s)
          stipulate b: at end knows(s) }";
    assert_eq!(codes(text, &[]), []);
}

#[test]
fn a_name_is_set_once() {
    let text = "const n = 2\nworld { x: 0..n = 0; action go; observe { seen }; goal x = 0 }\nobserver { knows world }";
    let set = |values: &[&str]| -> Vec<(String, String)> {
        values.iter().map(|value| ("n".to_owned(), (*value).to_owned())).collect()
    };
    let (problem, found) = load("m.divulge", text, &NoIncludes, &set(&["3", "4"]));
    assert!(problem.is_none());
    assert!(found.render(false).contains("`n` is set twice"), "{}", found.render(false));
    assert!(load("m.divulge", text, &NoIncludes, &set(&["3"])).0.is_some());
}

#[test]
fn observers_that_are_not_chosen_stay() {
    let text = "world { x: 0..3 = 0; y: 0..3 = 0; action go when x < 3 { x := x + 1 }; observe { seen }; goal x = 3 }
        observer a { knows world; stipulate s: !knows(x = y) }
        observer b { knows plan; stipulate s: !knows(x + y > 2) | knows(x = y) }
        plan { repeat 3 { go } }";
    let chosen = |name: &str| {
        let set = [("observer".to_owned(), name.to_owned())];
        load("m.divulge", text, &NoIncludes, &set).0.unwrap()
    };
    let (a, b) = (chosen("a"), chosen("b"));
    assert_eq!((&a.observer, &a.aside[0]), (&b.aside[0], &b.observer));
    assert_eq!(a.world, b.world);
    // What was derived for one observer is what it was for the other.
    assert_eq!(a.world.props.names().iter().filter(|n| n.starts_with("condition_")).count(), 2);
    // Without a choice all count; two maps cannot be sought, but may be looked at.
    let (none, found) = load("m.divulge", text, &NoIncludes, &[]);
    assert!(none.is_none() && found.iter().any(|d| d.code == Code::SeveralObservers));
    let all = load_all("m.divulge", text, &NoIncludes, &[]).0.unwrap();
    assert!(all.aside.is_empty() && all.clone().about(0) == a && all.about(1) == b);
    let seen = text.replace("knows plan;", "knows plan; sees others as themselves;");
    let both = load("m.divulge", &seen, &NoIncludes, &[]).0.unwrap();
    assert_eq!((both.observers().count(), both.aside.len()), (2, 0));
    let nameless = text.replace("observer b", "observer");
    assert!(load_all("m.divulge", &nameless, &NoIncludes, &[]).0.is_none());
}

/// A world whose observations are these lines.
fn screen(lines: &str, rest: &str) -> String {
    format!(
        "world {{
          order: {{ann, bob}}; med: -1..1; wet: bool; x: 0..2 = 0
          action go when x < 2 {{ x := x + 1 }}
          observe {{ {lines} }}
          goal x = 2
        }}
        {rest}"
    )
}

#[test]
fn an_observation_shows_several_variables() {
    let observer = "observer { knows world }";
    let shown =
        problem(&screen("(order, med, wet) when x = 1 { wet := false }; (order) when x = 2", observer));
    let mut by_hand = String::new();
    for order in ["ann", "bob"] {
        for med in -1..=1 {
            for wet in [true, false] {
                by_hand += &format!(
                    "\"order={order},med={med},wet={wet}\" when x = 1 & order = {order} & med = {med} & wet = {wet} {{ wet := false }}\n"
                );
            }
        }
    }
    by_hand += "\"order=ann\" when x = 2 & order = ann\n\"order=bob\" when x = 2 & order = bob\n";
    assert_eq!(shown, problem(&screen(&by_hand, observer)));
    // Combinations that never happen make no labels.
    let some = problem(&screen("(order, med) when x = 1 & order = ann & med = 0; other otherwise", observer));
    let names: Vec<&str> = some.alphabet.labels().map(|l| some.alphabet.name(l)).collect();
    assert_eq!(names, ["go", "order=ann,med=0", "other"]);
    // Values that hold signs are quoted, so that no two labels are the same.
    let odd = "world { a: {\"1,b=2\", c}; b: {\"2\", d}; action go; observe { (a, b) }; goal true }\nobserver { knows world }";
    assert_eq!(problem(odd).alphabet.len(), 5);
    assert_eq!(codes(&screen("(order, meds)", observer), &[]), [Code::UnknownName]);
    assert_eq!(codes(&screen("(order, order)", observer), &[]), [Code::DefinedTwice]);
    let large =
        "world { a: 0..999; b: 0..999; action go; observe { (a, b) }; goal true }\nobserver { knows world }";
    assert_eq!(codes(large, &[]), [Code::TooManyStates]);
}

#[test]
fn families_of_labels_stand_for_their_labels() {
    let lines = "(order, med) when x = 1; order when x = 2 & wet; (med) when x = 2 & !wet";
    let meant = |family: &str| -> Vec<String> {
        let p = problem(&screen(lines, &format!("cost {family} = 7\nobserver {{ knows world }}")));
        p.costs.iter().map(|(l, _)| p.alphabet.name(*l).to_owned()).collect()
    };
    assert_eq!(meant("order=*"), ["ann", "bob"]);
    assert_eq!(meant("med=*"), ["med=-1", "med=0", "med=1"]);
    assert_eq!(meant("(med=-1)"), ["med=-1"]);
    assert_eq!(meant("(med=0, order=*)"), ["order=ann,med=0", "order=bob,med=0"]);
    assert_eq!(meant("(order=ann, med=*), go").len(), 4);
    let observer = "observer { knows world
        merge order=*
        separate (order=ann, med=*)
        fixed med=* as m
        merge cost (order=bob, med=*) = 2 }";
    let p = problem(&screen(lines, observer));
    let named = |labels: &[Label]| labels.iter().map(|l| p.alphabet.name(*l)).collect::<Vec<_>>();
    let c = &p.observer.constraints;
    assert_eq!(named(&c.merge[0]), ["ann", "bob"]);
    assert_eq!(named(&c.separate[0]), ["order=ann,med=-1", "order=ann,med=0", "order=ann,med=1"]);
    assert_eq!((c.fixed.len(), c.merge_cost.len()), (3, 3));
    let seen = problem(&screen(
        lines,
        "observer { knows world; sees (order=*, med=0) as z; med=* as m; others as o }",
    ));
    let map = seen.observer.map.as_ref().unwrap();
    let image = |name: &str| map.shown(seen.alphabet.get(name).unwrap());
    assert_eq!(["order=bob,med=0", "med=-1", "order=ann,med=1", "go"].map(image), ["z", "m", "o", "o"]);
    // A family is what it says: labels that show more do not belong to it.
    for family in ["wet=*", "(order=*, med=*, x=*)", "(order=carl)", "(order=ann, med=2)"] {
        let text = screen(lines, &format!("cost {family} = 7\nobserver {{ knows world }}"));
        assert_eq!(codes(&text, &[]), [Code::UnknownLabel], "{family}");
    }
    let twice = screen(lines, "observer { knows world; sees order=* as z; ann as y; others as o }");
    assert_eq!(codes(&twice, &[]), [Code::DefinedTwice]);
    // In a world that is drawn, labels speak for themselves.
    let drawn =
        "world graph { u: start; u -go-> y -\"order=ann\", \"order=bob\", \"order=ann,med=1\"-> u; u: goal }
        cost order=* = 7\nobserver { knows world }";
    assert_eq!(problem(drawn).costs.len(), 2);
}

/// Models that come near to what is warned of, and mean what they say.
#[test]
fn sensible_models_are_not_warned_of() {
    let world = |variables: &str, observe: &str| {
        format!(
            "world {{ {variables}
              x: 0..3 = 0
              action step when x < 3 {{ x := x + 1 }}
              action back when x > 0 {{ x := x - 1 }}
              observe {{ {observe} }}
              goal x = 3 }}"
        )
    };
    let observer =
        |sees: &str| format!("\nobserver {{ knows plan; sees {sees} }}\nplan {{ step; step; step }}");
    let quiet = world("", "bump when x = 3; quiet otherwise");
    let models = [
        // An unreliable sensor, said to be one; a single observation needs no condition.
        world("", "bump when x = 3; quiet when true") + &observer("others as themselves"),
        world("", "quiet") + &observer("others as themselves"),
        world("", "bump | quiet") + &observer("others as themselves"),
        // Images that are near to each other on purpose.
        quiet.clone() + &observer("step as way_1; back as way_2; bump as left; quiet as lift"),
        quiet.clone() + &observer("step as moves; back as move; others as themselves"),
        quiet.clone() + &observer("step as quite; others as themselves"),
        // The world's own observation lends its image.
        world("", "bump when x = 3; nothing otherwise")
            + &observer("bump, nothing as nothing; others as themselves"),
        // A variable that changes and may start anywhere: shown to the robot, or said so.
        world("lamp: bool; action toggle { lamp := !lamp }; action wave when lamp", "lamp")
            + &observer("others as themselves"),
        world("lamp: bool; action toggle { lamp := !lamp }; action wave when lamp", "(x, lamp)")
            + &observer("others as themselves"),
        world(
            "lamp: bool; start where lamp | !lamp; action toggle { lamp := !lamp }; action wave when lamp",
            "quiet",
        ) + &observer("others as themselves"),
        // A secret that never changes.
        world("lamp: bool; action wave when lamp", "lamp when x = 1; quiet otherwise")
            + &observer("others as themselves"),
    ];
    for model in models {
        crate::problem("m.divulge", &model, &[]);
    }
}

/// The stipulation of an observer, as scope and formula.
fn stipulated(stipulation: &str) -> (Scope, String) {
    let text = format!(
        "const far = 2
        def done = knows(x = 3)
        def sure(v) = knows(x = v)
        def soon = eventually done
        world {{ x: 0..3 = 0; next: bool = false; wet: bool; room: {{lab, clinic}} = lab
          action go when x < 3 {{ x := x + 1; room := clinic; next := far = 2 }}
          observe {{ seen }}; goal x = 3 & next }}
        observer o {{ knows world; sees others as themselves; stipulate s: {stipulation} }}"
    );
    let (problem, found) = load("m.divulge", &text, &NoIncludes, &[]);
    let problem = problem.unwrap_or_else(|| panic!("{}", found.render(false)));
    let s = &problem.observer.stipulations[0];
    (s.scope, s.formula.to_string())
}

#[test]
fn the_formula_tells_the_scope() {
    for (text, scope, formula) in [
        ("!knows(x = 2)", Scope::Always, "!knows(x = 2)"),
        ("always !knows(x = 2) | done", Scope::Always, "!knows(x = 2) | knows(x = 3)"),
        (
            "always !done & knows(x = 1) -> done",
            Scope::Always,
            "!knows(x = 3) & knows(x = 1) -> knows(x = 3)",
        ),
        ("(always done)", Scope::Always, "knows(x = 3)"),
        ("at end done", Scope::End, "knows(x = 3)"),
        ("eventually done", Scope::Run, "eventually knows(x = 3)"),
        ("soon", Scope::Run, "eventually knows(x = 3)"),
        ("always soon", Scope::Run, "always eventually knows(x = 3)"),
        ("always (done -> next done)", Scope::Run, "always (knows(x = 3) -> next knows(x = 3))"),
        ("(always done) & sure(1)", Scope::Run, "always knows(x = 3) & knows(x = 1)"),
        ("always done & soon", Scope::Run, "always knows(x = 3) & eventually knows(x = 3)"),
        ("!done unless sure(1)", Scope::Run, "!knows(x = 3) unless knows(x = 1)"),
        ("!done until sure(1) & sure far", Scope::Run, "!knows(x = 3) until knows(x = 1) & knows(x = 2)"),
        ("run always done", Scope::Run, "always knows(x = 3)"),
        ("run done | !done", Scope::Run, "knows(x = 3) | !knows(x = 3)"),
        ("hindsight !done", Scope::Hindsight { within: None }, "!knows(x = 3)"),
        ("hindsight(done)", Scope::Hindsight { within: None }, "knows(x = 3)"),
        ("hindsight 3 !done", Scope::Hindsight { within: Some(3) }, "!knows(x = 3)"),
        ("hindsight far !knows(wet)", Scope::Hindsight { within: Some(2) }, "!knows(wet)"),
        ("hindsight \"true\"", Scope::Hindsight { within: None }, "true"),
        ("\"eventually knows(wet)\"", Scope::Run, "eventually knows(wet)"),
        ("always \"knows(wet)\"", Scope::Always, "knows(wet)"),
        ("always \"next knows(wet)\"", Scope::Run, "always next knows(wet)"),
        // A variable may be called like a word of time.
        ("next knows(next) & knows(next = false)", Scope::Run, "next knows(next) & knows(next = false)"),
    ] {
        assert_eq!(stipulated(text), (scope, formula.to_owned()), "{text}");
    }
}

#[test]
fn predicates_speak_of_the_past() {
    for (text, formula) in [
        ("!knows(was(room = clinic))", "!knows(was(room = clinic))"),
        ("!knows(initially(wet) & was(x > 1 | !wet))", "!knows(initially(wet) & was(x > 1 | !wet))"),
        ("knows(initially(room))", "knows(initially(room = lab)) | knows(initially(room = clinic))"),
        ("knows_whether(was wet)", "knows(was(wet)) | knows(!was(wet))"),
        (
            "possible(was(x + 1 = 3) & !initially(was(wet)))",
            "possible(was(condition_1) & !initially(was(wet)))",
        ),
    ] {
        assert_eq!(stipulated(text), (Scope::Always, formula.to_owned()), "{text}");
    }
}

#[test]
fn events_may_be_unseen() {
    let model = |sees: &str| {
        format!(
            "world {{ x: 0..2 = 0; action go when x < 2 {{ x := x + 1 }}; action hid when x < 2 {{ x := x + 1 }}
               observe {{ (x) when x < 2; bell otherwise }}; goal x = 2 }}
             observer o {{ knows world; {sees} }}"
        )
    };
    let read = |sees: &str| load("m.divulge", &model(sees), &NoIncludes, &[]);
    let unseen = |sees: &str| {
        let problem = read(sees).0.unwrap_or_else(|| panic!("{}", read(sees).1.render(false)));
        let of = |l: divulge::problem::Label| problem.alphabet.name(l).to_owned();
        match &problem.observer.map {
            Some(map) => map.unseen().map(of).collect::<Vec<_>>(),
            None => problem.observer.constraints.unseen.iter().map(|&l| of(l)).collect(),
        }
    };
    assert_eq!(unseen("sees hid, x=* not at all; others as themselves"), ["hid", "x=1"]);
    assert_eq!(unseen("sees go as step; others not at all"), ["hid", "x=1", "bell"]);
    assert_eq!(unseen("unseen x=*, hid; max images 2"), ["hid", "x=1"]);
    let both = read("unseen hid; sees others as themselves").1;
    assert!(both.iter().any(|d| d.code == Code::MapAndConstraints));
}
