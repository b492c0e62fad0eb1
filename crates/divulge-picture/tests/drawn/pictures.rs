//! Pictures of the examples, of strange names and of large worlds.

use divulge::{
    Unlimited,
    graph::Joint,
    problem::{Knows, LabelMap, Plan, Problem},
    seek::{Offers, SeekOptions},
};
use divulge_naive::put::{seek_maps, seek_plan};
use divulge_picture::{Mark, Style, Theme, figure, log};

use crate::{
    EXAMPLES, example, load,
    read_back::check,
    unlimited::{
        branches, estimates, estimates_svg, map, map_svg, maps, maps_svg, plan, plan_svg, world, world_svg,
    },
};

fn styles() -> [Style; 3] {
    [Theme::Light, Theme::Dark, Theme::Print].map(|theme| Style { theme, ..Style::default() })
}

#[test]
fn every_example_is_drawn_whole_and_legibly() {
    for name in EXAMPLES {
        let problem = example(name);
        for style in styles() {
            let svg = world_svg(&problem, &style);
            assert_eq!(svg, world_svg(&problem, &style), "the same picture of the same world");
            check(&svg);
            let (Some(of), Some(seen)) = (&problem.plan, &problem.observer.map) else { continue };
            check(&plan_svg(&problem, of, &style));
            check(&map_svg(&problem, seen, &style));
            check(&estimates_svg(&problem, of, seen, None, &style).unwrap());
        }
    }
}

#[test]
fn figures_hold_several_panels() {
    let problem = example("nuclear");
    let style = Style::default();
    let of = problem.plan.as_ref().unwrap();
    let mut panels = vec![world(&problem, &style)];
    panels.extend(plan(&problem, of, &style));
    panels.push(map(&problem, problem.observer.map.as_ref().unwrap(), &style));
    let seen = check(&figure("all of it", &panels, &style));
    let has = |text: &str| seen.texts.iter().any(|(t, _)| t == text);
    assert!(has("(a)") && has("(b)") && has("(c)") && !has("(d)"));
    assert!(has("if blue: up, right, down, down, stop"), "{:?}", seen.texts);
}

/// A lane for each observer; what it does not see leaves it as it was.
#[test]
fn several_observers_have_a_lane_each() {
    let problem = example("observers/hospital_hasty_violated");
    let (of, seen) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
    let names = ["ann", "go", "quiet", "to_ann", "quiet", "give", "quiet", "leave", "quiet", "return"];
    let events: Vec<_> = names.iter().map(|name| problem.alphabet.get(name).unwrap()).collect();
    // Wide enough for one line.
    let style = Style { width: 2000.0, ..Style::default() };
    let svg = estimates_svg(&problem, of, seen, Some(&events), &style).unwrap();
    let drawn = check(&svg);
    let count = |text: &str| drawn.texts.iter().filter(|(t, _)| t == text).count();
    assert_eq!((count("visitors"), count("nurse")), (1, 1));
    assert_eq!((count("door"), count("lamp"), count("back")), (2, 1, 1));
    assert_eq!(count("not seen"), (10 - 3) + (10 - 1));
    // The moment that is given away, as long as it lasts, and the one that gives it away.
    assert_eq!((count("later: discreet"), count("discreet")), (2, 1));
    assert!(count("Every stipulation holds at every moment drawn here.") == 0);
    // Dashed: three steps of the visitors, five of the nurse, with their arrows, and one in the legend.
    assert_eq!(svg.matches("stroke-dasharray=\"3 2\"").count(), 2 * (3 + 5) + 1);
    let careful = example("observers/hospital");
    let svg = estimates_svg(&careful, careful.plan.as_ref().unwrap(), seen, None, &style).unwrap();
    let drawn = check(&svg);
    assert!(drawn.texts.iter().any(|(t, _)| t == "Every stipulation holds at every moment drawn here."));
}

