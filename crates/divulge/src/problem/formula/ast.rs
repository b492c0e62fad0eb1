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
    /// Of the moments to come as well: for stipulations of the scope `run` alone.
    Temporal(Box<Temporal>),
}

/// A formula over the moments E₀, E₁, … of a run, from one of them on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// `always t`: at this moment and all later ones.
    Always(Formula),
    /// `eventually t`: at this moment or a later one.
    Eventually(Formula),
    /// `next t`: there is a next moment, and t holds there.
    Next(Formula),
    /// `t until u`: u at this moment or a later one, and t at all before it.
    Until(Formula, Formula),
    /// `t unless u`: `t until u`, or `always t`.
    Unless(Formula, Formula),
}

impl Temporal {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Temporal::Always(_) => "always",
            Temporal::Eventually(_) => "eventually",
            Temporal::Next(_) => "next",
            Temporal::Until(..) => "until",
            Temporal::Unless(..) => "unless",
        }
    }

    /// What it is made of, in order.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self {
            Temporal::Always(t) | Temporal::Eventually(t) | Temporal::Next(t) => (t, None),
            Temporal::Until(t, u) | Temporal::Unless(t, u) => (t, Some(u)),
        };
        std::iter::once(first).chain(second)
    }
}

impl<A> Logic<A> {
    /// Whether it is true, given the truth of atoms. Nesting is bounded where formulas are read, so recursion is too.
    pub fn evaluate(&self, atom: &impl Fn(&A) -> bool) -> bool {
        let is = |part: &Logic<A>| part.evaluate(atom);
        match self {
            Logic::Const(b) => *b,
            Logic::Atom(a) => atom(a),
            Logic::Not(part) => !is(part),
            Logic::And(parts) => parts.iter().all(is),
            Logic::Or(parts) => parts.iter().any(is),
            Logic::Implies(parts) => match parts.split_last() {
                Some((last, before)) => is(last) || before.iter().any(|part| !is(part)),
                None => true,
            },
            Logic::Iff(parts) => parts.iter().filter(|part| !is(part)).count() % 2 == 0,
        }
    }

    /// Whether some atom is like this.
    pub fn any(&self, like: &impl Fn(&A) -> bool) -> bool {
        match self {
            Logic::Const(_) => false,
            Logic::Atom(a) => like(a),
            Logic::Not(f) => f.any(like),
            Logic::And(fs) | Logic::Or(fs) | Logic::Implies(fs) | Logic::Iff(fs) => {
                fs.iter().any(|f| f.any(like))
            }
        }
    }

    /// The atoms, from left to right.
    pub fn atoms(&self) -> Vec<&A> {
        let mut found = Vec::new();
        let mut todo = vec![self];
        while let Some(f) = todo.pop() {
            match f {
                Logic::Const(_) => {}
                Logic::Atom(a) => found.push(a),
                Logic::Not(f) => todo.push(f),
                Logic::And(fs) | Logic::Or(fs) | Logic::Implies(fs) | Logic::Iff(fs) => {
                    todo.extend(fs.iter().rev())
                }
            }
        }
        found
    }
}

impl Formula {
    /// Whether it speaks of other moments than the present one.
    pub fn is_temporal(&self) -> bool {
        self.any(&|atom| matches!(atom, Atom::Temporal(_)))
    }

    /// Whether it speaks of the way to vertices: `was(…)` or `initially(…)`.
    pub fn asks_about_the_past(&self) -> bool {
        self.any(&|atom| match atom {
            Atom::State(..) => false,
            Atom::Possible(p) | Atom::Knows(p) => p.is_past(),
            Atom::Temporal(t) => t.operands().any(Formula::asks_about_the_past),
        })
    }

    /// The predicates that it speaks of, those of all moments, from left to right.
    pub fn predicates(&self) -> Vec<&Predicate> {
        let mut found = Vec::new();
        for atom in self.atoms() {
            match atom {
                Atom::State(..) => {}
                Atom::Possible(p) | Atom::Knows(p) => found.push(p),
                Atom::Temporal(t) => t.operands().for_each(|f| found.extend(f.predicates())),
            }
        }
        found
    }
}

impl Predicate {
    /// Whether it speaks of the way to the vertex: `was(…)` or `initially(…)`.
    pub fn is_past(&self) -> bool {
        self.any(&|test| matches!(test, Test::Was(_) | Test::Initially(_)))
    }
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
    /// `initially(p)`: the first vertex of the way there satisfies p.
    Initially(Box<Predicate>),
    /// `was(p)`: some vertex of the way there does, this one included.
    Was(Box<Predicate>),
}
