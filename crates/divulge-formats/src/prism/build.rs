//! A model with its names resolved: variables with their ranges, and the commands of all modules.

use rustc_hash::FxHashMap;

use super::{
    ast::{Body, Command as Written, Domain, Model, Module, Name, Type, Variable as Declared},
    code::{Code, Val},
    resolve::{Renaming, Scope},
};
use crate::{Fault, FaultKind, Faults, Place};

/// A variable and its range.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub boolean: bool,
    pub low: i64,
    pub high: i64,
    pub init: i64,
}

/// One outcome: its probability, and what it assigns to which variable.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub probability: Option<Code>,
    pub assigns: Vec<(u32, Code)>,
}

/// A command.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub guard: Code,
    pub outcomes: Vec<Outcome>,
    pub place: Place,
}

/// A model, ready to be explored.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub variables: Vec<Variable>,
    /// Commands that a module takes by itself, in the order of the text.
    pub alone: Vec<Command>,
    /// For each action the modules that take part in it, each with its commands.
    pub shared: Vec<(String, Vec<Vec<Command>>)>,
    pub labels: Vec<(String, Code)>,
    /// What is observed, if the model says.
    pub observables: Option<Vec<(String, Code)>>,
    pub init: Option<Code>,
}

/// Resolves a model. What is wrong is in the faults.
pub(super) fn build(model: &Model<'_>, given: &[(String, String)], faults: Faults) -> (Built, Faults) {
    let scope = Scope::new(&model.constants, &model.formulas, &model.labels, given, faults);
    let mut builder = Builder { scope, built: Built::default(), actions: FxHashMap::default() };
    builder.everything(model);
    let Builder { scope, built, .. } = builder;
    (built, scope.faults)
}

struct Builder<'m, 'a> {
    scope: Scope<'m, 'a>,
    built: Built,
    /// The number of each action.
    actions: FxHashMap<&'a str, usize>,
}

/// A module as it is written somewhere, and the names to put in.
struct Instance<'m, 'a> {
    variables: &'m [Declared<'a>],
    commands: &'m [Written<'a>],
    renaming: Renaming<'a>,
}

impl<'m, 'a> Builder<'m, 'a> {
    fn everything(&mut self, model: &'m Model<'a>) {
        let instances: Vec<Instance<'m, 'a>> = model
            .modules
            .iter()
            .filter_map(|module| self.instance(model, module, model.modules.len()))
            .collect();
        let plain = Renaming::default();
        for variable in &model.globals {
            self.variable(variable, &plain);
        }
        for instance in &instances {
            for variable in instance.variables {
                self.variable(variable, &instance.renaming);
            }
        }
        // What is left open is told once, whether it is used or not.
        for constant in &model.constants {
            self.scope.constant(constant.name.text);
        }
        for instance in &instances {
            self.module(instance);
        }
        for (name, expr) in &model.labels {
            if let Some(code) = self.scope.typed(expr, &plain, Type::Bool) {
                self.built.labels.push((name.text.to_owned(), code));
            }
        }
        self.observables(model);
        self.built.init = model.init.as_ref().and_then(|expr| self.scope.typed(expr, &plain, Type::Bool));
        if self.built.variables.is_empty() && self.scope.faults.is_empty() {
            let fault = Fault::new(FaultKind::Syntax, "the model has no variables, so it has no states");
            self.scope.faults.push(fault.help("a module declares them, as in `x : [0..3];`"));
        }
    }

    fn instance(
        &mut self,
        model: &'m Model<'a>,
        module: &'m Module<'a>,
        depth: usize,
    ) -> Option<Instance<'m, 'a>> {
        match &module.body {
            Body::Written { variables, commands } => {
                Some(Instance { variables, commands, renaming: Renaming::default() })
            }
            Body::Renamed { base, names } => {
                let found =
                    model.modules.iter().find(|other| other.name.text == base.text).filter(|_| depth > 0);
                let Some(found) = found else {
                    let fault =
                        Fault::new(FaultKind::Name, format!("there is no module `{}` to rename", base.text));
                    let near = divulge::did_you_mean(base.text, model.modules.iter().map(|m| m.name.text));
                    self.scope.faults.push(fault.at(base.place, "").help_opt(near));
                    return None;
                };
                let mut instance = self.instance(model, found, depth - 1)?;
                let own: Renaming<'a> = names.iter().map(|(from, to)| (from.text, to.text)).collect();
                for to in instance.renaming.values_mut() {
                    *to = own.get(to).copied().unwrap_or(to);
                }
                for (&from, &to) in &own {
                    instance.renaming.entry(from).or_insert(to);
                }
                Some(instance)
            }
        }
    }

