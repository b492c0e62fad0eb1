//! Probable mistakes in a problem, however it was written: warnings, never errors.

mod comparisons;
mod images;

pub use comparisons::{Odd, odd_comparisons};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Span};
use divulge::formula::Stipulations;
use divulge::graph::reachable;
use divulge::{
    problem::{Filter, Kind, LabelMap, Observer, Problem, Scope, Stipulation, Vertex},
    sets::BitSet,
};
use rustc_hash::FxHashSet;

/// Where the parts of a problem stand in its source; all of it may be left out.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The world.
    pub world: Option<Span>,
    /// The goal.
    pub goal: Option<Span>,
    /// The labels, in the order of their numbers.
    pub labels: Vec<Span>,
    /// The observers in question, in their order.
    pub observers: Vec<ObserverPlaces>,
}

/// Where the parts of an observer stand.
#[derive(Clone, Debug, Default)]
pub struct ObserverPlaces {
    /// The map.
    pub map: Option<Span>,
    /// The images, in the order of the labels that they are given to.
    pub images: Vec<Option<Span>>,
    /// The stipulations, in their order.
    pub stipulations: Vec<Span>,
}

impl Places {
    /// What to do, in a model or in a problem that was not written as one.
    fn advice<'a>(&self, model: &'a str, otherwise: &'a str) -> &'a str {
        if self.world.is_some() { model } else { otherwise }
    }
}

/// Looks for probable mistakes.
pub fn lint(problem: &Problem, places: &Places, diagnostics: &mut Diagnostics) {
    let reach = reachable(&problem.world.graph);
    goal(problem, places, &reach, diagnostics);
    labels(problem, places, &reach, diagnostics);
    deadlock(problem, places, &reach, diagnostics);
    each_observer(problem, places, &reach, diagnostics);
}

/// Looks for probable mistakes in a problem that is there to be audited: where a plan would fail does not matter.
pub fn lint_for_audit(problem: &Problem, places: &Places, diagnostics: &mut Diagnostics) {
    let reach = reachable(&problem.world.graph);
    labels(problem, places, &reach, diagnostics);
    each_observer(problem, places, &reach, diagnostics);
}

fn each_observer(problem: &Problem, places: &Places, reach: &BitSet, diagnostics: &mut Diagnostics) {
    let nowhere = ObserverPlaces::default();
    for (i, observer) in problem.observers().enumerate() {
        let around = Around {
            problem,
            observer,
            places: places.observers.get(i).unwrap_or(&nowhere),
            model: places.world.is_some(),
        };
        comparisons(&around, diagnostics);
        images::images(&around, diagnostics);
        stipulations(&around, reach, diagnostics);
    }
}

/// An observer, and what it is looked at with.
struct Around<'a> {
    problem: &'a Problem,
    observer: &'a Observer,
    places: &'a ObserverPlaces,
    /// Whether the problem was written as a model.
    model: bool,
}

impl Around<'_> {
    /// The name of the observer, where there are several.
    fn one_of_several(&self) -> Option<&str> {
        self.observer.name.as_deref().filter(|_| !self.problem.others.is_empty())
    }

    /// A stipulation as messages call it: of several observers, with whose it is.
    fn stipulation(&self, name: &str) -> String {
        match self.one_of_several() {
            Some(whose) => format!("the stipulation `{name}` of `{whose}`"),
            None => format!("the stipulation `{name}`"),
        }
    }
}

fn at(finding: Diagnostic, span: Option<Span>) -> Diagnostic {
    match span {
        Some(span) => finding.at(span, ""),
        None => finding,
    }
}

fn goal(problem: &Problem, places: &Places, reach: &BitSet, diagnostics: &mut Diagnostics) {
    if reach.iter().any(|v| problem.world.goal.contains(v)) {
        return;
    }
    let (message, help) = if problem.world.goal.is_empty() && places.goal.is_none() {
        ("the world has no goal, so no plan can solve it", "say where the robot should get to")
    } else {
        (
            "no goal vertex can be reached",
            places.advice(
                "check the start, and the conditions of the actions on the way",
                "check where the world starts, and where its edges lead",
            ),
        )
    };
    diagnostics
        .push(at(Diagnostic::new(Code::UnreachableGoal, message), places.goal.or(places.world)).help(help));
}

