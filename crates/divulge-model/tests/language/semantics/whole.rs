//! Models as a whole: parameters, names, and what is not warned of.

use super::*;

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
fn what_is_wrong_whatever_the_numbers_is_told_beforehand() {
    let text = "const n = 2, which = p, on = false
        world { x: 0..n = 0; y: 0..1 = 0; c: {p, q} = which; b: bool = on
          action a when x < n { x := x + 1 }; observe { o }; goal x = n & c = which & b = on; picture grid x y }
        observer { knows world }";
    let told = |points: &[&[(&str, &str)]]| -> Vec<Code> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let points: Vec<Vec<_>> = points.iter().map(|point| point.iter().map(owned).collect()).collect();
        let found =
            divulge_model::language::misset("m.divulge", text, &NoIncludes, points.iter().map(Vec::as_slice));
        found.map_or(Vec::new(), |found| found.iter().map(|one| one.code).collect())
    };
    assert_eq!(told(&[&[("n", "3")], &[("n", "4")]]), []);
    assert_eq!(told(&[&[("m", "3")]]), [Code::UnknownParameter]);
    assert_eq!(told(&[&[("n", "3"), ("which", "p")], &[("n", "3"), ("which", "r")]]), [Code::UnknownName]);
    assert_eq!(told(&[&[("n", "3")], &[("n", "true")]])[0], Code::TypeMismatch);
    assert_eq!(told(&[&[("n", "3")], &[("n", "1 +")]]), [Code::Unexpected]);
    assert_eq!(told(&[&[("n", "3")], &[("n", "99999999999999999999")]]), [Code::BadNumber]);
    assert_eq!(told(&[&[("n", "3"), ("plan", "x")]]), [Code::UnknownReference]);
    // One point is wrong, and others may be right: an empty range, and nothing besides that follows from it.
    assert_eq!(told(&[&[("n", "-1")], &[("n", "2")]]), []);
    assert_eq!(codes(text, &[("n", "-1")]), [Code::EmptyRange]);
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
