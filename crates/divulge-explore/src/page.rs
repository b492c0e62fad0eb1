//! The page: one HTML file that holds the problem, the engine and all that draws.

use std::io::{self, Write};

use divulge::problem::{Grid, Problem};
use divulge_model::document;
use serde_json::{Value, json};

use crate::{Explorer, GridRequest};

/// What runs in the page: the crate `divulge-web`, compiled by `scripts/build-web`.
const ENGINE: &[u8] = include_bytes!("../web/divulge.wasm");

const STYLE: &str = include_str!("../web/style.css");
const FRAME: &str = include_str!("../web/frame.html");

/// The scripts, those that others import first.
const SCRIPTS: [&str; 9] = [
    include_str!("../web/dom.js"),
    include_str!("../web/address.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/picture.js"),
    include_str!("../web/header.js"),
    include_str!("../web/walk.js"),
    include_str!("../web/whatif.js"),
    include_str!("../web/twins.js"),
    include_str!("../web/main.js"),
];

/// The largest problem document, in bytes, that a page holds.
pub const LARGEST: usize = 32 << 20;

/// What a page opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The events that have happened; none: the page chooses, a violation if there is one, else the start.
    pub events: Option<Vec<String>>,
    /// What is to be said first, such as why there is no plan: a headline, and a text in lines.
    pub note: Option<(String, String)>,
}

/// A problem is too large for a page; the size of its document in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub usize);

/// The page for a problem, with a plan and a map filled in if there are any.
///
/// # Errors
/// If the problem is too large.
pub fn page(problem: &Problem, opening: &Opening) -> Result<String, TooLarge> {
    let mut shown = problem.clone();
    if shown.observer.map.is_some() {
        // A document has a map or constraints on one.
        shown.observer.constraints = Default::default();
    }
    // The page is about one observer.
    shown.others.clear();
    let text = document::to_string(&shown);
    if text.len() > LARGEST {
        return Err(TooLarge(text.len()));
    }
    let about = Explorer::open(shown.clone()).answer(r#"{"do": "about"}"#);
    let grid = shown.grid.clone().map(|Grid { row, col, landmarks }| GridRequest { row, col, landmarks });
    let data = json!({
        "document": text,
        "grid": grid,
        "about": serde_json::from_str::<Value>(&about).unwrap_or_default(),
        "events": opening.events,
        "note": opening.note,
    });
    let title = shown.name.as_deref().unwrap_or("divulge");
    let scripts: Vec<String> = SCRIPTS.iter().map(|text| inlined(text)).collect();
    Ok(filled(&[
        ("title", &escaped(title)),
        ("style", STYLE),
        ("summary", &escaped(&summary(&data["about"]))),
        ("data", &data.to_string().replace('<', "\\u003c")),
        ("engine", &base64(ENGINE)),
        ("script", &scripts.join("\n")),
    ]))
}

/// Writes the page for a problem.
///
/// # Errors
/// Those of `out`; if the problem is too large, an error of kind [`io::ErrorKind::FileTooLarge`].
pub fn write(problem: &Problem, opening: &Opening, mut out: impl Write) -> io::Result<()> {
    let page = page(problem, opening).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
    out.write_all(page.as_bytes())
}

/// The frame with its `{{blanks}}` filled in.
fn filled(blanks: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = FRAME;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        out.push_str(blanks.iter().find(|(blank, _)| *blank == name).map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

/// A module without its imports and exports: in the page all modules are one.
fn inlined(module: &str) -> String {
    let kept = module.lines().filter(|line| !line.starts_with("import "));
    kept.map(|line| line.strip_prefix("export ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// What is said where scripts do not run.
fn summary(about: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let demands = about["demands"].as_array().into_iter().flatten().map(|demand| text(&demand["words"]));
    let facts = about["facts"].as_array().into_iter().flatten().map(text);
    let verdict = [text(&about["verdict"]["short"]), text(&about["verdict"]["words"])];
    demands.chain([verdict.join(". ")]).chain(facts).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let all = a << 16 | b << 8 | c;
        for i in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * i)) as usize & 63];
            out.push(if i > chunk.len() { '=' } else { digit as char });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_base64() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn modules_become_one() {
        let module = "import { a } from \"./a.js\";\nexport function b() {\n  return a;\n}";
        assert_eq!(inlined(module), "function b() {\n  return a;\n}");
    }
}
