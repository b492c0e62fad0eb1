//! The observer in a sentence.

use divulge::problem::{Filter, Knows, Observer, Problem, Scope, Stipulation};

use super::layout::count;

/// What the observer knows of the plan, and how it remembers.
pub fn observer(problem: &Problem) -> String {
    one(&problem.observer)
}

/// The same of any observer.
pub(super) fn one(observer: &Observer) -> String {
    let knows = match &observer.knows {
        Knows::Plan => "knows the plan".to_owned(),
        Knows::Plans(plans) if plans.len() == 1 => "expects one given plan".to_owned(),
        Knows::Plans(plans) => format!("knows that the plan is one of {} given ones", plans.len()),
        Knows::GoalDirected => "knows that the robot pursues the goal, but not by which plan".to_owned(),
        Knows::World => "knows the world, but nothing of the plan".to_owned(),
        Knows::Graph(graph) => {
            format!("expects the executions of a given graph of {}", count(graph.graph.len(), "vertex"))
        }
    };
    let remembers = match &observer.filter {
        Filter::Strongest => "remembers all that it sees".to_owned(),
        Filter::Image => "remembers which vertices the images lead to, and nothing else".to_owned(),
        Filter::Graph(filter) => {
            format!("remembers by a filter of {}", count(filter.graph.graph.len(), "vertex"))
        }
    };
    let name = observer.name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
    format!("The observer{name} {knows}, and {remembers}.")
}

/// A stipulation by its name, unless that says no more than its formula does.
pub(super) fn named(stipulation: &Stipulation) -> String {
    let formula = format!("{:#}", stipulation.formula);
    match stipulation.name == stipulation.formula.to_string() {
        true => formula,
        false => format!("{}: {formula}", stipulation.name),
    }
}

/// A stipulation with its scope.
pub(super) fn scoped(stipulation: &Stipulation) -> String {
    format!("[{}] {}", when(stipulation.scope), named(stipulation))
}

/// When a stipulation must hold, in the words of the language.
pub(super) fn when(scope: Scope) -> String {
    match scope {
        Scope::Always => "always".to_owned(),
        Scope::End => "at end".to_owned(),
        Scope::Run => "run".to_owned(),
        Scope::Hindsight { within: None } => "hindsight".to_owned(),
        Scope::Hindsight { within: Some(images) } => format!("hindsight {images}"),
    }
}
