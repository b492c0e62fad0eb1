//! Expressions with names to typed terms without.

use super::ast::{Arith, Comparison, Expr, ExprKind, Set, Time};
use super::model::Global;
use super::scope::{Checked, Domain, Failed, Scope, bare_name};
use super::temporal;
use super::term::{Term, around};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean, listed};
use divulge::problem::Kind;

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) enum Typed {
    Int(Term),
    Bool(Term),
    Word(Term),
    Tuple(Vec<Typed>),
}

impl Typed {
    pub fn describe(&self) -> &'static str {
        match self {
            Typed::Int(_) => "an integer",
            Typed::Bool(_) => "a condition",
            Typed::Word(_) => "a word",
            Typed::Tuple(_) => "a tuple",
        }
    }

    /// How many nodes it has, and how deep they nest.
    fn measure(&self) -> (usize, usize) {
        match self {
            Typed::Int(t) | Typed::Bool(t) | Typed::Word(t) => t.measure(),
            Typed::Tuple(parts) => around(parts.iter().map(Typed::measure)),
        }
    }

    fn is_constant(&self) -> bool {
        match self {
            Typed::Int(t) | Typed::Bool(t) | Typed::Word(t) => t.constant().is_some(),
            Typed::Tuple(parts) => parts.iter().all(Typed::is_constant),
        }
    }
}

/// What an expression may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Constants only.
    Constant,
    /// A state of the world.
    State,
    /// A vertex of the world: a state, its kind, its name, whether it is a goal.
    Vertex,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Env<'e> {
    pub params: &'e [(String, Typed)],
    pub level: Level,
    pub depth: usize,
}

impl Env<'_> {
    pub const CONSTANT: Env<'static> = Env { params: &[], level: Level::Constant, depth: 0 };
    pub const STATE: Env<'static> = Env { params: &[], level: Level::State, depth: 0 };
    pub const VERTEX: Env<'static> = Env { params: &[], level: Level::Vertex, depth: 0 };
}

/// Definitions within definitions may nest expressions so deep.
const MAX_DEPTH: usize = 300;

