//! Stipulations: which scope is meant, and the formula.

use super::super::ast;
use super::super::check::Env;
use super::super::formula::depth;
use super::super::model::twice;
use super::super::scope::{Checked, Scope};
use super::observer::Builder;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Span};
use divulge::formula::{Atom, Formula, FormulaError, Logic, Temporal, resolve};
use divulge::problem::{self, Stipulation};

/// Deeper formulas could not be read back from a document.
const MAX_FORMULA_DEPTH: usize = 200;

impl Builder<'_> {
    pub(super) fn stipulation(&mut self, ast: &ast::Stipulation, scope: &mut Scope) -> Checked<()> {
        if let Some(i) = self.stipulations.iter().position(|s| s.name == ast.name.text) {
            let message = format!("the stipulation `{}` is defined twice", ast.name.text);
            let first = self.stipulation_spans[i];
            return scope.fail(twice(message, ast.name.span, first, "rename one of them"));
        }
        let (kind, formula) = self.scoped(ast, scope)?;
        if depth(&formula) > MAX_FORMULA_DEPTH {
            return scope.fail(
                Diagnostic::new(
                    Code::TooDeep,
                    "the formula is nested too deeply once definitions are expanded",
                )
                .at(ast.formula.span, "")
                .help("simplify the definitions that are used here"),
            );
        }
        self.stipulations.push(Stipulation { name: ast.name.text.clone(), scope: kind, formula });
        self.stipulation_spans.push(ast.name.span);
        Ok(())
    }

    /// The scope and the formula of a stipulation.
    fn scoped(&mut self, ast: &ast::Stipulation, scope: &mut Scope) -> Checked<(problem::Scope, Formula)> {
        let kind = match &ast.scope {
            ast::Scope::Open => return self.open(&ast.formula, scope),
            ast::Scope::Run => problem::Scope::Run,
            ast::Scope::End => problem::Scope::End,
            ast::Scope::Hindsight(bound) => {
                let within = bound.as_ref().map(|bound| self.within(bound, scope)).transpose()?;
                problem::Scope::Hindsight { within }
            }
        };
        let formula = self.formula(&ast.formula, scope)?;
        if kind != problem::Scope::Run && formula.is_temporal() {
            let word = if kind == problem::Scope::End { "at end" } else { "hindsight" };
            return scope.fail(
                Diagnostic::new(
                    Code::TemporalWord,
                    format!("`{word}` is about single moments, but this formula is about a run"),
                )
                .at(time_in(&ast.formula).unwrap_or(ast.formula.span), "")
                .help(format!("leave `{word}` out, or the words of time in the formula")),
            );
        }
        Ok((kind, formula))
    }

    /// Without a scope, a formula is about every moment, or about runs if it has words of time; a lone `always` in front of all of it
    /// is no more than the scope.
    fn open(&mut self, expr: &ast::Expr, scope: &mut Scope) -> Checked<(problem::Scope, Formula)> {
        if let Some((plain, reach)) = without_always(expr) {
            let formula = self.formula(&plain, scope)?;
            if !formula.is_temporal() {
                beyond_parentheses(expr, reach, scope);
                return Ok((problem::Scope::Always, formula));
            }
            if reach != expr.span {
                scope.diagnostics.push(
                    Diagnostic::new(
                        Code::ShortAlways,
                        "this `always` reaches no further than what is marked",
                    )
                    .at(reach, "")
                    .help("write `always (...)` if it is to reach further, `(always ...)` if not")
                    .fix(Fix { title: "write `(always ...)`".to_owned(), edits: around(reach) }),
                );
            }
        }
        let formula = self.formula(expr, scope)?;
        let run = formula.is_temporal();
        if run && asks_now(&formula) {
            let start = expr.span.source.span(expr.span.start, expr.span.start);
            let mut edits = around(expr.span);
            edits[0].text = "always (".to_owned();
            scope.diagnostics.push(
                Diagnostic::new(Code::FirstMoment, "this part is asked about at the first moment alone")
                    .at(outside_time(expr).unwrap_or(expr.span), "no word of time stands before it")
                    .help("write `always (...)` around the whole formula if it is to hold at every moment, `run ...` if the first moment is meant")
                    .fix(Fix { title: "write `always (...)`".to_owned(), edits })
                    .fix(Fix::replace("write `run`", start, "run ")),
            );
        }
        Ok((if run { problem::Scope::Run } else { problem::Scope::Always }, formula))
    }

    fn formula(&mut self, expr: &ast::Expr, scope: &mut Scope) -> Checked<Formula> {
        match &expr.kind {
            ast::ExprKind::Text(text) => self.quoted(text, expr.span, scope),
            // The scope before a formula in quotes.
            ast::ExprKind::Time(ast::Time::Always, _, parts)
                if matches!(parts[..], [ast::Expr { kind: ast::ExprKind::Text(_), .. }]) =>
            {
                let inner = self.formula(&parts[0], scope)?;
                Ok(Logic::Atom(Atom::Temporal(Box::new(Temporal::Always(inner)))))
            }
            _ => scope.formula(expr, Env::VERTEX, self.derived),
        }
    }

    /// After how many images hindsight ends.
    fn within(&self, bound: &ast::Expr, scope: &mut Scope) -> Checked<u32> {
        let n = scope.constant_int(bound, "the number of images")?;
        let n = self.natural(n, bound.span, scope)?;
        match u32::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => {
                let finding = Diagnostic::new(Code::BadNumber, "this number is too large").at(bound.span, "");
                scope.fail(finding.help("leave it out: hindsight then goes on for any number of images"))
            }
        }
    }

    /// A formula in quotes is one of a problem document's, and means what it means there.
    fn quoted(&self, text: &str, span: Span, scope: &mut Scope) -> Checked<Formula> {
        let wrong = |code, e: FormulaError| {
            let message = format!("the formula in quotes: {}", e.message);
            Diagnostic::new(code, message).at(span, "").help_opt(e.help)
        };
        let formula = match text.parse::<Formula>() {
            Ok(formula) => formula,
            Err(e) => return scope.fail(wrong(Code::DocFormula, e)),
        };
        match self.around.world.map(|world| resolve::check(world, &formula)) {
            Some(Err(e)) => scope.fail(wrong(Code::DocFormulaWorld, e)),
            _ => Ok(formula),
        }
    }
}

