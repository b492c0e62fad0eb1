//! Every feature, as a client meets it.

mod client;

use client::{Client, edited, place};
use serde_json::{Value, json};

const URI: &str = "untitled:model.divulge";

/// Letters beyond ASCII, also such that UTF-16 takes two units for; every line ends with CR LF where `crlf` is asked for.
const MODEL: &str = "// 😀 ein Flur
const last = 2
let half = last - 1
def far(p) = p > half

world {
  zimmer_ä: 0..last = 0
  gast: {alice, bób}
  action vor when zimmer_ä < last { zimmer_ä := zimmer_ä + 1 }
  action back when zimmer_ä > 0 { zimmer_ä := zimmer_ä - 1 }
  observe {
    /* */
    hell | dunkel by gast when zimmer_ä = 1
    still otherwise
  }
  goal far(zimmer_ä)
}

observer nachbar {
  knows plan
  sees vor, back as schritt; hell, dunkel as licht; others as themselves
  stipulate leise: always !knows(gast)
}

plan hin { vor; vor }
";

fn model() -> String {
    MODEL.replace("    /* */\n", "")
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap_or("").to_owned()).collect()
}

#[test]
fn a_good_model_has_no_findings_and_a_broken_one_has_all_of_them_with_codes() {
    let mut client = Client::start();
    client.open(URI, &model());
    assert_eq!(client.findings(URI), Vec::<Value>::new());
    let broken = model().replace("< last {", "< lst {").replace("far(zimmer_ä)", "fra(zimmer_ä)");
    client.change(URI, json!([{"text": broken}]));
    assert_eq!(client.codes(URI), ["E0201", "E0201"]);
    let findings = client.findings(URI);
    let finding = findings.iter().find(|f| f["message"].as_str().unwrap().contains("`lst`")).unwrap();
    assert_eq!(finding["range"]["start"], place(&broken, "lst", 0));
    assert_eq!(finding["codeDescription"]["href"], "divulge-explain:E0201");
    assert!(finding["message"].as_str().unwrap().contains("did you mean `last`?"), "{finding}");
    // Several mistakes of syntax, too.
    let broken =
        model().replace("knows plan", "knos plan").replace("goal far", "gaol far").replace("= 0\n", "== 0\n");
    client.change(URI, json!([{"text": broken}]));
    assert_eq!(client.codes(URI).len(), 3);
    client.end();
}

#[test]
fn the_world_is_looked_at_too() {
    let mut client = Client::start();
    client
        .open(URI, &model().replace("goal far(zimmer_ä)", "goal zimmer_ä = 2 & gast = alice & zimmer_ä = 1"));
    assert!(client.codes(URI).contains(&"W0101".to_owned()), "{:?}", client.diagnostics);
    client.end();
}

#[test]
fn changes_of_parts_arrive_where_they_belong() {
    let mut client = Client::start();
    let text = model().replace('\n', "\r\n");
    client.open(URI, &text);
    assert!(client.findings(URI).is_empty());
    // `bób` becomes `bobby`, behind letters that take several bytes.
    let (start, mut end) = (place(&text, "bób", 0), place(&text, "bób", 0));
    end["character"] = json!(end["character"].as_u64().unwrap() + 3);
    client.change(URI, json!([{"range": {"start": start, "end": end}, "text": "bobby"}]));
    assert!(client.findings(URI).is_empty());
    let text = text.replace("bób", "bobby");
    let hover = client.at("textDocument/hover", URI, place(&text, "gast", 1)).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("alice, bobby"), "{hover}");
    client.end();
}

