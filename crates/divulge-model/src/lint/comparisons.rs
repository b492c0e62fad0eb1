//! Comparisons of a property with a value that nothing has: nearly always a slip of the pen, and `!knows(…)` of one holds
//! whatever happens.

use divulge::formula::{Atom, Comparison, Formula, Logic, Predicate, Test};
use divulge::problem::{Column, Value, World};

use divulge::did_you_mean;

/// Values that are looked at for a suggestion, and values that are listed.
const LOOK_AT: usize = 10_000;
const LISTED: usize = 6;

/// A comparison that comes out the same wherever a vertex has the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// What is odd, as the end of a sentence: "compares `guest` with `alise`, but …".
    pub message: String,
    /// What may have been meant.
    pub help: String,
}

/// The comparisons in a formula with values that no vertex has, or of a type that no vertex's value has.
pub fn odd_comparisons(world: &World, formula: &Formula) -> Vec<Odd> {
    let mut found = Vec::new();
    of_formula(world, formula, &mut found);
    found
}

fn of_formula(world: &World, formula: &Formula, found: &mut Vec<Odd>) {
    match formula {
        Logic::Const(_) | Logic::Atom(Atom::State(..)) => {}
        Logic::Atom(Atom::Possible(p) | Atom::Knows(p)) => of_predicate(world, p, found),
        Logic::Atom(Atom::Temporal(t)) => t.operands().for_each(|f| of_formula(world, f, found)),
        Logic::Not(inner) => of_formula(world, inner, found),
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            parts.iter().for_each(|part| of_formula(world, part, found));
        }
    }
}

fn of_predicate(world: &World, predicate: &Predicate, found: &mut Vec<Odd>) {
    match predicate {
        Logic::Atom(Test::Compare(name, op, value, _)) => {
            // That no vertex has the property is an error elsewhere.
            let odd = world.props.column(name).and_then(|column| of_comparison(name, *op, value, column));
            found.extend(odd.filter(|odd| !found.contains(odd)));
        }
        Logic::Atom(Test::Initially(p) | Test::Was(p)) => of_predicate(world, p, found),
        Logic::Const(_) | Logic::Atom(_) => {}
        Logic::Not(inner) => of_predicate(world, inner, found),
        Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
            parts.iter().for_each(|part| of_predicate(world, part, found));
        }
    }
}

fn of_comparison(name: &str, op: Comparison, value: &Value, column: &Column) -> Option<Odd> {
    let values = column.values();
    let (alike, only) = (values.iter().any(|have| kind(have) == kind(value)), types(values));
    let shown = shown(value);
    let message = match op {
        Comparison::Eq | Comparison::Ne => {
            // Both booleans are there to be compared with, whether or not both occur.
            if values.contains(value) || (alike && matches!(value, Value::Bool(_))) {
                return None;
            }
            match alike {
                true => format!("compares `{name}` with {shown}, a value that no vertex has"),
                false => {
                    format!("compares `{name}` with {} {shown}, but its values are {only}", article(value))
                }
            }
        }
        _ if alike => return None,
        _ => format!("compares `{name}` with {shown} by order, but its values are {only}"),
    };
    Some(Odd { message, help: advice(name, value, values) })
}

/// What may have been meant.
fn advice(name: &str, value: &Value, values: &[Value]) -> String {
    let written = value.to_string();
    if let Some(same) = values.iter().find(|have| have.to_string() == written && *have != value) {
        return match same {
            Value::Text(_) => format!("as a text it is written \"{same}\""),
            _ => format!("write {same} without quotes"),
        };
    }
    let texts: Vec<String> = values.iter().take(LOOK_AT).map(Value::to_string).collect();
    if let (Value::Text(_), Some(near)) = (value, did_you_mean(&written, texts.iter().map(String::as_str))) {
        return near;
    }
    let mut sorted: Vec<&Value> = values.iter().collect();
    sorted.sort_unstable();
    let listed: Vec<String> = sorted.iter().take(LISTED).map(|value| shown(value)).collect();
    let more = if sorted.len() > LISTED { format!(", … ({} in all)", sorted.len()) } else { String::new() };
    match listed.len() {
        1 => format!("the only value of `{name}` is {}", listed[0]),
        _ => format!("the values of `{name}` are {}{more}", listed.join(", ")),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "booleans",
        Value::Int(_) => "integers",
        Value::Text(_) => "texts",
    }
}

fn article(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "the boolean",
        Value::Int(_) => "the integer",
        Value::Text(_) => "the text",
    }
}

/// The types of some values, in words.
fn types(values: &[Value]) -> String {
    let mut all: Vec<&str> = values.iter().map(kind).collect();
    all.sort_unstable();
    all.dedup();
    all.join(" and ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("\"{text}\""),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use divulge::problem::{Alphabet, Builder};

    fn world() -> World {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u"]).observations(["y"]).initial("u").edge("u", ["a"], "y");
        b.prop("u", "guest", "alice").prop("y", "guest", "bob");
        b.prop("u", "cell", 2).prop("y", "cell", 3);
        b.prop("u", "wet", false).prop("y", "code", "7");
        b.world().expect("a world")
    }

    fn odd(formula: &str) -> Vec<String> {
        let formula: Formula = formula.parse().expect("a formula");
        odd_comparisons(&world(), &formula)
            .into_iter()
            .map(|odd| format!("{}: {}", odd.message, odd.help))
            .collect()
    }

    #[test]
    fn values_that_nothing_has_are_reported() {
        assert_eq!(
            odd("!knows(guest = alise) & true"),
            ["compares `guest` with \"alise\", a value that no vertex has: did you mean `alice`?"]
        );
        assert_eq!(
            odd("possible(cell = 5 | cell != 5)"),
            ["compares `cell` with 5, a value that no vertex has: the values of `cell` are 2, 3"]
        );
        assert_eq!(
            odd("knows(cell = \"2\") -> knows(wet = 1)"),
            [
                "compares `cell` with the text \"2\", but its values are integers: write 2 without quotes",
                "compares `wet` with the integer 1, but its values are booleans: the only value of `wet` is false"
            ]
        );
        assert_eq!(
            odd("knows(code = 7)"),
            ["compares `code` with the integer 7, but its values are texts: as a text it is written \"7\""]
        );
        assert_eq!(
            odd("knows(guest < 3)"),
            [
                "compares `guest` with 3 by order, but its values are texts: the values of `guest` are \"alice\", \"bob\""
            ]
        );
    }

    #[test]
    fn what_may_be_meant_is_not() {
        assert!(odd("knows(guest = bob | cell <= 100 & wet = true) <-> state(\"u\")").is_empty());
        // Names that the world does not have are errors, and reported as such.
        assert!(odd("knows(gest = bob)").is_empty());
    }
}
