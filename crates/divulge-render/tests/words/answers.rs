//! Answers in words, against golden files in `golden/`. Run with `BLESS=1` to write them anew, then read the
//! difference.

use std::{fs, path::PathBuf};

use divulge::{
    ask::{Account, Asking, Verdict, ask},
    expansion::{Actions, expand},
    game::worst_case,
    limit::Unlimited,
    problem::{Filter, Knows, LabelMap, Problem, Scope},
    setting::Setting,
};
use divulge_naive::examples::{ngon, remembering};
use divulge_render::words::{self, Over, Style};

use crate::problems::{DISCREET, nuclear, plan, stipulate};

#[track_caller]
fn golden(name: &str, text: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/words/golden").join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, wanted, "{name} has changed:\n{text}");
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "too wide: {line}");
        assert!(line == line.trim_end() && !line.contains('\u{a0}'), "{line:?}");
    }
}

fn checked(problem: &Problem) -> String {
    told(problem, ask(problem).check())
}

fn audited(problem: &Problem) -> String {
    told(problem, ask(problem).audit())
}

fn told(problem: &Problem, asking: Asking<'_>) -> String {
    words::answer(problem, &asking.explained(&Unlimited).within(&Unlimited).unwrap(), Style::plain())
}

fn program(problem: &Problem) -> String {
    let setting = Setting::pose(problem, problem.plan.as_ref(), &Unlimited).unwrap();
    let account = Account::of(&setting, setting.map().unwrap()).unwrap();
    let worst = worst_case(setting.joint().unwrap(), &problem.all_costs());
    words::plan(problem, setting.plan().unwrap(), worst, Some(&account), Style::plain())
}

fn clauses(problem: &Problem, over: Over) -> String {
    let setting = Setting::pose(problem, None, &Unlimited).unwrap();
    words::clauses(problem, &problem.observer, setting.stipulations(), over, Style::plain()).unwrap()
}

/// Right, down to the star; then to where that kind of facility is measured, and out.
fn inspect(problem: &mut Problem) {
    let blue = ["up", "right", "down", "down"];
    let dark = ["right", "right", "down", "left"];
    plan(problem, &["right", "down"], &[("blue", &blue), ("dark", &dark)]);
}

#[test]
fn nuclear_holds() {
    let mut problem = nuclear(DISCREET);
    inspect(&mut problem);
    golden("nuclear-holds", &(checked(&problem) + "\n" + &program(&problem)));
}

#[test]
fn nuclear_with_visible_lights() {
    let mut problem = nuclear(&DISCREET[..1]);
    inspect(&mut problem);
    golden("nuclear-lights", &checked(&problem));
    golden("nuclear-lights-audit", &audited(&problem));
}

#[test]
fn nuclear_with_everything_merged() {
    let mut problem = nuclear(&[DISCREET[0], &["blue", "dark", "high", "low", "nothing"]]);
    inspect(&mut problem);
    golden("nuclear-merged", &checked(&problem));
}

#[test]
fn nuclear_info() {
    let problem = nuclear(DISCREET);
    let expansion = expand(&problem.world, Actions::Some, 1, &Unlimited).unwrap();
    let sizes = Ok([expansion.graph.len(), expansion.graph.arc_count()]);
    let text = words::info(&problem, sizes, "--observer NAME", Style::plain())
        + "\n"
        + &clauses(&problem, Over::Predicates);
    golden("nuclear-info", &text);
}

#[test]
fn nuclear_plans_that_do_not_solve() {
    for (name, common) in [
        ("unsafe", &["up"][..]),
        ("off-goal", &["right", "down"]),
        ("measures", &["right", "right", "down", "down"]),
    ] {
        let mut problem = nuclear(DISCREET);
        problem.observer.stipulations.pop();
        plan(&mut problem, common, &[]);
        golden(&format!("nuclear-{name}"), &checked(&problem));
    }
}

#[test]
fn pentagon() {
    let mut problem = ngon(5);
    let steps = [("p0", "a1", "q1"), ("q1", "o2", "p1"), ("p1", "a2", "q2"), ("q2", "o1", "p2")];
    problem.plan = Some(divulge_naive::examples::plan(&mut problem, &steps, &["p0"], &["p2"]));
    divulge_naive::examples::merge(&mut problem, &[&["a2", "a3"], &["o1", "o3"]]);
    golden("pentagon-short", &checked(&problem));
    golden("pentagon-clauses", &clauses(&problem, Over::Vertices));
}