impl Scope<'_> {
    /// A constant's value.
    pub fn constant(&mut self, expr: &Expr) -> Checked<Typed> {
        let value = self.check(expr, Env::CONSTANT)?;
        // The constructors fold constants, so anything else is a slip of theirs and not of the model's author.
        debug_assert!(value.is_constant());
        Ok(value)
    }

    /// A condition.
    pub fn condition(&mut self, expr: &Expr, env: Env) -> Checked<Term> {
        match self.check(expr, env)? {
            Typed::Bool(term) => Ok(term),
            other => self.mismatch(expr.span, "a condition", &other),
        }
    }

    pub fn int(&mut self, expr: &Expr, env: Env) -> Checked<Term> {
        match self.check(expr, env)? {
            Typed::Int(term) => Ok(term),
            other => self.mismatch(expr.span, "an integer", &other),
        }
    }

    pub fn mismatch<T>(&mut self, at: Span, wanted: &str, found: &Typed) -> Checked<T> {
        if let (Typed::Word(Term::Const(word)), "a condition") = (found, wanted) {
            return self.value_alone(*word, at);
        }
        let found = found.describe();
        self.fail(
            Diagnostic::new(Code::TypeMismatch, format!("this must be {wanted}, but it is {found}"))
                .at(at, format!("{wanted} is needed")),
        )
    }

    /// `red` where `colour = red` is meant.
    pub fn value_alone<T>(&mut self, word: i64, at: Span) -> Checked<T> {
        let value = self.words.name(word as u32).to_owned();
        let with: Vec<String> =
            self.variables_with(word).take(3).map(|name| format!("`{name} = {value}`")).collect();
        let advice = if with.is_empty() {
            "a condition compares a variable with a value, as in `colour = red`".to_owned()
        } else {
            format!("say what has this value: {}", with.join(" or "))
        };
        self.fail(
            Diagnostic::new(Code::TypeMismatch, format!("`{value}` is a value, not a condition"))
                .at(at, "a condition is needed")
                .help(advice),
        )
    }

    pub fn check(&mut self, expr: &Expr, env: Env) -> Checked<Typed> {
        let env = self.step(expr.span, env)?;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Typed::Int(Term::Const(*value))),
            ExprKind::Bool(value) => Ok(Typed::Bool(Term::bool(*value))),
            ExprKind::Text(text) => Ok(Typed::Word(Term::Const(self.word(text)))),
            ExprKind::Name(name) => self.name(name, expr.span, env),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span, env),
            ExprKind::Tuple(parts) => Ok(Typed::Tuple(self.each(parts, env)?)),
            ExprKind::Neg(inner) => {
                let inner = self.int(inner, env)?;
                self.arith(Arith::Sub, Term::Const(0), inner, expr.span)
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.int(a, env), self.int(b, env));
                self.arith(*op, a?, b?, expr.span)
            }
            ExprKind::Compare(op, a, b) => self.comparison(*op, a, b, expr.span, env),
            ExprKind::In(value, set) => self.membership(value, set, expr.span, env),
            ExprKind::Not(inner) => Ok(Typed::Bool(Term::negated(self.condition(inner, env)?))),
            ExprKind::And(parts) => Ok(Typed::Bool(Term::all(self.conditions(parts, env)?))),
            ExprKind::Or(parts) => Ok(Typed::Bool(Term::any(self.conditions(parts, env)?))),
            ExprKind::Implies(parts) => {
                // The last of a chain must hold, or one before it fails.
                let mut parts = self.conditions(parts, env)?;
                let last = parts.pop();
                Ok(Typed::Bool(Term::any(parts.into_iter().map(Term::negated).chain(last))))
            }
            ExprKind::Iff(parts) => {
                let parts = self.conditions(parts, env)?;
                let joined = parts.into_iter().reduce(Term::iff);
                Ok(Typed::Bool(joined.unwrap_or(Term::bool(true))))
            }
            ExprKind::If(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.condition(condition, env);
                let (yes, no) = (self.check(yes, env)?, self.check(no, env)?);
                self.conditional(condition?, yes, no, expr.span)
            }
            ExprKind::Time(time, word, _) => self.not_a_moment(*time, *word, env),
        }
    }

    /// A word of time where a condition on one state is needed.
    fn not_a_moment<T>(&mut self, time: Time, at: Span, env: Env) -> Checked<T> {
        let word = time.word();
        let finding = match env.level {
            Level::Vertex => {
                let outside = match time {
                    Time::Until | Time::Unless => format!("knows(...) {word} knows(...)"),
                    _ => format!("{word} knows(...)"),
                };
                Diagnostic::new(
                    Code::TemporalWord,
                    format!("`{word}` is about the moments of a run, not about one state"),
                )
                .help(format!(
                    "write it outside: `{outside}`; for what was so earlier, write `was(...)` or `initially(...)`"
                ))
            }
            _ => Diagnostic::new(Code::TemporalWord, format!("`{word}` can only be used in stipulations")),
        };
        self.fail(finding.at(at, ""))
    }

    /// Counts a node against the limits.
    pub fn step<'e>(&mut self, at: Span, env: Env<'e>) -> Checked<Env<'e>> {
        if self.exhausted {
            return Err(Failed);
        }
        if self.budget == 0 || env.depth >= MAX_DEPTH {
            self.exhausted = true;
            let what = if self.budget == 0 { "too large" } else { "too deeply nested" };
            return self.fail(
                Diagnostic::new(
                    Code::TooDeep,
                    format!("the expressions become {what} once definitions are expanded"),
                )
                .at(at, "reading stopped here")
                .help("simplify the definitions that are used here"),
            );
        }
        self.budget -= 1;
        if self.budget.is_multiple_of(4096) {
            // Nothing else is worth looking at once it is to stop.
            let told = self.poll(0);
            self.exhausted = told.is_err();
            told?;
        }
        Ok(Env { depth: env.depth + 1, ..env })
    }

    /// Counts a copy, to be put in where `env` is, against the limits.
    fn spend(&mut self, value: &Typed, at: Span, env: Env) -> Checked<()> {
        let (size, depth) = value.measure();
        self.charge(size, at)?;
        self.step(at, Env { depth: env.depth + depth, ..env }).map(|_| ())
    }

    /// Counts nodes that are made against the limit.
    pub fn charge(&mut self, nodes: usize, at: Span) -> Checked<()> {
        self.budget = self.budget.saturating_sub(nodes);
        self.step(at, Env::CONSTANT).map(|_| ())
    }

    pub fn each(&mut self, parts: &[Expr], env: Env) -> Checked<Vec<Typed>> {
        // All parts are looked at, so that several mistakes show in one run.
        let all: Vec<_> = parts.iter().map(|part| self.check(part, env)).collect();
        all.into_iter().collect()
    }

    fn conditions(&mut self, parts: &[Expr], env: Env) -> Checked<Vec<Term>> {
        let all: Vec<_> = parts.iter().map(|part| self.condition(part, env)).collect();
        all.into_iter().collect()
    }

    pub fn arith(&mut self, op: Arith, a: Term, b: Term, span: Span) -> Checked<Typed> {
        match Term::arith(op, a, b, span) {
            Ok(term) => Ok(Typed::Int(term)),
            Err(fault) => self.fault(fault),
        }
    }

    fn conditional(&mut self, condition: Term, yes: Typed, no: Typed, span: Span) -> Checked<Typed> {
        Ok(match (yes, no) {
            (Typed::Int(a), Typed::Int(b)) => Typed::Int(Term::conditional(condition, a, b)),
            (Typed::Word(a), Typed::Word(b)) => Typed::Word(Term::conditional(condition, a, b)),
            (Typed::Bool(a), Typed::Bool(b)) => Typed::Bool(Term::conditional(condition, a, b)),
            (Typed::Tuple(a), Typed::Tuple(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                let parts: Checked<Vec<_>> =
                    pairs.map(|(a, b)| self.conditional(condition.clone(), a, b, span)).collect();
                Typed::Tuple(parts?)
            }
            (yes, no) => return self.unlike(&yes, &no, span),
        })
    }

    fn unlike<T>(&mut self, a: &Typed, b: &Typed, span: Span) -> Checked<T> {
        let message = match (a, b) {
            (Typed::Tuple(a), Typed::Tuple(b)) => {
                format!("these tuples are of different lengths: {} and {}", a.len(), b.len())
            }
            _ => format!("{} and {} are of different types", a.describe(), b.describe()),
        };
        self.fail(Diagnostic::new(Code::TypeMismatch, message).at(span, "both must be of the same type"))
    }

    fn name(&mut self, name: &str, span: Span, env: Env) -> Checked<Typed> {
        if let Some((_, value)) = env.params.iter().find(|(param, _)| param == name) {
            self.spend(value, span, env)?;
            return Ok(value.clone());
        }
        if let Some(v) = self.variable(name) {
            self.used.insert(name.to_owned());
            if env.level == Level::Constant {
                return self.not_constant(name, span);
            }
            return Ok(match self.variables[v].domain {
                Domain::Bool => Typed::Bool(Term::Var(v)),
                Domain::Int(..) | Domain::SomeInts(_) => Typed::Int(Term::Var(v)),
                Domain::Enum(_) => Typed::Word(Term::Var(v)),
            });
        }
        match self.model.globals.get(name) {
            Some(&Global::Value(i)) => {
                self.used.insert(name.to_owned());
                let value = self.global_value(i, span)?;
                self.spend(&value, span, env)?;
                return Ok(value);
            }
            Some(&Global::Def(i)) => {
                return self.expand(i, &[], span, env, |s, body, env| s.check(body, env));
            }
            Some(Global::Type(_)) => {
                return self.fail(
                    Diagnostic::new(Code::TypeMismatch, format!("`{name}` is a type, not a value"))
                        .at(span, ""),
                );
            }
            None => {}
        }
        if name == "goal" && self.vertex_only("goal", span, env)? {
            return Ok(Typed::Bool(Term::Goal));
        }
        if let Some(word) = self.words.get(name) {
            return Ok(Typed::Word(Term::Const(i64::from(word))));
        }
        self.unknown(name, span)
    }

    fn not_constant<T>(&mut self, name: &str, span: Span) -> Checked<T> {
        self.fail(
            Diagnostic::new(
                Code::NotConstant,
                format!("`{name}` is a variable, but a constant is needed here"),
            )
            .at(span, "this differs from state to state")
            .help("use a `const` or a `let` here; what depends on the state is a `def`"),
        )
    }

    /// Whether `what`, which only vertices have, may be spoken of here; it is an error if not.
    pub fn vertex_only(&mut self, what: &str, span: Span, env: Env) -> Checked<bool> {
        if env.level == Level::Vertex {
            return Ok(true);
        }
        self.fail(
            Diagnostic::new(Code::WrongLevel, format!("`{what}` can only be used in stipulations"))
                .at(span, "")
                .help(match what {
                    "goal" => "give the goal's condition a name with `def`, and use that name in both places",
                    "was" | "initially" => "rules are about the present; let a variable of the world remember it",
                    _ => "rules are about states; write `goal observing` or `start observing` to choose the kind of vertex",
                }),
        )
    }

    fn unknown<T>(&mut self, name: &str, span: Span) -> Checked<T> {
        if self.poisoned.contains(name) {
            return Err(Failed);
        }
        if let Some(advice) = temporal::advice(name).filter(|_| !temporal::is_letter(name)) {
            return self.fail(temporal::finding(name, span, advice));
        }
        let advice = did_you_mean(name, self.known_names());
        let mut finding = Diagnostic::new(Code::UnknownName, format!("`{name}` is not known here"))
            .at(span, "no such name");
        finding = match advice {
            Some(advice) => finding.help(advice),
            None => finding.help("define it with `const`, `let` or `def`, or as a variable of the world"),
        };
        self.fail(finding)
    }

    fn comparison(&mut self, op: Comparison, a: &Expr, b: &Expr, span: Span, env: Env) -> Checked<Typed> {
        if bare_name(a) == Some("kind") {
            self.vertex_only("kind", span, env)?;
            let kind = if bare_name(b) == Some("action") { Kind::Action } else { Kind::Observation };
            return match op {
                Comparison::Eq | Comparison::Ne => Ok(Typed::Bool(Term::Kind(kind, op == Comparison::Eq))),
                _ => self.fail(
                    Diagnostic::new(Code::TypeMismatch, "kinds can only be compared with `=` and `!=`")
                        .at(span, ""),
                ),
            };
        }
        let (a, b) = self.sides(a, b, env);
        Ok(Typed::Bool(self.compare(op, a?, b?, span)?))
    }

    /// Two sides of a comparison. An unknown name beside a variable was meant as one of its values.
    fn sides(&mut self, a: &Expr, b: &Expr, env: Env) -> (Checked<Typed>, Checked<Typed>) {
        for (side, other) in [(a, b), (b, a)] {
            let (Some(variable), Some(value)) = (bare_name(side), bare_name(other)) else { continue };
            if let Some(v) = self.variable(variable)
                && !env.params.iter().any(|(param, _)| param == variable || param == value)
                && let Err(failed) = self.known_value(v, value, other.span)
            {
                self.used.insert(variable.to_owned());
                return (Err(failed), Err(failed));
            }
        }
        (self.check(a, env), self.check(b, env))
    }

    /// Fails if a name that stands for nothing is given as the value of a variable with named values.
    pub fn known_value(&mut self, v: usize, name: &str, span: Span) -> Checked<()> {
        let unknown = matches!(self.variables[v].domain, Domain::Enum(_))
            && self.variable(name).is_none()
            && !self.model.globals.contains_key(name)
            && !self.poisoned.contains(name)
            && self.words.get(name).is_none();
        if unknown { self.never(v, name, span) } else { Ok(()) }
    }

    /// Compares two values of one type; only integers have an order.
    pub fn compare(&mut self, op: Comparison, a: Typed, b: Typed, span: Span) -> Checked<Term> {
        let ordered = !matches!(op, Comparison::Eq | Comparison::Ne);
        match (a, b) {
            (Typed::Int(a), Typed::Int(b)) => Ok(Term::compare(op, a, b)),
            (a, _) if ordered => {
                let found = a.describe();
                self.fail(
                    Diagnostic::new(
                        Code::TypeMismatch,
                        format!("only integers can be ordered, but this is {found}"),
                    )
                    .at(span, "")
                    .help("use `=`, `!=` or `in`"),
                )
            }
            // Two conditions are equal when one holds exactly when the other does; but `flag = false` asks for a value,
            // which a vertex of a hand-drawn world may lack.
            (Typed::Bool(a), Typed::Bool(b)) => Ok(match (&a, &b) {
                (Term::Const(_), _) | (_, Term::Const(_)) => Term::compare(op, a, b),
                _ if op == Comparison::Eq => Term::iff(a, b),
                _ => Term::negated(Term::iff(a, b)),
            }),
            (Typed::Word(a), Typed::Word(b)) => {
                self.fits(&a, &b, span)?;
                self.fits(&b, &a, span)?;
                Ok(Term::compare(op, a, b))
            }
            (Typed::Tuple(a), Typed::Tuple(b)) if a.len() == b.len() => {
                let parts: Checked<Vec<_>> =
                    a.into_iter().zip(b).map(|(a, b)| self.compare(op, a, b, span)).collect();
                Ok(if op == Comparison::Eq { Term::all(parts?) } else { Term::any(parts?) })
            }
            (a, b) => self.unlike(&a, &b, span),
        }
    }

    /// A variable can only equal one of its values.
    fn fits(&mut self, variable: &Term, word: &Term, span: Span) -> Checked<()> {
        let (Term::Var(v), Term::Const(w)) = (variable, word) else { return Ok(()) };
        self.is_value(*v, *w, span)
    }

    pub fn is_value(&mut self, v: usize, word: i64, span: Span) -> Checked<()> {
        let Domain::Enum(values) = &self.variables[v].domain else { return Ok(()) };
        if values.contains(&word) {
            return Ok(());
        }
        let word = self.words.name(word as u32).to_owned();
        self.never(v, &word, span)
    }

    fn never<T>(&mut self, v: usize, word: &str, span: Span) -> Checked<T> {
        let variable = &self.variables[v];
        let values = match &variable.domain {
            Domain::Enum(values) => values.as_slice(),
            _ => &[],
        };
        let names: Vec<&str> = values.iter().map(|&w| self.words.name(w as u32)).collect();
        let meant = did_you_mean(word, names.iter().copied()).or_else(|| match self.words.get(word) {
            Some(_) => None,
            None => did_you_mean(word, self.known_names()),
        });
        let finding = Diagnostic::new(Code::NotAValue, format!("`{}` is never `{word}`", variable.name))
            .at(span, "")
            .note(format!("its values are {}", listed(names)))
            .help_opt(meant);
        self.fail(finding)
    }

    fn membership(&mut self, value: &Expr, set: &Set, span: Span, env: Env) -> Checked<Typed> {
        let value = self.check(value, env)?;
        let term = match set {
            Set::Range(low, high) => {
                let (low, high) = (self.int(low, env), self.int(high, env));
                let Typed::Int(value) = value else { return self.mismatch(span, "an integer", &value) };
                let above = Term::compare(Comparison::Ge, value.clone(), low?);
                Term::all([above, Term::compare(Comparison::Le, value, high?)])
            }
            Set::List(list) => {
                let mut parts = Vec::new();
                for item in list {
                    if let (Typed::Word(Term::Var(v)), Some(name)) = (&value, bare_name(item)) {
                        let bound = env.params.iter().any(|(param, _)| param == name);
                        if !bound {
                            self.known_value(*v, name, item.span)?;
                        }
                    }
                    let other = self.check(item, env)?;
                    parts.push(self.compare(Comparison::Eq, value.clone(), other, item.span)?);
                }
                Term::any(parts)
            }
        };
        Ok(Typed::Bool(term))
    }
}
