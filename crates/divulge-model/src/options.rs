//! What the options of a question say, in the words of those who ask: conditions on a state, lists of events, notions of opacity.
//!
//! The program and the playground take the same options, and understand them alike.

use std::str::FromStr;

use divulge::{
    formula::{Atom, FormulaError, Logic, Predicate, Span, Test, resolve},
    problem::{Label, Problem, Scope, Stipulation},
};

use crate::lint::odd_comparisons;

/// A condition in the words of a document; `x in {a, b}` is short for `x = a | x = b`.
///
/// # Errors
/// If it cannot be read.
pub fn condition(text: &str) -> Result<Predicate, FormulaError> {
    spelled(text).parse()
}

/// The events of a list, separated by commas. A comma may also be part of a label.
///
/// # Errors
/// The first piece that is no event.
pub fn events(problem: &Problem, text: &str) -> Result<Vec<Label>, String> {
    let parts: Vec<&str> = if text.trim().is_empty() { Vec::new() } else { text.split(',').collect() };
    let (mut events, mut from) = (Vec::new(), 0);
    while from < parts.len() {
        let label = |to: &usize| problem.alphabet.get(parts[from..*to].join(",").trim());
        let Some(to) = (from + 1..=parts.len()).find(|to| label(to).is_some()) else {
            return Err(parts[from].trim().to_owned());
        };
        events.extend(label(&to));
        from = to;
    }
    Ok(events)
}

/// The notions of opacity, by the names that they have in the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opacity {
    /// Nobody ever knows that the world is at a secret vertex now.
    Current,
    /// Nobody ever knows that it started at one.
    Initial,
    /// Nobody knows, up to so many images later, that it was at one.
    Steps(u32),
    /// Nobody ever works out that it was at one.
    Infinite,
}

impl FromStr for Opacity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let steps = text.strip_prefix("k-step=").map(str::parse);
        match (text, steps) {
            ("current" | "current-state", _) => Ok(Opacity::Current),
            ("initial" | "initial-state", _) => Ok(Opacity::Initial),
            ("infinite" | "infinite-step", _) => Ok(Opacity::Infinite),
            (_, Some(Ok(steps))) => Ok(Opacity::Steps(steps)),
            ("k-step", _) | (_, Some(Err(_))) => Err("say how many steps, as in `k-step=3`".to_owned()),
            _ if text.contains(|c: char| c.is_ascii_digit()) => {
                Err("for 3-step opacity, write `k-step=3`".to_owned())
            }
            _ => Err("the notions are `current`, `initial`, `k-step=K` and `infinite`".to_owned()),
        }
    }
}

impl Opacity {
    /// Has nothing stipulated but this, of everybody.
    ///
    /// # Errors
    /// If the secret does not fit the world.
    pub fn stipulate(self, problem: &mut Problem, secret: Predicate) -> Result<(), FormulaError> {
        let (scope, secret) = match self {
            Opacity::Current => (Scope::Always, secret),
            Opacity::Initial => (Scope::Always, Logic::Atom(Test::Initially(Box::new(secret)))),
            Opacity::Steps(images) => (Scope::Hindsight { within: Some(images) }, secret),
            Opacity::Infinite => (Scope::Hindsight { within: None }, secret),
        };
        let formula = Logic::Not(Box::new(Logic::Atom(Atom::Knows(secret))));
        resolve::check(&problem.world, &formula)?;
        // That it stays hidden that something has a value that nothing has would be no answer to anything.
        if let Some(odd) = odd_comparisons(&problem.world, &formula).into_iter().next() {
            let message = format!("the condition {}", odd.message);
            return Err(FormulaError { message, span: Span::default(), help: Some(odd.help) });
        }
        let stipulation = Stipulation { name: formula.to_string(), scope, formula };
        problem.observers_mut().for_each(|observer| observer.stipulations = vec![stipulation.clone()]);
        Ok(())
    }
}

/// The text with every `x in {a, b}` written out.
fn spelled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name, values, after)) = first_set(rest) {
        out += before;
        let each: Vec<String> = values.iter().map(|value| format!("{name} = {value}")).collect();
        out += &format!("({})", each.join(" | "));
        rest = after;
    }
    out + rest
}

/// What stands before the first set, the name before its `in`, its values, and what follows it.
fn first_set(text: &str) -> Option<(&str, &str, Vec<String>, &str)> {
    let mut name = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let len = word(&text[at..], c);
        let piece = &text[at..at + len];
        let after = &text[at + len..];
        if let ("in", Some((start, end)), Some(inside)) = (piece, name, after.trim_start().strip_prefix('{'))
        {
            let (values, after) = values(inside)?;
            return Some((&text[..start], &text[start..end], values, after));
        }
        if !c.is_whitespace() {
            name = Some((at, at + len));
        }
        at += len;
    }
    None
}

/// How long the first piece of a text is: a quoted text, a word, or one character.
fn word(text: &str, first: char) -> usize {
    if first == '"' {
        let mut escaped = false;
        for (i, c) in text.char_indices().skip(1) {
            if c == '"' && !escaped {
                return i + 1;
            }
            escaped = c == '\\' && !escaped;
        }
        return text.len();
    }
    if first.is_alphanumeric() || first == '_' {
        return text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len());
    }
    first.len_utf8()
}

/// The values of a set, quoted where they are no words, and what follows its closing brace.
fn values(inside: &str) -> Option<(Vec<String>, &str)> {
    let mut values = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(c) = inside[at..].chars().next() {
        if matches!(c, ',' | '}') {
            values.push(value(inside[from..at].trim())?);
            from = at + 1;
        }
        if c == '}' {
            return Some((values, &inside[at + 1..]));
        }
        at += word(&inside[at..], c);
    }
    None
}

fn value(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let plain = text.starts_with('"')
        || text.parse::<i64>().is_ok()
        || word(text, text.chars().next()?) == text.len();
    // A word that starts with a digit is no word in a condition.
    let digits = text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<i64>().is_err();
    Some(if plain && !digits { text.to_owned() } else { format!("\"{text}\"") })
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn sets_are_written_out() {
        for (text, written) in [
            ("state in {5, 6}", "(state = 5 | state = 6)"),
            ("!(state in {a-1,\"0,1\"}) & wet", "!((state = \"a-1\" | state = \"0,1\")) & wet"),
            ("\"in {\" = 3", "\"in {\" = 3"),
            ("\"my state\" in {x} | y in {1}", "(\"my state\" = x) | (y = 1)"),
            ("x in {}", "x in {}"),
            ("x in {1, 2", "x in {1, 2"),
            ("state in {3a, -2}", "(state = \"3a\" | state = -2)"),
            ("in in {in}", "(in = in)"),
        ] {
            assert_eq!(spelled(text), written, "{text}");
        }
    }
}