/// Once round the loop and one place on, then out by the lane's own exit.
#[test]
fn pentagon_holds() {
    let mut problem = ngon(5);
    let mut steps: Vec<(String, &str, String)> = Vec::new();
    let mut step = |from: &str, label, to: &str| steps.push((from.to_owned(), label, to.to_owned()));
    for i in 0..5 {
        step(&format!("p{i}"), "a1", &format!("q{i}"));
        if i < 4 {
            step(&format!("q{i}"), "o2", &format!("p{}", i + 1));
        }
    }
    for (lane, seen, exit) in [("one", "o1", "a2"), ("two", "o3", "a3")] {
        let [p5, q5, p6, q6, p7] = ["p5", "q5", "p6", "q6", "p7"].map(|v| format!("{v}{lane}"));
        step("q4", seen, &p5);
        step(&p5, "a1", &q5);
        step(&q5, "o2", &p6);
        step(&p6, exit, &q6);
        step(&q6, seen, &p7);
    }
    let steps: Vec<_> = steps.iter().map(|(from, label, to)| (from.as_str(), *label, to.as_str())).collect();
    let plan = divulge_naive::examples::plan(&mut problem, &steps, &["p0"], &["p7one", "p7two"]);
    problem.plan = Some(plan);
    divulge_naive::examples::merge(&mut problem, &[&["a2", "a3"], &["o1", "o3"]]);
    golden("pentagon-holds", &(checked(&problem) + "\n" + &program(&problem)));
    problem.observer.map = Some(LabelMap::identity(&problem.alphabet));
    golden("pentagon-identity", &checked(&problem));
}

#[test]
fn whoever_remembers_knows_more() {
    let mut problem = remembering();
    stipulate(&mut problem, "apart", Scope::End, "!knows(is(y2)) & !knows(is(y3))");
    golden("remembering", &checked(&problem));
    problem.observer.filter = Filter::Image;
    golden("remembering-image", &checked(&problem));
    problem.observer.stipulations.clear();
    stipulate(&mut problem, "told", Scope::End, "knows(is(y2)) | knows(is(y3))");
    golden("remembering-told", &checked(&problem));
}

#[test]
fn maps() {
    let mut text = String::new();
    let problem = nuclear(DISCREET);
    text += &words::label_map(&problem, problem.observer.map.as_ref().unwrap(), Style::plain());
    text += &words::label_map(&problem, &LabelMap::identity(&problem.alphabet), Style::plain());
    let one = LabelMap::from_fn(&problem.alphabet, |_| "something");
    text += &words::label_map(&problem, &one, Style::plain());
    golden("maps", &text);
}

#[test]
fn goal_directed_and_outside() {
    let mut problem = nuclear(DISCREET);
    problem.observer.knows = Knows::GoalDirected;
    inspect(&mut problem);
    let mut known = problem.clone();
    plan(&mut known, &["down", "down", "right", "right"], &[]);
    problem.observer.knows = Knows::Plans(vec![known.plan.unwrap()]);
    golden("nuclear-outside", &checked(&problem));
}

fn refused(problem: &Problem) -> String {
    let text = told(problem, ask(problem).seek_plan());
    assert!(text.starts_with("none"), "{text}");
    text
}

#[test]
fn no_plans() {
    let mut problem = ngon(5);
    golden("pentagon-none", &refused(&problem));
    problem.observer.stipulations.clear();
    stipulate(&mut problem, "never", Scope::Always, "false");
    golden("pentagon-never", &refused(&problem));

    // Two that cannot be kept: leaving out one of them is not enough.
    stipulate(&mut problem, "nor", Scope::Always, "false");
    golden("pentagon-twice", &refused(&problem));

    let problem = nuclear(&[]);
    golden("nuclear-none", &refused(&problem));

    let arcs = [("u0", "a", "y0"), ("y0", "o", "u1"), ("y0", "e", "u2"), ("u2", "b", "y1")];
    let problem = divulge_naive::examples::problem(&arcs, &["u0"], &["u1"]);
    golden("unsolvable", &refused(&problem));

    let arcs =
        [("u0", "a", "y0"), ("y0", "o", "u1"), ("y0", "o", "u2"), ("u1", "b", "y1"), ("u2", "c", "y1")];
    let problem = divulge_naive::examples::problem(&arcs, &["u0"], &["y1"]);
    golden("unsafe", &refused(&problem));

    // What the actions need is a property, which the robot never learns; if it can wait, it does not even get stuck.
    let doors = |arcs: &[(&str, &str, &str)]| {
        let mut problem = divulge_naive::examples::problem(arcs, &["u1", "u2", "u3"], &["y1"]);
        for (name, side) in [("u1", "left"), ("u2", "right"), ("u3", "ajar")] {
            let v = problem.world.vertex(name).unwrap();
            problem.world.props.set(v, "door", side);
        }
        refused(&problem)
    };
    let arcs = [("u1", "push", "y1"), ("u2", "pull", "y1"), ("u3", "pull", "y1")];
    let wait = ["u1", "u2", "u3"].map(|u| [(u, "wait", "y2"), ("y2", "o", u)]);
    let text = doors(&arcs) + &doors(&[&arcs[..], &wait.concat()].concat());
    golden("unlearnt", &text);
}

