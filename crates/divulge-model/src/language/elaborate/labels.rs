//! The labels of a model, with the places that first mention them.

use super::super::ast::Name;
use super::super::scope::{Checked, Scope};
use super::family::Shown;
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean, listed};
use divulge::problem::{Alphabet, Kind, Label};

/// Words that people use for `others`.
const EVERYTHING: [&str; 7] = ["all", "any", "anything", "everything", "other", "rest", "the_rest"];

#[derive(Default)]
pub(super) struct Labels {
    pub alphabet: Alphabet,
    /// In the order of the labels.
    pub spans: Vec<Span>,
    /// Labels that are there only because a variable's values are observed: those that never happen are dropped.
    made: Vec<bool>,
    /// Labels that a file of another tool says nobody sees; empty if there is none.
    pub hidden: Vec<bool>,
    /// What each label shows, once for each list of variables that make it.
    pub shown: Vec<Vec<Shown>>,
}

impl Labels {
    /// The label, new or known; nothing, with a finding, if it is known as the other kind.
    pub fn declare(&mut self, name: &Name, kind: Kind, scope: &mut Scope) -> Option<Label> {
        match self.alphabet.declare(&name.text, kind) {
            Ok(label) => {
                if label.index() == self.spans.len() {
                    self.spans.push(name.span);
                    self.made.push(false);
                    self.shown.push(Vec::new());
                }
                self.made[label.index()] = false;
                Some(label)
            }
            Err(conflict) => {
                let first = self.alphabet.get(&name.text).map(|l| self.spans[l.index()]);
                let mut finding = Diagnostic::new(Code::LabelOfBothKinds, conflict.to_string())
                    .at(name.span, format!("an {} here", conflict.wanted));
                if let Some(first) = first {
                    finding = finding.note_at(first, format!("an {} here", conflict.was));
                }
                scope.diagnostics.push(finding.help("give one of them another name"));
                None
            }
        }
    }

    /// As [`declare`](Self::declare), for a label that the values of variables make.
    pub fn make(&mut self, name: &Name, shown: Shown, scope: &mut Scope) -> Option<Label> {
        let made = self.alphabet.get(&name.text).is_none_or(|label| self.made[label.index()]);
        let label = self.declare(name, Kind::Observation, scope)?;
        self.made[label.index()] = made;
        let all = &mut self.shown[label.index()];
        if !all.contains(&shown) {
            all.push(shown);
        }
        Some(label)
    }

    /// Drops the made labels that are not `used`; returns the new numbers of the others, by their old ones.
    pub fn drop_unused(&mut self, used: &[bool]) -> Vec<Label> {
        let mut old = std::mem::take(self);
        let mut numbers = Vec::with_capacity(old.spans.len());
        for label in old.alphabet.labels() {
            let i = label.index();
            if old.made[i] && !used[i] {
                numbers.push(Label(u32::MAX));
                continue;
            }
            // Names were distinct before, so no kinds can conflict.
            if let Ok(new) = self.alphabet.declare(old.alphabet.name(label), old.alphabet.kind(label)) {
                numbers.push(new);
                self.spans.push(old.spans[i]);
                self.made.push(old.made[i]);
                self.shown.push(std::mem::take(&mut old.shown[i]));
            }
        }
        numbers
    }

    /// A label that the world has.
    pub fn find(&self, name: &Name, kind: Option<Kind>, scope: &mut Scope) -> Checked<Label> {
        let what = kind.map_or("label", Kind::word);
        match self.alphabet.get(&name.text) {
            Some(label) if kind.is_none_or(|k| k == self.alphabet.kind(label)) => Ok(label),
            Some(label) => {
                let other = self.alphabet.kind(label);
                let place = self.spans[label.index()];
                scope.fail(
                    Diagnostic::new(
                        Code::UnknownLabel,
                        format!("`{}` is an {other}, but this must be an {what}", name.text),
                    )
                    .at(name.span, "")
                    .note_at(place, format!("an {other} here")),
                )
            }
            None => {
                let known =
                    self.alphabet.labels().filter(|&l| kind.is_none_or(|k| k == self.alphabet.kind(l)));
                let known: Vec<&str> = known.map(|l| self.alphabet.name(l)).collect();
                let has = || match known.len() {
                    _ if EVERYTHING.contains(&name.text.as_str()) => {
                        "in `sees`, `others` stands for every label that is not mentioned".into()
                    }
                    0 => format!("it has no {what} at all").into(),
                    _ => format!("it has {}", listed(known.iter().copied())).into(),
                };
                let advice = did_you_mean(&name.text, known.iter().copied());
                scope.fail(
                    Diagnostic::new(Code::UnknownLabel, format!("the world has no {what} `{}`", name.text))
                        .at(name.span, "")
                        .help(advice.unwrap_or_else(has)),
                )
            }
        }
    }

    pub fn find_all(&self, names: &[Name], kind: Option<Kind>, scope: &mut Scope) -> Checked<Vec<Label>> {
        let all: Vec<_> = names.iter().map(|name| self.find(name, kind, scope)).collect();
        all.into_iter().collect()
    }
}