    fn variable(&mut self, declared: &'m Declared<'a>, renaming: &Renaming<'a>) {
        let text = renaming.get(declared.name.text).copied().unwrap_or(declared.name.text);
        let name = Name { text, place: declared.name.place };
        let range = match &declared.domain {
            Domain::Bool => Some((0, 1)),
            Domain::Int => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
            Domain::Range(low, high) => {
                let low = self.scope.fixed(low, renaming, Type::Int).and_then(Val::int);
                let high = self.scope.fixed(high, renaming, Type::Int).and_then(Val::int);
                low.zip(high)
            }
        };
        let boolean = matches!(declared.domain, Domain::Bool);
        let kind = if boolean { Type::Bool } else { Type::Int };
        let init =
            declared.init.as_ref().map(|expr| self.scope.fixed(expr, renaming, kind).and_then(Val::int));
        let number = self.built.variables.len() as u32;
        if self.scope.variables.insert(text, (number, boolean)).is_some() {
            self.scope.twice(name, "variable");
        }
        let (low, high) = range.unwrap_or((0, 0));
        let wrong = match range {
            Some((low, high)) if low > high => {
                Some(format!("the range of `{text}` is empty: [{low}..{high}]"))
            }
            Some((low, high)) if high.abs_diff(low) > u64::from(u32::MAX) => {
                Some(format!("the range of `{text}` is too large: [{low}..{high}]"))
            }
            _ => None,
        };
        let default = if matches!(declared.domain, Domain::Int) { 0 } else { low };
        let init = init.map_or(default, |init| init.unwrap_or(default));
        let outside = format!("`{text}` starts at {init}, outside its range [{low}..{high}]");
        let wrong = wrong.or((range.is_some() && !(low..=high).contains(&init)).then_some(outside));
        if let Some(message) = wrong {
            let fault = Fault::new(FaultKind::Value, message).at(name.place, "");
            self.scope.faults.push(
                fault.help(
                    "a range goes from its least value to its greatest, and a variable starts within it",
                ),
            );
        }
        self.built.variables.push(Variable { name: text.to_owned(), boolean, low, high, init });
    }

    fn module(&mut self, instance: &Instance<'m, 'a>) {
        let mut own: FxHashMap<usize, Vec<Command>> = FxHashMap::default();
        for written in instance.commands {
            if self.scope.faults.is_full() {
                return;
            }
            let action = written.action.map(|name| instance.renaming.get(name).copied().unwrap_or(name));
            let number = action.map(|name| {
                let next = self.built.shared.len();
                *self.actions.entry(name).or_insert_with(|| {
                    self.built.shared.push((name.to_owned(), Vec::new()));
                    next
                })
            });
            let command = self.command(written, &instance.renaming);
            match number {
                None => self.built.alone.extend(command),
                // A module takes part in an action that it names, even if that never happens.
                Some(number) => own.entry(number).or_default().extend(command),
            }
        }
        let mut own: Vec<_> = own.into_iter().collect();
        own.sort_unstable_by_key(|(number, _)| *number);
        for (number, commands) in own {
            self.built.shared[number].1.push(commands);
        }
    }

    fn command(&mut self, written: &Written<'a>, renaming: &Renaming<'a>) -> Option<Command> {
        let guard = self.scope.typed(&written.guard, renaming, Type::Bool);
        let mut outcomes = Vec::new();
        for outcome in &written.outcomes {
            let probability = match &outcome.probability {
                Some(expr) => Some(self.scope.typed(expr, renaming, Type::Double)?),
                None => None,
            };
            let mut assigns: Vec<(u32, Code)> = Vec::new();
            for (name, expr) in &outcome.assigns {
                let text = renaming.get(name.text).copied().unwrap_or(name.text);
                let Some(&(number, boolean)) = self.scope.variables.get(text) else {
                    let fault =
                        Fault::new(FaultKind::Name, format!("there is no variable `{text}` to assign to"));
                    let near = divulge::did_you_mean(text, self.scope.variables.keys().copied());
                    let help = near.unwrap_or_else(|| "a module declares it, as in `x : [0..3];`".to_owned());
                    self.scope.faults.push(fault.at(name.place, "").help(help));
                    continue;
                };
                if assigns.iter().any(|(known, _)| *known == number) {
                    let fault =
                        Fault::new(FaultKind::Value, format!("`{text}` is assigned twice in one update"));
                    self.scope.faults.push(fault.at(name.place, "here again"));
                }
                let kind = if boolean { Type::Bool } else { Type::Int };
                assigns.extend(self.scope.typed(expr, renaming, kind).map(|code| (number, code)));
            }
            outcomes.push(Outcome { probability, assigns });
        }
        Some(Command { guard: guard?, outcomes, place: written.place })
    }

    fn observables(&mut self, model: &'m Model<'a>) {
        if model.kind.is_none_or(|kind| kind.text != "pomdp") {
            if let Some(name) = model.observed.first().or(model.observables.first().map(|(name, _)| name)) {
                let fault = Fault::new(FaultKind::Value, "only a `pomdp` says what is observed");
                self.scope.faults.push(fault.at(name.place, "").help("start the model with `pomdp`"));
            }
            return;
        }
        let mut all = Vec::new();
        for name in &model.observed {
            match self.scope.variables.get(name.text) {
                Some(&(number, boolean)) => {
                    all.push((
                        name.text.to_owned(),
                        if boolean { Code::Bool(number) } else { Code::Int(number) },
                    ));
                }
                None => {
                    let fault = Fault::new(FaultKind::Name, format!("there is no variable `{}`", name.text));
                    let near = divulge::did_you_mean(name.text, self.scope.variables.keys().copied());
                    self.scope.faults.push(fault.at(name.place, "observed").help_opt(near));
                }
            }
        }
        for (i, (name, expr)) in model.observables.iter().enumerate() {
            if model.observables[..i].iter().any(|(other, _)| other.text == name.text) {
                self.scope.twice(*name, "observable");
            }
            let plain = Renaming::default();
            all.extend(self.scope.any(expr, &plain).map(|code| (name.text.to_owned(), code)));
        }
        self.built.observables = Some(all);
    }
}
