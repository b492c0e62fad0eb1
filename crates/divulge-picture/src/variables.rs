//! Variables of a world and the values that a set of vertices leaves open.

use std::collections::BTreeSet;

use divulge::{
    formula::{Atom, Logic, Test},
    problem::{Problem, Value, Vertex},
};

/// A variable has at most so many values to be shown one by one.
const MOST_VALUES: usize = 8;

/// A property of the world whose values are few and differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<Value>,
    /// Whether a stipulation speaks of it.
    pub asked: bool,
}

/// The properties that are worth showing, those that stipulations speak of first, without `except`.
pub fn variables(problem: &Problem, except: &[&str]) -> Vec<Variable> {
    let asked = asked(problem);
    let props = &problem.world.props;
    let mut all: Vec<Variable> = props
        .names()
        .iter()
        .filter(|name| !except.contains(name))
        .filter_map(|name| {
            let mut values = props.column(name)?.values().to_vec();
            values.sort();
            let few = (2..=MOST_VALUES).contains(&values.len());
            few.then(|| Variable { name: name.to_owned(), values, asked: asked.contains(name) })
        })
        .collect();
    all.sort_by_key(|variable| !variable.asked);
    all
}

/// The properties that differ from vertex to vertex and are not among [`variables`], without `except`: each with how many
/// values it has.
pub fn unlisted(problem: &Problem, except: &[&str]) -> Vec<(String, usize)> {
    let (listed, props) = (variables(problem, except), &problem.world.props);
    let missing = |name: &&str| !except.contains(name) && listed.iter().all(|v| v.name != **name);
    let differing = |name: &str| {
        let column = props.column(name)?;
        let lacking = || problem.world.graph.vertices().any(|v| column.code(v).is_none());
        (column.values().len() > 1 || lacking()).then(|| (name.to_owned(), column.values().len()))
    };
    props.names().iter().filter(missing).filter_map(differing).collect()
}

/// The values of a variable that some vertex of a set has.
pub fn possible<'v>(problem: &Problem, variable: &'v Variable, set: &[Vertex]) -> BTreeSet<&'v Value> {
    let Some(column) = problem.world.props.column(&variable.name) else { return BTreeSet::new() };
    let held: BTreeSet<&Value> = set.iter().filter_map(|&v| column.get(v)).collect();
    variable.values.iter().filter(|value| held.contains(value)).collect()
}

/// The properties that stipulations speak of.
fn asked(problem: &Problem) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for stipulation in &problem.observer.stipulations {
        for atom in atoms(&stipulation.formula) {
            if let Atom::Possible(predicate) | Atom::Knows(predicate) = atom {
                for test in atoms(predicate) {
                    if let Test::Compare(name, ..) | Test::Flag(name, _) = test {
                        named.insert(name.clone());
                    }
                }
            }
        }
    }
    named
}

fn atoms<A>(formula: &Logic<A>) -> Vec<&A> {
    let (mut found, mut todo) = (Vec::new(), vec![formula]);
    while let Some(next) = todo.pop() {
        match next {
            Logic::Const(_) => {}
            Logic::Atom(atom) => found.push(atom),
            Logic::Not(part) => todo.push(part),
            Logic::And(parts) | Logic::Or(parts) | Logic::Implies(parts) | Logic::Iff(parts) => {
                todo.extend(parts.iter())
            }
        }
    }
    found
}
