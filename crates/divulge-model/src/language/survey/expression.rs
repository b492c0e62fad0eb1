//! The names of expressions.

use super::super::ast::{Expr, ExprKind, Name, Set};
use super::super::lexer::{Kind, Lexer};
use super::Sort;
use super::walk::{Space, Walker};
use crate::diagnostic::{Diagnostics, Span};

/// What can be called, and is no definition.
const BUILT_IN: [&str; 10] =
    ["min", "max", "abs", "knows", "knows_whether", "possible", "state", "is", "was", "initially"];

impl Walker<'_> {
    /// `params` are the parameters of the definition that the expression belongs to.
    pub fn expr(&mut self, expr: &Expr, params: &[&str]) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) => {}
            // A formula in quotes has names of its own.
            ExprKind::Text(text) => {
                if self.declared.values.contains(text) {
                    let span = self.inner(expr.span);
                    self.mention(text, span, Space::Values, Sort::Value, false);
                }
            }
            ExprKind::Name(name) => {
                let span = self.inner(expr.span);
                self.resolve(name, span, params);
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, params),
            ExprKind::Tuple(parts)
            | ExprKind::And(parts)
            | ExprKind::Or(parts)
            | ExprKind::Implies(parts)
            | ExprKind::Iff(parts)
            | ExprKind::Time(_, _, parts) => parts.iter().for_each(|part| self.expr(part, params)),
            ExprKind::Not(inner) | ExprKind::Neg(inner) => self.expr(inner, params),
            ExprKind::Compare(_, a, _) if matches!(&a.kind, ExprKind::Name(kind) if kind == "kind") => {}
            ExprKind::Arith(_, a, b) | ExprKind::Compare(_, a, b) => {
                self.expr(a, params);
                self.expr(b, params);
            }
            ExprKind::In(value, set) => {
                self.expr(value, params);
                match &**set {
                    Set::Range(low, high) => [low, high].into_iter().for_each(|e| self.expr(e, params)),
                    Set::List(list) => list.iter().for_each(|e| self.expr(e, params)),
                }
            }
            ExprKind::If(parts) => parts.iter().for_each(|part| self.expr(part, params)),
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expr], params: &[&str]) {
        let known = self.declared.names.contains_key(&name.text);
        if matches!(name.text.as_str(), "state" | "is") {
            for argument in arguments {
                if let ExprKind::Name(vertex) | ExprKind::Text(vertex) = &argument.kind {
                    let span = self.inner(argument.span);
                    self.mention(vertex, span, Space::Vertices(0), Sort::Vertex, false);
                }
            }
            return;
        }
        if known || !BUILT_IN.contains(&name.text.as_str()) {
            self.resolve(&name.text, name.span, params);
        }
        arguments.iter().for_each(|argument| self.expr(argument, params));
    }

    fn resolve(&mut self, name: &str, span: Span, params: &[&str]) {
        if params.contains(&name) {
            return self.mention(name, span, Space::Parameters(self.defs), Sort::Parameter, false);
        }
        match self.declared.names.get(name) {
            Some(&sort) => self.mention(name, span, Space::Names, sort, false),
            None if self.declared.values.contains(name) => {
                self.mention(name, span, Space::Values, Sort::Value, false);
            }
            None if matches!(name, "goal" | "kind") => {}
            None => self.mention(name, span, Space::Names, Sort::Variable, false),
        }
    }

    /// The value of a property: a constant's name, or a word that is defined by being there.
    pub fn property_value(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Name(word) if !self.declared.names.contains_key(word) => {
                let span = self.inner(value.span);
                self.mention(word, span, Space::Values, Sort::Value, true);
            }
            ExprKind::Text(word) => {
                let span = self.inner(value.span);
                self.mention(word, span, Space::Values, Sort::Value, true);
            }
            _ => self.expr(value, &[]),
        }
    }

    /// The word itself, of a place that may have parentheses around it.
    fn inner(&self, span: Span) -> Span {
        let text = &self.diagnostics.source(span.source).text[..span.end];
        if !text[span.start..].starts_with('(') {
            return span;
        }
        let mut lexer = Lexer::new(text, span.source, false);
        lexer.skip_to(span.start);
        loop {
            let token = lexer.next(&mut Diagnostics::new());
            match token.kind {
                Kind::Word | Kind::Text => return token.span,
                Kind::End => return span,
                _ => {}
            }
        }
    }
}
