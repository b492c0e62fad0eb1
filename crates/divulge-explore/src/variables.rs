//! The variables of the world, and who knows what of them.

use divulge::problem::{Problem, Value, Vertex};
use serde::Serialize;

use crate::words::{asked, listed};

/// Variables with more values than this are told by what is possible alone.
const MANY: usize = 24;

/// One variable at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether stipulations speak of it.
    pub asked: bool,
    /// Its values, ascending; those that somebody thinks possible, where there are very many.
    pub values: Vec<ValueState>,
    /// How many values it has that are not listed.
    pub unlisted: usize,
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

/// The variables that are not the same everywhere, those that stipulations speak of first.
pub(crate) fn variables(problem: &Problem, robot: &[Vertex], estimate: Option<&[Vertex]>) -> Vec<Variable> {
    let asked = asked(problem);
    let others = problem.world.props.names().iter().filter(|name| !asked.contains(name));
    let all = asked.iter().copied().map(|name| (name, true)).chain(others.map(|name| (name, false)));
    all.filter_map(|(name, asked)| variable(problem, name, asked, robot, estimate)).collect()
}

fn variable(
    problem: &Problem,
    name: &str,
    asked: bool,
    robot: &[Vertex],
    estimate: Option<&[Vertex]>,
) -> Option<Variable> {
    let column = problem.world.props.column(name)?;
    // Made for a condition that formulas cannot say: it is no variable of the model.
    if name.starts_with("condition_") || column.values().len() < 2 {
        return None;
    }
    let held = |set: &[Vertex]| {
        let mut held = vec![false; column.values().len()];
        set.iter().filter_map(|&v| column.code(v)).for_each(|code| held[code] = true);
        held
    };
    let (by_robot, by_observer) = (held(robot), held(estimate.unwrap_or_default()));
    let mut order: Vec<usize> = (0..column.values().len()).collect();
    order.sort_unstable_by_key(|&i| &column.values()[i]);
    let listed_ones: Vec<usize> = match order.len() > MANY {
        true => order.iter().copied().filter(|&i| by_robot[i] || by_observer[i]).take(MANY).collect(),
        false => order.clone(),
    };
    let lacking = estimate.is_some_and(|set| set.iter().any(|&v| column.code(v).is_none()));
    let possible: Vec<&Value> =
        order.iter().filter(|&&i| by_observer[i]).map(|&i| &column.values()[i]).collect();
    Some(Variable {
        name: name.to_owned(),
        asked,
        unlisted: order.len() - listed_ones.len(),
        values: listed_ones
            .into_iter()
            .map(|i| ValueState {
                value: column.values()[i].to_string(),
                robot: by_robot[i],
                observer: by_observer[i],
            })
            .collect(),
        words: words(name, &possible, lacking, estimate.is_some()),
    })
}

fn words(name: &str, possible: &[&Value], lacking: bool, expected: bool) -> String {
    let mut texts: Vec<String> = possible.iter().map(ToString::to_string).collect();
    if lacking {
        texts.push("missing".to_owned());
    }
    match (&texts[..], expected) {
        (_, false) => format!("the observer can say nothing about {name}."),
        ([one], _) => format!("the observer knows that {name} is {one}."),
        _ => format!("the observer thinks that {name} could be {}.", listed(&texts, "or")),
    }
}
