//! What names stand for: variables, constants, definitions, values of enumerations.

use super::ast::{Expr, ExprKind, Name, Type, TypeKind};
use super::check::Typed;
use super::model::{Global, Model, twice};
use super::term::{Fault, Term};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Span, did_you_mean, listed};
use divulge::{
    Limit, Monitor, Progress, Unlimited,
    problem::{Names, Value},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A finding has been recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

pub(super) type Checked<T> = Result<T, Failed>;

/// The values that a variable, or a property of a hand-drawn world, can have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Domain {
    Bool,
    Int(i64, i64),
    /// Numbers of words.
    Enum(Vec<i64>),
    /// The integers that a hand-drawn world mentions.
    SomeInts(Vec<i64>),
}

impl Domain {
    pub fn size(&self) -> u128 {
        match self {
            Domain::Bool => 2,
            Domain::Int(low, high) => (i128::from(*high) - i128::from(*low) + 1) as u128,
            Domain::Enum(values) | Domain::SomeInts(values) => values.len() as u128,
        }
    }

    pub fn contains(&self, value: i64) -> bool {
        match self {
            Domain::Bool => value == 0 || value == 1,
            Domain::Int(low, high) => (*low..=*high).contains(&value),
            Domain::Enum(values) | Domain::SomeInts(values) => values.contains(&value),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub span: Span,
    pub domain: Domain,
    /// Whether the world is drawn by hand, where vertices may lack the property.
    pub property: bool,
}

#[derive(Clone)]
enum State {
    Unknown,
    Running,
    Failed,
    Known(Typed),
}

/// Everything that names can stand for, and the findings made while looking.
pub(super) struct Scope<'m> {
    pub model: &'m Model,
    pub diagnostics: &'m mut Diagnostics,
    pub variables: Vec<Variable>,
    variable_index: FxHashMap<String, usize>,
    /// Values of enumerations, numbered.
    pub words: Names,
    values: Vec<State>,
    overrides: FxHashMap<usize, Expr>,
    pub used: FxHashSet<String>,
    /// Names whose definitions failed: that was reported once, and their uses are not.
    pub poisoned: FxHashSet<String>,
    /// Vertices that formulas mention, to be looked up once the world is there.
    pub vertices: Vec<Name>,
    /// How many nodes all expressions may still grow to.
    pub budget: usize,
    /// How many constants are being worked out now, each for the one before.
    chain: usize,
    /// Whether a limit was hit and reported.
    pub exhausted: bool,
    /// Definitions being expanded now, to find those that use themselves.
    pub expanding: Vec<usize>,
    /// What may stop the exploration of the world, and whether there is to be one.
    pub within: Within<'m>,
    /// Why it was stopped.
    pub stopped: Option<Limit>,
}

/// How far a model is read.
#[derive(Clone, Copy)]
pub(super) struct Within<'m> {
    /// Whether the world is explored, too.
    pub world: bool,
    pub monitor: &'m dyn Monitor,
    /// How many threads may be used, 0 for as many as there are processors.
    pub threads: usize,
}

impl Within<'_> {
    /// Everything, however long it takes, on so many threads.
    pub fn all(threads: usize) -> Within<'static> {
        Within { world: true, monitor: &Unlimited, threads }
    }
}

/// Expanded definitions may grow expressions to so many nodes in all.
const MAX_NODES: usize = 2_000_000;

/// Longer chains of constants that depend on each other are refused.
const MAX_CHAIN: usize = 100;

impl<'m> Scope<'m> {
    pub fn new(model: &'m Model, within: Within<'m>, diagnostics: &'m mut Diagnostics) -> Self {
        Scope {
            model,
            diagnostics,
            variables: Vec::new(),
            variable_index: FxHashMap::default(),
            words: Names::new(),
            values: vec![State::Unknown; model.values.len()],
            overrides: FxHashMap::default(),
            used: FxHashSet::default(),
            poisoned: FxHashSet::default(),
            vertices: Vec::new(),
            budget: MAX_NODES,
            chain: 0,
            exhausted: false,
            expanding: Vec::new(),
            within,
            stopped: None,
        }
    }

    /// Asks whether to go on.
    pub fn poll(&mut self, explored: usize) -> Checked<()> {
        let progress =
            Progress { doing: "exploring the world", explored: explored as u64, ..Progress::default() };
        self.within.monitor.poll(&progress).map_err(|limit| {
            self.stopped = Some(limit);
            Failed
        })
    }