/// A formula that begins with `always`, without it, and what it reaches over.
fn without_always(expr: &ast::Expr) -> Option<(ast::Expr, Span)> {
    let mut plain = expr.clone();
    let mut part = &mut plain;
    loop {
        if let ast::ExprKind::Time(ast::Time::Always, word, parts) = &mut part.kind {
            // In parentheses it is a part of the formula.
            let first = word.start == expr.span.start || part.span == expr.span;
            let (reach, inner) = (part.span, parts.pop()?);
            *part = inner;
            return first.then_some((plain, reach));
        }
        match &mut part.kind {
            ast::ExprKind::And(parts)
            | ast::ExprKind::Or(parts)
            | ast::ExprKind::Implies(parts)
            | ast::ExprKind::Iff(parts)
            | ast::ExprKind::Time(ast::Time::Until | ast::Time::Unless, _, parts) => {
                part = parts.first_mut()?
            }
            _ => return None,
        }
    }
}

/// Warns where `always (...)` is the scope of a formula that goes on after the parentheses.
fn beyond_parentheses(expr: &ast::Expr, reach: Span, scope: &mut Scope) {
    let text = &scope.diagnostics.source(reach.source).text;
    let Some(within) = text.get(reach.start..reach.end).and_then(|text| text.strip_prefix("always")) else {
        return;
    };
    let within = within.trim_start();
    // `always (a) & b` asks for no less than it seems to.
    let joined = matches!(expr.kind, ast::ExprKind::And(_));
    if reach == expr.span || !within.starts_with('(') || joined {
        return;
    }
    let all = Span { start: reach.end - within.len(), ..expr.span };
    let start = reach.source.span(reach.start, reach.start);
    scope.diagnostics.push(
        Diagnostic::new(
            Code::ShortAlways,
            "this `always` reaches to the end of the formula, beyond its parentheses",
        )
        .at(reach, "")
        .help("write `always (...)` around all of it if that is meant, `run always (...) ...` if not")
        .fix(Fix { title: "write `always (...)`".to_owned(), edits: around(all) })
        .fix(Fix::replace("write `run`", start, "run ")),
    );
}

/// Whether a formula about a run asks something about the first moment alone: outside of all words of time.
fn asks_now(formula: &Formula) -> bool {
    match formula {
        Logic::Const(_) => false,
        Logic::Atom(atom) => !matches!(atom, Atom::Temporal(_)),
        Logic::Not(inner) => asks_now(inner),
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            parts.iter().any(asks_now)
        }
    }
}

/// The first part of a formula that stands outside of all words of time.
fn outside_time(expr: &ast::Expr) -> Option<Span> {
    match &expr.kind {
        ast::ExprKind::Time(..) => None,
        ast::ExprKind::Not(inner) => outside_time(inner).map(|_| expr.span),
        ast::ExprKind::And(parts)
        | ast::ExprKind::Or(parts)
        | ast::ExprKind::Implies(parts)
        | ast::ExprKind::Iff(parts) => parts.iter().find_map(outside_time),
        _ => Some(expr.span),
    }
}

/// Where the first word of time in a formula stands.
fn time_in(expr: &ast::Expr) -> Option<Span> {
    match &expr.kind {
        ast::ExprKind::Time(_, word, _) => Some(*word),
        ast::ExprKind::Not(inner) => time_in(inner),
        ast::ExprKind::And(parts)
        | ast::ExprKind::Or(parts)
        | ast::ExprKind::Implies(parts)
        | ast::ExprKind::Iff(parts) => parts.iter().find_map(time_in),
        _ => None,
    }
}

/// Parentheses around a place.
fn around(span: Span) -> Vec<Edit> {
    let sign = |at: usize, text: &str| Edit { span: span.source.span(at, at), text: text.to_owned() };
    vec![sign(span.start, "("), sign(span.end, ")")]
}
