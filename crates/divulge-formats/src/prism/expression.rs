//! Expressions. Binding, loosest first: `?:`, `=>`, `<=>`, `|`, `&`, `!`, `=` and `!=`, the other comparisons, `+` and `-`, `*` and `/`.

use super::{
    ast::{Expr, ExprKind, Function, Operator},
    lexer::Token,
    parse::{Parsed, Parser},
};
use crate::{Fault, FaultKind, Place};

/// Deeper nesting is refused.
const DEEPEST: usize = 200;

/// The operators of each level, loosest first; negation is between the fourth and the fifth.
const LEVELS: [&[(&str, Operator)]; 8] = [
    &[("=>", Operator::Implies)],
    &[("<=>", Operator::Iff)],
    &[("|", Operator::Or)],
    &[("&", Operator::And)],
    &[("=", Operator::Eq), ("!=", Operator::Ne)],
    &[("<", Operator::Lt), ("<=", Operator::Le), (">", Operator::Gt), (">=", Operator::Ge)],
    &[("+", Operator::Add), ("-", Operator::Sub)],
    &[("*", Operator::Mul), ("/", Operator::Div)],
];
const NEGATION: usize = 4;

impl<'a> Parser<'a, '_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr<'a>> {
        if self.depth == DEEPEST {
            let place = self.place();
            let message = format!("the expression is nested more than {DEEPEST} levels deep");
            let fault = Fault::new(FaultKind::TooLarge, message)
                .at(place, "")
                .help("name a part of it by a `formula`");
            return self.fail(fault);
        }
        self.depth += 1;
        let found = self.conditional();
        self.depth -= 1;
        found
    }

    fn conditional(&mut self) -> Parsed<Expr<'a>> {
        let test = self.binary(0)?;
        if !self.accept("?") {
            return Ok(test);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        let place = joined(test.place, no.place);
        Ok(Expr { kind: ExprKind::If(Box::new([test, yes, no])), place })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr<'a>> {
        if level == NEGATION && matches!(self.peek(), Token::Sign("!")) {
            return self.prefixed(|p| p.binary(NEGATION), ExprKind::Not);
        }
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let found = operators.iter().find(|(sign, _)| *self.peek() == Token::Sign(sign));
            let Some(&(_, operator)) = found else { return Ok(left) };
            self.take();
            // What is compared may be negated: `a = !b`.
            let right = self.binary(level + 1)?;
            let place = joined(left.place, right.place);
            left = Expr { kind: ExprKind::Binary(operator, Box::new([left, right])), place };
        }
    }

    fn prefixed(
        &mut self,
        operand: impl FnOnce(&mut Self) -> Parsed<Expr<'a>>,
        make: impl FnOnce(Box<Expr<'a>>) -> ExprKind<'a>,
    ) -> Parsed<Expr<'a>> {
        let start = self.place();
        if self.depth == DEEPEST {
            return self.expression();
        }
        self.take();
        self.depth += 1;
        let inner = operand(self);
        self.depth -= 1;
        let inner = inner?;
        let place = joined(start, inner.place);
        Ok(Expr { kind: make(Box::new(inner)), place })
    }

    fn unary(&mut self) -> Parsed<Expr<'a>> {
        match self.peek() {
            Token::Sign("-") => self.prefixed(Self::unary, ExprKind::Neg),
            Token::Sign("!") => self.prefixed(Self::unary, ExprKind::Not),
            _ => self.basic(),
        }
    }

    fn basic(&mut self) -> Parsed<Expr<'a>> {
        let (token, place) = self.take();
        let kind = match token {
            Token::Int(number) => ExprKind::Int(number),
            Token::Double(number) => ExprKind::Double(number),
            Token::Word("true") => ExprKind::Bool(true),
            Token::Word("false") => ExprKind::Bool(false),
            Token::Sign("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Expr { place: joined(place, self.last), ..inner });
            }
            Token::Word("func") if self.accept("(") => {
                let name = self.name("a function")?;
                self.expect(",")?;
                return self.call(name.text, place);
            }
            Token::Word(name) if *self.peek() == Token::Sign("(") && !self.primed() => {
                self.take();
                return self.call(name, place);
            }
            Token::Word(name) => ExprKind::Name(name),
            Token::Text(label) => ExprKind::Label(label),
            other => {
                let fault = Fault::new(FaultKind::Syntax, format!("expected an expression, found {other}"));
                return self
                    .fail(fault.at(place, "").help("an expression is made of numbers, names and operators"));
            }
        };
        Ok(Expr { kind, place })
    }

    /// Whether an update follows: `(x'`.
    pub(super) fn primed(&self) -> bool {
        *self.peek() == Token::Sign("(")
            && matches!(self.peek_nth(1), Token::Word(_))
            && *self.peek_nth(2) == Token::Sign("'")
    }

    fn call(&mut self, name: &str, place: Place) -> Parsed<Expr<'a>> {
        let mut arguments = vec![self.expression()?];
        while self.accept(",") {
            arguments.push(self.expression()?);
        }
        self.expect(")")?;
        let place = joined(place, self.last);
        let Some(&(_, function)) = Function::ALL.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = Function::ALL.iter().map(|(name, _)| *name).collect();
            let fault = Fault::new(FaultKind::Name, format!("there is no function `{name}`"));
            return self.fail(fault.at(place, "").help(format!("the functions are {}", known.join(", "))));
        };
        let fits = match function {
            Function::Min | Function::Max => !arguments.is_empty(),
            Function::Floor | Function::Ceil | Function::Round => arguments.len() == 1,
            Function::Pow | Function::Mod | Function::Log => arguments.len() == 2,
        };
        if !fits {
            let fault =
                Fault::new(FaultKind::Value, format!("`{name}` does not take {} arguments", arguments.len()));
            let takes = match function {
                Function::Min | Function::Max => "at least one",
                Function::Floor | Function::Ceil | Function::Round => "one",
                Function::Pow | Function::Mod | Function::Log => "two",
            };
            return self.fail(fault.at(place, "").help(format!("it takes {takes}")));
        }
        Ok(Expr { kind: ExprKind::Call(function, arguments), place })
    }
}

pub(super) fn joined(first: Place, last: Place) -> Place {
    Place { end: last.end.max(first.start), ..first }
}
