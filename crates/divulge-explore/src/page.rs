//! The page: one HTML file that holds the problem, the engine and all that draws.

use std::{fmt, io::Write};

use divulge::{Limit, Monitor, Progress, problem::Problem};
use divulge_model::document;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;

pub use crate::opening::Opening;
use crate::opening::{data, shown};

/// What runs in the page: the crate `divulge-web`, compiled by `scripts/build-web`.
const ENGINE: &[u8] = include_bytes!("../web/divulge.wasm");

/// The module that makes elements, for other pages too.
pub const ELEMENTS: &str = include_str!("../web/dom.js");

/// The style that pages share: colours, light and dark, what only screen readers see.
pub const COMMON: &str = include_str!("../web/common.css");

const STYLE: &str = include_str!("../web/style.css");
const FRAME: &str = include_str!("../web/frame.html");

/// The scripts, those that others import first.
const SCRIPTS: [&str; 11] = [
    ELEMENTS,
    include_str!("../web/address.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/picture.js"),
    include_str!("../web/demand.js"),
    include_str!("../web/header.js"),
    include_str!("../web/side.js"),
    include_str!("../web/walk.js"),
    include_str!("../web/whatif.js"),
    include_str!("../web/twins.js"),
    include_str!("../web/main.js"),
];

/// The largest problem document, in bytes, that a page holds. The page itself is much smaller, but what runs in it unpacks the
/// document and has some two gigabytes of memory.
pub const LARGEST: usize = 512 << 20;

/// How many bytes are packed between two polls.
const PIECE: usize = 1 << 18;

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPage {
    /// The problem is too large; the size of its document in bytes.
    TooLarge(usize),
    /// A limit was hit.
    Limit(Limit),
}

impl From<Limit> for NoPage {
    fn from(limit: Limit) -> Self {
        NoPage::Limit(limit)
    }
}

impl fmt::Display for NoPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPage::TooLarge(bytes) => write!(
                f,
                "the problem is too large for a page: its document has {} MB, and {} MB is the most",
                bytes >> 20,
                LARGEST >> 20
            ),
            NoPage::Limit(_) => f.write_str("a limit was hit before the page was made"),
        }
    }
}

impl std::error::Error for NoPage {}

/// The page for a problem, with a plan and a map filled in if there are any.
///
/// # Errors
/// If the problem is too large, or `monitor` says that a limit was hit.
pub fn page(problem: &Problem, opening: &Opening, monitor: &dyn Monitor) -> Result<String, NoPage> {
    let shown = shown(problem);
    let text = document::to_string(&shown);
    poll(monitor)?;
    if text.len() > LARGEST {
        return Err(NoPage::TooLarge(text.len()));
    }
    let packed = packed(text.as_bytes(), monitor)?;
    drop(text);
    let data = data(&shown, opening, monitor)?;
    let title = shown.name.as_deref().unwrap_or("divulge");
    Ok(filled(
        FRAME,
        &[
            ("title", &escaped(title)),
            ("style", &style()),
            ("summary", &escaped(&summary(&data["about"]))),
            ("data", &data.to_string().replace('<', "\\u003c")),
            ("document", &base64(&packed)),
            ("engine", &engine(monitor)?),
            ("script", &script()),
        ],
    ))
}

/// What runs in a page, as text: packed, in base 64.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn engine(monitor: &dyn Monitor) -> Result<String, Limit> {
    Ok(base64(&packed(ENGINE, monitor)?))
}

/// The page with blanks in place of the problem, so that another page can make such pages: the frame, with
/// `{{title}}`, `{{summary}}`, `{{data}}`, `{{document}}` and `{{engine}}` still to be filled in.
pub fn blank() -> String {
    let blanks =
        ["title", "summary", "data", "document", "engine"].map(|name| (name, format!("{{{{{name}}}}}")));
    let kept = blanks.iter().map(|(name, text)| (*name, text.as_str()));
    filled(FRAME, &kept.chain([("style", style().as_str()), ("script", &script())]).collect::<Vec<_>>())
}

fn style() -> String {
    COMMON.to_owned() + STYLE
}

fn script() -> String {
    SCRIPTS.map(inlined).join("\n")
}

fn poll(monitor: &dyn Monitor) -> Result<(), Limit> {
    monitor.poll(&Progress { doing: "making the page", ..Progress::default() })
}

/// The bytes, packed as browsers unpack them.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn packed(bytes: &[u8], monitor: &dyn Monitor) -> Result<Vec<u8>, Limit> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for piece in bytes.chunks(PIECE) {
        poll(monitor)?;
        // Memory takes whatever is written.
        encoder.write_all(piece).expect("a vector can be written to");
    }
    Ok(encoder.finish().expect("a vector can be written to"))
}

/// A frame with its `{{blanks}}` filled in.
pub fn filled(frame: &str, blanks: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        out.push_str(blanks.iter().find(|(blank, _)| *blank == name).map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

/// A module without its imports and exports: in the page all modules are one.
pub fn inlined(module: &str) -> String {
    let kept = module.lines().filter(|line| !line.starts_with("import "));
    kept.map(|line| line.strip_prefix("export ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// What is said where scripts do not run.
fn summary(about: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let observers = list(&about["observers"]);
    let demand = |observer: &Value, demand: &Value| match text(&observer["name"]) {
        name if name.is_empty() => text(&demand["words"]),
        name => format!("{name}: {}", text(&demand["words"])),
    };
    let each = observers.iter().map(|o| (o, list(&o["demands"])));
    let demands: Vec<String> =
        each.flat_map(|(o, all)| all.iter().map(|d| demand(o, d)).collect::<Vec<_>>()).collect();
    let facts = observers.iter().flat_map(|o| list(&o["facts"])).map(|fact| text(&fact));
    let verdict = [text(&about["verdict"]["short"]), text(&about["verdict"]["words"])];
    demands.into_iter().chain([verdict.join(". ")]).chain(facts).collect::<Vec<_>>().join(" ")
}

/// A text as it stands in a page.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Bytes as text, in base 64.
pub fn base64(bytes: &[u8]) -> String {
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
