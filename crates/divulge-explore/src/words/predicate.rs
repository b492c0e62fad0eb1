//! Predicates of one place in words, and what the stipulations speak of.

use std::collections::BTreeSet;

use divulge::{
    formula::{Comparison, Logic, Predicate, Test},
    problem::{Kind, Problem, Value, World},
};

/// A predicate within a sentence: "facility is pebble".
pub fn phrase(p: &Predicate) -> String {
    match p {
        Logic::Const(true) => "anything at all is the case".to_owned(),
        Logic::Const(false) => "nothing is the case".to_owned(),
        Logic::Atom(test) => self::test(test, true),
        Logic::Not(inner) => match &**inner {
            Logic::Atom(test) => self::test(test, false),
            other => format!("it is not the case that {}", phrase(other)),
        },
        Logic::And(parts) => joined(parts, " and "),
        Logic::Or(parts) => joined(parts, " or "),
        other => format!("`{other}`"),
    }
}

fn joined(parts: &[Predicate], word: &str) -> String {
    // Words have no parentheses: what is nested deeper stays a formula.
    let flat = parts.iter().all(|p| match p {
        Logic::Atom(_) => true,
        Logic::Not(inner) => matches!(**inner, Logic::Atom(_)),
        _ => false,
    });
    let all: Vec<String> = parts.iter().map(|p| if flat { phrase(p) } else { format!("`{p}`") }).collect();
    all.join(word)
}

fn test(test: &Test, is: bool) -> String {
    let verb = if is { "is" } else { "is not" };
    match test {
        Test::Goal => format!("the robot {verb} at a goal"),
        Test::Is(v, _) => format!("the robot {verb} at {v}"),
        Test::Kind(kind, same) => match ((*kind == Kind::Action) == *same, is) {
            (true, true) | (false, false) => "the robot is about to act".to_owned(),
            _ => "the robot is about to observe".to_owned(),
        },
        Test::Flag(name, _) => format!("{name} is {}", if is { "true" } else { "false" }),
        Test::Compare(name, op, value, _) => {
            let than = match op {
                Comparison::Eq => "",
                Comparison::Ne if is => return format!("{name} is not {value}"),
                Comparison::Ne => return format!("{name} is {value}"),
                Comparison::Lt => "below ",
                Comparison::Le => "at most ",
                Comparison::Gt => "above ",
                Comparison::Ge => "at least ",
            };
            format!("{name} {verb} {than}{value}")
        }
        Test::Initially(p) if is => format!("at first, {}", phrase(p)),
        Test::Initially(p) => format!("it was not so at first that {}", phrase(p)),
        Test::Was(p) if is => format!("at some time, {}", phrase(p)),
        Test::Was(p) => format!("it was never so that {}", phrase(p)),
    }
}

/// The property and the value of `name = value`.
pub(super) fn equation(p: &Predicate) -> Option<(&str, &Value)> {
    match p {
        Logic::Atom(Test::Compare(name, Comparison::Eq, value, _)) => Some((name, value)),
        _ => None,
    }
}

/// The values of a property, ascending.
pub(crate) fn values<'w>(world: &'w World, name: &str) -> Vec<&'w Value> {
    let mut all: Vec<&Value> = world.props.column(name).map_or(Vec::new(), |c| c.values().iter().collect());
    all.sort_unstable();
    all
}

/// The properties that the stipulations speak of, in the order of the world's.
pub fn asked(problem: &Problem) -> Vec<&str> {
    let mut named = BTreeSet::new();
    for stipulation in &problem.observer.stipulations {
        for p in stipulation.formula.predicates() {
            for test in p.atoms() {
                if let Test::Compare(name, ..) | Test::Flag(name, _) = test {
                    named.insert(name.as_str());
                }
            }
        }
    }
    problem.world.props.names().iter().filter(|name| named.contains(name)).collect()
}