/// A log in which the robot did something else: where it left the plan is marked, and where a stipulation broke, also if that was between the events of one step.
#[test]
fn logs_are_marked_where_something_is_wrong() {
    let problem = example("observers/hospital");
    let (of, seen) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
    let names =
        ["ann", "go", "quiet", "to_ann", "quiet", "give", "quiet", "leave", "quiet", "return", "quiet"];
    let events: Vec<_> = names.iter().map(|name| problem.alphabet.get(name).unwrap()).collect();
    let style = Style { width: 2000.0, ..Style::default() };
    let off = Mark { after: 10, words: "off the plan".to_owned(), stipulation: false };
    let ended = Mark { after: 11, words: "told".to_owned(), stipulation: true };
    let visitors = problem.clone().about(0);
    let panel = log(&visitors, of, seen, &events, &[off, ended], &style, &Unlimited).unwrap();
    let drawn = check(&figure("a log", &[panel], &style));
    let count = |text: &str| drawn.texts.iter().filter(|(t, _)| t == text).count();
    assert_eq!((count("off the plan"), count("told")), (1, 1), "{:?}", drawn.texts);
    assert_eq!((count("later: discreet"), count("discreet")), (2, 1), "{:?}", drawn.texts);
    assert_eq!(count("“off the plan” and the like: what led here is not what it should have been"), 1);
    assert_eq!(count("Every stipulation holds at every moment drawn here."), 0);
}

#[test]
fn maps_say_what_is_not_seen() {
    let problem = example("observers/hospital");
    let drawn = check(&map_svg(&problem, problem.observer.map.as_ref().unwrap(), &Style::default()));
    let has = |text: &str| drawn.texts.iter().any(|(t, _)| t == text);
    assert!(has("What “visitors” sees: 6 events as 3 images, 5 not at all"), "{:?}", drawn.texts);
    assert!(has("not seen") && has("door"));
}

#[test]
fn the_frontier_is_a_lattice() {
    for name in ["pentagon", "nuclear", "medicine"] {
        let mut problem = example(name);
        problem.observer.map = None;
        let found = seek_maps(&problem, true, &Default::default(), &Unlimited).unwrap();
        assert!(found.feasible > 0);
        let seen = check(&maps_svg(&problem, &found, &Style::default()));
        let count = |text: &str| seen.texts.iter().filter(|(t, _)| t == text).count();
        assert_eq!(count("finest") + count("finest and coarsest"), found.finest.len().min(10));
        let panel = maps(&problem, &found, &Style::default());
        assert!(panel.description.contains(&found.feasible.to_string()));
    }
}

#[test]
fn branches_are_told_by_what_is_observed() {
    let problem = example("nuclear");
    let of = problem.plan.as_ref().unwrap();
    let joint = Joint::new(of, &problem.world, &Unlimited).unwrap();
    let branches = branches(of, &joint);
    let names = |labels: &[divulge::problem::Label]| -> Vec<&str> {
        labels.iter().map(|&l| problem.alphabet.name(l)).collect()
    };
    let told: Vec<_> = branches
        .all
        .iter()
        .map(|b| (b.parent, names(&b.labels), b.actions.as_deref().map(names), b.stops))
        .collect();
    assert_eq!(
        told,
        [
            (None, vec![], Some(vec!["right", "down"]), false),
            (Some(0), vec!["blue"], Some(vec!["up", "right", "down", "down"]), true),
            (Some(0), vec!["dark"], Some(vec!["right", "right", "down", "left"]), true),
        ]
    );
}

/// After branches come together, what follows is in the branch that they have in common.
#[test]
fn branches_come_together() {
    let problem = example("medicine");
    let of = problem.plan.as_ref().unwrap();
    let branches = branches(of, &Joint::new(of, &problem.world, &Unlimited).unwrap());
    assert_eq!(branches.all.len(), 3);
    let last = of.graph.vertices().find(|&v| of.is_terminal(v)).unwrap();
    assert_eq!(branches.of[last.index()], Some(0));
    let (after, stops) = branches.all[0].after.as_ref().unwrap();
    assert_eq!((problem.alphabet.name(after[0]), after.len(), *stops), ("give", 1, true));
}

