//! The names that a text offers for the fields of a question.

use serde::Serialize;

/// Whether a text is a name of the language.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c.is_alphabetic())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
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
                    if !found.constants.iter().any(|(known, _)| *known == name) && is_word(&name) {
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
    open.filter(|name| is_word(name)).map(|name| (name.to_owned(), String::new())).collect()
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
}
