//! Plans as programs: short however often branches come together, whatever the plan's shape; and words about anything.

use divulge::{
    ask::{Account, Asking, ask},
    explain::Program,
    limit::Unlimited,
    problem::{Alphabet, Builder, Kind, Plan, Problem, Scope, Vertex},
    setting::Setting,
};
use divulge_naive::{
    examples,
    random::{Profile, Rng, problem},
};
use divulge_render::words::{self, Over, Style};

use crate::problems::{DISCREET, nuclear, stipulate};

fn text(problem: &Problem, plan: &Plan) -> String {
    let program = Program::of(plan, &Unlimited).unwrap();
    words::plan(
        problem,
        plan,
        None,
        Some(&Account { program, endings: None, each: Vec::new() }),
        Style::plain(),
    )
}

/// A plan in the alphabet of the nuclear world.
fn drawn(draw: impl FnOnce(&mut Builder<'_>)) -> (Problem, Plan) {
    let mut problem = nuclear(DISCREET);
    let mut b = Builder::new(&mut problem.alphabet);
    draw(&mut b);
    let plan = b.plan().unwrap();
    (problem, plan)
}

/// After each action, either observation may come, and both branches come together again one action later.
fn diamonds(b: &mut Builder<'_>, n: usize) {
    b.actions(["p0"]).initial("p0");
    for i in 0..n {
        let [at, wait, blue, dark, meet, next] =
            ["p", "w", "b", "d", "m", "p"].map(|s| format!("{s}{}", if s == "p" { i } else { i + 1 }));
        let next = if next == at { format!("p{}", i + 1) } else { next };
        b.observations([wait.as_str(), meet.as_str()]).actions([blue.as_str(), dark.as_str(), next.as_str()]);
        b.edge(&at, ["right"], &wait).edge(&wait, ["blue"], &blue).edge(&wait, ["dark"], &dark);
        b.edge(&blue, ["up"], &meet).edge(&dark, ["down"], &meet).edge(&meet, ["nothing"], &next);
    }
    b.mark(&format!("p{n}"));
}

#[test]
fn parts_that_several_branches_lead_to_are_written_once() {
    let (problem, plan) = drawn(|b| diamonds(b, 3));
    let wanted = "\
A plan of 16 vertices.
  right
  if blue: up, go to A
  if dark: down, go to A
  A:
    right
    if blue: up, go to B
    if dark: down, go to B
  B:
    right
    if blue: up, stop
    if dark: down, stop
";
    assert_eq!(text(&problem, &plan), wanted);
}

#[test]
fn the_text_grows_with_the_plan_and_is_cut_at_last() {
    let lines = |n: usize| {
        let (problem, plan) = drawn(|b| diamonds(b, n));
        text(&problem, &plan).lines().count()
    };
    assert_eq!(lines(20) - lines(10), 40);
    assert_eq!(lines(500), lines(600), "a very long program is cut short");
}

#[test]
fn deep_branches_become_parts_of_their_own() {
    let (problem, plan) = drawn(|b| {
        b.actions(["p0"]).initial("p0");
        for i in 0..30 {
            let [at, wait, end, next] =
                [("p", i), ("w", i), ("e", i), ("p", i + 1)].map(|(s, i)| format!("{s}{i}"));
            b.observations([wait.as_str()]).actions([end.as_str(), next.as_str()]).mark(&end);
            b.edge(&at, ["right"], &wait).edge(&wait, ["blue"], &end).edge(&wait, ["dark"], &next);
        }
        b.mark("p30");
    });
    let text = text(&problem, &plan);
    let widest = text.lines().map(|line| line.len() - line.trim_start().len()).max();
    assert!(widest <= Some(22), "{text}");
    assert_eq!(text.matches("go to").count(), 3, "{text}");
}

#[test]
fn nondeterministic_and_endless_plans_can_be_written_too() {
    let (problem, plan) = drawn(|b| {
        b.actions(["p0", "p1", "p2"]).observations(["w0", "w1", "w2"]).initial("p0").initial("p2").mark("p2");
        b.edge("p0", ["left", "right"], "w0").edge("p0", ["up"], "w1").edge("w0", ["nothing"], "p0");
        b.edge("w1", ["blue"], "p0").edge("w1", ["blue", "dark"], "p1").edge("p1", ["down"], "w2");
    });
    let wanted = "\
A plan of 6 vertices.
  start 1: go to A
  start 2: stop
  A:
    either right or left: go to A
    either up:
      if blue: go to A
      if blue or dark: down, (nothing to go on with)
";
    assert_eq!(text(&problem, &plan), wanted);
}

#[test]
fn a_plan_that_does_nothing() {
    let mut alphabet = Alphabet::new();
    let mut b = Builder::new(&mut alphabet);
    b.vertex("p", Kind::Action).initial("p").mark("p");
    let plan = b.plan().unwrap();
    assert_eq!(text(&nuclear(DISCREET), &plan), "A plan of 1 vertex.\n  stop\n");
}

/// Red or green is seen, then the robot goes on and reaches the goal; other things are seen then.
fn colours(third: &str, stipulation: &str) -> Problem {
    let steps = [
        ("u0", "look", "y0"),
        ("y0", "red", "u1"),
        ("y0", "green", "u2"),
        ("u1", "go", "y1"),
        ("u2", third, "y2"),
        ("y1", "warm", "u3"),
        ("y2", "cold", "u4"),
    ];
    let mut problem = examples::problem(&steps, &["u0"], &["u3", "u4"]);
    for (v, colour) in
        [("u1", "red"), ("y1", "red"), ("u3", "red"), ("u2", "green"), ("y2", "green"), ("u4", "green")]
    {
        let v = problem.world.names.get(v).map(Vertex).unwrap();
        problem.world.props.set(v, "colour", colour);
    }
    stipulate(&mut problem, "colour", Scope::End, stipulation);
    problem
}

fn sought(problem: &Problem) -> String {
    let found = ask(problem).seek_plan().explained(&Unlimited).within(&Unlimited).unwrap();
    assert!(found.found().is_some(), "there is a plan");
    words::answer(problem, &found, Style::plain())
}

#[test]
fn each_stop_says_what_the_observer_knows_there() {
    let mut problem = colours("stay", "possible(colour = red) | possible(colour = green)");
    let told = "\
A plan of 7 vertices: at most 4 events, cost at most 2.
  look
  if red: go, stop      -- the observer knows colour = red
  if green: stay, stop  -- the observer knows colour = green
";
    let hidden = "\
A plan of 7 vertices: at most 4 events, cost at most 2.
  look
  if red: go, stop
  if green: stay, stop
At every stop the observer cannot tell colour (green or red).
";
    assert_eq!(sought(&problem), told);
    examples::merge(&mut problem, &[&["red", "green"], &["go", "stay"], &["warm", "cold"]]);
    assert_eq!(sought(&problem), hidden);
}

#[test]
fn branches_of_which_the_same_is_said_are_one() {
    let mut problem = colours("go", "possible(colour = red) | possible(colour = green)");
    let apart = "\
A plan of 7 vertices: at most 4 events, cost at most 2.
  look
  if red: go, stop    -- the observer knows colour = red
  if green: go, stop  -- the observer knows colour = green
";
    let alike = "\
A plan of 7 vertices: at most 4 events, cost at most 2.
  look, go, stop
At the end the observer cannot tell colour (green or red).
";
    assert_eq!(sought(&problem), apart);
    examples::merge(&mut problem, &[&["red", "green"], &["warm", "cold"]]);
    assert_eq!(sought(&problem), alike);
}

/// Nothing that can be asked of a random problem makes words fail, and lines are as wide as they may be.
#[test]
fn words_about_random_problems() {
    let (mut rng, style) = (Rng::new(21), Style { colour: false, width: 80 });
    let mut said = 0;
    for _ in 0..1500 {
        let problem = problem(&mut rng, &Profile::default());
        let (map, plan) = (problem.observer.map.as_ref().unwrap(), problem.plan.as_ref().unwrap());
        let mut text = words::label_map(&problem, map, style);
        for over in [Over::Predicates, Over::Vertices] {
            let setting = Setting::pose(&problem, None, &Unlimited).unwrap();
            text +=
                &words::clauses(&problem, &problem.observer, setting.stipulations(), over, style).unwrap();
        }
        let asked = |asking: Asking<'_>| asking.explained(&Unlimited).within(&Unlimited);
        let Ok(found) = asked(ask(&problem).check()) else { continue };
        let setting = Setting::pose(&problem, Some(plan), &Unlimited).unwrap();
        let account = Account::of(&setting, map).unwrap();
        text += &words::plan(&problem, plan, None, Some(&account), style);
        text += &words::answer(&problem, &found, style);
        text += &words::answer(&problem, &asked(ask(&problem).audit()).unwrap(), style);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}\n{text}");
            assert!(!line.contains('\u{a0}') && line == line.trim_end(), "{line:?}");
        }
        said += 1;
    }
    assert!(said > 1000, "only {said} problems were spoken about");
}

#[test]
fn what_is_repeated_together_is_written_once() {
    let turns = ["right", "up", "down", "up", "down", "up", "down", "left", "left", "left"];
    let (problem, plan) = drawn(|b| {
        b.actions(["p0"]).initial("p0");
        for (i, turn) in turns.iter().enumerate() {
            let [at, wait, next] = [format!("p{i}"), format!("w{i}"), format!("p{}", i + 1)];
            b.observations([wait.as_str()]).actions([next.as_str()]);
            b.edge(&at, [*turn], &wait).edge(&wait, ["nothing"], &next);
        }
        b.mark("p10");
    });
    let wanted = "A plan of 21 vertices.\n  right, 3 times (up, down), left (3 times), stop\n";
    assert_eq!(text(&problem, &plan), wanted);
}
