//! Several observers, unseen events, runs and hindsight, as a page is told of them.

mod common;

use divulge::problem::Problem;
use serde_json::{Value, json};

use common::{ask, model, open, written};

/// The hospital, with the plan that washes its hands only if it has to.
fn hasty() -> Problem {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/observers/hospital.divulge");
    let text = std::fs::read_to_string(path).unwrap();
    written(&text.replace("use plan careful", "use plan hasty"))
}

const TO_ANN: [&str; 11] =
    ["ann", "go", "quiet", "to_ann", "quiet", "give", "quiet", "leave", "quiet", "return", "quiet"];

fn texts(value: &Value, of: &str) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v[of].as_str().unwrap_or_default().to_owned()).collect()
}

fn at(problem: Problem, events: &[&str]) -> Value {
    ask(&mut open(problem), json!({ "do": "at", "events": events }))["moment"].clone()
}

#[test]
fn the_verdict_names_the_observer() {
    let told = ask(&mut open(model("observers/hospital")), json!({ "do": "about" }));
    assert_eq!(told["verdict"]["short"], "All 3 stipulations of both observers are kept");
    assert_eq!(texts(&told["observers"], "name"), ["visitors", "nurse"]);
    assert!(
        told["lead"].as_str().unwrap().contains("2 observers watch, each for itself: “visitors” and “nurse”")
    );
    let nurse = &told["observers"][1];
    assert_eq!(
        texts(&nurse["demands"], "words"),
        [
            "Sooner or later, the observer must know that given is true.",
            "The observer must not think it possible that at is hall until it knows that given is true, if ever.",
        ]
    );
    assert_eq!(
        texts(&told["observers"][0]["demands"], "words"),
        [
            "The observer must never know that at is ann or that it is ben. This must still be so when it looks back at that moment later."
        ]
    );
    assert!(nurse["words"].as_str().unwrap().contains("It does not see these at all: go, to_ann"));
    assert_eq!(
        nurse["facts"].as_array().unwrap().last().unwrap(),
        "When the robot stops, “nurse” always knows that given is true."
    );

    let told = ask(&mut open(hasty()), json!({ "do": "about" }));
    assert_eq!(told["verdict"]["short"], "“discreet” is broken for “visitors”");
    let words = told["verdict"]["words"].as_str().unwrap();
    assert!(words.contains("in hindsight: what was seen since gives event 4 away"), "{words}");
    assert_eq!((&told["verdict"]["observer"], &told["verdict"]["stipulation"]), (&json!(0), &json!(0)));
}

#[test]
fn an_unseen_event_leaves_an_observer_where_it_was() {
    let before = at(model("observers/hospital"), &TO_ANN[..5]);
    let after = at(model("observers/hospital"), &TO_ANN[..6]);
    let sides = |moment: &Value, n: usize| moment["sides"][n].clone();
    assert_eq!(sides(&before, 0)["estimate"], sides(&after, 0)["estimate"]);
    assert_eq!(sides(&after, 0)["unseen"], true);
    let words = sides(&after, 0)["words"].as_str().unwrap().to_owned();
    assert!(words.starts_with("It did not notice event 6 (give)."), "{words}");
    // The nurse saw the lamp.
    assert_ne!(sides(&before, 1)["estimate"], sides(&after, 1)["estimate"]);
    assert_eq!((&sides(&after, 1)["unseen"], &sides(&before, 1)["unseen"]), (&json!(false), &json!(true)));
    let last = &after["events"][5];
    assert_eq!((&last["seen"][0]["image"], &last["seen"][1]["image"]), (&Value::Null, &json!("lamp")));
    let spoken = after["words"].as_str().unwrap();
    assert!(
        spoken.starts_with("Step 6. The robot did give; “visitors” did not notice; “nurse” saw lamp."),
        "{spoken}"
    );
}