#[test]
fn fixes_are_offered_and_mend() {
    let mut client = Client::start();
    let broken = model().replace("< last {", "< lst {");
    client.open(URI, &broken);
    let findings = client.findings(URI);
    let range = findings[0]["range"].clone();
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": findings}});
    let actions = client.request("textDocument/codeAction", params).unwrap();
    assert_eq!(texts(&actions, "title"), ["Write `last`", "Explain E0201"]);
    assert_eq!(edited(&broken, &actions[0]["edit"]["changes"][URI]), model());
    assert_eq!(actions[0]["diagnostics"].as_array().unwrap().len(), 1);
    let told = client
        .request("workspace/executeCommand", json!({"command": "divulge.explain", "arguments": ["E0201"]}))
        .unwrap();
    assert!(told["text"].as_str().unwrap().contains("Remedy:"));
    assert!(client.asked.iter().any(|request| request.method == "window/showDocument"));
    client.end();
}

#[test]
fn hovering_tells_what_things_are() {
    let mut client = Client::start();
    let text = model();
    client.open(URI, &text);
    client.findings(URI);
    for (word, nth, told) in [
        ("last", 1, "`last = 2`"),
        ("half", 1, "`half = 1`"),
        ("far", 1, "def far(p) = p > half"),
        ("zimmer_ä", 2, "0..2 (3 values)"),
        ("gast", 1, "alice, bób"),
        ("alice", 0, "a value of `gast`"),
        ("vor", 1, "looks like `schritt`, just as `back`"),
        ("still", 0, "looks like `still`, and like no other event"),
        ("licht", 0, "`hell`, `dunkel`"),
        ("leise", 0, "must never"),
        ("nachbar", 0, "It tells"),
        ("world", 0, "vertices"),
        ("stipulate", 0, "what must hold"),
    ] {
        let hover = client.at("textDocument/hover", URI, place(&text, word, nth)).unwrap();
        let found = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
        assert!(found.contains(told), "{word}: {found}");
    }
    client.end();
}

#[test]
fn what_may_stand_somewhere_is_suggested_there() {
    let mut client = Client::start();
    let full = model();
    client.open(URI, &full);
    client.findings(URI);
    // The text up to a place, the letter `$`, with what must and must not be suggested there.
    for (line, wanted, unwanted) in [
        ("$", vec!["world", "observer", "const"], vec!["action", "vor"]),
        ("use plan $", vec!["hin"], vec!["world"]),
        ("world { $", vec!["action", "observe", "goal"], vec!["knows"]),
        ("world { x: 0..2 = 0; goal gast = $", vec!["alice", "bób"], vec!["zimmer_ä", "vor"]),
        ("plan x { $", vec!["vor", "back", "if", "stop"], vec!["hell", "nachbar"]),
        ("plan x { vor; if $", vec!["hell", "dunkel", "still"], vec!["vor", "hin"]),
        ("observer b { $", vec!["knows", "sees", "stipulate"], vec!["vor", "world"]),
        ("observer b { knows $", vec!["plan", "world", "goal-directed"], vec!["sees"]),
        ("observer b { sees $", vec!["vor", "hell", "others"], vec!["zimmer_ä"]),
        ("observer b { sees vor as $", vec!["schritt", "themselves"], vec!["vor"]),
        ("observer b { stipulate s: $", vec!["always", "knows", "at end"], vec!["sees", "vor"]),
        ("observer b { stipulate s: always !knows($", vec!["gast", "zimmer_ä", "was"], vec!["vor", "always"]),
        ("// about $", vec![], vec!["world"]),
    ] {
        let text = format!("{full}\n{}", line.replace('$', ""));
        client.change(URI, json!([{"text": text}]));
        let lines = text.lines().count() - usize::from(text.ends_with('\n'));
        let position = if line == "$" {
            json!({"line": lines, "character": 0})
        } else {
            json!({"line": lines - 1, "character": line.replace('$', "").encode_utf16().count()})
        };
        let items = client.at("textDocument/completion", URI, position).unwrap();
        let labels = texts(&items, "label");
        for label in wanted {
            assert!(labels.contains(&label.to_owned()), "{line}: no {label} in {labels:?}");
        }
        for label in unwanted {
            assert!(!labels.contains(&label.to_owned()), "{line}: {label} in {labels:?}");
        }
    }
    client.end();
}

