//! Names as they are written.

use super::super::parser::RESERVED;

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !RESERVED.contains(&text)
}

/// Words that begin a clause or an item, or that mean something of a vertex, and so are quoted where they are names.
const LEADING: [&str; 23] = [
    "actions",
    "observations",
    "observation",
    "start",
    "terminal",
    "filter",
    "sees",
    "stipulate",
    "merge",
    "separate",
    "fixed",
    "max",
    "min",
    "use",
    "cost",
    "model",
    "themselves",
    "itself",
    "graph",
    "none",
    "always",
    "at",
    "end",
];

/// A label, a vertex, an image, an observer: a word, or a text in quotes.
pub fn name(of: &str) -> String {
    if is_plain(of) { of.to_owned() } else { text(of) }
}

/// Whether a name needs no quotes.
pub fn is_plain(of: &str) -> bool {
    is_word(of) && !LEADING.contains(&of)
}

/// A text in quotes.
pub fn text(of: &str) -> String {
    let mut quoted = String::from("\"");
    for c in of.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
