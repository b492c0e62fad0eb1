//! The session, as the page uses it: places, options, refusals, limits. Whatever is asked, the answer is an object.

use divulge::{Limit, Monitor, Progress, Unlimited};
use divulge_playground::Playground;
use serde_json::{Value, json};

const MODEL: &str = "model \"größe\"\nconst last = 3\nworld {\n  x: 0..last = 0\n  action go when x < last { x := x + 1 }\n  action back when x > 0 { x := x - 1 }\n  \
                     observe { quiet otherwise }\n  goal x = last\n}\n\
                     observer o {\n  knows world\n  sees go, back as step; others as themselves\n  stipulate s: !knows(x = 2)\n}\n";

fn ask(session: &mut Playground, request: Value) -> Value {
    serde_json::from_str(&session.answer(&request.to_string(), &Unlimited, &Unlimited)).unwrap()
}

fn question(what: Value) -> Value {
    json!({ "do": "ask", "name": "m.divulge", "text": MODEL, "question": what })
}

#[test]
fn places_are_counted_as_browsers_do() {
    let text = MODEL.replace("größe", "größe 😀").replace("goal x", "goal xx");
    let read = ask(&mut Playground::default(), json!({ "do": "read", "name": "m.divulge", "text": text }));
    let problem = &read["problems"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let (from, to) = (problem["from"].as_u64().unwrap() as usize, problem["to"].as_u64().unwrap() as usize);
    assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "xx", "{problem}");
    assert_eq!(problem["fixes"][0]["edits"][0]["insert"], "x", "{problem}");
    assert_eq!(read["outline"]["constants"], json!([["last", "3"]]));
    assert_eq!(read["about"], Value::Null);
}

#[test]
fn what_is_wrong_in_an_included_file_is_said_with_its_place() {
    let mut session = Playground::default();
    ask(&mut session, json!({ "do": "files", "files": { "lib/a.divulge": "world {" } }));
    let text = "include \"a.divulge\"";
    let read = ask(&mut session, json!({ "do": "read", "name": "lib/b.divulge", "text": text }));
    assert_eq!(read["problems"][0]["from"], Value::Null, "{read}");
    assert!(read["problems"][0]["where"].as_str().unwrap().starts_with("lib/a.divulge:1:"), "{read}");
    let lost =
        ask(&mut session, json!({ "do": "read", "name": "lib/b.divulge", "text": "include \"../../x\"" }));
    assert_eq!(lost["problems"][0]["code"], "E0205", "{lost}");
}

#[test]
fn questions_and_their_options() {
    let mut session = Playground::default();
    let found = ask(&mut session, question(json!({ "what": "plan" })));
    assert_eq!(found["verdict"], "found", "{found}");
    assert!(found["words"].as_str().unwrap().contains("at most 6 events"), "{found}");
    let filled = ask(&mut session, json!({ "do": "document" }));
    let again =
        json!({ "do": "ask", "name": "m.json", "text": filled["text"], "question": { "what": "check" } });
    assert_eq!(ask(&mut session, again)["verdict"], "holds");
    let longer = ask(&mut session, question(json!({ "what": "plan", "set": [["last", "5"]] })));
    assert!(longer["words"].as_str().unwrap().contains("at most 10 events"), "{longer}");
    let after = ask(&mut session, question(json!({ "what": "plan", "after": "go, quiet" })));
    assert!(after["words"].as_str().unwrap().contains("After"), "{after}");
    let opaque = json!({ "what": "audit", "opacity": "infinite", "secret": "x in {1, 2}" });
    assert_eq!(ask(&mut session, question(opaque))["verdict"], "violated");
    let narrow =
        json!({ "do": "ask", "name": "m", "text": MODEL, "question": { "what": "info" }, "columns": 50 });
    let narrow = ask(&mut session, narrow);
    assert!(narrow["words"].as_str().unwrap().lines().all(|line| line.chars().count() <= 60), "{narrow}");
}

