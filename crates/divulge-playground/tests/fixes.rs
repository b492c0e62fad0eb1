//! What is offered as a fix mends what it is offered for, as the page applies it.

use divulge::Unlimited;
use divulge_playground::Playground;
use serde_json::{Value, json};

fn read(text: &str) -> Value {
    let request = json!({ "do": "read", "name": "m.divulge", "text": text }).to_string();
    serde_json::from_str(&Playground::default().answer(&request, &Unlimited, &Unlimited)).unwrap()
}

/// The text after a fix: edits count as browsers do.
fn mended(text: &str, fix: &Value) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut edits = fix["edits"].as_array().unwrap().clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["from"].as_u64()));
    for edit in edits {
        let place = |name: &str| edit[name].as_u64().unwrap() as usize;
        units.splice(place("from")..place("to"), edit["insert"].as_str().unwrap().encode_utf16());
    }
    String::from_utf16(&units).unwrap()
}

#[test]
fn what_strangers_write_is_mended() {
    let model = "// 😀 größe\nworld {\n  x: 0..3 = 0\n  action go when x < 3 { x := x + 1 }\n  observe { quiet otherwise }\n  goal x = 3\n}\n\
                 observer o { knows world; sees others as themselves; stipulate s: !knows(x = 2) }\n";
    assert_eq!(read(model)["problems"], json!([]));
    for (right, wrong) in [
        ("knows(x = 2)", "knows(x == 2)"),
        ("x < 3 {", "x < 3 && x >= 0 {"),
        ("observer o", "obsever o"),
        ("goal x = 3", "goal x = 3 # the end"),
        ("x := x + 1", "x := xx + 1"),
        ("sees others as themselves", "sees go as step"),
    ] {
        let text = model.replace(right, wrong);
        assert_ne!(text, model, "{right}");
        let before = read(&text);
        let first = &before["problems"][0];
        let fix = first["fixes"].get(0).unwrap_or_else(|| panic!("{wrong} has no fix: {before}"));
        let after = mended(&text, fix);
        let problems = read(&after)["problems"].clone();
        let same = |p: &Value| p["code"] == first["code"] && p["message"] == first["message"];
        assert!(!problems.as_array().unwrap().iter().any(same), "{wrong}: {fix} gives\n{after}\n{problems}");
    }
}
