//! What can be mended at a press: edits that advice amounts to.
//!
//! Only advice that says exactly what to write becomes an edit. `tests/fixes.rs` mends every fixture that has one, and looks whether
//! the finding is gone.

use divulge_model::diagnostic::{Code, Diagnostic};
use serde::Serialize;

/// A piece of text in place of another; places are bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Where what is replaced begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What stands there then.
    pub insert: String,
}

/// One way to mend something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What it does, for a button.
    pub title: String,
    /// The edits, from the first place to the last.
    pub edits: Vec<Edit>,
}

/// The ways to mend a finding about `text`, which its span must be in.
pub fn fixes(text: &str, finding: &Diagnostic) -> Vec<Fix> {
    let Some(span) = finding.span else { return Vec::new() };
    let (from, to) = (floor(text, span.start), floor(text, span.end.max(span.start)));
    finding.help.iter().filter_map(|help| fix(text, from, to, finding.code, help)).collect()
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

fn fix(text: &str, from: usize, to: usize, code: Code, help: &str) -> Option<Fix> {
    let there = &text[from..to];
    let replace = |insert: &str| {
        let edits = vec![Edit { from, to, insert: insert.to_owned() }];
        Some(Fix { title: format!("Write `{insert}`"), edits })
    };
    let quoted = help.split('`').nth(1);
    if let (true, Some(meant)) = (help.starts_with("did you mean `"), quoted) {
        let insert = if there.starts_with('"') { format!("\"{meant}\"") } else { meant.to_owned() };
        return replace(&insert);
    }
    match code {
        Code::ForeignSign if help.starts_with("write `") => replace(quoted?),
        Code::UnknownCharacter if there.starts_with('#') && help.contains("`//`") => {
            let edits = vec![Edit { from, to: from + 1, insert: "//".to_owned() }];
            Some(Fix { title: "Write `//`".to_owned(), edits })
        }
        Code::UnknownCharacter if help == "use double quotes" => double(text, from),
        Code::UnclosedText => {
            let end = line_end(text, from);
            let edits = vec![Edit { from: end, to: end, insert: "\"".to_owned() }];
            Some(Fix { title: "Add the closing `\"`".to_owned(), edits })
        }
        Code::Unclosed => closing(text, quoted?),
        Code::MapMissesLabel => others(text, from, to),
        _ => None,
    }
}

/// Text in single quotes, in double ones: to the next single quote on the line.
fn double(text: &str, from: usize) -> Option<Fix> {
    let end = line_end(text, from);
    let second = from + 1 + text.get(from + 1..end)?.find('\'')?;
    let quote = |at: usize| Edit { from: at, to: at + 1, insert: "\"".to_owned() };
    Some(Fix { title: "Use double quotes".to_owned(), edits: vec![quote(from), quote(second)] })
}

/// A bracket that is missing, at the end: where exactly it was meant nobody can tell.
fn closing(text: &str, sign: &str) -> Option<Fix> {
    let end = text.trim_end().len();
    let insert = if sign == "}" { "\n}".to_owned() } else { sign.to_owned() };
    Some(Fix { title: format!("Add `{sign}` at the end"), edits: vec![Edit { from: end, to: end, insert }] })
}

/// `sees` with what it does not mention.
fn others(text: &str, from: usize, to: usize) -> Option<Fix> {
    let end = floor(text, to);
    let seen = text.get(from..end)?.trim_end();
    let at = from + seen.len();
    let insert = if seen.ends_with(';') { " others as themselves" } else { "; others as themselves" };
    let edits = vec![Edit { from: at, to: at, insert: insert.to_owned() }];
    seen.starts_with("sees").then(|| Fix { title: "Add `others as themselves`".to_owned(), edits })
}

/// Where the line around a place ends, without spaces.
fn line_end(text: &str, at: usize) -> usize {
    let line = text[at..].split('\n').next().unwrap_or_default();
    at + line.trim_end().len()
}
