//! Variables of a world and the values that a set of vertices leaves open.

use std::collections::BTreeSet;

use divulge::{
    formula::Test,
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
    let stipulations = problem.observers().flat_map(|observer| &observer.stipulations);
    let tests = stipulations.flat_map(|s| s.formula.predicates()).flat_map(|p| p.atoms());
    let name = |test: &Test| match test {
        Test::Compare(name, ..) | Test::Flag(name, _) => Some(name.clone()),
        // What was is a property of the unfolded world.
        Test::Initially(_) | Test::Was(_) => Some(test.to_string()),
        Test::Goal | Test::Is(..) | Test::Kind(..) => None,
    };
    tests.filter_map(name).collect()
}
