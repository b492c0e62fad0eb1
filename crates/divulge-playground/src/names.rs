//! The names that a text offers: for completion, and for the fields of a question.

use divulge::problem::{Kind, Problem};
use serde::Serialize;

/// A name, and what it is a name of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Name {
    /// The name, in quotes where it is no word.
    pub text: String,
    /// `action`, `observation`, `variable`, `value` or `image`.
    pub kind: &'static str,
    /// More about it.
    pub detail: String,
}

/// More names than this help nobody.
const MOST: usize = 500;

/// The names of a problem: its labels, the properties of its states, their values, and images.
pub fn names(problem: &Problem) -> Vec<Name> {
    let mut names = Vec::new();
    let mut add = |text: &str, kind, detail: String| names.push(Name { text: written(text), kind, detail });
    for kind in [Kind::Action, Kind::Observation] {
        for label in problem.alphabet.of_kind(kind).take(MOST) {
            add(problem.alphabet.name(label), kind.word(), kind.word().to_owned());
        }
    }
    for name in problem.world.props.names().iter().take(MOST) {
        let Some(column) = problem.world.props.column(name) else { continue };
        let values: Vec<String> = column.values().iter().take(MOST).map(ToString::to_string).collect();
        let shown = values.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if values.len() > 8 { ", …" } else { "" };
        add(name, "variable", format!("{shown}{more}"));
        for value in values.iter().filter(|value| value.parse::<i64>().is_err()) {
            if value != "true" && value != "false" {
                add(value, "value", format!("a value of {name}"));
            }
        }
    }
    names.sort();
    names.dedup();
    names.truncate(2 * MOST);
    names
}

/// A name as it is written in a model.
fn written(text: &str) -> String {
    let word = text.starts_with(|c: char| c == '_' || c.is_alphabetic())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric());
    if word { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// What can be chosen or set in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The names of its plans.
    pub plans: Vec<String>,
    /// The names of its observers.
    pub observers: Vec<String>,
    /// Its constants, each with the value that the text gives it.
    pub constants: Vec<(String, String)>,
}

/// What can be chosen or set in these texts: a model and what it includes. The texts may be wrong.
pub fn outline<'t>(texts: impl Iterator<Item = &'t str>) -> Outline {
    let mut found = Outline::default();
    for text in texts {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        for part in lines.flat_map(|line| line.split(';')) {
            let part = part.trim();
            if let Some(rest) = part.strip_prefix("const ") {
                for (name, value) in rest.split(',').filter_map(|one| one.split_once('=')) {
                    let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
                    if !found.constants.iter().any(|(known, _)| *known == name) && written(&name) == name {
                        found.constants.push((name, value));
                    }
                }
            }
            for (word, list) in [("plan ", &mut found.plans), ("observer ", &mut found.observers)] {
                let rest = part.strip_prefix(word).and_then(|rest| rest.split(['{', ' ']).next());
                let name = rest.map(str::trim).filter(|name| !name.is_empty() && *name != "graph");
                list.extend(name.filter(|name| !list.iter().any(|known| known == name)).map(str::to_owned));
            }
        }
    }
    found
}

/// The constants that a PRISM model leaves open, none of which has a value yet.
pub fn left_open(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let parts = lines.flat_map(|line| line.split(';')).filter_map(|part| part.trim().strip_prefix("const "));
    let open = parts.filter(|rest| !rest.contains('=')).filter_map(|rest| rest.split_whitespace().last());
    open.filter(|name| written(name) == *name).map(|name| (name.to_owned(), String::new())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_set_is_found_in_broken_texts_too() {
        let text = "const rows = 3, cols = rows + 1  // plan no { \nplan a { x }\nplan { y }\nplan b graph {\nobserver o {{{";
        let found = outline([text, "plan a { }; observer p { }"].into_iter());
        assert_eq!(found.plans, ["a", "b"]);
        assert_eq!(found.observers, ["o", "p"]);
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(found.constants, [set("rows", "3"), set("cols", "rows + 1")]);
    }

    #[test]
    fn constants_that_are_left_open_are_found() {
        let text = "mdp\nconst int N; // how many\nconst double p = 0.5;\nconst bool wet;\nmodule m";
        let found: Vec<String> = left_open(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, ["N", "wet"]);
    }

    #[test]
    fn names_that_are_no_words_are_quoted() {
        assert_eq!(written("facility"), "facility");
        assert_eq!(written("order=ann"), "\"order=ann\"");
        assert_eq!(written("a\"b"), "\"a\\\"b\"");
    }
}