fn strange() -> Problem {
    load(
        r#"world graph {
             "<u & \"v\">": start, "is\nodd" = true
             "<u & \"v\">" -"a<b", "]]>", "&amp;"-> "y'\t" -"ö→∈"-> "終わり"
             "終わり": goal
           }
           plan graph { p: start; p -"a<b"-> q -"ö→∈"-> "<end/>"; "<end/>": terminal }
           observer "w<w" { knows plan; sees "a<b", "]]>" as "<x>"; others as themselves
             stipulate "st&u": always !knows(goal) }"#
            .replace(r#", "is\nodd" = true"#, "")
            .replace(r#"observer "w<w""#, "observer w")
            .replace(r#"stipulate "st&u""#, "stipulate st")
            .as_str(),
    )
}

#[test]
fn strange_names_do_no_harm() {
    let problem = strange();
    let (of, seen) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
    for style in styles() {
        check(&world_svg(&problem, &style));
        check(&plan_svg(&problem, of, &style));
        check(&map_svg(&problem, seen, &style));
        check(&estimates_svg(&problem, of, seen, None, &style).unwrap());
    }
}

/// A broken stipulation is said by name, and not by colour alone.
#[test]
fn what_is_broken_is_marked() {
    let problem = example("nuclear_hasty_violated");
    let (of, seen) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
    let svg = estimates_svg(&problem, of, seen, None, &Style::default()).unwrap();
    let read = check(&svg);
    assert!(read.texts.iter().any(|(text, _)| text == "hide"));
    assert!(read.texts.iter().any(|(text, _)| text.contains("does not hold here")));
    let fine = example("nuclear");
    let svg = estimates_svg(
        &fine,
        fine.plan.as_ref().unwrap(),
        fine.observer.map.as_ref().unwrap(),
        None,
        &Style::default(),
    );
    assert!(check(&svg.unwrap()).texts.iter().any(|(text, _)| text.starts_with("Every stipulation holds")));
}

#[test]
fn large_worlds_are_drawn_in_part_and_say_so() {
    let text =
        std::fs::read_to_string(format!("{}/../../examples/nuclear.divulge", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let problem = load(
        &text
            .replace("const rows = 3, cols = 4", "const rows = 50, cols = 60")
            .replace("use plan careful", "use plan shy"),
    );
    let style = Style::default();
    let panel = world(&problem, &style);
    assert!(
        panel.left_out.as_ref().is_some_and(|note| note.contains("of 3000 places")),
        "{:?}",
        panel.left_out
    );
    check(&world_svg(&problem, &style));
    check(&plan_svg(&problem, problem.plan.as_ref().unwrap(), &style));
    let graph: String = (0..3000).map(|i| format!("u{i} -a-> y{i} -o-> u{}\n", i + 1)).collect();
    let problem = load(&format!(
        "world graph {{ u0: start; {graph} u3000: goal }}\nobserver {{ knows world; sees others as themselves; stipulate s: possible(goal) | !possible(goal) }}"
    ));
    let panel = world(&problem, &Style { most: 200, ..Style::default() });
    assert!(
        panel.left_out.as_ref().is_some_and(|note| note.contains("5801 of 6001 vertices")),
        "{:?}",
        panel.left_out
    );
    check(&figure("part", &[panel], &style));
}

/// Variables that do not fit into the small pictures are named, and so is that long executions are cut.
#[test]
fn what_estimates_leave_out_is_said() {
    let problem = load(
        "world {
           floor: 0..9 = 0
           a: bool = false
           b: bool = false
           c: bool = false
           d: bool = false
           e: bool = false
           secret: {red, green}
           action up when floor < 9 { floor := floor + 1; a := true; b := true; c := true; d := true; e := true }
           observe { here }
           goal floor = 9
         }
         plan { up; up; up; up; up; up; up; up; up }
         observer { knows plan; sees others as themselves; stipulate s: !knows(secret = red) }",
    );
    let (of, seen) = (problem.plan.as_ref().unwrap(), problem.observer.map.as_ref().unwrap());
    let panel = estimates(&problem, of, seen, None, &Style::default()).unwrap();
    assert_eq!(panel.left_out.as_deref(), Some("Variables not shown: d, e, floor (10 values)."));
    let read = check(&figure("strip", &[panel], &Style::default()));
    assert!(read.texts.iter().any(|(text, _)| text.contains("floor (10 values)")), "{:?}", read.texts);
    assert!(read.texts.iter().any(|(text, _)| text == "secret"), "what is asked for comes first");
    let fine = example("nuclear");
    let (of, seen) = (fine.plan.as_ref().unwrap(), fine.observer.map.as_ref().unwrap());
    assert_eq!(estimates(&fine, of, seen, None, &Style::default()).unwrap().left_out, None);

    let edges: String = (0..200).map(|i| format!("u{i} -a-> y{i} -o-> u{}\n", i + 1)).collect();
    let steps: String = (0..200).map(|i| format!("p{i} -a-> q{i} -o-> p{}\n", i + 1)).collect();
    let long = load(&format!(
        "world graph {{ u0: start; {edges} u200: goal }}
         plan graph {{ p0: start; {steps} p200: terminal }}
         observer {{ knows plan; sees others as themselves; stipulate s: possible(goal) | !possible(goal) }}"
    ));
    let (of, seen) = (long.plan.as_ref().unwrap(), long.observer.map.as_ref().unwrap());
    let panel = estimates(&long, of, seen, None, &Style::default()).unwrap();
    assert_eq!(panel.left_out.as_deref(), Some("Executions are cut after 240 events."));
}

/// A map of very many images is drawn in part, and so are long lists of labels.
#[test]
fn what_maps_leave_out_is_said() {
    let labels: Vec<String> = (0..300).map(|i| format!("press_button_{i}")).collect();
    let problem = load(&format!(
        "world graph {{ u: start; u -{}-> y -o-> v; v: goal }}
         observer {{ knows world; sees others as themselves; stipulate s: possible(goal) | !possible(goal) }}",
        labels.join(", ")
    ));
    let style = Style { most: 100, ..Style::default() };
    let each = map(&problem, problem.observer.map.as_ref().unwrap(), &style);
    assert_eq!(each.left_out.as_deref(), Some("201 more images are not drawn."));
    let all = map(&problem, &LabelMap::from_fn(&problem.alphabet, |_| "x".to_owned()), &style);
    assert_eq!(all.left_out.as_deref(), Some("One list of labels is cut short (…)."));
}

/// Small pictures, byte for byte. `UPDATE=1` accepts new ones, after somebody has looked at them.
#[test]
fn snapshots() {
    let remembering = example("remembering_violated");
    let identity = LabelMap::identity(&remembering.alphabet);
    let style = Style::default();
    let grid = load(
        "world {
           row: 0..1 = 0
           col: 0..1 = 0
           action right when row = 0 & col = 0 { col := 1 }
           action down when row = 0 { row := 1 }
           observe { here }
           goal row = 1
         }
         plan { right; down }
         observer { knows plan; sees right, down as move; others as themselves; stipulate s: !knows(row = 0 & row = 1) }",
    );
    for (name, svg) in [
        ("graph", world_svg(&remembering, &style)),
        ("map", map_svg(&remembering, &identity, &style)),
        ("grid", plan_svg(&grid, grid.plan.as_ref().unwrap(), &style)),
    ] {
        let path = format!("{}/tests/snapshots/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &svg).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(svg, expected, "{name}.svg has changed: look at it, then run with UPDATE=1");
        check(&svg);
    }
}

#[test]
fn a_die_marks_where_the_robot_must_choose() {
    let mut problem = example("theory/chance");
    let found = seek_plan(
        &problem,
        &SeekOptions { offers: Offers::Permissive, ..SeekOptions::default() },
        &Unlimited,
    );
    let permissive = found.unwrap().unwrap().plan;
    let sparing = seek_plan(&problem, &SeekOptions::default(), &Unlimited).unwrap().unwrap().plan;
    let told = |problem: &Problem, of: &Plan| {
        let seen = check(&plan_svg(problem, of, &Style::default()));
        let told: Vec<&str> = seen.texts.iter().map(|(text, _)| text.as_str()).collect();
        told.join(" ").contains("must choose unpredictably")
    };
    assert!(told(&problem, &permissive) && !told(&problem, &sparing));
    problem.observer.knows = Knows::World;
    assert!(!told(&problem, &permissive), "nobody knows what it might have done");
}
