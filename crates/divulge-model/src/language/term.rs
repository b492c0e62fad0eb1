//! Expressions ready to be evaluated on states: numbers all the way down, no names, no texts.
//!
//! A state is one number for each variable: the integer itself, 0 or 1 for a boolean, the number of the word for an
//! enumeration.

use super::ast::{Arith, Comparison};
use crate::diagnostic::Span;
use divulge::problem::Kind;

/// What can go wrong when an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Overflow(Span),
    DivisionByZero(Span),
}

/// Where a term stands in the source. Terms are equal wherever they stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(Span);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Const(i64),
    Var(usize),
    Arith(Arith, Box<(Term, Term)>, Place),
    Min(Box<(Term, Term)>),
    Max(Box<(Term, Term)>),
    Compare(Comparison, Box<(Term, Term)>),
    /// A variable with a constant: by far the most frequent comparison.
    Test(Comparison, usize, i64),
    Not(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    Iff(Box<(Term, Term)>),
    If(Box<[Term; 3]>),
    /// Only in formulas, where they become the core's own tests.
    Goal,
    Kind(Kind, bool),
    Is(String),
    /// Of the way to the vertex: initially, or else at some time.
    Past(bool, Box<Term>),
}

pub(super) fn compare(op: Comparison, a: i64, b: i64) -> bool {
    match op {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

/// Division rounds down and the remainder has the divisor's sign, so that `(x - 1) % n` wraps around.
fn arithmetic(op: Arith, a: i64, b: i64, span: Span) -> Result<i64, Fault> {
    let result = match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div | Arith::Rem if b == 0 => return Err(Fault::DivisionByZero(span)),
        Arith::Div => a.checked_div(b).map(|q| q - i64::from(a % b != 0 && (a < 0) != (b < 0))),
        Arith::Rem => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
    };
    result.ok_or(Fault::Overflow(span))
}

/// The measure of a node around nodes of these measures.
pub(super) fn around(parts: impl IntoIterator<Item = (usize, usize)>) -> (usize, usize) {
    let (size, depth) = parts.into_iter().fold((0, 0), |(size, depth), (s, d)| (size + s, depth.max(d)));
    (size + 1, depth + 1)
}

impl Term {
    pub fn bool(value: bool) -> Term {
        Term::Const(i64::from(value))
    }

    /// The constant that the term is, if it is one.
    pub fn constant(&self) -> Option<i64> {
        if let Term::Const(value) = self { Some(*value) } else { None }
    }

    pub fn arith(op: Arith, a: Term, b: Term, span: Span) -> Result<Term, Fault> {
        Ok(match (&a, &b) {
            (Term::Const(x), Term::Const(y)) => Term::Const(arithmetic(op, *x, *y, span)?),
            _ => Term::Arith(op, Box::new((a, b)), Place(span)),
        })
    }

    pub fn compare(op: Comparison, a: Term, b: Term) -> Term {
        let mirrored = match op {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
            same => same,
        };
        match (a, b) {
            (Term::Const(x), Term::Const(y)) => Term::bool(compare(op, x, y)),
            (Term::Var(v), Term::Const(c)) => Term::Test(op, v, c),
            (Term::Const(c), Term::Var(v)) => Term::Test(mirrored, v, c),
            (a, b) => Term::Compare(op, Box::new((a, b))),
        }
    }

    pub fn negated(inner: Term) -> Term {
        match inner {
            Term::Const(value) => Term::bool(value == 0),
            Term::Not(inner) => *inner,
            other => Term::Not(Box::new(other)),
        }
    }

    /// All of them, without what is known beforehand.
    pub fn all(parts: impl IntoIterator<Item = Term>) -> Term {
        Self::fold(parts, 1, Term::And)
    }

    /// One of them at least, without what is known beforehand.
    pub fn any(parts: impl IntoIterator<Item = Term>) -> Term {
        Self::fold(parts, 0, Term::Or)
    }

    fn fold(parts: impl IntoIterator<Item = Term>, neutral: i64, join: fn(Vec<Term>) -> Term) -> Term {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Term::Const(value) if value == neutral => {}
                Term::Const(value) => return Term::Const(value),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Term::Const(neutral),
            1 => kept.swap_remove(0),
            _ => join(kept),
        }
    }

    pub fn iff(a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::Const(1), other) | (other, Term::Const(1)) => other,
            (Term::Const(_), other) | (other, Term::Const(_)) => Term::negated(other),
            (a, b) => Term::Iff(Box::new((a, b))),
        }
    }

    /// A way has a beginning, so what is known beforehand was so, or never.
    pub fn past(initially: bool, inner: Term) -> Term {
        match inner {
            Term::Const(_) => inner,
            _ => Term::Past(initially, Box::new(inner)),
        }
    }

    pub fn conditional(condition: Term, yes: Term, no: Term) -> Term {
        match condition {
            Term::Const(value) => {
                if value != 0 {
                    yes
                } else {
                    no
                }
            }
            _ => Term::If(Box::new([condition, yes, no])),
        }
    }

    /// The value in a state. The depth of the recursion is that of the term, which is bounded.
    pub fn eval(&self, state: &[i64]) -> Result<i64, Fault> {
        Ok(match self {
            Term::Const(value) => *value,
            Term::Var(v) => state[*v],
            Term::Test(op, v, c) => i64::from(compare(*op, state[*v], *c)),
            Term::Compare(op, ab) => i64::from(compare(*op, ab.0.eval(state)?, ab.1.eval(state)?)),
            Term::Arith(op, ab, span) => arithmetic(*op, ab.0.eval(state)?, ab.1.eval(state)?, span.0)?,
            Term::Min(ab) => ab.0.eval(state)?.min(ab.1.eval(state)?),
            Term::Max(ab) => ab.0.eval(state)?.max(ab.1.eval(state)?),
            Term::Not(inner) => 1 - inner.eval(state)?,
            Term::And(parts) => {
                for part in parts {
                    if part.eval(state)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Term::Or(parts) => {
                for part in parts {
                    if part.eval(state)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Term::Iff(ab) => i64::from(ab.0.eval(state)? == ab.1.eval(state)?),
            Term::If(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.eval(state)? != 0 { yes.eval(state)? } else { no.eval(state)? }
            }
            // The checker keeps these out of everything that is evaluated on states.
            Term::Goal | Term::Kind(..) | Term::Is(_) | Term::Past(..) => 0,
        })
    }

    /// How many nodes the term has, and how deep they nest.
    pub fn measure(&self) -> (usize, usize) {
        match self {
            Term::Const(_) | Term::Var(_) | Term::Test(..) | Term::Goal | Term::Kind(..) | Term::Is(_) => {
                (1, 1)
            }
            Term::Arith(_, ab, _) | Term::Min(ab) | Term::Max(ab) | Term::Compare(_, ab) | Term::Iff(ab) => {
                around([ab.0.measure(), ab.1.measure()])
            }
            Term::Not(inner) | Term::Past(_, inner) => around([inner.measure()]),
            Term::And(parts) | Term::Or(parts) => around(parts.iter().map(Term::measure)),
            Term::If(parts) => around(parts.iter().map(Term::measure)),
        }
    }

    pub fn holds(&self, state: &[i64]) -> Result<bool, Fault> {
        Ok(self.eval(state)? != 0)
    }
}
