//! The session as a page talks to it.

use divulge::problem::{Knows, Problem};
use divulge_explore::{Explorer, page};
use divulge_model::{
    families::{Nuclear, NuclearMap, nuclear, rooms},
    language::{self, NoIncludes},
};
use serde_json::{Value, json};

fn model(name: &str) -> Problem {
    let path = format!("{}/../../examples/{name}.divulge", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (problem, found) = language::load(name, &text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", found.render(false)))
}

fn ask(explorer: &mut Explorer, request: Value) -> Value {
    serde_json::from_str(&explorer.answer(&request.to_string())).unwrap()
}

fn about(problem: Problem) -> Value {
    ask(&mut Explorer::open(problem), json!({ "do": "about" }))
}

fn demands(problem: Problem) -> Vec<String> {
    let about = about(problem);
    about["demands"].as_array().unwrap().iter().map(|d| d["words"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn stipulations_are_put_into_words() {
    assert_eq!(
        demands(model("nuclear")),
        [
            "The observer must know whether rad is high or low as soon as the robot may be at a goal.",
            "The observer must never find out the facility: whether it is breeder or pebble.",
        ]
    );
    assert_eq!(
        demands(model("medicine")),
        [
            "The observer must never find out the need: whether it is insulin or pills.",
            "When the robot stops, the observer must know the result: whether it is pending, refused or taken.",
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
            "The observer must also think it possible that decoy is true, and that other is true, whenever it thinks it possible that vault is true."
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
            "When the robot stops, the observer must know the rad: whether it is high or low.",
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
            "The observer must be such that `knows(row = 0) -> possible(goal)`.",
        ),
        (
            "!knows(goal & rad = high) & !knows(goal & rad = low)",
            Always,
            "The observer must never know both that the robot is at a goal and what the rad is (high or low).",
        ),
        (
            "!knows(goal & rad = high)",
            Always,
            "The observer must never know that the robot is at a goal and rad is high.",
        ),
        (
            "possible(row = 0) & possible(row = 1) & possible(col = 0) & possible(col = 1) & possible(goal) & possible(rad = high)",
            End,
            "When the robot stops, the observer must think it possible that row is 0, and must think it possible that row is 1, and must think it possible that col is 0, and must think it possible that col is 1, and 2 more such things.",
        ),
        ("true", Always, "The observer must be such that `true`."),
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
        about["facts"][0],
        "The observer can never find out the facility: after every step, whatever happens, it still thinks both breeder and pebble possible."
    );
    assert_eq!(
        about["facts"][1],
        "When the robot stops, the observer always knows the rad: whether it is high or low."
    );
}

#[test]
fn a_change_changes_the_verdict() {
    let mut explorer = Explorer::open(model("nuclear"));
    let apart = json!({ "alike": [["left", "right", "up", "down"]] });
    let told = ask(&mut explorer, json!({ "do": "about", "what": apart }));
    assert_eq!(told["verdict"]["verdict"], "violated");
    assert_eq!(told["verdict"]["short"], "“hide” is broken");
    let groups = told["groups"].as_array().unwrap();
    assert!(groups.iter().any(|g| g["image"] == "move" && g["labels"].as_array().unwrap().len() == 4));
    assert!(groups.iter().any(|g| g["image"] == "blue"));
    // An action and an observation are never taken for one another.
    let odd = json!({ "alike": [["left", "right", "up", "down", "blue", "dark"]] });
    let told = ask(&mut explorer, json!({ "do": "about", "what": odd }));
    assert_eq!(told["verdict"]["verdict"], "holds");
    // Somebody who knows the hasty plan learns more.
    let knowing = json!({ "knows": "plan" });
    let told = ask(&mut explorer, json!({ "do": "about", "what": knowing }));
    assert!(told["lead"].as_str().unwrap().contains("the robot's plan"));
}

#[test]
fn another_plan_is_sought_for_a_change() {
    let mut problem = model("pentagon");
    problem.plan = None;
    let mut explorer = Explorer::open(problem);
    let told = ask(&mut explorer, json!({ "do": "about", "what": { "knows": "world" } }));
    assert_eq!(told["plan"], Value::Null);
    let told = ask(&mut explorer, json!({ "do": "about", "what": { "sought": true } }));
    assert_eq!(told["verdict"]["verdict"], "holds", "{told}");
    let told = ask(&mut explorer, json!({ "do": "about", "what": { "sought": true, "alike": [] } }));
    assert!(told["note"].as_str().unwrap().starts_with("No plan at all"));
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
        "{\"do\": \"open\", \"document\": \"{\"}",
        "\u{0}",
    ] {
        let answer: Value = serde_json::from_str(&explorer.answer(request)).unwrap();
        assert!(answer["error"].is_string(), "{request}");
    }
    let mut explorer = Explorer::open(model("nuclear"));
    for request in [
        json!({ "do": "at", "events": ["nobody", "right"] }),
        json!({ "do": "at", "events": [], "view": "around-4000000000" }),
        json!({ "do": "scene", "view": "around-4000000000" }),
        json!({ "do": "marks", "vertices": [4_000_000_000u32], "view": "whole" }),
        json!({ "do": "plan", "here": 4_000_000_000u32 }),
        json!({ "do": "route", "to": 4_000_000_000u32 }),
        json!({ "do": "twin", "events": [], "variable": "nothing", "value": "at all" }),
        json!({ "do": "twin", "events": [], "variable": "rad", "value": "middling" }),
        json!({ "do": "about", "what": { "knows": "everything" } }),
        json!({ "do": "about", "what": { "knows": "plans" } }),
        json!({ "do": "about", "what": { "alike": [[], ["left"], ["left", "left"], ["right", "left"]] } }),
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
    let mut explorer = Explorer::open(grid.unwrap());
    let at = ask(&mut explorer, json!({ "do": "at", "events": [], "view": "" }));
    let view = at["view"].clone();
    assert_eq!(view, "around-0");
    let scene = ask(&mut explorer, json!({ "do": "scene", "view": view }));
    assert_eq!(scene["kind"], "grid");
    assert_eq!(scene["cells"].as_array().unwrap().len(), 121);
    assert!(scene["partial"].as_str().unwrap().starts_with("121 of 1600 cells"));
    let mut explorer = Explorer::open(rooms(1500, 3, 4, 1).unwrap());
    let at = ask(&mut explorer, json!({ "do": "at", "events": [], "view": "" }));
    let scene = ask(&mut explorer, json!({ "do": "scene", "view": at["view"] }));
    assert_eq!(scene["nodes"].as_array().unwrap().len(), 150);
    assert_eq!(at["robotMarks"]["marks"].as_array().unwrap().len(), 1);
}

#[test]
fn the_page_holds_everything_and_nothing_ends_it_early() {
    let mut problem = model("nuclear");
    problem.name = Some("a </script><script>alert(1)</script> & \"more\"".to_owned());
    let text = page::page(&problem, &page::Opening::default()).unwrap();
    assert!(!text.contains("alert(1)</script>"));
    assert_eq!(text.matches("</script>").count(), 3);
    assert!(
        !text.contains("http://")
            || text.matches("http://").count() == text.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!text.contains("https://"));
    assert!(!text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    assert!(text.contains("The observer can never find out the facility"));
    assert!(!text.contains("{{"), "a blank was left");
}

#[test]
fn what_is_too_large_for_a_page_is_refused() {
    let grid = nuclear(&Nuclear::new(230, 230)).unwrap();
    assert!(matches!(page::page(&grid, &page::Opening::default()), Err(page::TooLarge(_))));
}