#[test]
fn no_plan_is_admitted() {
    let mut problem =
        divulge_naive::examples::problem(&[("u0", "a", "y1"), ("u0", "b", "y2")], &["u0"], &["y1"]);
    let other = divulge_naive::examples::plan(&mut problem, &[("p0", "b", "q0")], &["p0"], &["q0"]);
    problem.observer.knows = Knows::Plans(vec![other]);
    let mut text = refused(&problem);
    stipulate(&mut problem, "never", Scope::Always, "false");
    text += &refused(&problem);
    golden("not-admitted", &text);
}

#[test]
fn colours_are_only_added() {
    let mut problem = nuclear(&DISCREET[..1]);
    inspect(&mut problem);
    let found = ask(&problem).check().explained(&Unlimited).within(&Unlimited).unwrap();
    let say = |style| words::answer(&problem, &found, style);
    let mut coloured = say(Style::coloured());
    assert!(coloured.contains("\x1b[1;31m"));
    for code in ["\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"] {
        coloured = coloured.replace(code, "");
    }
    assert_eq!(coloured, say(Style::plain()));
}

/// The text without the ends of its lines.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// In hindsight, and about the past besides: a sentence says which part does not hold, and of which moment.
#[test]
fn hindsight_about_the_past() {
    let mut problem = nuclear(&DISCREET[..1]);
    problem.observer.stipulations.clear();
    let origin = "!knows(initially(facility = pebble) & row = 0) & (knows(goal) -> knows(rad = high))";
    stipulate(&mut problem, "origin", Scope::Hindsight { within: None }, origin);
    let text = flowing(&audited(&problem));
    let part = "Of the start the observer must not know that `initially(facility = pebble) & row = 0`, but it knows that `initially(facility = pebble) & row = 0`.";
    assert!(text.contains(part), "{text}");
    // And there is the run that could have been instead, until an event gave it away.
    let answer = ask(&problem).audit().explained(&Unlimited).within(&Unlimited).unwrap();
    let Verdict::Violated { violation, explanation: Some(told) } = &answer.verdict else {
        panic!("{answer:?}")
    };
    let uneven = told.uneven.as_ref().expect("what is broken");
    let ([gone], []) = (&uneven.gone[..], &uneven.left[..]) else { panic!("{uneven:?}") };
    assert_eq!((violation.moment, gone.last_possible), (Some(0), Some(violation.execution.len() - 1)));
    let twin = gone.twin.as_ref().expect("a run");
    let (map, seen) = (problem.observer.map.as_ref().unwrap(), gone.last_possible.unwrap());
    let looks = |run: &[divulge::problem::Label]| run.iter().map(|&l| map.image(l)).collect::<Vec<_>>();
    assert_eq!(looks(&twin.execution), looks(&violation.execution[..seen]));
    let first = problem.world.name(twin.path[0]);
    assert!(first.contains("breeder"), "{first}");
}

/// Parts of a run that begin alike are told apart.
#[test]
fn parts_of_a_run_with_long_names() {
    let mut problem = nuclear(DISCREET);
    inspect(&mut problem);
    let part = |col: u32| format!("knows(facility = breeder & rad = high & row = 1 & col = {col})");
    let text = format!("eventually ({} | {})", part(3), part(2));
    stipulate(&mut problem, "told", Scope::Run, &text);
    let text = checked(&problem);
    for line in [format!("  [1] {}\n", part(3)), format!("  [2] {}\n", part(2))] {
        assert!(text.contains(&line), "{text}");
    }
    assert!(text.contains("  after       [1]   [2]   so far\n"), "{text}");
    assert!(!text.contains("knows(facility = breeder & rad…"), "{text}");
}

/// A property that a model's condition became is shown as it was written there.
#[test]
fn conditions_are_shown_as_they_are_written() {
    let mut problem = nuclear(&[]);
    problem.observer.stipulations.clear();
    for v in problem.world.graph.vertices().collect::<Vec<_>>() {
        let of = |name: &str| match problem.world.props.column(name).and_then(|column| column.get(v)) {
            Some(divulge::problem::Value::Int(value)) => *value,
            other => panic!("{other:?}"),
        };
        let far = of("row") + of("col") > 2;
        problem.world.props.set(v, "row + col > 2", far);
    }
    stipulate(
        &mut problem,
        "near",
        Scope::Always,
        "!knows(\"row + col > 2\") & !knows(!\"row + col > 2\" & row = 7)",
    );
    let text = audited(&problem);
    assert!(text.contains("near: !knows(row + col > 2) & !knows(!(row + col > 2) & row = 7)\n"), "{text}");
    assert!(text.contains("must not know that `row + col > 2`, but it knows"), "{text}");
    assert!(text.contains("(row + col > 2) = false"), "{text}");
}
