//! What each construct of the language means, on models small enough to write the answer down.

mod observers;
mod plans;
mod whole;
mod worlds;

use divulge::graph::trace;
use divulge::problem::{Filter, Kind, Knows, Label, Problem, Scope, Value, Vertex};
use divulge_model::diagnostic::Code;
use divulge_model::language::{NoIncludes, load, load_all};

/// The problem of a text that has no errors (warnings are no matter here).
fn problem(text: &str) -> Problem {
    let (problem, diagnostics) = load("m.divulge", text, &NoIncludes, &[]);
    problem.unwrap_or_else(|| panic!("{}", diagnostics.render(false)))
}

fn codes(text: &str, sets: &[(&str, &str)]) -> Vec<Code> {
    let sets: Vec<(String, String)> = sets.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (_, diagnostics) = load("m.divulge", text, &NoIncludes, &sets);
    diagnostics.iter().map(|d| d.code).filter(|&c| c != Code::NoObserver).collect()
}

/// Every edge of the world, sorted.
fn edges(problem: &Problem) -> Vec<String> {
    let world = &problem.world;
    let edge = |(from, arc): (Vertex, divulge::problem::Arc)| {
        format!("{} -{}-> {}", world.name(from), problem.alphabet.name(arc.label), world.name(arc.to))
    };
    let mut all: Vec<String> = world.graph.all_arcs().map(edge).collect();
    all.sort();
    all
}

fn names(problem: &Problem, members: impl Iterator<Item = Vertex>) -> Vec<String> {
    let mut all: Vec<String> = members.map(|v| problem.world.name(v).to_owned()).collect();
    all.sort();
    all
}

fn initial(problem: &Problem) -> Vec<String> {
    names(problem, problem.world.graph.initial().iter().copied())
}

fn goal(problem: &Problem) -> Vec<String> {
    names(problem, problem.world.goal.iter().map(|v| Vertex(v as u32)))
}
