//! Observers: what they see, know and are stipulated to know.

use super::*;

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
    assert_eq!(formula, r#"knows("x + y > 2") | possible(!"x + y > 2" & "x = y")"#);
    // People read what they wrote.
    let shown = format!("{:#}", p.observer.stipulations[0].formula);
    assert_eq!(shown, "knows(x + y > 2) | possible(!(x + y > 2) & x = y)");
    for v in p.world.graph.vertices() {
        let int = |name: &str| match p.world.props.column(name).unwrap().get(v) {
            Some(Value::Int(i)) => *i,
            other => panic!("{other:?}"),
        };
        let (x, y) = (int("x"), int("y"));
        assert_eq!(p.world.props.column("x + y > 2").unwrap().get(v), Some(&Value::Bool(x + y > 2)));
        assert_eq!(p.world.props.column("x = y").unwrap().get(v), Some(&Value::Bool(x == y)));
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
    assert_eq!(a.world.props.names().iter().filter(|n| ["x = y", "x + y > 2"].contains(n)).count(), 2);
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
            r#"possible(was("x + 1 = 3") & !initially(was(wet)))"#,
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
