//! The variables of the world, and who knows what of them.

use divulge::problem::{Problem, Value, Vertex};
use serde::Serialize;

use crate::words::listed;

/// Variables with more values than this are told by what is possible alone.
const MANY: usize = 24;

/// What is shown where a place does not have the variable at all.
pub(crate) const LACKING: &str = "(none)";

/// One variable at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether stipulations speak of it.
    pub asked: bool,
    /// Its values, ascending, and `(none)` where places may lack it; those that somebody thinks possible, where there are
    /// very many.
    pub values: Vec<ValueState>,
    /// How many values it has that are not listed.
    pub unlisted: usize,
    /// Whether the robot knows its value.
    pub robot_knows: bool,
    /// Whether the observer does.
    pub observer_knows: bool,
    /// What the observer makes of it, as a sentence without a capital.
    pub words: String,
}

/// One value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueState {
    /// The value.
    pub value: String,
    /// Whether the robot thinks it possible.
    pub robot: bool,
    /// Whether the observer does.
    pub observer: bool,
}

/// Whom a table of variables is about.
pub(crate) struct Knowing<'k> {
    /// The world vertices where the robot may be.
    pub robot: &'k [Vertex],
    /// What the observer thinks possible; nothing if it did not expect this.
    pub estimate: Option<&'k [Vertex]>,
    /// What anybody thinks possible.
    pub anybody: &'k [Vertex],
    /// What sentences call the observer.
    pub who: &'k str,
}

/// The variables that are not the same everywhere, those that are asked about first.
pub(crate) fn variables(problem: &Problem, asked: &[&str], knowing: &Knowing<'_>) -> Vec<Variable> {
    let others = problem.world.props.names().iter().filter(|name| !asked.contains(name));
    let all = asked.iter().copied().map(|name| (name, true)).chain(others.map(|name| (name, false)));
    all.filter_map(|(name, asked)| variable(problem, name, asked, knowing)).collect()
}

fn variable(problem: &Problem, name: &str, asked: bool, knowing: &Knowing<'_>) -> Option<Variable> {
    let &Knowing { robot, estimate, anybody, who } = knowing;
    let column = problem.world.props.column(name)?;
    // The values, ascending, and last that there is none.
    let mut order: Vec<usize> = (0..column.values().len()).collect();
    order.sort_unstable_by_key(|&i| &column.values()[i]);
    if problem.world.graph.vertices().any(|v| column.code(v).is_none()) {
        order.push(column.values().len());
    }
    if order.len() < 2 {
        return None;
    }
    let held = |set: &[Vertex]| {
        let mut held = vec![false; column.values().len() + 1];
        set.iter().for_each(|&v| held[column.code(v).unwrap_or(column.values().len())] = true);
        held
    };
    let (by_robot, by_observer) = (held(robot), held(estimate.unwrap_or_default()));
    let by_anybody = held(anybody);
    let told: Vec<usize> = match order.len() > MANY {
        true => order.iter().copied().filter(|&i| by_robot[i] || by_anybody[i]).take(MANY).collect(),
        false => order.clone(),
    };
    let shown = |i: usize| column.values().get(i).map_or(LACKING.to_owned(), Value::to_string);
    let possible: Vec<String> = order.iter().filter(|&&i| by_observer[i]).map(|&i| shown(i)).collect();
    let knows = |held: &[bool]| held.iter().filter(|held| **held).count() == 1;
    Some(Variable {
        name: name.to_owned(),
        asked,
        unlisted: order.len() - told.len(),
        robot_knows: knows(&by_robot),
        observer_knows: knows(&by_observer),
        values: told
            .into_iter()
            .map(|i| ValueState { value: shown(i), robot: by_robot[i], observer: by_observer[i] })
            .collect(),
        words: words(who, name, &possible, estimate.is_some()),
    })
}

fn words(who: &str, name: &str, possible: &[String], expected: bool) -> String {
    match (possible, expected) {
        (_, false) => format!("{who} can say nothing about {name}."),
        ([one], _) if one == LACKING => format!("{who} knows that there is no {name} here."),
        ([one], _) => format!("{who} knows that {name} is {one}."),
        _ => format!("{who} thinks that {name} could be {}.", listed(possible, "or")),
    }
}
