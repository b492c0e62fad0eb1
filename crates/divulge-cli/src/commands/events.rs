//! `--events`: what happens, in order.

use divulge::did_you_mean;
use divulge::problem::{Kind, Label, Problem, Vertex};

use crate::status::Failure;

/// The events of these names, if they can happen one after the other in the world.
pub fn execution(problem: &Problem, names: &[String]) -> Result<Vec<Label>, Failure> {
    let labels = named(problem, names)?;
    let graph = &problem.world.graph;
    let mut at: Vec<Vertex> = graph.initial().to_vec();
    for (n, &label) in labels.iter().enumerate() {
        let arcs = at.iter().flat_map(|&v| graph.arcs(v)).filter(|arc| arc.label == label);
        let mut next: Vec<Vertex> = arcs.map(|arc| arc.to).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return Err(Failure::new(
                format!("the world has no execution `{}`: event {} cannot happen", names.join(", "), n + 1),
                possible(problem, &at),
            ));
        }
        at = next;
    }
    Ok(labels)
}

fn named(problem: &Problem, names: &[String]) -> Result<Vec<Label>, Failure> {
    let label = |name: &String| {
        problem.alphabet.get(name.trim()).ok_or_else(|| {
            let near = did_you_mean(name, problem.alphabet.names().iter());
            Failure::new(
                format!("there is no event `{name}`"),
                near.unwrap_or_else(|| "`divulge info` lists the actions and observations".to_owned()),
            )
        })
    };
    names.iter().map(label).collect()
}

/// What can happen at some vertices, in words.
fn possible(problem: &Problem, at: &[Vertex]) -> String {
    let mut labels: Vec<Label> = at.iter().flat_map(|&v| problem.world.graph.labels(v)).collect();
    labels.sort_unstable();
    labels.dedup();
    let names: Vec<&str> = labels.iter().map(|&l| problem.alphabet.name(l)).collect();
    match labels.first().map(|&l| problem.alphabet.kind(l)) {
        None => "nothing can happen there".to_owned(),
        Some(Kind::Action) => format!("these actions are possible there: {}", names.join(", ")),
        Some(Kind::Observation) => format!("these observations are possible there: {}", names.join(", ")),
    }
}
