//! Formulas as written: stipulations over estimates, predicates over vertices.

use crate::problem::{Kind, Value};

/// Where in the formula's text something stands: byte offsets, the end exclusive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Two formulas that differ in nothing but their layout are equal.
impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

/// Connectives over some kind of atom. `And` and `Or` take any number of operands, so long chains stay flat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logic<A> {
    /// A constant.
    Const(bool),
    /// An atom.
    Atom(A),
    /// Negation.
    Not(Box<Logic<A>>),
    /// Conjunction.
    And(Vec<Logic<A>>),
    /// Disjunction.
    Or(Vec<Logic<A>>),
    /// Implication: each operand implies the next one's whole chain (to the right).
    Implies(Vec<Logic<A>>),
    /// Equivalence, taken from the left.
    Iff(Vec<Logic<A>>),
}

/// A formula over the estimate E.
pub type Formula = Logic<Atom>;

/// A predicate of one vertex.
pub type Predicate = Logic<Test>;

/// An atom over the estimate E.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// `state("v")`: v ∈ E.
    State(String, Span),
    /// `possible(p)`: some v ∈ E satisfies p.
    Possible(Predicate),
    /// `knows(p)`: every v ∈ E satisfies p.
    Knows(Predicate),
}

/// How a property is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Comparison {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "=",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }

    /// Whether the comparison holds. Values of different types are unequal, and only integers are ordered.
    pub fn test(self, left: &Value, right: &Value) -> bool {
        match (self, left, right) {
            (Comparison::Eq, a, b) => a == b,
            (Comparison::Ne, a, b) => a != b,
            (Comparison::Lt, Value::Int(a), Value::Int(b)) => a < b,
            (Comparison::Le, Value::Int(a), Value::Int(b)) => a <= b,
            (Comparison::Gt, Value::Int(a), Value::Int(b)) => a > b,
            (Comparison::Ge, Value::Int(a), Value::Int(b)) => a >= b,
            _ => false,
        }
    }
}

/// A test of one vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `name = value` and the like: false where the vertex lacks the property.
    Compare(String, Comparison, Value, Span),
    /// A bare name: the property is `true`.
    Flag(String, Span),
    /// `is("v")`.
    Is(String, Span),
    /// `goal`.
    Goal,
    /// `kind = action` (or, with `false`, `kind != action`).
    Kind(Kind, bool),
}
