//! Stipulations: formulas over the estimate, with names and predicates as the core knows them.

use super::ast::{Comparison, Expr, ExprKind, Name, Time};
use super::check::{Env, Typed};
use super::model::Global;
use super::scope::{Checked, Domain, Failed, Scope};
use super::term::Term;
use crate::diagnostic::{Code, Diagnostic, Span};
use divulge::formula::{Atom, Formula, Logic, Predicate, Temporal, Test};

/// Conditions that the core's predicates cannot say, such as `row + col > 3`: they become properties of the vertices.
#[derive(Default)]
pub(super) struct Derived {
    /// A name and what it means.
    pub properties: Vec<(String, Term)>,
}

/// `knows(x)` is refused for variables with more values than this.
const MAX_VALUES: u128 = 10_000;

impl Scope<'_> {
    pub fn formula(&mut self, expr: &Expr, env: Env, derived: &mut Derived) -> Checked<Formula> {
        let env = self.step(expr.span, env)?;
        match &expr.kind {
            ExprKind::Not(inner) => Ok(Logic::Not(Box::new(self.formula(inner, env, derived)?))),
            ExprKind::And(parts) => Ok(Logic::And(self.formulas(parts, env, derived)?)),
            ExprKind::Or(parts) => Ok(Logic::Or(self.formulas(parts, env, derived)?)),
            ExprKind::Implies(parts) => Ok(Logic::Implies(self.formulas(parts, env, derived)?)),
            ExprKind::Iff(parts) => Ok(Logic::Iff(self.formulas(parts, env, derived)?)),
            ExprKind::Name(name) => {
                let bound = env.params.iter().any(|(p, _)| p == name);
                match self.model.globals.get(name) {
                    Some(&Global::Def(i)) if !bound => {
                        self.expand(i, &[], expr.span, env, |s, body, env| s.formula(body, env, derived))
                    }
                    _ => self.fixed(expr, env),
                }
            }
            ExprKind::Call(name, arguments) => self.atom(name, arguments, expr, env, derived),
            ExprKind::Time(time, _, parts) => self.run(*time, parts, env, derived),
            _ => self.fixed(expr, env),
        }
    }

    fn formulas(&mut self, parts: &[Expr], env: Env, derived: &mut Derived) -> Checked<Vec<Formula>> {
        let all: Vec<_> = parts.iter().map(|part| self.formula(part, env, derived)).collect();
        all.into_iter().collect()
    }

    /// A formula about the moments of a run.
    fn run(&mut self, time: Time, parts: &[Expr], env: Env, derived: &mut Derived) -> Checked<Formula> {
        let mut parts = self.formulas(parts, env, derived)?.into_iter();
        let (Some(first), second) = (parts.next(), parts.next().unwrap_or(Logic::Const(true))) else {
            return Err(Failed);
        };
        let temporal = match time {
            Time::Always => Temporal::Always(first),
            Time::Eventually => Temporal::Eventually(first),
            Time::Next => Temporal::Next(first),
            Time::Until => Temporal::Until(first, second),
            Time::Unless => Temporal::Unless(first, second),
        };
        Ok(Logic::Atom(Atom::Temporal(Box::new(temporal))))
    }

    /// Outside of `knows` and `possible`, only conditions on constants say something of an estimate.
    fn fixed(&mut self, expr: &Expr, env: Env) -> Checked<Formula> {
        match self.condition(expr, env)? {
            Term::Const(value) => Ok(Logic::Const(value != 0)),
            _ => self.fail(
                Diagnostic::new(
                    Code::WrongLevel,
                    "this is about a state, not about what the observer knows",
                )
                .at(expr.span, "")
                .help(
                    "write `knows(...)` if the observer must be certain of it, `possible(...)` if it must not rule it out",
                ),
            ),
        }
    }

    fn atom(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        expr: &Expr,
        env: Env,
        derived: &mut Derived,
    ) -> Checked<Formula> {
        let one = |s: &mut Self| match arguments {
            [argument] => Ok(argument),
            _ => s.wrong_arguments(name, 1, arguments.len(), expr.span),
        };
        match name.text.as_str() {
            "state" => match one(self)? {
                Expr { kind: ExprKind::Text(vertex) | ExprKind::Name(vertex), span } => {
                    self.vertices.push(Name { text: vertex.clone(), span: *span });
                    Ok(Logic::Atom(Atom::State(vertex.clone(), Default::default())))
                }
                other => self.fail(
                    Diagnostic::new(Code::TypeMismatch, "`state` takes the name of a vertex")
                        .at(other.span, "")
                        .help("write the name in quotes"),
                ),
            },
            "possible" => {
                let argument = one(self)?;
                let term = self.condition(argument, vertex(env))?;
                Ok(Logic::Atom(Atom::Possible(self.predicate(&term, argument.span, derived)?)))
            }
            "knows_whether" => {
                let argument = one(self)?;
                let term = self.condition(argument, vertex(env))?;
                let p = self.predicate(&term, argument.span, derived)?;
                let not_p = self.predicate(&Term::negated(term), argument.span, derived)?;
                Ok(Logic::Or(vec![Logic::Atom(Atom::Knows(p)), Logic::Atom(Atom::Knows(not_p))]))
            }
            "knows" => {
                let argument = one(self)?;
                if let Some(inner) = initial_value(argument) {
                    let value = self.check(inner, vertex(env))?;
                    if !matches!(value, Typed::Bool(_)) {
                        return self.knows(value, inner.span, derived).map(initially);
                    }
                }
                let value = self.check(argument, vertex(env))?;
                self.knows(value, argument.span, derived)
            }
            text => match self.model.globals.get(text) {
                Some(&Global::Def(i)) => {
                    let mut values = Vec::new();
                    for argument in arguments {
                        values.push(self.check(argument, vertex(env))?);
                    }
                    self.expand(i, &values, expr.span, env, |s, body, env| s.formula(body, env, derived))
                }
                _ => self.fixed(expr, env),
            },
        }
    }

    /// `knows(p)`; of a variable, that one of its values is known; of a tuple, every part.
    fn knows(&mut self, value: Typed, span: Span, derived: &mut Derived) -> Checked<Formula> {
        match value {
            Typed::Bool(term) => Ok(Logic::Atom(Atom::Knows(self.predicate(&term, span, derived)?))),
            Typed::Int(Term::Var(v)) | Typed::Word(Term::Var(v)) => {
                let domain = &self.variables[v].domain;
                if domain.size() > MAX_VALUES {
                    return self.fail(
                        Diagnostic::new(
                            Code::TooManyStates,
                            "this has too many values to ask which one is known",
                        )
                        .at(span, format!("more than {MAX_VALUES} values"))
                        .help("use a condition instead, as in `knows(x > 3)`"),
                    );
                }
                let values: Vec<i64> = match domain {
                    Domain::Bool => vec![1, 0],
                    Domain::Int(low, high) => (*low..=*high).collect(),
                    Domain::Enum(values) | Domain::SomeInts(values) => values.clone(),
                };
                self.charge(values.len(), span)?;
                let tests = values.into_iter().map(|value| self.test(Comparison::Eq, v, value));
                Ok(Logic::Or(tests.map(|test| Logic::Atom(Atom::Knows(Logic::Atom(test)))).collect()))
            }
            Typed::Tuple(parts) => {
                let all: Checked<Vec<_>> =
                    parts.into_iter().map(|part| self.knows(part, span, derived)).collect();
                Ok(Logic::And(all?))
            }
            Typed::Word(Term::Const(word)) => self.value_alone(word, span),
            other => self.fail(
                Diagnostic::new(
                    Code::TypeMismatch,
                    format!("`knows` takes a condition or a variable, but this is {}", other.describe()),
                )
                .at(span, "")
                .help("compare it with a value, as in `knows(x + y = 3)`, or with each that it may have: `knows(x + y = 0) | knows(x + y = 1)`"),
            ),
        }
    }

    fn test(&self, op: Comparison, v: usize, value: i64) -> Test {
        Test::Compare(self.variables[v].name.clone(), op, self.core_value(v, value), Default::default())
    }

    /// A term as a predicate of vertices, with properties made for what the core cannot compare.
    pub(super) fn predicate(&mut self, term: &Term, span: Span, derived: &mut Derived) -> Checked<Predicate> {
        Ok(match term {
            Term::Const(value) => Logic::Const(*value != 0),
            Term::Goal => Logic::Atom(Test::Goal),
            Term::Kind(kind, same) => Logic::Atom(Test::Kind(*kind, *same)),
            Term::Is(vertex) => Logic::Atom(Test::Is(vertex.clone(), Default::default())),
            Term::Var(v) => Logic::Atom(Test::Flag(self.variables[*v].name.clone(), Default::default())),
            Term::Test(op, v, value) => Logic::Atom(self.test(*op, *v, *value)),
            Term::Not(inner) => Logic::Not(Box::new(self.predicate(inner, span, derived)?)),
            Term::And(parts) => Logic::And(self.predicates(parts, span, derived)?),
            Term::Or(parts) => Logic::Or(self.predicates(parts, span, derived)?),
            Term::Iff(ab) => {
                Logic::Iff(vec![self.predicate(&ab.0, span, derived)?, self.predicate(&ab.1, span, derived)?])
            }
            Term::If(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.predicate(condition, span, derived)?;
                let yes = self.predicate(yes, span, derived)?;
                let no = self.predicate(no, span, derived)?;
                // The condition is put in twice, and may contain others that were.
                self.charge(size(&condition), span)?;
                Logic::Or(vec![
                    Logic::And(vec![condition.clone(), yes]),
                    Logic::And(vec![Logic::Not(Box::new(condition)), no]),
                ])
            }
            Term::Past(initially, inner) => {
                let inner = Box::new(self.predicate(inner, span, derived)?);
                Logic::Atom(if *initially { Test::Initially(inner) } else { Test::Was(inner) })
            }
            Term::Compare(..) => self.derive(term, span, derived)?,
            Term::Arith(..) | Term::Min(_) | Term::Max(_) => {
                return self.mismatch(span, "a condition", &Typed::Int(Term::Const(0)));
            }
        })
    }

    fn predicates(&mut self, parts: &[Term], span: Span, derived: &mut Derived) -> Checked<Vec<Predicate>> {
        parts.iter().map(|part| self.predicate(part, span, derived)).collect()
    }

    /// A property that says where the term is true.
    fn derive(&mut self, term: &Term, span: Span, derived: &mut Derived) -> Checked<Predicate> {
        if mentions_vertex(term) || self.variables.iter().any(|v| v.property) {
            return self.fail(
                Diagnostic::new(Code::WrongLevel, "this comparison is too complicated for a stipulation")
                    .at(span, "")
                    .help(
                        "compare one property with one value at a time; join conditions with `&`, `|`, `<->`",
                    ),
            );
        }
        let known = derived.properties.iter().find(|(_, t)| t == term).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let taken = |name: &String| {
                self.variables.iter().any(|v| v.name == *name)
                    || derived.properties.iter().any(|(n, _)| n == name)
            };
            let own = self.written(term).filter(|name| !taken(name));
            let mut numbered = (1..).map(|n| format!("condition_{n}"));
            let name = own.or_else(|| numbered.find(|name| !taken(name))).unwrap_or_default();
            derived.properties.push((name.clone(), term.clone()));
            name
        });
        Ok(Logic::Atom(Test::Flag(name, Default::default())))
    }
}

