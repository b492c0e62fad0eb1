//! Expressions: values, predicates of a state, formulas over an estimate.
//!
//! From the loosest to the tightest: `until` and `unless`, `<->`, `->` (to the right), `|`, `&`, `!` and `always`, `eventually`,
//! `next`, comparisons and `in`, `+ -`, `* / %`, a minus sign, calls.

use super::super::ast::{Arith, Comparison, Expr, ExprKind, Name, Set, Time, Type, TypeKind};
use super::super::format::Mark;
use super::super::lexer::{Kind, Token};
use super::{MAX_DEPTH, Parsed, Parser, RESERVED};
use crate::diagnostic::{Code, Diagnostic, Fix, Span};

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Operand,
}

impl Level {
    /// The level that an operand of this level's operators must have.
    fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Compare,
            Level::Compare => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Operand => Level::Operand,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Connective,
    Compare(Comparison),
    In,
    Arith(Arith),
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let first = self.deeper_at(Level::Iff)?;
        let Some(time) = self.time_between() else { return Ok(first) };
        self.mark(Mark::Operator);
        let word = self.take().span;
        let second = self.deeper_at(Level::Iff)?;
        if self.time_between().is_some() {
            let at = self.take().span;
            return self.fail(
                Diagnostic::new(Code::Unexpected, "`until` and `unless` do not chain")
                    .at(at, "a second one")
                    .note_at(word, "the first one")
                    .help("put parentheses around one of them"),
            );
        }
        let span = first.span.to(second.span);
        Ok(Expr { kind: ExprKind::Time(time, word, vec![first, second]), span })
    }

    fn time_between(&mut self) -> Option<Time> {
        let token = self.peek();
        if self.timely { Time::between(self.word_at(token)) } else { None }
    }

    /// `always`, `eventually` or `next` before a formula. These words are names where none begins after them.
    fn time_before(&mut self) -> Option<Time> {
        let token = self.peek();
        let time = if self.timely { Time::before(self.word_at(token)) } else { None };
        time.filter(|_| self.formula_at(1))
    }

    /// Whether a formula may begin with the token after the next `n`.
    pub(super) fn formula_at(&mut self, n: usize) -> bool {
        const JOINING: [&str; 13] = [
            "and",
            "or",
            "implies",
            "iff",
            "in",
            "then",
            "else",
            "until",
            "unless",
            "when",
            "as",
            "by",
            "otherwise",
        ];
        let token = self.peek_nth(n);
        match token.kind {
            Kind::Sign("!" | "(") | Kind::Text => true,
            Kind::Int => !token.first,
            Kind::Word if token.first => self.peek_nth(n + 1).kind == Kind::Sign("("),
            Kind::Word => !JOINING.contains(&self.word_at(token)),
            _ => false,
        }
    }

    fn deeper_at(&mut self, level: Level) -> Parsed<Expr> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let result = self.binary(level);
        self.depth -= 1;
        result
    }

    /// Operators that bind at least as tightly as `least`, and what stands between them.
    fn binary(&mut self, least: Level) -> Parsed<Expr> {
        let mut left = self.operand()?;
        let mut steps = 0;
        while let Some((level, operator)) = self.operator() {
            if level < least {
                break;
            }
            // Each step makes the tree one deeper on the left.
            steps += 1;
            if self.depth + steps > MAX_DEPTH {
                return self.too_deep();
            }
            left = match operator {
                Operator::Connective => self.chain(left, level)?,
                Operator::In => self.membership(left)?,
                Operator::Compare(sign) => self.comparison(left, sign)?,
                Operator::Arith(op) => {
                    self.take();
                    let right = self.binary(level.tighter())?;
                    let span = left.span.to(right.span);
                    Expr { kind: ExprKind::Arith(op, Box::new(left), Box::new(right)), span }
                }
            };
        }
        Ok(left)
    }

    /// The operator that comes next, if one does.
    fn operator(&mut self) -> Option<(Level, Operator)> {
        let token = self.peek();
        let sign = match token.kind {
            Kind::Sign(sign) => sign,
            Kind::Word => self.word_at(token),
            _ => return None,
        };
        Some(match sign {
            "<->" | "iff" => (Level::Iff, Operator::Connective),
            "->" | "implies" => (Level::Implies, Operator::Connective),
            "|" | "or" => (Level::Or, Operator::Connective),
            "&" | "and" => (Level::And, Operator::Connective),
            "in" => (Level::Compare, Operator::In),
            "=" => (Level::Compare, Operator::Compare(Comparison::Eq)),
            "!=" => (Level::Compare, Operator::Compare(Comparison::Ne)),
            "<" => (Level::Compare, Operator::Compare(Comparison::Lt)),
            "<=" => (Level::Compare, Operator::Compare(Comparison::Le)),
            ">" => (Level::Compare, Operator::Compare(Comparison::Gt)),
            ">=" => (Level::Compare, Operator::Compare(Comparison::Ge)),
            "+" => (Level::Sum, Operator::Arith(Arith::Add)),
            "-" => (Level::Sum, Operator::Arith(Arith::Sub)),
            "*" => (Level::Product, Operator::Arith(Arith::Mul)),
            "/" => (Level::Product, Operator::Arith(Arith::Div)),
            "%" => (Level::Product, Operator::Arith(Arith::Rem)),
            _ => return None,
        })
    }

    /// The rest of a flat chain of one connective.
    fn chain(&mut self, first: Expr, level: Level) -> Parsed<Expr> {
        let mut parts = vec![first];
        while self.operator() == Some((level, Operator::Connective)) {
            self.mark(Mark::Operator);
            self.take();
            parts.push(self.binary(level.tighter())?);
        }
        let span = parts[0].span.to(self.last);
        let kind = match level {
            Level::Iff => ExprKind::Iff(parts),
            Level::Implies => ExprKind::Implies(parts),
            Level::Or => ExprKind::Or(parts),
            _ => ExprKind::And(parts),
        };
        Ok(Expr { kind, span })
    }

    fn membership(&mut self, left: Expr) -> Parsed<Expr> {
        self.take();
        let set = self.set()?;
        let span = left.span.to(self.last);
        Ok(Expr { kind: ExprKind::In(Box::new(left), Box::new(set)), span })
    }

    fn comparison(&mut self, left: Expr, sign: Comparison) -> Parsed<Expr> {
        self.take();
        let of_kind = matches!(&left.kind, ExprKind::Name(name) if name == "kind");
        let right = if of_kind { self.kind_word()? } else { self.binary(Level::Sum)? };
        let span = left.span.to(right.span);
        if matches!(self.operator(), Some((Level::Compare, _))) {
            let at = self.take().span;
            return self.fail(
                Diagnostic::new(Code::Unexpected, "comparisons do not chain")
                    .at(at, "a second comparison")
                    .note_at(span, "the first one")
                    .help("write two comparisons joined with `&`, or use `in` as in `x in 0..3`"),
            );
        }
        Ok(Expr { kind: ExprKind::Compare(sign, Box::new(left), Box::new(right)), span })
    }

    /// What stands between operators, with `!`, `-` or a word of time before it. `-` alone does not reach over a comparison.
    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        if let Some(time) = self.time_before() {
            let word = self.take().span;
            let inner = self.deeper_at(Level::Compare)?;
            let span = word.to(inner.span);
            return Ok(Expr { kind: ExprKind::Time(time, word, vec![inner]), span });
        }
        let not = token.kind == Kind::Sign("!") || self.word_at(token) == "not";
        if !not && token.kind != Kind::Sign("-") {
            return self.primary();
        }
        self.mark(Mark::Prefix);
        let start = self.take().span;
        let inner = self.deeper_at(if not { Level::Compare } else { Level::Operand })?;
        let span = start.to(inner.span);
        let inner = Box::new(inner);
        Ok(Expr { kind: if not { ExprKind::Not(inner) } else { ExprKind::Neg(inner) }, span })
    }

    /// What `kind` is compared with: `action` or `observation`, of which the first is reserved elsewhere.
    fn kind_word(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        match self.word_at(token) {
            word @ ("action" | "observation") => {
                self.take();
                Ok(Expr { kind: ExprKind::Name(word.to_owned()), span: token.span })
            }
            _ => self.unexpected("`action` or `observation`"),
        }
    }

    fn set(&mut self) -> Parsed<Set> {
        if self.is("{") {
            let open = self.peek().span;
            self.mark(Mark::Tight);
            self.take();
            let list = self.list(",", |p| p.sum())?;
            self.close("}", open)?;
            return Ok(Set::List(list));
        }
        let low = self.sum()?;
        self.expect("..")?;
        Ok(Set::Range(low, self.sum()?))
    }

    /// A value without connectives and comparisons.
    fn sum(&mut self) -> Parsed<Expr> {
        self.deeper_at(Level::Sum)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let kind = match token.kind {
            Kind::Int => ExprKind::Int(self.integer()?),
            Kind::Text => ExprKind::Text(self.text_in_quotes("a value")?.text),
            Kind::Sign("(") => return self.parentheses(),
            Kind::Word if self.next_item() => return self.unexpected("a value or a condition"),
            // `until p q`: a formula comes after it, and none before.
            Kind::Word
                if self.stipulating
                    && Time::between(self.word_at(token)).is_some()
                    && self.formula_at(1)
                    && self.peek_nth(1).kind != Kind::Sign("(") =>
            {
                return self.unexpected("a formula");
            }
            Kind::Word => match self.word_at(token) {
                word @ ("true" | "false") => {
                    self.take();
                    ExprKind::Bool(word == "true")
                }
                "if" => return self.conditional(),
                // These are reserved, and are the atoms of formulas.
                "goal" | "kind" | "knows" | "possible" | "state" | "is" => return self.call_or_name(token),
                _ => {
                    self.not_reserved(token, false)?;
                    return self.call_or_name(token);
                }
            },
            Kind::Sign("=" | "!=" | "<" | "<=" | ">" | ">=") if self.condition_starts() => {
                return self.nothing_compared(token);
            }
            _ => return self.unexpected("a value or a condition"),
        };
        Ok(Expr { kind, span: token.span })
    }

    /// Whether a condition starts after the last token: a bracket, a connective or a word such as `when`.
    fn condition_starts(&self) -> bool {
        let last = self.slice(self.last);
        ["(", "!", "&", "|", "->", "<->"].contains(&last) || last.starts_with(char::is_alphabetic)
    }

    /// `= carol` where `patient = carol` is meant.
    fn nothing_compared<T>(&mut self, token: Token) -> Parsed<T> {
        let sign = self.slice(token.span);
        let value = match self.peek_nth(1) {
            next if !next.first && matches!(next.kind, Kind::Word | Kind::Int | Kind::Text) => {
                self.slice(next.span)
            }
            _ => "3",
        };
        let message = format!("nothing stands before `{sign}`");
        self.fail(
            Diagnostic::new(Code::Unexpected, message)
                .at(token.span, "what is compared?")
                .help(format!("a comparison starts with a variable, as in `x {sign} {value}`")),
        )
    }

    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let token = self.take();
        match self.slice(token.span).parse() {
            Ok(value) => Ok(value),
            Err(_) => {
                let digits = self.slice(token.span).bytes().all(|b| b.is_ascii_digit());
                let (message, help) = if digits {
                    ("this number is too large", "the largest number is 9223372036854775807")
                } else {
                    (
                        "this is neither a number nor a name",
                        "names start with a letter, and numbers have only digits: there are no units",
                    )
                };
                self.fail(Diagnostic::new(Code::BadNumber, message).at(token.span, "").help(help))
            }
        }
    }

    /// `(e)` is e; `(e, f)` a tuple.
    fn parentheses(&mut self) -> Parsed<Expr> {
        let open = self.take().span;
        let mut parts = self.list(",", |p| p.expression())?;
        let end = self.close(")", open)?.span;
        if parts.len() == 1
            && let Some(inner) = parts.pop()
        {
            return Ok(Expr { span: open.to(end), ..inner });
        }
        Ok(Expr { kind: ExprKind::Tuple(parts), span: open.to(end) })
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.take().span;
        let condition = self.expression()?;
        self.expect_word("then")?;
        let yes = self.expression()?;
        self.expect_word("else")?;
        let no = self.expression()?;
        let span = start.to(no.span);
        Ok(Expr { kind: ExprKind::If(Box::new([condition, yes, no])), span })
    }

    /// A name, or a call: `near(star, 2)`, or `at star` with one argument. An argument starts on the callee's line.
    fn call_or_name(&mut self, token: Token) -> Parsed<Expr> {
        self.take();
        let text = self.slice(token.span).to_owned();
        let next = self.peek();
        if next.first {
            return Ok(Expr { kind: ExprKind::Name(text), span: token.span });
        }
        let name = Name { text, span: token.span };
        if next.kind == Kind::Sign("(") {
            let close_by = next.span.start == token.span.end;
            if close_by {
                self.mark(Mark::Call);
            }
            self.take();
            let arguments = self.list(",", |p| p.expression())?;
            let end = self.close(")", next.span)?.span;
            return Ok(Expr { kind: ExprKind::Call(name, arguments), span: token.span.to(end) });
        }
        if next.kind == Kind::Word && !RESERVED.contains(&self.word_at(next)) && self.time_between().is_none()
        {
            let argument = self.deeper_at(Level::Operand)?;
            let span = token.span.to(argument.span);
            return Ok(Expr { kind: ExprKind::Call(name, vec![argument]), span });
        }
        Ok(Expr { kind: ExprKind::Name(name.text), span: token.span })
    }

    pub(super) fn close(&mut self, sign: &str, open: Span) -> Parsed<Token> {
        if self.is(sign) {
            return Ok(self.take());
        }
        let token = self.peek();
        if let Some(finding) = self.word_of_time(token) {
            return self.fail(finding);
        }
        let (found, at) = self.found(token);
        let fix = Fix::insert_after(format!("add `{sign}`"), self.last, sign);
        self.fail(
            Diagnostic::new(Code::Unclosed, format!("expected `{sign}`, found {found}"))
                .at(at, format!("expected `{sign}`"))
                .note_at(open, "opened here")
                .help(format!("add the closing `{sign}`"))
                .fix(fix),
        )
    }

    /// A variable's values: `bool`, `0..3`, `{red, green}` or the name of a type.
    pub(super) fn domain(&mut self) -> Parsed<Type> {
        let token = self.peek();
        let kind = if self.accept_word("bool") {
            TypeKind::Bool
        } else if self.is("{") {
            self.mark(Mark::Tight);
            self.take();
            let names = self.list(",", |p| p.name("a value"))?;
            self.close("}", token.span)?;
            TypeKind::Enum(names)
        } else {
            let low = self.sum()?;
            match low.kind {
                ExprKind::Name(name) if !self.is("..") => TypeKind::Named(name),
                _ => {
                    self.expect("..")?;
                    TypeKind::Range(low, self.sum()?)
                }
            }
        };
        Ok(Type { kind, span: token.span.to(self.last) })
    }
}
