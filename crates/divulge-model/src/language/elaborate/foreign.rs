//! Worlds and maps that are in files of other tools.

use super::super::ast::{Expr, ExprKind, File, Files, Look, Name};
use super::super::check::{Env, Typed};
use super::super::formula::Derived;
use super::super::parser::RESERVED;
use super::super::scope::{Checked, Domain, Failed, Scope};
use super::Elaborator;
use super::observer::Builder;
use crate::diagnostic::{Code, Diagnostic, SourceId, Span};
use crate::foreign::{self, Asked, Given, Read};
use crate::lint::Places;
use divulge::{
    Unlimited,
    formula::{FormulaError, Predicate},
    problem::{Problem, Value, World},
    sets::BitSet,
};
use divulge_formats::tokens;

impl Elaborator<'_, '_> {
    /// `world from …`: its labels become those of the model, its properties variables.
    pub(super) fn foreign_world(&mut self, from: &Files, places: &mut Places) -> Checked<World> {
        let sources: Vec<SourceId> = from.files.iter().filter_map(|file| file.source).collect();
        // What could not be read has been told.
        let Some(first) = from.files.first().filter(|_| sources.len() == from.files.len()) else {
            return Err(Failed);
        };
        let span = first.name.span;
        let mut constants = Vec::new();
        for binding in &from.constants {
            constants.push((binding.name.text.clone(), self.given(&binding.value)?));
        }
        // What the model itself says need not be pointed out.
        let said = [(&from.start, "--initial"), (&from.goal, "--goal"), (&from.avoid, "--avoid")];
        let said: Vec<&str> =
            said.iter().filter(|(own, _)| own.is_some()).map(|&(_, option)| option).collect();
        let mut problem = self.read_world(&sources, &constants, &said, span)?;
        for label in problem.alphabet.labels() {
            let name = Name { text: problem.alphabet.name(label).to_owned(), span };
            self.labels.declare(&name, problem.alphabet.kind(label), self.scope);
        }
        let map = problem.observer.map.take();
        let hidden = |label| map.as_ref().is_some_and(|map| map.image(label).is_none());
        self.labels.hidden = problem.alphabet.labels().map(hidden).collect();
        variables(&mut problem, span, self.scope);
        self.scope.check_all_values();
        if let Some(expr) = &from.avoid {
            let states = self.states(&problem, expr, false)?;
            foreign::dead_ends(&mut problem, &states);
        }
        if let Some(expr) = &from.start {
            let states = self.states(&problem, expr, true)?;
            foreign::start_at(&mut problem, &states);
        }
        if let Some(expr) = &from.goal {
            problem.world.goal = self.states(&problem, expr, true)?;
            places.goal = Some(expr.span);
        }
        Ok(problem.world)
    }

    fn read_world(
        &mut self,
        sources: &[SourceId],
        constants: &[(String, String)],
        said: &[&str],
        span: Span,
    ) -> Checked<Problem> {
        let texts: Vec<_> = sources.iter().map(|&id| self.scope.diagnostics.source(id).clone()).collect();
        let second = texts.get(1).map(|source| (source.name.as_str(), &*source.text));
        let given = Given { constants, second };
        match foreign::parsed(&texts[0].name, &texts[0].text, given, &Unlimited) {
            Read::Unknown => self.scope.fail(
                Diagnostic::new(
                    Code::ForeignSyntax,
                    format!("{} is no file of a kind that is read", texts[0].name),
                )
                .at(span, "")
                .help("automata (.fsm, .gen, .aut), PRISM models and PDDL are read; `include` is for models"),
            ),
            Read::Limit(_) => Err(Failed),
            Read::Faults(faults) => {
                for fault in faults {
                    let finding = foreign::finding(fault, sources);
                    let placed = finding.span.is_some();
                    self.scope.diagnostics.push(if placed { finding } else { finding.at(span, "") });
                }
                Err(Failed)
            }
            Read::Done(read) => {
                let names: Vec<&str> = texts.iter().map(|source| source.name.as_str()).collect();
                // Problem and domain may come in either order.
                for remark in read.remarks(&names.join(" with "), Asked::Model, said) {
                    self.scope.diagnostics.remark(remark);
                }
                let mut problem = read.problem;
                if let Some(label) = read.avoid {
                    let traps = BitSet::from_fn(problem.world.graph.len(), |v| {
                        let column = problem.world.props.column(&label);
                        column.and_then(|column| column.get(divulge::problem::Vertex(v as u32)))
                            == Some(&Value::Bool(true))
                    });
                    foreign::dead_ends(&mut problem, &traps);
                }
                Ok(problem)
            }
        }
    }

    /// The value of a constant as the other tool would write it; what is not an integer stands in quotes.
    fn given(&mut self, expr: &Expr) -> Checked<String> {
        if let ExprKind::Text(text) = &expr.kind {
            return Ok(text.clone());
        }
        match self.scope.constant(expr)? {
            Typed::Int(term) => Ok(term.constant().unwrap_or_default().to_string()),
            Typed::Bool(term) => Ok((term.constant() == Some(1)).to_string()),
            other => {
                let message =
                    format!("this must be a number or a truth value, but it is {}", other.describe());
                let finding = Diagnostic::new(Code::TypeMismatch, message).at(expr.span, "");
                self.scope.fail(finding.help("a number that is no integer stands in quotes, as in \"0.5\""))
            }
        }
    }

