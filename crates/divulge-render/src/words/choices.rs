//! Where a plan leaves the robot a choice, and what rests on it.

use std::collections::BTreeMap;

use divulge::{
    problem::{Knows, Plan, Problem},
    verdict::Choices,
};

use super::{
    layout::{count, list, paragraph},
    style::Style,
};

/// More different choices than this are not listed.
const MOST: usize = 4;

/// What is to be said of the choices that a plan offers which was sought; nothing if it never chooses, or nobody knows it.
pub fn choices(problem: &Problem, plan: &Plan, choices: Choices, style: Style) -> String {
    let places = plan.choosing();
    if places.is_empty() || !problem.observers().any(|observer| observer.knows == Knows::Plan) {
        return String::new();
    }
    let said = match choices {
        Choices::Needed => format!(
            "What is stipulated rests on the robot choosing unpredictably {}. One that always took the same action there would give \
             something away.",
            between(problem, plan)
        ),
        Choices::Open => format!(
            "The plan leaves the robot a choice at {}. Choose unpredictably there: what is stipulated may rest on it. It is \
             not proven that each of these choices is needed.",
            count(places.len(), "vertex")
        ),
    };
    paragraph(&said, 0, 2, style)
}

/// Between what, and where.
fn between(problem: &Problem, plan: &Plan) -> String {
    let mut offered: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for v in plan.choosing() {
        let actions = plan.graph.labels(v).map(|l| problem.alphabet.name(l)).collect();
        offered.entry(actions).or_default().push(plan.name(v));
    }
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let place = |vertices: &[&str]| match vertices {
        [one] => format!("`{one}`"),
        several => count(several.len(), "vertex"),
    };
    let mut texts: Vec<String> = offered
        .iter()
        .take(MOST)
        .map(|(actions, vertices)| {
            format!("between {} at {}", list(&quoted(actions), "and"), place(vertices))
        })
        .collect();
    if offered.len() > MOST {
        texts.push(format!("in {} more ways", offered.len() - MOST));
    }
    texts.join("; ")
}
