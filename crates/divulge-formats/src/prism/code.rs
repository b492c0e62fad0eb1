//! Expressions, ready to be computed: names are resolved, constants put in.

use super::ast::{Function, Operator, Type};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Val {
    Int(i64),
    Double(f64),
    Bool(bool),
}

impl Val {
    pub fn kind(self) -> Type {
        match self {
            Val::Int(_) => Type::Int,
            Val::Double(_) => Type::Double,
            Val::Bool(_) => Type::Bool,
        }
    }

    pub fn double(self) -> f64 {
        match self {
            Val::Int(i) => i as f64,
            Val::Double(d) => d,
            Val::Bool(b) => f64::from(u8::from(b)),
        }
    }

    /// As variables hold it.
    pub fn int(self) -> Option<i64> {
        match self {
            Val::Int(i) => Some(i),
            Val::Bool(b) => Some(i64::from(b)),
            Val::Double(_) => None,
        }
    }

    pub fn is_true(self) -> bool {
        self == Val::Bool(true)
    }
}

impl std::fmt::Display for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Val::Int(i) => write!(f, "{i}"),
            Val::Double(d) => write!(f, "{d}"),
            Val::Bool(b) => write!(f, "{b}"),
        }
    }
}

/// Why there is no value.
pub(super) type Computed = Result<Val, &'static str>;

/// An expression over the variables of a state.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Value(Val),
    Int(u32),
    Bool(u32),
    Not(Box<Code>),
    Neg(Box<Code>),
    Binary(Operator, Box<[Code; 2]>),
    If(Box<[Code; 3]>),
    Call(Function, Vec<Code>),
}

const OVERFLOW: &str = "the number is too large";

impl Code {
    /// The value at a state. Types are checked before, nesting is bounded.
    pub fn value(&self, state: &[i64]) -> Computed {
        Ok(match self {
            Code::Value(value) => *value,
            Code::Int(variable) => Val::Int(state[*variable as usize]),
            Code::Bool(variable) => Val::Bool(state[*variable as usize] != 0),
            Code::Not(part) => Val::Bool(!part.value(state)?.is_true()),
            Code::Neg(part) => match part.value(state)? {
                Val::Int(i) => Val::Int(i.checked_neg().ok_or(OVERFLOW)?),
                other => Val::Double(-other.double()),
            },
            Code::Binary(operator, parts) => return binary(*operator, parts, state),
            Code::If(parts) => {
                let [test, yes, no] = &**parts;
                return if test.value(state)?.is_true() { yes.value(state) } else { no.value(state) };
            }
            Code::Call(function, arguments) => return call(*function, arguments, state),
        })
    }

    /// Whether a condition holds.
    pub fn holds(&self, state: &[i64]) -> Result<bool, &'static str> {
        self.value(state).map(Val::is_true)
    }

    /// Whether it speaks of no variable in its outermost parts.
    pub fn constant(&self) -> Option<Val> {
        match self {
            Code::Value(value) => Some(*value),
            _ => None,
        }
    }
}

fn binary(operator: Operator, [left, right]: &[Code; 2], state: &[i64]) -> Computed {
    let a = left.value(state)?;
    // The second operand counts only where it matters.
    match (operator, a.is_true()) {
        (Operator::And, false) => return Ok(Val::Bool(false)),
        (Operator::Or, true) | (Operator::Implies, false) => return Ok(Val::Bool(true)),
        _ => {}
    }
    let b = right.value(state)?;
    let order = || match (a, b) {
        (Val::Int(a), Val::Int(b)) => Some(a.cmp(&b)),
        _ => a.double().partial_cmp(&b.double()),
    };
    Ok(match operator {
        Operator::And | Operator::Or | Operator::Implies => Val::Bool(b.is_true()),
        Operator::Iff => Val::Bool(a == b),
        Operator::Eq => Val::Bool(order().is_some_and(|o| o.is_eq())),
        Operator::Ne => Val::Bool(!order().is_some_and(|o| o.is_eq())),
        Operator::Lt => Val::Bool(order().is_some_and(|o| o.is_lt())),
        Operator::Le => Val::Bool(order().is_some_and(|o| o.is_le())),
        Operator::Gt => Val::Bool(order().is_some_and(|o| o.is_gt())),
        Operator::Ge => Val::Bool(order().is_some_and(|o| o.is_ge())),
        Operator::Div => Val::Double(a.double() / b.double()),
        Operator::Add | Operator::Sub | Operator::Mul => match (a, b) {
            (Val::Int(a), Val::Int(b)) => Val::Int(
                match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Sub => a.checked_sub(b),
                    _ => a.checked_mul(b),
                }
                .ok_or(OVERFLOW)?,
            ),
            _ => {
                let (a, b) = (a.double(), b.double());
                Val::Double(match operator {
                    Operator::Add => a + b,
                    Operator::Sub => a - b,
                    _ => a * b,
                })
            }
        },
    })
}

fn call(function: Function, arguments: &[Code], state: &[i64]) -> Computed {
    let first = arguments[0].value(state)?;
    let second = || arguments[1].value(state);
    let whole = |d: f64| {
        let fits = d.is_finite() && d.abs() < 9e18;
        if fits { Ok(Val::Int(d as i64)) } else { Err("the number is not finite, or too large") }
    };
    match function {
        Function::Min | Function::Max => {
            let mut best = first;
            for argument in &arguments[1..] {
                let next = argument.value(state)?;
                let less = match (next, best) {
                    (Val::Int(a), Val::Int(b)) => a < b,
                    (a, b) => a.double() < b.double(),
                };
                if less == (function == Function::Min) && next.double() != best.double() {
                    best = next;
                }
            }
            Ok(best)
        }
        Function::Floor => whole(first.double().floor()),
        Function::Ceil => whole(first.double().ceil()),
        // A half goes up, as in PRISM.
        Function::Round => whole((first.double() + 0.5).floor()),
        Function::Log => Ok(Val::Double(first.double().ln() / second()?.double().ln())),
        Function::Pow => match (first, second()?) {
            (Val::Int(a), Val::Int(b)) => {
                let exponent = u32::try_from(b).map_err(|_| "a negative power of an integer")?;
                a.checked_pow(exponent).map(Val::Int).ok_or(OVERFLOW)
            }
            (a, b) => Ok(Val::Double(a.double().powf(b.double()))),
        },
        Function::Mod => match (first, second()?) {
            (Val::Int(a), Val::Int(b)) if b > 0 => Ok(Val::Int(a.rem_euclid(b))),
            _ => Err("a remainder is of integers, by one above 0"),
        },
    }
}