    /// A condition in quotes: the name of a property that is no word, or a condition of a document.
    fn quoted(&mut self, problem: &Problem, text: &str, span: Span) -> Checked<Predicate> {
        let written = match problem.world.props.column(text) {
            Some(_) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            None => text.to_owned(),
        };
        written.parse().or_else(|e: FormulaError| {
            let finding = Diagnostic::new(Code::ForeignValue, e.message).at(span, "");
            let help = "a condition in quotes is written as in a document: \"!(\\\"opened p2-1\\\" | held)\"";
            self.scope.fail(finding.help(e.help.unwrap_or_else(|| help.to_owned())))
        })
    }

    /// The states that a condition is true of; with `some`, there must be one.
    fn states(&mut self, problem: &Problem, expr: &Expr, some: bool) -> Checked<BitSet> {
        let predicate = match &expr.kind {
            ExprKind::Text(text) => self.quoted(problem, text, expr.span)?,
            _ => {
                let term = self.scope.condition(expr, Env::VERTEX)?;
                self.scope.predicate(&term, expr.span, &mut Derived::default())?
            }
        };
        match foreign::states(problem, &predicate) {
            Ok(states) if states.is_empty() && some => {
                let finding = Diagnostic::new(Code::ForeignValue, "no state is like this").at(expr.span, "");
                self.scope.fail(finding.help("`divulge info` on the file shows what its states are like"))
            }
            Ok(states) => Ok(states),
            Err(e) => {
                let finding = Diagnostic::new(Code::ForeignValue, e.message).at(expr.span, "");
                self.scope.fail(finding.help_opt(e.help))
            }
        }
    }
}

/// Makes variables of the properties that a model can name. What has values of several types becomes words.
fn variables(problem: &mut Problem, span: Span, scope: &mut Scope) {
    let names: Vec<String> = problem.world.props.names().iter().map(str::to_owned).collect();
    let plain = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    let mut found = Vec::new();
    for text in names.into_iter().filter(|name| plain(name)) {
        if RESERVED.contains(&text.as_str()) && text != "state" {
            continue;
        }
        let values = problem.world.props.column(&text).map_or(Vec::new(), |column| column.values().to_vec());
        let ints: Option<Vec<i64>> =
            values.iter().map(|value| if let Value::Int(i) = value { Some(*i) } else { None }).collect();
        let domain = match ints {
            Some(ints) => Domain::SomeInts(ints),
            None if values.iter().all(|value| matches!(value, Value::Bool(_))) => Domain::Bool,
            None => {
                if values.iter().any(|value| !matches!(value, Value::Text(_))) {
                    as_words(&mut problem.world, &text);
                }
                Domain::Enum(values.iter().map(|value| scope.word(&value.to_string())).collect())
            }
        };
        found.push((Name { text, span }, domain));
    }
    for (name, domain) in found {
        scope.add_variable(&name, domain, true);
        scope.used.insert(name.text);
    }
}

/// Turns all values of a property into words.
fn as_words(world: &mut World, name: &str) {
    let all: Vec<_> = world.graph.vertices().collect();
    for v in all {
        let value = world.props.column(name).and_then(|column| column.get(v)).map(ToString::to_string);
        if let Some(text) = value {
            world.props.set(v, name, Value::Text(text));
        }
    }
}

impl Builder<'_> {
    /// `sees from "act-toks.dat"`: the token of every action that the file lists.
    pub(super) fn sees_from(&mut self, file: &File, scope: &mut Scope) -> Checked<()> {
        let Some(source) = file.source else { return Err(Failed) };
        let text = scope.diagnostics.source(source).text.clone();
        let list = match tokens::read(&text) {
            Ok(list) => list,
            Err(faults) => {
                faults
                    .into_iter()
                    .for_each(|fault| scope.diagnostics.push(foreign::finding(fault, &[source])));
                return Err(Failed);
            }
        };
        let mut some = false;
        for entry in list {
            let span = source.span(entry.place.start, entry.place.end);
            // A file may list actions that are never possible.
            if self.around.labels.alphabet.get(&entry.action).is_none() {
                continue;
            }
            some = true;
            let look = match entry.token {
                Some(token) => Look::As(Name { text: token, span }),
                None => Look::Unseen(span),
            };
            self.look(&Name { text: entry.action, span }, &look, scope)?;
        }
        if some {
            return Ok(());
        }
        let message = format!("\"{}\" lists no action of this world", file.name.text);
        let finding = Diagnostic::new(Code::ForeignName, message).at(file.name.span, "");
        scope
            .fail(finding.help("its lines are `(ACTION TOKEN OBJECT …)`, with actions as the world has them"))
    }
}