fn labels(problem: &Problem, places: &Places, reach: &BitSet, diagnostics: &mut Diagnostics) {
    let graph = &problem.world.graph;
    let mut used = BitSet::new(problem.alphabet.len());
    // As a rule all labels are met soon.
    let mut unmet = problem.world_labels.count();
    for v in reach.iter() {
        if unmet == 0 {
            break;
        }
        for arc in graph.arcs(Vertex(v as u32)) {
            if used.insert(arc.label.index()) && problem.world_labels.contains(arc.label.index()) {
                unmet -= 1;
            }
        }
    }
    for label in problem.alphabet.labels() {
        if problem.world_labels.contains(label.index()) && !used.contains(label.index()) {
            let (kind, name) = (problem.alphabet.kind(label), problem.alphabet.name(label));
            let message = format!("the {kind} `{name}` never happens");
            let finding = Diagnostic::new(Code::UnusedLabel, message).help(places.advice(
                "no reachable state offers it: check its condition, or remove it",
                "no reachable vertex offers it: check its edges, or remove it",
            ));
            diagnostics.push(at(finding, places.labels.get(label.index()).copied()));
        }
    }
}

fn deadlock(problem: &Problem, places: &Places, reach: &BitSet, diagnostics: &mut Diagnostics) {
    let world = &problem.world;
    let mut stuck =
        reach.iter().filter(|&v| !world.goal.contains(v) && world.graph.arcs(Vertex(v as u32)).is_empty());
    let Some(first) = stuck.next() else { return };
    let more = stuck.count();
    let name = world.name(Vertex(first as u32));
    let also = match more {
        0 => String::new(),
        1 => ", and so does another vertex".to_owned(),
        n => format!(", and so do {n} other vertices"),
    };
    let (what, help) = match world.graph.kind(Vertex(first as u32)) {
        Kind::Action => (
            "has no action, and is not a goal",
            places.advice(
                "a plan must avoid it: is a condition too strict?",
                "a plan must avoid it: is an edge missing?",
            ),
        ),
        Kind::Observation => (
            "has no observation, and is not a goal",
            places.advice(
                "add a line for it to `observe`, such as `nothing otherwise`",
                "a plan must avoid it: is an edge missing?",
            ),
        ),
    };
    let finding =
        Diagnostic::new(Code::Deadlock, format!("the world gets stuck: `{name}` {what}{also}")).help(help);
    diagnostics.push(at(finding, places.world));
}

/// In a model, the types of variables tell more, and have been checked.
fn comparisons(around: &Around<'_>, diagnostics: &mut Diagnostics) {
    if around.model {
        return;
    }
    for (i, stipulation) in around.observer.stipulations.iter().enumerate() {
        for Odd { message, help } in odd_comparisons(&around.problem.world, &stipulation.formula) {
            let message = format!("{} {message}", around.stipulation(&stipulation.name));
            let finding = Diagnostic::new(Code::DocOddValue, message).help(help);
            diagnostics.push(at(finding, around.places.stipulations.get(i).copied()));
        }
    }
}

/// Worlds larger than this are made by programs, and looking at their stipulations here would take too long.
const MAX_VERTICES: usize = 100_000;

/// Up to so many different vertices (as far as the stipulation can tell), every set of them is tried.
const MAX_CLASSES: usize = 14;

fn stipulations(around: &Around<'_>, reach: &BitSet, diagnostics: &mut Diagnostics) {
    let world = &around.problem.world;
    if world.graph.len() > MAX_VERTICES {
        return;
    }
    for (i, stipulation) in around.observer.stipulations.iter().enumerate() {
        // Runs and ways are more than sets of vertices.
        let past = stipulation.formula.predicates().iter().any(|p| p.is_past());
        if stipulation.scope == Scope::Run || past {
            continue;
        }
        // What follows from an odd comparison is not said again.
        if !around.model && !odd_comparisons(world, &stipulation.formula).is_empty() {
            continue;
        }
        if let Some(finding) = of_stipulation(around, stipulation, reach) {
            diagnostics.push(at(finding, around.places.stipulations.get(i).copied()));
        }
    }
}

