//! Calls: definitions with their arguments put in, and the few functions that are built in.

use super::ast::{Arith, Comparison, Expr, ExprKind, Name};
use super::check::{Env, Typed};
use super::model::Global;
use super::scope::{Checked, Scope};
use super::temporal;
use super::term::Term;
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};

impl Scope<'_> {
    pub fn call(&mut self, name: &Name, arguments: &[Expr], span: Span, env: Env) -> Checked<Typed> {
        match name.text.as_str() {
            "min" | "max" => {
                let terms: Vec<_> = arguments.iter().map(|a| self.int(a, env)).collect();
                let terms: Checked<Vec<Term>> = terms.into_iter().collect();
                let smaller = name.text == "min";
                let joined = terms?.into_iter().reduce(|a, b| match (&a, &b) {
                    (Term::Const(x), Term::Const(y)) => {
                        Term::Const(if smaller { *x.min(y) } else { *x.max(y) })
                    }
                    _ if smaller => Term::Min(Box::new((a, b))),
                    _ => Term::Max(Box::new((a, b))),
                });
                Ok(Typed::Int(joined.unwrap_or(Term::Const(0))))
            }
            "abs" => {
                let [argument] = arguments else {
                    return self.wrong_arguments(name, 1, arguments.len(), span);
                };
                let inner = self.int(argument, env)?;
                let Typed::Int(minus) = self.arith(Arith::Sub, Term::Const(0), inner.clone(), span)? else {
                    return Ok(Typed::Int(inner));
                };
                let negative = Term::compare(Comparison::Lt, inner.clone(), Term::Const(0));
                Ok(Typed::Int(Term::conditional(negative, minus, inner)))
            }
            "is" => {
                self.vertex_only("is", span, env)?;
                match arguments {
                    [Expr { kind: ExprKind::Text(vertex) | ExprKind::Name(vertex), span }] => {
                        self.vertices.push(Name { text: vertex.clone(), span: *span });
                        Ok(Typed::Bool(Term::Is(vertex.clone())))
                    }
                    _ => self.wrong_arguments(name, 1, arguments.len(), span),
                }
            }
            "was" | "initially" => {
                self.vertex_only(&name.text, span, env)?;
                let [argument] = arguments else {
                    return self.wrong_arguments(name, 1, arguments.len(), span);
                };
                match self.check(argument, env)? {
                    Typed::Bool(term) => Ok(Typed::Bool(Term::past(name.text == "initially", term))),
                    other => self.fail(
                        Diagnostic::new(
                            Code::TypeMismatch,
                            format!("`{}` takes a condition, but this is {}", name.text, other.describe()),
                        )
                        .at(argument.span, "a condition is needed")
                        .help(format!(
                            "put the whole condition in parentheses, as in `{}(x = 3)`",
                            name.text
                        )),
                    ),
                }
            }
            word @ ("knows" | "possible" | "state" | "knows_whether") => self.fail(
                Diagnostic::new(
                    Code::WrongLevel,
                    format!("`{word}` is about the observer, so it cannot stand here"),
                )
                .at(span, "a condition on one state is needed")
                .help("`knows` and `possible` belong in stipulations, and cannot be nested"),
            ),
            text => match self.model.globals.get(text) {
                Some(&Global::Def(i)) => {
                    let arguments = self.each(arguments, env)?;
                    self.expand(i, &arguments, span, env, |s, body, env| s.check(body, env))
                }
                Some(_) => self.not_a_definition(name, span),
                None if self.variable(text).is_some() => self.not_a_definition(name, span),
                None => {
                    if let Some(advice) = temporal::advice(text) {
                        return self.fail(temporal::finding(text, name.span, advice));
                    }
                    let model = self.model;
                    let known = model.defs.iter().map(|d| d.name.text.as_str());
                    let advice = match text {
                        "initial" | "init" | "started" => {
                            Some("for how the world began, write `initially(...)`".into())
                        }
                        _ => did_you_mean(
                            text,
                            known.chain(["min", "max", "abs", "knows", "possible", "initially", "was"]),
                        ),
                    };
                    self.fail(
                        Diagnostic::new(Code::UnknownName, format!("no definition is called `{text}`"))
                            .at(name.span, "")
                            .help(
                                advice.unwrap_or_else(|| format!("define it: `def {text}(x) = ...`").into()),
                            ),
                    )
                }
            },
        }
    }

    fn not_a_definition<T>(&mut self, name: &Name, span: Span) -> Checked<T> {
        self.fail(
            Diagnostic::new(Code::WrongArguments, format!("`{}` takes no arguments", name.text))
                .at(span, "")
                .help("is an operator such as `&` or `=` missing between the two?"),
        )
    }

    pub fn wrong_arguments<T>(&mut self, name: &Name, wanted: usize, found: usize, span: Span) -> Checked<T> {
        let plural = if wanted == 1 { "" } else { "s" };
        let given = if found == 1 { "is" } else { "are" };
        self.fail(
            Diagnostic::new(
                Code::WrongArguments,
                format!("`{}` takes {wanted} argument{plural}, but {found} {given} given", name.text),
            )
            .at(span, ""),
        )
    }

    /// Puts arguments into a definition's body and hands it to `then`. Several arguments for one parameter are a tuple.
    pub fn expand<T>(
        &mut self,
        i: usize,
        arguments: &[Typed],
        span: Span,
        env: Env,
        then: impl FnOnce(&mut Self, &Expr, Env) -> Checked<T>,
    ) -> Checked<T> {
        let model = self.model;
        let def = &model.defs[i];
        self.used.insert(def.name.text.clone());
        if self.expanding.contains(&i) {
            return self.fail(
                Diagnostic::new(
                    Code::CyclicDefinition,
                    format!("the definition of `{}` uses itself", def.name.text),
                )
                .at(def.name.span, "")
                .note_at(span, "used again here")
                .help("remove the circle"),
            );
        }
        let packed;
        let arguments = if def.params.len() == 1 && arguments.len() > 1 {
            packed = [Typed::Tuple(arguments.to_vec())];
            &packed
        } else {
            arguments
        };
        if arguments.len() != def.params.len() {
            return self.wrong_arguments(&def.name, def.params.len(), arguments.len(), span);
        }
        let params: Vec<_> =
            def.params.iter().map(|p| p.text.clone()).zip(arguments.iter().cloned()).collect();
        self.expanding.push(i);
        let result = then(self, &def.body, Env { params: &params, ..env });
        self.expanding.pop();
        result
    }
}