#[test]
fn a_run_is_told_moment_by_moment() {
    let moment = at(model("observers/hospital"), &TO_ANN[..6]);
    let informed = &moment["sides"][1]["stipulations"][0];
    assert_eq!((&informed["now"], &informed["state"]), (&json!("satisfied"), &json!("holds")));
    assert_eq!(informed["run"]["parts"], json!(["knows(given)"]));
    let rows = informed["run"]["moments"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "unseen events make no moments");
    assert_eq!((&rows[0]["words"], &rows[0]["holds"]), (&json!("still owed"), &json!([false])));
    assert_eq!((&rows[1]["events"], &rows[1]["saw"]), (&json!(6), &json!("lamp")));

    // Who sees the robot come back before the lamp, but not the lamp, is too late.
    let mut late = model("observers/hospital");
    let nurse = &mut late.others[0];
    nurse.map = Some(divulge::problem::LabelMap::seen_from_fn(&late.alphabet, |l| {
        (late.alphabet.name(l) == "leave").then_some("door")
    }));
    let moment = at(late, &TO_ANN[..8]);
    let in_time = &moment["sides"][1]["stipulations"][1];
    assert_eq!(in_time["state"], "broken", "{in_time}");
    assert_eq!(in_time["run"]["failed"], json!([1, [0, 1]]));
    let why = in_time["why"].as_str().unwrap();
    assert_eq!(
        why,
        "At event 8 (seen as door) it was broken: it thinks it possible that at is hall, and it does not know that given is true."
    );
}

#[test]
fn what_is_given_away_later_marks_an_earlier_row() {
    let before = at(hasty(), &TO_ANN[..9]);
    assert_eq!(before["sides"][0]["recalled"], json!([]));
    let after = at(hasty(), &TO_ANN[..10]);
    let rows = after["sides"][0]["recalled"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["events"], &rows[0]["since"]), (&json!(4), &json!(10)));
    assert_eq!(rows[0]["short"], "given away by event 10 (back)");
    assert_eq!(
        rows[0]["words"],
        "Then it thought that at could be ann or ben; event 10 (seen as back) gives away that at was ann."
    );
    let discreet = &after["sides"][0]["stipulations"][0];
    assert_eq!(discreet["state"], "broken");
    assert!(
        discreet["why"].as_str().unwrap().starts_with("Looking back at event 4: then it thought"),
        "{discreet}"
    );
    assert_eq!(after["sides"][1]["recalled"], json!([]));
}

#[test]
fn each_observer_can_be_changed_by_itself() {
    let mut explorer = open(model("observers/hospital"));
    let mut about = |what: Value| ask(&mut explorer, json!({ "do": "about", "what": what }));
    // Visitors who hear no water cannot tell the beds apart by it: still kept. A nurse without the lamp never learns.
    let told = about(
        json!({ "observers": { "visitors": { "unseen": ["go", "give", "wash", "ann", "ben", "quiet"] } } }),
    );
    assert_eq!(told["verdict"]["verdict"], "holds");
    let groups = told["observers"][0]["groups"].as_array().unwrap();
    assert!(
        groups.iter().any(|g| g["image"].is_null() && g["labels"] == json!(["go", "give", "wash"])),
        "{groups:?}"
    );
    let all: Vec<&str> =
        vec!["go", "to_ann", "to_ben", "give", "to_sink", "wash", "leave", "return", "ann", "ben", "quiet"];
    let told = about(json!({ "observers": { "nurse": { "unseen": all } } }));
    assert_eq!(told["verdict"]["short"], "“in_time” is broken for “nurse”");
    assert!(told["observers"][1]["words"].as_str().unwrap().contains("It sees nothing at all."));
    // Visitors who are told which patient it is know where the robot is.
    let told = about(json!({ "observers": { "visitors": { "unseen": ["go", "give", "quiet"] } } }));
    assert_eq!(told["verdict"]["short"], "“discreet” is broken for “visitors”");
    let told = about(json!({ "observers": { "": { "knows": "plan" } } }));
    assert_eq!(told["error"], "there is no observer ``");
    let told = about(json!({ "alike": [] }));
    assert!(told["error"].as_str().unwrap().contains("unknown field `alike`"));
}

/// A single observer may have unseen events, too.
#[test]
fn a_run_that_looks_the_same_may_be_longer() {
    let mut explorer = open(model("observers/hospital"));
    let asked =
        json!({ "do": "twin", "events": &TO_ANN[..6], "observer": 0, "variable": "given", "value": "false" });
    let told = ask(&mut explorer, asked)["twin"].clone();
    assert_eq!(told["title"], "Why given could still be false, given what “visitors” has seen");
    let images = |run: &Value| {
        let all = run["images"].as_array().unwrap().clone();
        all.into_iter().filter(|image| !image.is_null()).collect::<Vec<Value>>()
    };
    assert_eq!(images(&told["run"]), images(&told["other"]));
    assert_eq!(images(&told["run"]), [json!("door")]);
    assert!(told["other"]["events"].as_array().unwrap().len() < 6, "{told}");
    assert!(told["rows"].as_array().unwrap().iter().any(|row| row[1].is_null()));
}
