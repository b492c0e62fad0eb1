//! Worlds.

use super::*;

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