/// What stands inside `initially(...)`: of a variable, its value at the start is meant.
fn initial_value(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Call(name, arguments) if name.text == "initially" => match &arguments[..] {
            [one] => Some(one),
            _ => None,
        },
        _ => None,
    }
}

/// What is known, of the start.
fn initially(formula: Formula) -> Formula {
    let all = |parts: Vec<Formula>| parts.into_iter().map(initially).collect();
    match formula {
        Logic::Atom(Atom::Knows(p)) => Logic::Atom(Atom::Knows(Logic::Atom(Test::Initially(Box::new(p))))),
        Logic::And(parts) => Logic::And(all(parts)),
        Logic::Or(parts) => Logic::Or(all(parts)),
        other => other,
    }
}

fn vertex(env: Env<'_>) -> Env<'_> {
    Env { level: super::check::Level::Vertex, ..env }
}

/// How deep a formula nests, predicates included.
pub(super) fn depth(formula: &Formula) -> usize {
    levels(formula, &|atom| match atom {
        Atom::State(..) => 1,
        Atom::Possible(p) | Atom::Knows(p) => 1 + of_predicate(p),
        Atom::Temporal(t) => 1 + t.operands().map(depth).max().unwrap_or(0),
    })
}

fn of_predicate(predicate: &Predicate) -> usize {
    levels(predicate, &|test| match test {
        Test::Initially(p) | Test::Was(p) => 1 + of_predicate(p),
        _ => 1,
    })
}

fn levels<A>(logic: &Logic<A>, atom: &dyn Fn(&A) -> usize) -> usize {
    1 + match logic {
        Logic::Const(_) => 0,
        Logic::Atom(a) => atom(a),
        Logic::Not(inner) => levels(inner, atom),
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            parts.iter().map(|part| levels(part, atom)).max().unwrap_or(0)
        }
    }
}

fn size(predicate: &Predicate) -> usize {
    1 + match predicate {
        Logic::Atom(Test::Initially(inner) | Test::Was(inner)) => size(inner),
        Logic::Const(_) | Logic::Atom(_) => 0,
        Logic::Not(inner) => size(inner),
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            parts.iter().map(size).sum()
        }
    }
}

fn mentions_vertex(term: &Term) -> bool {
    match term {
        Term::Goal | Term::Kind(..) | Term::Is(_) | Term::Past(..) => true,
        Term::Const(_) | Term::Var(_) | Term::Test(..) => false,
        Term::Arith(_, ab, _) | Term::Min(ab) | Term::Max(ab) | Term::Compare(_, ab) | Term::Iff(ab) => {
            mentions_vertex(&ab.0) || mentions_vertex(&ab.1)
        }
        Term::Not(inner) => mentions_vertex(inner),
        Term::And(parts) | Term::Or(parts) => parts.iter().any(mentions_vertex),
        Term::If(parts) => parts.iter().any(mentions_vertex),
    }
}
