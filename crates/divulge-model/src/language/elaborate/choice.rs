//! What `--set` changes, and which plan and observer are meant where there are several.

use super::super::ast::Name;
use super::super::model::twice;
use super::super::parser;
use super::super::scope::{Checked, Failed, Scope};
use super::{Elaborator, Plans, observer};
use crate::diagnostic::{Code, Diagnostic, Fix, Span, did_you_mean, listed};
use crate::lint::Places;
use divulge::problem::{Filter, Knows, LabelMap, MapConstraints, Observer, Plan};

/// What `--set` chooses beside constants.
#[derive(Default)]
pub(super) struct Choice {
    plan: Option<Name>,
    pub observer: Option<Name>,
    /// Whether nothing is asked yet, so that several observers may lack a map.
    anybody: bool,
}

/// Takes the values that `--set` gives.
pub(super) fn set_parameters(overrides: &[(String, String)], anybody: bool, scope: &mut Scope) -> Choice {
    let mut choice = Choice { anybody, ..Choice::default() };
    let mut seen: Vec<(&String, Span)> = Vec::new();
    for (name, text) in overrides {
        let shown = format!("{name}={text}");
        let source = scope.diagnostics.add_source("--set", shown.as_str());
        let at = source.span(0, name.len());
        if let Some(&(_, first)) = seen.iter().find(|(other, _)| *other == name) {
            let message = format!("`{name}` is set twice");
            scope.diagnostics.push(twice(message, at, first, "set it once"));
            continue;
        }
        seen.push((name, at));
        let value = || Name { text: text.trim().to_owned(), span: source.span(name.len() + 1, shown.len()) };
        match name.as_str() {
            "plan" => choice.plan = Some(value()),
            "observer" => choice.observer = Some(value()),
            _ => {
                // The value is read where it stands in the whole text, so that findings point into it.
                let padded = format!("{}{text}", " ".repeat(name.len() + 1));
                if let Some(value) = parser::parse_value(source, &padded, scope.diagnostics) {
                    scope.set(name, value, at);
                }
            }
        }
    }
    choice
}

impl Elaborator<'_, '_> {
    pub(super) fn choose_plan(&mut self, plans: &Plans, choice: &Choice) -> Checked<Option<Plan>> {
        let model = self.scope.model;
        let chosen = choice.plan.as_ref().or(model.used_plan.as_ref());
        match chosen {
            Some(name) if name.text == "none" => Ok(None),
            Some(name) => plans.find(name, self.scope).cloned().map(Some),
            // Some may be missing because of mistakes, or left for later, so the choice would be made among the wrong ones.
            None if self.scope.diagnostics.has_errors() || plans.0.len() < model.plans.len() => Err(Failed),
            None if plans.0.len() == 1 => Ok(Some(plans.0[0].1.clone())),
            None => {
                let unnamed = plans.0.iter().find(|(name, _)| name.is_none()).map(|(_, plan)| plan.clone());
                let idle = model.plans.iter().filter_map(|p| p.name.as_ref());
                let mut idle = idle.filter(|n| !self.scope.used.contains(&format!("plan {}", n.text)));
                if let (None, Some(name)) = (&unnamed, idle.next()) {
                    let span = name.span;
                    let text = &self.scope.diagnostics.source(self.root).text;
                    let (end, break_before) = (text.len(), if text.ends_with('\n') { "" } else { "\n" });
                    self.scope.diagnostics.push(
                        Diagnostic::new(Code::NoPlanChosen, "there are several plans, and none is chosen")
                            .at(span, "")
                            .help(format!(
                                "choose one: `use plan {0}` in the model, or `--set plan={0}`",
                                name.text
                            ))
                            .fix(Fix::replace(
                                format!("add `use plan {}`", name.text),
                                self.root.span(end, end),
                                format!("{break_before}use plan {}\n", name.text),
                            )),
                    );
                }
                Ok(unnamed)
            }
        }
    }