#[test]
fn what_cannot_be_asked_is_refused_with_advice() {
    let mut session = Playground::default();
    for (what, said) in [
        (json!({ "what": "check" }), "plan"),
        (json!({ "what": "map" }), "plan"),
        (json!({ "what": "maps" }), "map"),
        (json!({ "what": "plan", "minimize": "cost", "shortest": true }), "different questions"),
        (json!({ "what": "plan", "after": "fly" }), "no event `fly`"),
        (json!({ "what": "plan", "offers": "all" }), "there is no `all`"),
        (json!({ "what": "audit", "opacity": "none", "secret": "x = 1" }), "the notions are"),
        (json!({ "what": "audit", "opacity": "current" }), "opacity of what"),
        (json!({ "what": "audit", "opacity": "current", "secret": "y = 1" }), "y"),
        (json!({ "what": "plan", "set": [["last", "3"], ["last", "4"]] }), "more than once"),
        (json!({ "what": "guess" }), "there is no `guess`"),
        (json!({ "what": "plan", "unheard": 1 }), "cannot be read"),
    ] {
        let reply = ask(&mut session, question(what.clone()));
        assert!(reply["error"].as_str().is_some_and(|e| e.contains(said)), "{what}: {reply}");
        let nothing = ask(&mut session, json!({ "do": "draw", "theme": "light", "width": 500 }));
        assert!(nothing["error"].as_str().unwrap().contains("nothing has been asked"), "{what}: {nothing}");
    }
    let set = ask(&mut session, question(json!({ "what": "plan", "set": [["lats", "3"]] })));
    assert!(set["findings"].as_str().unwrap().contains("E0204"), "{set}");
}

const CHANCE: &str = "mdp\nmodule m\n  s : [0..3] init 0;\n  [fast] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);\n  [slow] s=0 -> (s'=3);\n  \
                      [on] s=3 -> (s'=1);\n  [back] s=2 -> (s'=1);\nendmodule\nlabel \"traps\" = s=2;\nlabel \"goal\" = s=1;\n";

/// What the program takes as options: `--goal`, `--avoid`, `--initial`.
#[test]
fn files_of_other_tools_take_what_they_leave_open() {
    let mut session = Playground::default();
    let mut about = |what: Value| {
        ask(&mut session, json!({ "do": "ask", "name": "m.prism", "text": CHANCE, "question": what }))
    };
    // The file itself says what to keep away from.
    let careful = about(json!({ "what": "plan" }));
    assert!(careful["words"].as_str().unwrap().contains("slow, on, stop"), "{careful}");
    assert!(careful["notes"].to_string().contains("the field “Keep away from” says otherwise"), "{careful}");
    let daring = about(json!({ "what": "plan", "avoid": "none" }));
    assert!(daring["words"].as_str().unwrap().contains("fast"), "{daring}");
    assert!(!daring["notes"].to_string().contains("Keep away from"), "{daring}");
    let nearer = about(json!({ "what": "plan", "initial": "s = 3", "goal": "s in {1, 2}" }));
    assert!(nearer["words"].as_str().unwrap().contains("on, stop"), "{nearer}");
    for (what, said) in [
        (json!({ "what": "plan", "goal": "s = 7" }), "no state has s = 7"),
        (json!({ "what": "plan", "goal": "s = 1 & s = 2" }), "no state is like this"),
        (json!({ "what": "plan", "initial": "t = 1" }), "t"),
        (json!({ "what": "plan", "avoid": "s =" }), "avoid: "),
        (json!({ "what": "audit" }), "does not say what must stay secret"),
        (
            json!({ "what": "audit", "opacity": "current", "secret": "s = 1 & s = 2" }),
            "no state of m.prism is secret",
        ),
    ] {
        let reply = about(what.clone());
        assert!(reply["error"].as_str().is_some_and(|e| e.contains(said)), "{what}: {reply}");
    }
    let own = ask(&mut session, question(json!({ "what": "plan", "goal": "x = 1" })));
    assert!(own["error"].as_str().unwrap().contains("for files of other tools"), "{own}");
    let aut = "des (0, 1, 2)\n(0, \"a\", 1)\n";
    let open = json!({ "do": "ask", "name": "m.aut", "text": aut, "question": { "what": "plan" } });
    let open = ask(&mut session, open);
    assert!(open["error"].as_str().unwrap().contains("does not say what the goal is"), "{open}");
    assert!(open["help"].as_str().unwrap().contains("state"), "{open}");
}

#[test]
fn answers_are_written_for_other_tools() {
    let mut session = Playground::default();
    ask(&mut session, question(json!({ "what": "plan" })));
    let mut export = |to: &str| ask(&mut session, json!({ "do": "export", "to": to }));
    assert!(export("bt")["text"].as_str().unwrap().contains("BTCPP_format"));
    assert!(export("dot-plan")["text"].as_str().unwrap().starts_with("digraph"));
    assert!(export("dot-world")["text"].as_str().unwrap().starts_with("digraph"));
    assert!(export("itf")["error"].as_str().unwrap().contains("nothing is violated"));
    assert!(export("pdf")["error"].as_str().unwrap().contains("no format `pdf`"));
    let opaque = json!({ "what": "audit", "opacity": "infinite", "secret": "x in {1, 2}" });
    assert_eq!(ask(&mut session, question(opaque))["verdict"], "violated");
    let trace = ask(&mut session, json!({ "do": "export", "to": "itf" }));
    let trace: Value = serde_json::from_str(trace["text"].as_str().unwrap()).unwrap();
    assert!(trace["states"].as_array().unwrap().len() > 1, "{trace}");
    let tree = ask(&mut session, json!({ "do": "export", "to": "bt" }));
    assert!(tree["error"].as_str().unwrap().contains("no plan"), "{tree}");
}