    /// The value of a `const` or `let` if it is known.
    pub fn known_value_of(&self, i: usize) -> Option<&Typed> {
        match &self.values[i] {
            State::Known(value) => Some(value),
            _ => None,
        }
    }

    pub fn fail<T>(&mut self, finding: Diagnostic) -> Checked<T> {
        self.diagnostics.push(finding);
        Err(Failed)
    }

    /// Replaces a constant's value, as `--set` asks.
    pub fn set(&mut self, name: &str, value: Expr, at: Span) {
        match self.model.globals.get(name) {
            Some(&Global::Value(i)) if self.model.values[i].settable => {
                self.overrides.insert(i, value);
            }
            Some(&global) => {
                let first = self.model.global_span(global);
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::UnknownParameter,
                        format!("`{name}` cannot be set: it is not a `const`"),
                    )
                    .at(at, "")
                    .note_at(first, "it is defined here")
                    .help("define it with `const` if it is meant to be set"),
                );
            }
            None => {
                let settable = self.model.values.iter().filter(|v| v.settable);
                let known: Vec<&str> =
                    settable.map(|v| v.binding.name.text.as_str()).chain(["plan", "observer"]).collect();
                let list = listed(known.iter().copied());
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::UnknownParameter,
                        format!("the model has no constant `{name}` to set"),
                    )
                    .at(at, "")
                    .help(
                        did_you_mean(name, known.iter().copied())
                            .unwrap_or(format!("you can set {list}").into()),
                    ),
                );
            }
        }
    }

    pub fn word(&mut self, text: &str) -> i64 {
        i64::from(self.words.intern(text).0)
    }

    pub fn variable(&mut self, name: &str) -> Option<usize> {
        self.variable_index.get(name).copied()
    }

    /// Adds a variable, unless its name is taken.
    pub fn add_variable(&mut self, name: &Name, domain: Domain, property: bool) {
        let taken = match (self.variable_index.get(&name.text), self.model.globals.get(&name.text)) {
            (Some(&v), _) => Some(self.variables[v].span),
            (None, Some(&global)) => Some(self.model.global_span(global)),
            (None, None) => None,
        };
        if let Some(first) = taken {
            let message = format!("the name `{}` is defined twice", name.text);
            return self.diagnostics.push(twice(message, name.span, first, "rename one of them"));
        }
        if self.words.get(&name.text).is_some() {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::DefinedTwice,
                    format!("`{}` is a variable and also a value of an enumeration", name.text),
                )
                .at(name.span, "")
                .help("rename one of them"),
            );
        }
        self.variable_index.insert(name.text.clone(), self.variables.len());
        self.variables.push(Variable { name: name.text.clone(), span: name.span, domain, property });
    }

    /// Makes the values of an enumeration known; they must not be names of anything else.
    pub fn add_words(&mut self, names: &[Name]) {
        for name in names {
            if let Some(&global) = self.model.globals.get(&name.text) {
                let message = format!("the value `{}` is also the name of something else", name.text);
                let first = self.model.global_span(global);
                self.diagnostics.push(twice(message, name.span, first, "rename one of them"));
            }
            self.words.intern(&name.text);
        }
    }

    /// A domain with its bounds evaluated.
    pub fn domain(&mut self, ty: &Type) -> Checked<Domain> {
        match &ty.kind {
            TypeKind::Bool => Ok(Domain::Bool),
            TypeKind::Enum(names) => {
                let mut values = Vec::new();
                for name in names {
                    let word = self.word(&name.text);
                    if values.contains(&word) {
                        let first = names.iter().find(|n| n.text == name.text).map_or(name.span, |n| n.span);
                        let message = format!("the value `{}` is listed twice", name.text);
                        return self.fail(twice(message, name.span, first, "remove one of them"));
                    }
                    values.push(word);
                }
                Ok(Domain::Enum(values))
            }
            TypeKind::Range(low, high) => {
                let (low, high) = (
                    self.constant_int(low, "the range's lower bound"),
                    self.constant_int(high, "the range's upper bound"),
                );
                let (low, high) = (low?, high?);
                if low > high {
                    return self.fail(
                        Diagnostic::new(Code::EmptyRange, format!("the range {low}..{high} is empty"))
                            .at(ty.span, "")
                            .help("write the lower bound first; both bounds belong to the range"),
                    );
                }
                Ok(Domain::Int(low, high))
            }
            TypeKind::Named(name) => match self.model.globals.get(name) {
                Some(&Global::Type(i)) => {
                    self.used.insert(name.clone());
                    let model = self.model;
                    let inner = &model.types[i].1;
                    if let TypeKind::Named(_) = inner.kind {
                        return self.fail(
                            Diagnostic::new(
                                Code::UnknownName,
                                "a type cannot just be another name for a type",
                            )
                            .at(inner.span, "")
                            .help("list the values again"),
                        );
                    }
                    self.domain(inner)
                }
                _ => {
                    let types = self.model.types.iter().map(|(n, _)| n.text.as_str()).chain(["bool"]);
                    let advice = did_you_mean(name, types).unwrap_or(
                        "write `bool`, a range as in `0..3`, or values as in `{red, green}`".into(),
                    );
                    self.fail(
                        Diagnostic::new(Code::UnknownName, format!("`{name}` is not a type"))
                            .at(ty.span, "")
                            .help(advice),
                    )
                }
            },
        }
    }

    /// The value of a `const` or `let`, worked out once.
    pub fn global_value(&mut self, i: usize, at: Span) -> Checked<Typed> {
        match &self.values[i] {
            State::Known(value) => return Ok(value.clone()),
            State::Failed => return Err(Failed),
            State::Running => {
                let name = &self.model.values[i].binding.name;
                return self.fail(
                    Diagnostic::new(
                        Code::CyclicDefinition,
                        format!("the value of `{}` depends on itself", name.text),
                    )
                    .at(name.span, "")
                    .note_at(at, "needed here to compute its own value")
                    .help("remove the circle"),
                );
            }
            State::Unknown => {}
        }
        if self.chain >= MAX_CHAIN {
            return self.fail(
                Diagnostic::new(
                    Code::TooDeep,
                    format!("more than {MAX_CHAIN} constants depend on each other in a row"),
                )
                .at(at, "reading stopped here"),
            );
        }
        self.values[i] = State::Running;
        self.chain += 1;
        let model = self.model;
        let own = self.overrides.remove(&i);
        let expr = own.as_ref().unwrap_or(&model.values[i].binding.value);
        let value = self.constant(expr);
        self.chain -= 1;
        self.values[i] = match &value {
            Ok(value) => State::Known(value.clone()),
            Err(_) => State::Failed,
        };
        value
    }

    /// Works out the constants that nothing mentions, so that their mistakes are found as well.
    pub fn check_all_values(&mut self) {
        for i in 0..self.values.len() {
            let at = self.model.values[i].binding.name.span;
            let _ = self.global_value(i, at);
        }
    }

    pub fn constant_int(&mut self, expr: &Expr, what: &str) -> Checked<i64> {
        match self.constant(expr)? {
            Typed::Int(Term::Const(value)) => Ok(value),
            other => {
                let found = other.describe();
                self.fail(
                    Diagnostic::new(
                        Code::TypeMismatch,
                        format!("{what} must be an integer, but this is {found}"),
                    )
                    .at(expr.span, "an integer is needed"),
                )
            }
        }
    }

    pub fn fault<T>(&mut self, fault: Fault) -> Checked<T> {
        let (message, span) = match fault {
            Fault::Overflow(span) => ("the result does not fit into a 64-bit integer", span),
            Fault::DivisionByZero(span) => ("this divides by zero", span),
        };
        self.fail(
            Diagnostic::new(Code::Arithmetic, message)
                .at(span, "")
                .help("add a condition that rules this out"),
        )
    }

    /// A value of a variable as the core knows it.
    pub fn core_value(&self, variable: usize, value: i64) -> Value {
        match &self.variables[variable].domain {
            Domain::Bool => Value::Bool(value != 0),
            Domain::Int(..) | Domain::SomeInts(_) => Value::Int(value),
            Domain::Enum(_) => Value::Text(self.words.name(value as u32).to_owned()),
        }
    }

    /// Every name that an expression could mean, for suggestions.
    pub fn known_names(&self) -> impl Iterator<Item = &str> {
        let globals = self.model.globals.iter().filter(|(_, g)| !matches!(g, Global::Type(_)));
        self.variables
            .iter()
            .map(|v| v.name.as_str())
            .chain(globals.map(|(name, _)| name.as_str()))
            .chain(self.words.iter())
            .chain(["true", "false"])
    }

    /// The variables that have this word among their values.
    pub fn variables_with(&self, word: i64) -> impl Iterator<Item = &str> {
        let has = move |v: &&Variable| matches!(&v.domain, Domain::Enum(values) if values.contains(&word));
        self.variables.iter().filter(has).map(|v| v.name.as_str())
    }
}

/// The name that an expression just is, if it is one.
pub(super) fn bare_name(expr: &Expr) -> Option<&str> {
    if let ExprKind::Name(name) = &expr.kind { Some(name) } else { None }
}
