//! Lenses, and the answers to what they ask.

mod client;

use client::{Client, place};
use serde_json::{Value, json};

const URI: &str = "untitled:model.divulge";

const MODEL: &str = "world {
  x: 0..2 = 0
  who: {ann, bob}
  action go when x < 2 { x := x + 1 }
  observe { left | right by who when x = 2; dark otherwise }
  goal x = 2
}

observer spy {
  knows plan
  sees left, right as light; others as themselves
  stipulate hidden: !knows(who)
}

observer blind {
  knows plan
  stipulate hidden: !knows(who)
}

plan all { go; go }
plan half { go }
use plan all
";

/// A world of millions of states, which takes a while in whatever way.
const LARGE: &str = "world {
  a: 0..999 = 0
  b: 0..999 = 0
  action up when a < 999 { a := a + 1 }
  action down when a > 0 { a := a - 1 }
  action more when b < 999 { b := b + 1 }
  action less when b > 0 { b := b - 1 }
  observe { far when a = 999; near otherwise }
  goal a = 999 & b = 999
}

observer spy {
  knows world
  sees others as themselves
  stipulate hidden: !knows(a = 500)
}
";

fn lenses(client: &mut Client) -> Vec<Value> {
    let found = client.request("textDocument/codeLens", json!({"textDocument": {"uri": URI}})).unwrap();
    found.as_array().unwrap().clone()
}

fn lens(client: &mut Client, text: &str, above: &str, title: &str) -> Value {
    let all = lenses(client);
    let line = place(text, above, 0)["line"].clone();
    let fits = |l: &&Value| {
        l["range"]["start"]["line"] == line && l["command"]["title"].as_str().unwrap().contains(title)
    };
    all.iter().find(fits).unwrap_or_else(|| panic!("no {title} above {above} in {all:#?}")).clone()
}

fn press(client: &mut Client, lens: &Value) -> Result<Value, (i32, String)> {
    client.request("workspace/executeCommand", lens["command"].clone())
}

#[test]
fn verdicts_appear_in_place_and_lead_to_the_explorer() {
    let mut client = Client::start();
    client.open(URI, MODEL);
    client.findings(URI);
    for (above, title, verdict) in [
        ("plan all", "check", "holds"),
        ("plan half", "check", "violated"),
        ("observer spy", "check", "holds"),
        ("observer spy", "seek a plan", "found"),
        ("observer spy", "audit", "holds"),
        ("observer blind", "seek a map", "found"),
        ("observer blind", "seek a plan and a map", "found"),
    ] {
        let question = lens(&mut client, MODEL, above, title);
        // The model has an observer without a map, so what concerns all observers cannot be checked.
        let answer = press(&mut client, &question).unwrap();
        let refused = above.starts_with("plan");
        let expected = if refused { "refused" } else { verdict };
        assert_eq!(answer["verdict"], expected, "{above}: {answer}");
        let shown = lens(&mut client, MODEL, above, answer["headline"].as_str().unwrap());
        let said = client.findings(URI);
        assert!(said.iter().any(|d| d["code"] == expected), "{said:?}");
        // A page takes a while, so one is enough.
        if title == "seek a plan" {
            let page = press(&mut client, &shown).unwrap();
            let path = page["path"].as_str().unwrap();
            assert!(std::fs::read_to_string(path).unwrap().starts_with("<!"), "{path}");
            std::fs::remove_file(path).unwrap();
            assert!(client.asked.iter().any(|request| request.method == "window/showDocument"));
        }
    }
    assert!(client.asked.iter().any(|request| request.method == "workspace/codeLens/refresh"));
    client.end();
}

#[test]
fn a_plan_that_gives_away_too_much_is_shown_in_place() {
    let text = MODEL
        .replace("left, right as light; others", "others")
        .replace("observer blind {\n  knows plan\n  stipulate hidden: !knows(who)\n}\n", "");
    let mut client = Client::start();
    client.open(URI, &text);
    client.findings(URI);
    let question = lens(&mut client, &text, "plan all", "check");
    let answer = press(&mut client, &question).unwrap();
    assert_eq!(answer["verdict"], "violated");
    let shown = lens(&mut client, &text, "plan all", "violated");
    assert_eq!(shown["command"]["command"], "divulge.explore");
    let said = client.findings(URI);
    let verdict = said.iter().find(|d| d["code"] == "violated").unwrap();
    assert_eq!(verdict["range"]["start"], place(&text, "all {", 0));
    // The text changes, so the question is asked again, and the new answer takes the place of the old one.
    let mended = text.replace("sees others", "sees left, right as light; others");
    client.change(URI, json!([{"text": mended}]));
    client.until(|c| c.diagnostics[URI].1.iter().any(|d| d["code"] == "holds"));
    assert!(
        lens(&mut client, &mended, "plan all", "holds")["command"]["title"]
            .as_str()
            .unwrap()
            .starts_with('✓')
    );
    client.end();
}

#[test]
fn nothing_blocks_typing_and_what_is_stale_is_stopped() {
    let mut client = Client::start();
    client.open(URI, LARGE);
    let question = json!({"uri": URI, "of": "observer", "name": "spy", "ask": "plan"});
    let ask = json!({"command": "divulge.ask", "arguments": [question]});
    let first = client.begin("workspace/executeCommand", ask.clone());
    let second = client.begin("workspace/executeCommand", ask);
    // While the world is explored and a plan is sought, everything else is answered.
    let hover = client.at("textDocument/hover", URI, place(LARGE, "999", 0)).unwrap();
    assert_eq!(hover, Value::Null);
    client.notify("$/cancelRequest", json!({"id": 2}));
    assert_eq!(client.answer(&first).unwrap_err().0, -32800);
    client.change(URI, json!([{"text": format!("{LARGE}// more\n")}]));
    assert_eq!(client.answer(&second).unwrap_err().0, -32801);
    // A mistake is seen at once, though the world before it was still being explored.
    client.change(URI, json!([{"text": LARGE.replace("goal a", "goal z")}]));
    assert_eq!(client.codes(URI), ["E0201"]);
    client.end();
}

#[test]
fn plans_that_grow_large_keep_nobody_waiting() {
    // Ten plans of millions of edges, which took a minute to be made, and longer with every key.
    let labels: Vec<String> = (0..60).map(|i| format!("o{i}")).collect();
    let world = "world {\n  x: 0..1 = 0\n  action go { x := 1 - x }\n";
    let mut text =
        format!("{world}  observe {{ {} }}\n  goal x = 1\n}}\nuse plan none\n", labels.join(" | "));
    text += "observer spy { knows world; sees others as themselves; stipulate s: possible(x = 0) | true }\n";
    (0..10).for_each(|i| text += &format!("plan p{i} {{ repeat 100000 {{ go }} }}\n"));
    let begin = std::time::Instant::now();
    let mut client = Client::start();
    client.open(URI, &text);
    for keys in 1..=10 {
        client.change(URI, json!([{"text": format!("{text}{}", "// more\n".repeat(keys))}]));
    }
    let found = client.codes(URI);
    assert!(found.iter().all(|code| code.starts_with('W')), "{found:?}");
    client.change(URI, json!([{"text": text.replace("goal x", "goal z")}]));
    assert_eq!(client.codes(URI), ["E0201"]);
    assert!(begin.elapsed().as_secs() < 20, "it took {:?}", begin.elapsed());
    client.end();
}
