//! The gallery has every example, as it is. `UPDATE=1 cargo test -p divulge-playground --test gallery` brings it up to date.

use std::{collections::BTreeMap, fs, path::Path};

use divulge::Unlimited;
use divulge_playground::Playground;
use serde_json::{Value, json};

/// The endings of what can be opened.
const ENDINGS: [&str; 8] = ["divulge", "json", "fsm", "gen", "aut", "prism", "pddl", "nm"];

fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), found);
        } else if path.extension().is_some_and(|e| ENDINGS.iter().any(|known| e == *known)) {
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

fn examples() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "", &mut found);
    found
}

#[test]
fn every_example_is_in_the_gallery() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/gallery.json");
    let now = serde_json::to_string_pretty(&examples()).unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, now).unwrap();
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    assert!(
        there == now,
        "the gallery is stale: run UPDATE=1 cargo test -p divulge-playground --test gallery"
    );
}

/// Each example is read without an error, and what is suggested can be asked of it, with the verdict that its name promises.
#[test]
fn every_example_can_be_asked_about() {
    let files = examples();
    let mut session = Playground::default();
    let mut request = |request: Value| -> Value {
        serde_json::from_str(&session.answer(&request.to_string(), &Unlimited, &Unlimited)).unwrap()
    };
    request(json!({ "do": "files", "files": files }));
    for (name, text) in &files {
        if name.ends_with("-domain.pddl") {
            continue;
        }
        let open = request(json!({ "do": "read", "name": name, "text": text }));
        // A constant that a file leaves open is asked for.
        let constants = open["outline"]["constants"].as_array().unwrap();
        let set: Vec<[&str; 2]> = constants
            .iter()
            .filter(|constant| constant[1] == "")
            .map(|constant| [constant[0].as_str().unwrap(), "3"])
            .collect();
        let read = request(json!({ "do": "read", "name": name, "text": text, "set": set }));
        let errors = read["problems"].as_array().unwrap().iter().filter(|p| p["severity"] == "error").count();
        assert!(errors == 0, "{name}: {read}");
        let what = read["about"]["suggested"].as_str().unwrap_or_else(|| panic!("{name}: {read}")).to_owned();
        if name.starts_with("formats/") || name.starts_with("theory/") || name.starts_with("opacity/") {
            // These say in their own pages what to ask.
            continue;
        }
        let reply = request(json!({ "do": "ask", "name": name, "text": text, "question": { "what": what } }));
        let verdict = reply["verdict"].as_str().unwrap_or_else(|| panic!("{name}: {reply}"));
        let violated = matches!(verdict, "violated" | "none");
        assert_eq!(violated, name.ends_with("_violated.divulge"), "{name}: {what}: {verdict}");
        let drawn = request(json!({ "do": "draw", "theme": "light", "width": 600 }));
        assert!(drawn["all"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{name}: {drawn}");
        let walk = request(json!({ "do": "explore" }));
        assert!(
            walk["data"]["about"]["verdict"].is_object() || walk["data"]["about"].is_object(),
            "{name}: {walk}"
        );
    }
}