    /// Those in question, and those put aside.
    pub(super) fn choose_observers(
        &mut self,
        observers: Vec<Checked<observer::Compiled>>,
        choice: &Choice,
        places: &mut Places,
    ) -> Checked<(Vec<Observer>, Vec<Observer>)> {
        let model = self.scope.model;
        if observers.is_empty() && choice.observer.is_none() {
            return Ok((vec![self.bystander()], Vec::new()));
        }
        if let (Some(nameless), true) =
            (model.observers.iter().find(|o| o.name.is_none()), observers.len() > 1)
        {
            let message = "each of several observers needs a name, and this one has none";
            let finding = Diagnostic::new(Code::SeveralObservers, message).at(nameless.span, "");
            return self.scope.fail(finding.help("name it: `observer NAME { ... }`"));
        }
        let chosen = choice.observer.as_ref().or(model.used_observer.as_ref());
        let chosen = chosen.map(|name| self.find_observer(name)).transpose()?;
        let mut all = observers.into_iter().collect::<Checked<Vec<_>>>()?;
        if chosen.is_none() && !choice.anybody {
            self.one_map_sought(&all)?;
        }
        let aside = match chosen {
            Some(i) => {
                all[..=i].rotate_right(1);
                all.split_off(1)
            }
            None => Vec::new(),
        };
        let (observers, spans) = all.into_iter().map(|compiled| (compiled.observer, compiled.places)).unzip();
        places.observers = spans;
        Ok((observers, aside.into_iter().map(|compiled| compiled.observer).collect()))
    }

    /// The number of the observer of this name.
    fn find_observer(&mut self, name: &Name) -> Checked<usize> {
        let names = self.scope.model.observers.iter().map(|o| o.name.as_ref().map(|n| n.text.as_str()));
        let names: Vec<Option<&str>> = names.collect();
        if let Some(i) = names.iter().position(|known| *known == Some(&name.text)) {
            return Ok(i);
        }
        let known: Vec<&str> = names.into_iter().flatten().collect();
        let there =
            || (!known.is_empty()).then(|| format!("there are {}", listed(known.iter().copied())).into());
        let advice = did_you_mean(&name.text, known.iter().copied()).or_else(there);
        let message = format!("no observer is called `{}`", name.text);
        self.scope.fail(Diagnostic::new(Code::UnknownReference, message).at(name.span, "").help_opt(advice))
    }

    /// The map of one observer can be sought, given those of the others.
    fn one_map_sought(&mut self, all: &[observer::Compiled]) -> Checked<()> {
        let model = self.scope.model;
        let without = (0..all.len()).filter(|&i| all[i].observer.map.is_none());
        let mut names = without.filter_map(|i| model.observers[i].name.as_ref());
        let (Some(first), Some(second)) = (names.next(), names.next()) else { return Ok(()) };
        self.scope.fail(
            Diagnostic::new(
                Code::SeveralObservers,
                format!("two observers have no `sees`: `{}` and `{}`", first.text, second.text),
            )
            .at(second.span, "this one has none")
            .note_at(first.span, "and neither has this one")
            .note("the map of only one observer at a time can be sought")
            .help(format!("say what one of them sees, or ask about one alone: `--observer {}`", first.text)),
        )
    }

    /// Somebody who sees everything and of whom nothing is asked, so that a world can be looked at before it is finished.
    fn bystander(&mut self) -> Observer {
        let end = self.scope.diagnostics.source(self.root).text.len();
        if !self.scope.diagnostics.has_errors() {
            self.scope.diagnostics.push(
                Diagnostic::new(Code::NoObserver, "the model has no observer, so nothing is stipulated")
                    .at(self.root.span(end, end), "the file ends here")
                    .help("add `observer { knows world; stipulate ... }`"),
            );
        }
        Observer {
            name: None,
            map: Some(LabelMap::identity(&self.labels.alphabet)),
            constraints: MapConstraints::default(),
            filter: Filter::Strongest,
            knows: Knows::World,
            stipulations: Vec::new(),
        }
    }
}