fn of_stipulation(around: &Around<'_>, stipulation: &Stipulation, reach: &BitSet) -> Option<Diagnostic> {
    let (world, name) = (&around.problem.world, around.stipulation(&stipulation.name));
    // Each is compiled by itself, so that its signatures tell apart only what it speaks of. Hindsight is about single estimates, too.
    let scope = if stipulation.scope == Scope::End { Scope::End } else { Scope::Always };
    let alone = Stipulation { scope, ..stipulation.clone() };
    let compiled = Stipulations::compile(world, std::slice::from_ref(&alone)).ok()?;
    let holds = |signature: &[u64]| compiled.all().iter().all(|s| s.holds(signature));
    let hides = around.observer.map.as_ref().is_some_and(LabelMap::hides)
        || !around.observer.constraints.unseen.is_empty();
    // Where events are unseen, vertices of both kinds may be possible at once.
    let kinds: &[&[Kind]] =
        if hides { &[&[Kind::Action, Kind::Observation]] } else { &[&[Kind::Action], &[Kind::Observation]] };
    match verdicts(&compiled, world, reach, kinds, holds) {
        Some((_, false)) => {
            let message = format!("{name} cannot fail: it holds whatever the observer knows");
            return Some(Diagnostic::new(Code::CannotFail, message).help("is this what you mean?"));
        }
        Some((false, _)) => {
            let message = format!("{name} cannot hold: it fails whatever the observer knows");
            let finding = Diagnostic::new(Code::CannotHold, message);
            return Some(finding.help("no plan can keep it: is this what you mean?"));
        }
        _ => {}
    }
    // With perfect recall, what is known before the first event is exactly where the world may start.
    let before = compiled.signature_of(world.graph.initial().iter().copied());
    if scope == Scope::End || hides || around.observer.filter != Filter::Strongest || holds(&before) {
        return None;
    }
    let message = format!("{name} cannot hold: it fails before anything happens");
    let finding = Diagnostic::new(Code::CannotHold, message)
        .note("`always` includes the beginning, when the observer only knows where the world may start");
    Some(finding.help(if around.model {
        "if it need only hold where the plan stops, write `at end`; if at some time, `eventually`"
    } else {
        "if it need only hold where the plan stops, give it the scope `end`"
    }))
}

/// Whether some non-empty set of reachable vertices of the given kinds meets the stipulation, and whether some breaks it;
/// nothing if there are too many sets to try.
fn verdicts(
    compiled: &Stipulations,
    world: &divulge::problem::World,
    reach: &BitSet,
    kinds: &[&[Kind]],
    holds: impl Fn(&[u64]) -> bool,
) -> Option<(bool, bool)> {
    let (mut can_hold, mut can_fail) = (false, false);
    for together in kinds {
        let members =
            reach.iter().map(|v| Vertex(v as u32)).filter(|&v| together.contains(&world.graph.kind(v)));
        let mut classes: FxHashSet<&[u64]> = FxHashSet::default();
        for v in members {
            classes.insert(compiled.signature(v));
            if classes.len() > MAX_CLASSES {
                return None;
            }
        }
        let mut classes: Vec<&[u64]> = classes.into_iter().collect();
        classes.sort_unstable();
        let mut signature = vec![0; compiled.words()];
        for set in 1u32..1 << classes.len() {
            signature.fill(0);
            for (_, class) in classes.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
                for (word, bits) in signature.iter_mut().zip(*class) {
                    *word |= bits;
                }
            }
            if holds(&signature) {
                can_hold = true
            } else {
                can_fail = true
            }
            if can_hold && can_fail {
                return Some((true, true));
            }
        }
    }
    Some((can_hold, can_fail))
}