#[test]
fn what_may_stand_at_a_place_is_suggested() {
    let mut session = Playground::default();
    let suggested = |session: &mut Playground, text: &str| {
        let at = text[..text.find('$').unwrap()].encode_utf16().count();
        let text = text.replace('$', "");
        let reply = ask(session, json!({ "do": "complete", "name": "m.divulge", "text": text, "at": at }));
        reply["suggestions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let at_goal = suggested(&mut session, &MODEL.replace("goal x = last", "goal x = $"));
    // What the variables are is known from the text when it made sense.
    ask(&mut session, json!({ "do": "read", "name": "m.divulge", "text": MODEL }));
    let known = suggested(&mut session, &MODEL.replace("goal x = last", "goal x = $"));
    assert!(at_goal.contains(&"last".to_owned()), "{at_goal:?}");
    assert_eq!(known, ["0", "1", "2", "3", "last"]);
    let sees = suggested(&mut session, &MODEL.replace("sees go, back", "sees go, $"));
    assert!(sees.contains(&"back".to_owned()) && sees.contains(&"quiet".to_owned()), "{sees:?}");
    let top = suggested(&mut session, "$");
    assert!(top.contains(&"world".to_owned()) && !top.contains(&"stipulate".to_owned()), "{top:?}");
    assert!(suggested(&mut session, "// wor$").is_empty());
    assert!(suggested(&mut session, "{\"$").is_empty());
}

#[test]
fn nonsense_is_answered() {
    let mut session = Playground::default();
    for request in [
        "",
        "{",
        "[]",
        "{\"do\": \"fly\"}",
        "{\"do\": \"read\"}",
        "{\"do\": \"draw\", \"theme\": 1}",
        "\u{0}",
    ] {
        let reply: Value = serde_json::from_str(&session.answer(request, &Unlimited, &Unlimited)).unwrap();
        assert!(reply["error"].is_string(), "{request}: {reply}");
    }
    let large = "x".repeat((16 << 20) + 1);
    let reply = ask(&mut session, json!({ "do": "read", "name": "m", "text": large }));
    assert!(reply["error"].as_str().unwrap().contains("too large for the playground"), "{}", reply["error"]);
    for text in ["", "{", "[1]", "world", "world {", "\"", "😀", "include \"m\""] {
        let reply = ask(&mut session, json!({ "do": "read", "name": "m", "text": text }));
        assert!(reply["problems"].as_array().is_some_and(|found| !found.is_empty()), "{text}: {reply}");
        let reply = ask(
            &mut session,
            json!({ "do": "ask", "name": "m", "text": text, "question": { "what": "plan" } }),
        );
        assert!(reply["findings"].is_string(), "{text}: {reply}");
    }
}

/// Says after so many looks that the time is over.
struct Hurry;

impl Monitor for Hurry {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        Err(Limit::Time)
    }
}

#[test]
fn a_limit_is_an_answer() {
    let mut session = Playground::default();
    let request = question(json!({ "what": "plan" })).to_string();
    let reply: Value = serde_json::from_str(&session.answer(&request, &Hurry, &Hurry)).unwrap();
    assert_eq!(reply["limit"], "time", "{reply}");
    assert!(reply["verdict"] == "unknown" || reply["error"].is_string(), "{reply}");
}

#[test]
fn explanations_and_layout() {
    let mut session = Playground::default();
    assert!(
        ask(&mut session, json!({ "do": "explain", "code": "E0201" }))["text"].as_str().unwrap().len() > 50
    );
    assert!(ask(&mut session, json!({ "do": "explain", "code": "E9" }))["error"].is_string());
    let laid = ask(&mut session, json!({ "do": "format", "name": "m", "text": MODEL }));
    assert!(laid["text"].as_str().unwrap().contains("action go   when x < last"), "{laid}");
    assert!(
        ask(&mut session, json!({ "do": "format", "name": "m", "text": "world {" }))["findings"].is_string()
    );
    let document = ask(&mut session, json!({ "do": "convert", "name": "m", "text": MODEL, "to": "json" }));
    assert!(document["text"].as_str().unwrap().contains("divulge/1"), "{document}");
    let model = json!({ "do": "convert", "name": "m.json", "text": document["text"], "to": "model" });
    assert!(ask(&mut session, model)["text"].as_str().unwrap().contains("world graph"));
}
