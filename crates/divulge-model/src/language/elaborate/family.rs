//! Families of labels: those that show the values of certain variables, such as `order=*` and `(order=ann, med=*)`.

use super::super::ast::{self, Family, Name};
use super::super::scope::{Checked, Scope};
use super::labels::Labels;
use crate::diagnostic::{Code, Diagnostic, listed};

/// What a label shows: variables and their values.
pub(super) type Shown = Vec<(String, String)>;

/// The label that shows several values: `order=ann,med=pills`. No two lists of values make the same.
pub(super) fn text(shown: &[(String, String)]) -> String {
    let part = |(variable, value): &(String, String)| {
        let plain = !value.contains(['=', ',', '"', '\\']) && !value.is_empty();
        if plain { format!("{variable}={value}") } else { format!("{variable}={value:?}") }
    };
    shown.iter().map(part).collect::<Vec<_>>().join(",")
}

/// What a label shows by its own text, as in a world that is drawn: nothing, unless it looks like one that was made.
fn read(text: &str) -> Option<Shown> {
    let part = |part: &str| -> Option<(String, String)> {
        let (variable, value) = part.split_once('=')?;
        let plain = !variable.is_empty() && !value.is_empty() && !value.contains(['=', '"', '\\']);
        plain.then(|| (variable.to_owned(), value.to_owned()))
    };
    text.split(',').map(part).collect()
}

impl Family {
    /// Whether a label that shows this belongs to it: the same variables, in any order, with the values that are meant.
    fn holds(&self, shown: &Shown) -> bool {
        let fits = |(variable, value): &(Name, Option<Name>)| {
            let found = shown.iter().find(|(name, _)| *name == variable.text);
            found.is_some_and(|(_, is)| value.as_ref().is_none_or(|value| value.text == *is))
        };
        shown.len() == self.parts.len() && self.parts.iter().all(fits)
    }

    fn text(&self) -> String {
        let part = |(variable, value): &(Name, Option<Name>)| {
            format!("{}={}", variable.text, value.as_ref().map_or("*", |value| &value.text))
        };
        pattern(self.parts.iter().map(part).collect())
    }
}

/// A family as it is written.
fn pattern(parts: Vec<String>) -> String {
    if parts.len() == 1 { parts.join("") } else { format!("({})", parts.join(", ")) }
}

impl Labels {
    /// The names that a list of labels and families stands for, each with the place of what it was written as.
    pub fn named(&self, listed: &[ast::Labels], scope: &mut Scope) -> Checked<Vec<Name>> {
        let mut all = Vec::new();
        let mut result = Ok(());
        for labels in listed {
            match labels {
                ast::Labels::One(name) => all.push(name.clone()),
                ast::Labels::Family(family) => match self.family(family, scope) {
                    Ok(names) => all.extend(names),
                    Err(failed) => result = Err(failed),
                },
            }
        }
        result.map(|()| all)
    }

    fn family(&self, family: &Family, scope: &mut Scope) -> Checked<Vec<Name>> {
        let mut found = Vec::new();
        let mut near: Vec<String> = Vec::new();
        for label in self.alphabet.labels() {
            let text = self.alphabet.name(label);
            let by_text = read(text);
            let made = &self.shown[label.index()];
            let all = made.iter().chain(by_text.as_ref().filter(|_| made.is_empty()));
            if all.clone().any(|shown| family.holds(shown)) {
                found.push(Name { text: text.to_owned(), span: family.span });
            }
            for shown in all {
                let shared = shown.iter().any(|(name, _)| family.parts.iter().any(|(n, _)| n.text == *name));
                let like = pattern(shown.iter().map(|(name, _)| format!("{name}=*")).collect());
                if !near.contains(&like) {
                    // Families that show one of the variables come first.
                    near.insert(if shared { 0 } else { near.len() }, like);
                }
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let help = match near.as_slice() {
            [] => "the world has no labels that show a variable's value".to_owned(),
            near => format!("it has {}", listed(near.iter().map(|like| like.as_ref()))),
        };
        let message = format!("the world has no label `{}`", family.text());
        scope.fail(Diagnostic::new(Code::UnknownLabel, message).at(family.span, "").help(help))
    }
}
