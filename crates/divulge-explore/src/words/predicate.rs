//! Predicates of one place in words, and what the stipulations speak of.

use std::collections::BTreeSet;

use divulge::{
    formula::{Atom, Comparison, Logic, Predicate, Test},
    problem::{Kind, Observer, Problem, Stipulation, Value, World},
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

/// The properties that anybody's stipulations speak of, in the order of the world's.
pub fn asked(problem: &Problem) -> Vec<&str> {
    of_stipulations(problem, problem.observers().flat_map(|observer| &observer.stipulations))
}

/// The properties that an observer's stipulations speak of, in the order of the world's.
pub fn asked_by<'p>(problem: &'p Problem, observer: &'p Observer) -> Vec<&'p str> {
    of_stipulations(problem, observer.stipulations.iter())
}

fn of_stipulations<'p>(problem: &'p Problem, all: impl Iterator<Item = &'p Stipulation>) -> Vec<&'p str> {
    let mut named: BTreeSet<String> = BTreeSet::new();
    for test in all.flat_map(|s| s.formula.predicates()).flat_map(|p| p.atoms()) {
        match test {
            Test::Compare(name, ..) | Test::Flag(name, _) => _ = named.insert(name.clone()),
            // What was is a property of the unfolded world.
            Test::Initially(_) | Test::Was(_) => _ = named.insert(test.to_string()),
            Test::Goal | Test::Is(..) | Test::Kind(..) => {}
        }
    }
    problem.world.props.names().iter().filter(|name| named.contains(*name)).collect()
}

/// What is so of an observer if a formula of one estimate is true, or false: "it knows that …".
pub fn atom(atom: &Atom, holds: bool) -> String {
    match (atom, holds) {
        (Atom::Knows(p), true) => format!("it knows that {}", phrase(p)),
        (Atom::Knows(p), false) => format!("it does not know that {}", phrase(p)),
        (Atom::Possible(p), true) => format!("it thinks it possible that {}", phrase(p)),
        (Atom::Possible(p), false) => format!("it has ruled out that {}", phrase(p)),
        (Atom::State(v, _), true) => format!("it thinks it possible that the robot is at {v}"),
        (Atom::State(v, _), false) => format!("it has ruled out that the robot is at {v}"),
        (Atom::Temporal(_), true) => format!("`{atom}` is true"),
        (Atom::Temporal(_), false) => format!("`{atom}` is false"),
    }
}