#[test]
fn definitions_references_and_highlights() {
    let mut client = Client::start();
    let text = model();
    client.open(URI, &text);
    let found = client.at("textDocument/definition", URI, place(&text, "zimmer_ä", 3)).unwrap();
    assert_eq!(found[0]["range"]["start"], place(&text, "zimmer_ä", 0));
    let found = client.at("textDocument/definition", URI, place(&text, "p > half", 0)).unwrap();
    assert_eq!(found[0]["range"]["start"], place(&text, "p) =", 0));
    let params = |all: bool| json!({"textDocument": {"uri": URI}, "position": place(&text, "vor", 0), "context": {"includeDeclaration": all}});
    let all = client.request("textDocument/references", params(true)).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 4);
    let uses = client.request("textDocument/references", params(false)).unwrap();
    assert_eq!(uses.as_array().unwrap().len(), 3);
    let marked = client.at("textDocument/documentHighlight", URI, place(&text, "gast", 0)).unwrap();
    assert_eq!(marked.as_array().unwrap().len(), 3);
    client.end();
}

fn rename(client: &mut Client, uri: &str, position: Value, new: &str) -> Result<Value, (i32, String)> {
    client.request(
        "textDocument/rename",
        json!({"textDocument": {"uri": uri}, "position": position, "newName": new}),
    )
}

#[test]
fn renaming_changes_every_mention_and_refuses_what_clashes() {
    let mut client = Client::start();
    let text = model();
    client.open(URI, &text);
    let ready = client.at("textDocument/prepareRename", URI, place(&text, "zimmer_ä", 2)).unwrap();
    assert_eq!(ready["placeholder"], "zimmer_ä");
    let change = rename(&mut client, URI, place(&text, "zimmer_ä", 2), "raum").unwrap();
    assert_eq!(edited(&text, &change["changes"][URI]), text.replace("zimmer_ä", "raum"));
    for (word, new, reason) in [
        ("zimmer_ä", "gast", "already the name of a variable"),
        ("zimmer_ä", "last", "already the name of a constant"),
        ("zimmer_ä", "1x", "is no name"),
        ("zimmer_ä", "a b", "is no name"),
        ("zimmer_ä", "", "cannot be empty"),
        ("zimmer_ä", "world", "reserved"),
        ("far", "always", "means something in stipulations"),
        ("vor", "back", "already the name of an action"),
        ("vor", "hell", "already the name of an observation"),
        ("schritt", "still", "also an event"),
        ("alice", "bób", "already the name of a value"),
        ("p) =", "half", "already"),
        ("world", "x", "no name here"),
    ] {
        let refused = rename(&mut client, URI, place(&text, word, 0), new).unwrap_err();
        assert!(refused.1.contains(reason), "{word} to {new}: {}", refused.1);
    }
    // A formula in quotes has names of its own.
    let quoted = text.replace("always !knows(gast)", "always \"!knows(gast = \\\"alice\\\")\"");
    client.change(URI, json!([{"text": quoted}]));
    for word in ["gast", "alice"] {
        let refused = rename(&mut client, URI, place(&quoted, word, 0), "other").unwrap_err();
        assert!(refused.1.contains("formula in quotes"), "{}", refused.1);
    }
    client.end();
}

