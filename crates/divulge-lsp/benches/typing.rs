//! How long it takes from a key to the diagnostics: `cargo bench -p divulge-lsp` prints it.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};

const URI: &str = "untitled:model.divulge";
const KEYS: usize = 21;

/// A model of some 2,000 lines: many definitions, actions, observations, a long plan.
fn long() -> String {
    let mut text = String::from("world {\n  x: 0..30 = 0\n  y: 0..30 = 0\n  who: {ann, bob}\n");
    for i in 0..600 {
        let _ = writeln!(text, "  action a{i} when x < 30 & near(x, y, {i}) {{ x := x + 1 }}");
    }
    text.push_str("  observe {\n");
    for i in 0..300 {
        let _ = writeln!(text, "    o{i} when x = {} & y = {}", i % 30, i / 30);
    }
    text.push_str(
        "    quiet otherwise\n  }\n  goal x = 30\n}\n\ndef near(p, q, n) = abs(p - q) <= n | p > n\n",
    );
    for i in 0..400 {
        let _ = writeln!(text, "def d{i}(p) = near(p, x, {i}) & y < {i}");
    }
    text.push_str("\nobserver spy {\n  knows world\n  sees others as themselves\n");
    for i in 0..200 {
        let _ = writeln!(text, "  stipulate s{i}: !knows(who = ann & d{i}(x))");
    }
    text.push_str("}\n\nplan {\n");
    for i in 0..480 {
        let _ = writeln!(text, "  if o{} {{ a{i} }} else {{ a0 }}", i % 300);
    }
    text.replacen("  if o0", "  a0\n  if o0", 1) + "}\n"
}

/// A short model with a million states.
fn large() -> String {
    let mut text = String::from("world {\n");
    for v in ["a", "b"] {
        let _ = writeln!(text, "  {v}: 0..699 = 0\n  action {v}_up when {v} < 699 {{ {v} := {v} + 1 }}");
    }
    text + "  observe { far when a = 699; near otherwise }\n  goal a = 699\n}\n\nobserver spy { knows world; sees others as themselves; stipulate s: !knows(b = 1) }\n"
}

fn main() {
    for (what, text) in [("a model of 2,000 lines", long()), ("a world of a million states", large())] {
        let lines = text.lines().count();
        let mut times = measure(&text);
        times.sort();
        println!(
            "{what} ({lines} lines): from a key to its diagnostics {:?}, at worst {:?}",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
}

/// Types into the first line again and again, a mistake and its removal in turns.
fn measure(text: &str) -> Vec<Duration> {
    let (client, server) = Connection::memory();
    let thread = std::thread::spawn(move || divulge_lsp::serve(server).map_err(|e| e.to_string()));
    let request = |id: i32, method: &str, params: Value| {
        client.sender.send(Request { id: id.into(), method: method.to_owned(), params }.into()).unwrap();
    };
    let notify = |method: &str, params: Value| {
        client.sender.send(Notification { method: method.to_owned(), params }.into()).unwrap();
    };
    request(1, "initialize", json!({"capabilities": {}}));
    client.receiver.recv().unwrap();
    notify("initialized", json!({}));
    let document = json!({"uri": URI, "languageId": "divulge", "version": 0, "text": text});
    notify("textDocument/didOpen", json!({"textDocument": document}));
    let mut times = Vec::new();
    for version in 1..=KEYS {
        let begin = Instant::now();
        let (start, end, new) = if version % 2 == 1 { (0, 0, "\u{e9}") } else { (0, 1, "") };
        let range = json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}});
        let document = json!({"uri": URI, "version": version});
        notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"range": range, "text": new}]}),
        );
        loop {
            let message = client.receiver.recv().unwrap();
            if let Message::Notification(told) = message
                && told.params["version"] == json!(version)
            {
                break;
            }
        }
        times.push(begin.elapsed());
    }
    request(2, "shutdown", Value::Null);
    notify("exit", Value::Null);
    let _ = thread.join();
    times
}
