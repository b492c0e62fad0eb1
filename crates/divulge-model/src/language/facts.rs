//! What is known of a model's names once it has been read: the values of variables and of constants, in words.

use super::check::Typed;
use super::scope::{Domain, Scope};
use super::term::Term;
use divulge::problem::Value;

/// Values of more are not listed.
const MAX_LISTED: usize = 30;

/// A variable of the world, or a property of a world that is drawn by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its values in words: `0..3`, `false, true`, `alice, bob`.
    pub values: String,
    /// How many there are.
    pub count: u128,
    /// The values one by one, unless there are too many.
    pub listed: Vec<Value>,
}

/// A constant and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value in words.
    pub value: String,
}

/// Variables and constants, in the order of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The variables.
    pub variables: Vec<Variable>,
    /// The constants whose values could be worked out.
    pub constants: Vec<Constant>,
}

impl Facts {
    pub(super) fn of(scope: &Scope) -> Facts {
        let variables = (0..scope.variables.len()).map(|v| variable(v, scope)).collect();
        let constants = scope.model.values.iter().enumerate().filter_map(|(i, value)| {
            let known = shown(scope.known_value_of(i)?, scope)?;
            Some(Constant { name: value.binding.name.text.clone(), value: known })
        });
        Facts { variables, constants: constants.collect() }
    }

    /// The variable of this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }
}

fn variable(v: usize, scope: &Scope) -> Variable {
    let variable = &scope.variables[v];
    let numbers: Vec<i64> = match &variable.domain {
        Domain::Bool => vec![0, 1],
        Domain::Int(low, high) => (*low..=*high).take(MAX_LISTED).collect(),
        Domain::Enum(values) | Domain::SomeInts(values) => values.iter().copied().take(MAX_LISTED).collect(),
    };
    let count = variable.domain.size();
    let mut listed: Vec<Value> = numbers.iter().map(|&value| scope.core_value(v, value)).collect();
    let words: Vec<String> = listed.iter().map(Value::to_string).collect();
    let values = match &variable.domain {
        Domain::Int(low, high) => format!("{low}..{high}"),
        _ if count > listed.len() as u128 => format!("{}, …", words.join(", ")),
        _ => words.join(", "),
    };
    if count > listed.len() as u128 {
        listed.clear();
    }
    Variable { name: variable.name.clone(), values, count, listed }
}

fn shown(value: &Typed, scope: &Scope) -> Option<String> {
    Some(match value {
        Typed::Int(Term::Const(value)) => value.to_string(),
        Typed::Bool(term) => (term.constant()? != 0).to_string(),
        Typed::Word(Term::Const(word)) => scope.words.name(u32::try_from(*word).ok()?).to_owned(),
        Typed::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| shown(part, scope)).collect();
            format!("({})", parts?.join(", "))
        }
        _ => return None,
    })
}