#[test]
fn formatting_outline_folds_and_colours() {
    let mut client = Client::start();
    let text = model().replace("  goal far", "      goal    far").replace('\n', "\r\n");
    client.open(URI, &text);
    let document = json!({"textDocument": {"uri": URI}});
    let options = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.request("textDocument/formatting", options.clone()).unwrap();
    let once = edited(&text, &edits);
    assert!(once.contains("\r\n  goal far"), "{once}");
    assert!(!once.replace("\r\n", "").contains('\n'), "the line ends stay");
    client.change(URI, json!([{"text": once}]));
    assert_eq!(client.request("textDocument/formatting", options).unwrap(), json!([]));
    let outline = client.request("textDocument/documentSymbol", document.clone()).unwrap();
    assert_eq!(texts(&outline, "name"), ["last", "half", "far", "world", "nachbar", "hin"]);
    assert_eq!(
        texts(&outline[3]["children"], "name"),
        ["zimmer_ä", "gast", "vor", "back", "observe", "goal"]
    );
    assert_eq!(texts(&outline[4]["children"], "name"), ["leise"]);
    for symbol in outline.as_array().unwrap() {
        let (whole, head) = (&symbol["range"], &symbol["selectionRange"]);
        let key = |p: &Value| (p["line"].as_u64().unwrap(), p["character"].as_u64().unwrap());
        assert!(key(&whole["start"]) <= key(&head["start"]) && key(&head["end"]) <= key(&whole["end"]));
    }
    let folds = client.request("textDocument/foldingRange", document.clone()).unwrap();
    assert_eq!(folds.as_array().unwrap().len(), 3);
    let colours = client.request("textDocument/semanticTokens/full", document).unwrap();
    let data = colours["data"].as_array().unwrap();
    assert!(data.len() > 300 && data.len().is_multiple_of(5), "{}", data.len());
    assert_eq!(
        data[..5],
        [json!(0), json!(0), json!(14), json!(1), json!(0)],
        "the comment, with its two units"
    );
    client.end();
}

#[test]
fn an_odd_request_is_refused_and_nothing_breaks() {
    let mut client = Client::start();
    assert_eq!(client.request("textDocument/hover", json!({"no": 1})).unwrap_err().0, -32602);
    assert_eq!(client.request("no/such/thing", json!({})).unwrap_err().0, -32601);
    assert_eq!(
        client.at("textDocument/hover", "file:///none", json!({"line": 9, "character": 9})).unwrap(),
        Value::Null
    );
    client.notify("textDocument/didChange", json!({"textDocument": 3}));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///none"}}));
    let ask = json!({"command": "divulge.ask", "arguments": [{"uri": "file:///none", "ask": "check"}]});
    assert_eq!(client.request("workspace/executeCommand", ask).unwrap_err().0, -32602);
    client.end();
}

/// A document is no model: what is wrong with it is said, and nothing else is offered. JSON of other kinds is left alone.
#[test]
fn documents_get_their_own_findings_and_other_json_none() {
    const DOCUMENT: &str = r#"{"format": "divulge/1", "world": {"vertices": {"u0": {"kind": "action", "goal": true}},
      "initial": ["u0"], "edges": []}, "observers": [{"knows": "world", "map": {}, "stipulations": []}]}"#;
    let mut client = Client::start();
    client.open(URI, &DOCUMENT.replace("initial", "inital"));
    let findings = client.findings(URI);
    assert!(findings[0]["message"].as_str().unwrap().contains("inital"), "{findings:?}");
    client.change(URI, json!([{"text": DOCUMENT}]));
    assert!(client.findings(URI).iter().all(|f| f["severity"] != 1), "{:?}", client.findings(URI));
    for method in ["hover", "completion", "definition"] {
        let start = json!({"line": 0, "character": 3});
        assert_eq!(
            client.at(&format!("textDocument/{method}"), URI, start).unwrap(),
            Value::Null,
            "{method}"
        );
    }
    for method in ["codeLens", "documentSymbol", "semanticTokens/full"] {
        let about = json!({"textDocument": {"uri": URI}});
        assert_eq!(
            client.request(&format!("textDocument/{method}"), about).unwrap(),
            Value::Null,
            "{method}"
        );
    }
    let layout = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    assert_eq!(client.request("textDocument/formatting", layout).unwrap(), json!([]));
    client.change(URI, json!([{"text": "{\"name\": \"a package\", \"world\": 3}"}]));
    assert_eq!(client.findings(URI), Vec::<Value>::new());
    client.change(URI, json!([{"text": model()}]));
    assert_eq!(client.findings(URI), Vec::<Value>::new());
    client.end();
}
