//! What to write instead: remedies that an editor can carry out.

use super::{Diagnostics, Span};

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty where something is inserted.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A remedy that can be carried out as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words: "write `exit`".
    pub title: String,
    /// Changes that do not overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Replaces one place.
    pub fn replace(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }] }
    }

    /// Inserts something after a place.
    pub fn insert_after(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Fix::replace(title, Span { start: span.end, ..span }, text)
    }
}

/// Advice in words, perhaps with the name that is to stand in place of the one that is underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    pub(super) text: String,
    pub(super) instead: Option<String>,
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Advice { text, instead: None }
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Self {
        Advice::from(text.to_owned())
    }
}

/// "did you mean `x`?" for the nearest candidate, if any is near enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Advice> {
    let near = divulge::nearest(name, candidates)?;
    Some(Advice { text: format!("did you mean `{near}`?"), instead: Some(near.to_owned()) })
}

/// A name as it is written in a model: in quotes if it is no plain word.
pub fn spelt(name: &str) -> String {
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let plain = name.chars().all(word) && name.starts_with(|c: char| c == '_' || c.is_alphabetic());
    if plain && !crate::language::is_reserved(name) { name.to_owned() } else { quoted(name) }
}

/// A text in quotes, as models and documents have it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl Diagnostics {
    /// The fix that writes another name in a place, in quotes where one in quotes stands now.
    pub(super) fn rename(&self, span: Span, name: &str) -> Option<Fix> {
        // The reader of documents registers its text last, since it may be large.
        let written = self.sources.get(span.source.0 as usize)?.text.get(span.start..span.end)?;
        // A keyword stands as it is; it is suggested only where one belongs.
        let word = crate::language::is_reserved(name) && !written.starts_with('"');
        let text = match written.starts_with('"') {
            true => quoted(name),
            false if word => name.to_owned(),
            false => spelt(name),
        };
        (!written.is_empty()).then(|| Fix::replace(format!("write `{name}`"), span, text))
    }
}
