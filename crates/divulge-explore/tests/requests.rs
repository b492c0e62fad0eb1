//! The session as a page talks to it.

mod common;

use divulge::{
    Limit, Monitor, Progress, Unlimited,
    problem::{Knows, Problem},
};
use divulge_explore::{Explorer, page};
use divulge_model::{
    families::{Nuclear, NuclearMap, nuclear, rooms},
    language::{self, NoIncludes},
};
use serde_json::{Value, json};

use common::{ask, model, open};

fn about(problem: Problem) -> Value {
    ask(&mut open(problem), json!({ "do": "about" }))
}

fn demands(problem: Problem) -> Vec<String> {
    let about = about(problem);
    about["observers"][0]["demands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["words"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn stipulations_are_put_into_words() {
    assert_eq!(
        demands(model("nuclear")),
        [
            "The observer must know whether rad is high or low as soon as the robot may be at a goal.",
            "The observer must never find out whether facility is breeder or pebble.",
        ]
    );
    assert_eq!(
        demands(model("medicine")),
        [
            "The observer must never find out whether need is insulin or pills.",
            "When the robot stops, the observer must know whether result is pending, refused or taken.",
        ]
    );
    assert_eq!(
        demands(model("pentagon")),
        [
            "The observer must never be able to tell whether place is 5 or place is 6: it must think both possible, or neither."
        ]
    );
    assert_eq!(
        demands(model("remembering")),
        [
            "The observer must never be able to tell whether the robot is at y2 or the robot is at y3: it must think both possible, or neither."
        ]
    );
    assert_eq!(
        demands(rooms(20, 3, 4, 1).unwrap()),
        [
            "The observer must think it possible that decoy is true, and that other is true, whenever it thinks it possible that vault is true."
        ]
    );
}

#[test]
fn other_stipulations_too() {
    let said = |formula: &str, scope| {
        let mut problem = model("nuclear");
        let made = divulge::problem::Stipulation::new("s", scope, formula).unwrap();
        problem.observer.stipulations = vec![made];
        demands(problem).remove(0)
    };
    use divulge::problem::Scope::{Always, End};
    for (formula, scope, words) in [
        ("knows(row = 0)", Always, "The observer must always know that row is 0."),
        ("!knows(row = 0)", Always, "The observer must never know that row is 0."),
        (
            "!knows(row > 0 & col != 2)",
            End,
            "When the robot stops, the observer must not know that row is above 0 and col is not 2.",
        ),
        (
            "possible(goal)",
            End,
            "When the robot stops, the observer must think it possible that the robot is at a goal.",
        ),
        (
            "knows(goal) | knows(!goal)",
            Always,
            "The observer must always know whether the robot is at a goal.",
        ),
        (
            "knows(rad = high) | knows(rad = low)",
            End,
            "When the robot stops, the observer must know whether rad is high or low.",
        ),
        (
            "!(possible(row = 0) & possible(row = 1))",
            Always,
            "The observer must be able to tell whether row is 0 or 1.",
        ),
        (
            "!(possible(row = 0) & possible(goal))",
            Always,
            "The observer must not think all of these possible at once: that row is 0; that the robot is at a goal.",
        ),
        (
            "knows(row = 0) -> possible(goal)",
            Always,
            "The observer must meet this condition: `knows(row = 0) -> possible(goal)`.",
        ),
        (
            "!knows(goal & rad = high) & !knows(goal & rad = low)",
            Always,
            "The observer must never know both that the robot is at a goal and whether rad is high or low.",
        ),
        (
            "!knows(goal & rad = high)",
            Always,
            "The observer must never know that the robot is at a goal and rad is high.",
        ),
        (
            "possible(row = 0) & possible(row = 1) & possible(col = 0) & possible(col = 1) & possible(goal) & possible(rad = high)",
            End,
            "When the robot stops, the observer must think it possible that row is 0, and must think it possible that row is 1, and must think it possible that col is 0, and must think it possible that col is 1, and 2 more things like this.",
        ),
        ("true", Always, "The observer must meet this condition: `true`."),
    ] {
        assert_eq!(said(formula, scope), words);
    }
}

#[test]
fn the_nuclear_demo_says_what_can_never_be_found_out() {
    let mut problem = nuclear(&Nuclear { knows: Knows::Plan, ..Nuclear::new(3, 4) }).unwrap();
    problem.plan = divulge::ask(&problem)
        .seek_plan()
        .within(&divulge::Unlimited)
        .unwrap()
        .found()
        .map(|f| f.plan.clone());
    let about = about(problem);
    assert_eq!(about["verdict"]["verdict"], "holds");
    assert_eq!(
        about["observers"][0]["facts"][0],
        "The observer can never find out facility: whatever happens, it thinks both breeder and pebble possible after every step."
    );
    assert_eq!(
        about["observers"][0]["facts"][1],
        "When the robot stops, the observer always knows whether rad is high or low."
    );
}

#[test]
fn a_change_changes_the_verdict() {
    let mut explorer = open(model("nuclear"));
    let apart = json!({ "observers": { "": { "alike": [["left", "right", "up", "down"]] } } });
    let told = ask(&mut explorer, json!({ "do": "about", "what": apart }));
    assert_eq!(told["verdict"]["verdict"], "violated");
    assert_eq!(told["verdict"]["short"], "“hide” is broken");
    let groups = told["observers"][0]["groups"].as_array().unwrap();
    assert!(groups.iter().any(|g| g["image"] == "move" && g["labels"].as_array().unwrap().len() == 4));
    assert!(groups.iter().any(|g| g["image"] == "blue"));
    // An action and an observation are never taken for one another.
    let odd = json!({ "observers": { "": { "alike": [["left", "right", "up", "down", "blue", "dark"]] } } });
    let told = ask(&mut explorer, json!({ "do": "about", "what": odd }));
    assert_eq!(told["verdict"]["verdict"], "holds");
    // Somebody who knows the hasty plan learns more.
    let knowing = json!({ "observers": { "public": { "knows": "plan" } } });
    let told = ask(&mut explorer, json!({ "do": "about", "what": knowing }));
    assert!(told["lead"].as_str().unwrap().contains("the robot's plan"));
}

#[test]
fn another_plan_is_sought_for_a_change() {
    let mut problem = model("pentagon");
    problem.plan = None;
    let mut explorer = open(problem);
    let told =
        ask(&mut explorer, json!({ "do": "about", "what": { "observers": { "": { "knows": "world" } } } }));
    assert_eq!(told["plan"], Value::Null);
    let told = ask(&mut explorer, json!({ "do": "about", "what": { "sought": true } }));
    assert_eq!(told["verdict"]["verdict"], "holds", "{told}");
    let told = ask(
        &mut explorer,
        json!({ "do": "about", "what": { "sought": true, "observers": { "": { "alike": [] } } } }),
    );
    assert!(told["note"].as_str().unwrap().starts_with("With these settings, no plan"));
}

#[test]
fn whatever_is_asked_there_is_an_answer() {
    let mut explorer = Explorer::default();
    for request in [
        "",
        "{}",
        "[]",
        "{\"do\": \"dance\"}",
        "{\"do\": \"about\"}",
        "{\"do\": \"open\"}",
        "{\"do\": \"open\"}\n{",
        "\u{0}",
    ] {
        let answer: Value = serde_json::from_str(&explorer.answer(request)).unwrap();
        assert!(answer["error"].is_string(), "{request}");
    }
    let mut explorer = open(model("nuclear"));
    for request in [
        json!({ "do": "at", "events": ["nobody", "right"] }),
        json!({ "do": "at", "events": [], "view": "around-4000000000" }),
        json!({ "do": "scene", "view": "around-4000000000" }),
        json!({ "do": "look", "vertices": [4_000_000_000u32], "view": "whole" }),
        json!({ "do": "plan", "here": 4_000_000_000u32 }),
        json!({ "do": "route", "to": 4_000_000_000u32 }),
        json!({ "do": "twin", "events": [], "variable": "nothing", "value": "at all" }),
        json!({ "do": "twin", "events": [], "variable": "rad", "value": "middling" }),
        json!({ "do": "twin", "events": [], "variable": "rad", "value": "high", "observer": 4_000_000_000u32 }),
        json!({ "do": "about", "what": { "knows": "plan" } }),
        json!({ "do": "about", "what": { "observers": { "nobody": {} } } }),
        json!({ "do": "about", "what": { "observers": { "": { "knows": "everything" } } } }),
        json!({ "do": "about", "what": { "observers": { "": { "knows": "plans" } } } }),
        json!({ "do": "about", "what": { "observers": { "": { "unseen": ["nobody"] } } } }),
        json!({ "do": "about", "what": { "observers": { "": { "unseen": ["left", "left", "blue"] } } } }),
        json!({ "do": "about", "what": { "observers": { "": { "alike": [[], ["left"], ["left", "left"], ["right", "left"]] } } } }),
    ] {
        assert!(ask(&mut explorer, request.clone()).is_object(), "{request}");
    }
}

#[test]
fn large_worlds_are_drawn_in_part() {
    let grid = nuclear(&Nuclear {
        map: NuclearMap::Merged { moves: true, sides: false, light: true },
        ..Nuclear::new(40, 40)
    });
    let mut explorer = open(grid.unwrap());
    let at = ask(&mut explorer, json!({ "do": "at", "events": [], "view": "" }));
    let view = at["view"].clone();
    assert_eq!(view, "around-0");
    let scene = ask(&mut explorer, json!({ "do": "scene", "view": view }));
    assert_eq!(scene["kind"], "grid");
    assert_eq!(scene["cells"].as_array().unwrap().len(), 121);
    assert!(scene["partial"].as_str().unwrap().starts_with("121 of 1600 cells"));
    let mut explorer = open(rooms(1500, 3, 4, 1).unwrap());
    let at = ask(&mut explorer, json!({ "do": "at", "events": [], "view": "" }));
    let scene = ask(&mut explorer, json!({ "do": "scene", "view": at["view"] }));
    assert_eq!(scene["nodes"].as_array().unwrap().len(), 150);
    assert_eq!(at["robotMarks"]["marks"].as_array().unwrap().len(), 1);
}

#[test]
fn the_page_holds_everything_and_nothing_ends_it_early() {
    let mut problem = model("nuclear");
    problem.name = Some("a </script><script>alert(1)</script> & \"more\"".to_owned());
    let text = page::page(&problem, &page::Opening::default(), &Unlimited).unwrap();
    assert!(!text.contains("alert(1)</script>"));
    assert_eq!(text.matches("</script>").count(), 4);
    assert!(
        !text.contains("http://")
            || text.matches("http://").count() == text.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!text.contains("https://"));
    assert!(!text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    assert!(text.contains("The observer can never find out facility"));
    assert!(!text.contains("{{"), "a blank was left");
}

/// The document travels packed: a page for 60 MB of it is small, and it can be read.
#[test]
fn a_page_takes_large_documents() {
    let grid = nuclear(&Nuclear::new(230, 230)).unwrap();
    let document = divulge_model::document::to_string(&grid);
    assert!(document.len() > 60 << 20, "{}", document.len());
    let text = page::page(&grid, &page::Opening::default(), &Unlimited).unwrap();
    assert!(text.len() < document.len() / 8, "{}", text.len());
    let answer = Explorer::default().answer(&format!("{{\"do\": \"open\"}}\n{document}"));
    assert_eq!(answer, "{\"opened\":true}");
}

/// Stops whoever polls.
struct Over;

impl Monitor for Over {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        Err(Limit::Time)
    }
}

#[test]
fn a_page_keeps_to_limits() {
    let made = page::page(&model("nuclear"), &page::Opening::default(), &Over);
    assert_eq!(made, Err(page::NoPage::Limit(Limit::Time)));
}

/// A run outside the part that is drawn is looked for where it is.
#[test]
fn the_picture_moves_to_where_something_is() {
    for world in [nuclear(&Nuclear::new(40, 40)).unwrap(), rooms(1500, 3, 4, 1).unwrap()] {
        let count = world.world.graph.len() as u32;
        let mut explorer = open(world);
        let at = ask(&mut explorer, json!({ "do": "at", "events": [], "view": "" }));
        let mut look =
            |v: u32| ask(&mut explorer, json!({ "do": "look", "view": at["view"], "vertices": [v] }));
        assert_eq!(look(0)["view"], at["view"], "what is in sight needs no other picture");
        let far = (0..count).step_by(97).map(&mut look).find(|found| found["view"] != at["view"]).unwrap();
        assert_eq!(
            (&far["marks"]["outside"], far["marks"]["marks"].as_array().unwrap().len()),
            (&json!(0), 1)
        );
        let scene = ask(&mut explorer, json!({ "do": "scene", "view": far["view"] }));
        let drawn = scene["cells"].as_array().or(scene["nodes"].as_array()).unwrap().len();
        assert!((far["marks"]["marks"][0]["place"].as_u64().unwrap() as usize) < drawn);
    }
}

/// A property is shown whatever its name.
#[test]
fn no_property_is_hidden() {
    let (problem, found) = language::load(
        "test",
        "world {
           condition_1: bool = false
           condition_red: {yes, no}
           p: 0..2 = 0
           q: 0..2 = 0
           action go when p < 2 { p := p + 1; condition_1 := true }
           observe { here }
           goal p = 2
         }
         plan { go; go }
         observer { knows plan; sees others as themselves; stipulate s: !knows(condition_red = yes & p + q > 1) }",
        &NoIncludes,
        &[],
    );
    let problem = problem.unwrap_or_else(|| panic!("{}", found.render(false)));
    let mut explorer = open(problem);
    let at = ask(&mut explorer, json!({ "do": "at", "events": ["go"], "view": "" }));
    let variables = at["moment"]["variables"].as_array().unwrap();
    let names: Vec<&str> = variables.iter().map(|v| v["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["condition_red", "p + q > 1", "condition_1", "p"]);
    let place = at["robotMarks"]["marks"][0]["words"].as_str().unwrap();
    assert!(place.contains("condition_1"), "{place}");
}
