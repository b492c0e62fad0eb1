//! Random edits and requests: the server never panics, and answers everything.

mod client;

use client::Client;
use serde_json::{Value, json};

const URI: &str = "untitled:model.divulge";

/// A small generator of numbers, the same ones each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const PIECES: [&str; 40] = [
    "world {",
    "}",
    "{",
    "(",
    ")",
    "\"",
    "\"a b\"",
    "observer x {",
    "knows plan",
    "knows(",
    "sees a as b;",
    "plan {",
    "go",
    "é😀",
    "\r\n",
    "\n",
    "// c",
    "x: 0..3 = 0\n",
    "action go when x < 3 { x := x + 1 }\n",
    "observe { o otherwise }\n",
    "goal x = 3\n",
    "goal",
    "stipulate s: always !",
    "include \"none.divulge\"\n",
    "const n = 3\n",
    "u0 -a-> y0",
    "graph",
    "==",
    "'",
    "#",
    "always",
    "until",
    "in",
    "..",
    ":=",
    "99999999999999999999",
    "def f(p) = p\n",
    "use plan x\n",
    "if then else",
    "\u{feff}",
];

#[test]
fn whatever_is_typed_everything_is_answered() {
    let effort: usize = std::env::var("DIVULGE_EFFORT").ok().and_then(|e| e.parse().ok()).unwrap_or(1);
    let mut dice = Dice(7);
    let mut client = Client::start();
    let mut model =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pentagon.divulge"))
            .unwrap_or_else(|_| "world { }".to_owned());
    model.truncate(model.floor_char_boundary(2500));
    client.open(URI, &model);
    for round in 0..120 * effort {
        let lines = 60;
        let spot = |dice: &mut Dice| json!({"line": dice.below(lines), "character": dice.below(40)});
        let (a, b) = (spot(&mut dice), spot(&mut dice));
        let piece = dice.of(&PIECES);
        let change = match dice.below(12) {
            0 => json!({"text": model}),
            1 => json!({"range": {"start": a, "end": b}, "text": piece}),
            _ => json!({"range": {"start": a, "end": a}, "text": piece}),
        };
        client.change(URI, json!([change]));
        let method = dice.of(&[
            "hover",
            "completion",
            "definition",
            "references",
            "documentHighlight",
            "prepareRename",
            "rename",
            "formatting",
            "foldingRange",
            "documentSymbol",
            "semanticTokens/full",
            "codeAction",
            "codeLens",
        ]);
        let position = spot(&mut dice);
        let params = json!({
            "textDocument": {"uri": URI}, "position": position, "range": {"start": position, "end": position},
            "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1}, "newName": dice.of(&["zzz", "go", "1", ""]),
            "options": {"tabSize": 2, "insertSpaces": true},
        });
        let answer = client.request(&format!("textDocument/{method}"), params);
        // Only what cannot be renamed is refused.
        assert!(answer.is_ok() || method.to_lowercase().contains("rename"), "{round}: {method}: {answer:?}");
    }
    client.change(URI, json!([{"text": "world { }\n"}]));
    assert!(!client.findings(URI).is_empty());
    let _: Value = client.request("textDocument/codeLens", json!({"textDocument": {"uri": URI}})).unwrap();
    client.end();
}
