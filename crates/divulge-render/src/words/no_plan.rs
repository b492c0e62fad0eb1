//! Why there is no plan, and what would help.

use divulge::{
    problem::{Filter, Kind, Knows, Label, Problem, Vertex},
    verdict::{
        Change, Conflict, NoPlan, Obstacle, Part, Remedy, StuckPlace, Unsolvable, UnsureAction, WorstCase,
    },
};

use super::{
    clause::formula,
    estimate::Describer,
    layout::{count, few, heading, paragraph},
    needs::needs,
    observer::{observer, one, scoped, when},
    style::Style,
};

/// How many events of the way to a place are named.
const WAY: usize = 12;

/// How many actions are named that the robot cannot be sure of.
const ACTIONS: usize = 5;

/// That there is no plan, where there was no time to find out why.
pub const NO_PLAN: &str = "none\n\nNo plan solves the world and keeps every stipulation.\n";

/// That no plan goes on after some events.
pub const NO_PLAN_FROM_THERE: &str =
    "none\n\nNo plan that goes on from there reaches the goal and keeps every stipulation from now on.\n";

/// Why no plan was found for `problem`.
pub fn no_plan(problem: &Problem, reason: &NoPlan, style: Style) -> String {
    let mut out = style.bad("none") + "\n\n";
    out += &match reason {
        NoPlan::Unsolvable(stuck) => unsolvable(problem, stuck, style),
        NoPlan::NotAdmitted { remedies, all_tried } => not_admitted(problem, remedies, *all_tried, style),
        NoPlan::OnlyByChance(worst) => only_by_chance(worst, style),
        NoPlan::Conflict(conflict) => self::conflict(problem, conflict, style),
    };
    out
}

fn only_by_chance(worst: &WorstCase, style: Style) -> String {
    let events = count(usize::try_from(worst.events).unwrap_or(usize::MAX), "event");
    let said = format!(
        "Every plan that takes one action for each pair of what the robot knows and what the observer has seen breaks a \
         stipulation. Another plan keeps them all, with at most {events}: leave out `--deterministic`, and it says where the robot \
         must choose unpredictably."
    );
    paragraph(&said, 0, 0, style)
}

fn not_admitted(problem: &Problem, remedies: &[Remedy], all_tried: bool, style: Style) -> String {
    let said = "Some plans solve the world, but the observer expects something else: none of them is among what it expects.";
    let mut out = paragraph(&format!("{said} {}", observer(problem)), 0, 0, style);
    out += &helps(problem, remedies, &[], style);
    if remedies.is_empty() && all_tried {
        let said = "Another observer alone would not help: one who knows only the world, or only that the robot pursues the \
                    goal, admits plans, but none of them keeps the stipulations.";
        out += &paragraph(said, 0, 0, style);
    } else if !all_tried {
        out += &paragraph(
            "Whether an observer who knows something else would help was not found out.",
            0,
            0,
            style,
        );
    }
    out
}

pub(super) fn unsolvable(problem: &Problem, stuck: &Unsolvable, style: Style) -> String {
    let said = "No plan solves the world, even if nothing is stipulated: the goal cannot be forced.";
    let mut out = paragraph(said, 0, 0, style);
    if !stuck.places.is_empty() {
        out += &heading("Where the robot gets stuck, nearest first", style);
    }
    for place in &stuck.places {
        out += &paragraph(&self::place(problem, place), 2, 4, style);
    }
    if stuck.circling {
        let said = match stuck.places.is_empty() {
            true => "The robot can go on for ever, but not force the goal.",
            false => "It can also go on for ever without being able to force the goal.",
        };
        out += &paragraph(said, 0, 0, style);
    }
    out + &unsure(problem, stuck, style)
}

/// The actions that the robot never dares to take, unless a place where it gets stuck has shown them already.
fn unsure(problem: &Problem, stuck: &Unsolvable, style: Style) -> String {
    let shown = |unsure: &&UnsureAction| !stuck.places.iter().any(|place| place.vertices == unsure.vertices);
    let actions: Vec<&UnsureAction> = stuck.unsure.iter().filter(shown).collect();
    if actions.is_empty() {
        return String::new();
    }
    let mut out = heading("What it can never safely do", style);
    for UnsureAction { action, vertices } in actions.iter().take(ACTIONS) {
        let name = problem.alphabet.name(*action);
        let why = match needs(problem, *action, vertices) {
            Some(condition) => {
                format!("it needs `{condition}`, and the robot does not know whether this holds")
            }
            None => "the robot does not know whether it is available".to_owned(),
        };
        out += &paragraph(&format!("`{name}`: {why}."), 2, 4, style);
    }
    if actions.len() > ACTIONS {
        let more = count(actions.len() - ACTIONS, "more action");
        out += &paragraph(&format!("and {more}"), 2, 4, style);
    }
    out
}

fn place(problem: &Problem, place: &StuckPlace) -> String {
    let at = Describer::new(problem).within(&place.vertices);
    let several = place.vertices.len() > 1;
    let how = match place.obstacle {
        Obstacle::DeadEnd => "there is nothing it can do",
        Obstacle::NoSafeAction => "no single action is available at all of them",
        Obstacle::Silence if several => "at some of them no observation ever comes",
        Obstacle::Silence => "no observation ever comes",
    };
    let how = match place.obstacle {
        Obstacle::NoSafeAction => format!("{how}{}", unknown_needs(problem, &place.vertices)),
        _ => how.to_owned(),
    };
    let at = if several { format!("it may be at any of {at}") } else { format!("it is at {at}") };
    match place.execution.len() {
        0 => format!("At the very start {at}: {how}."),
        _ => format!("After {} {at}: {how}.", way(problem, &place.execution)),
    }
}

/// What the actions that some of the vertices have need, where the robot does not know whether it holds.
fn unknown_needs(problem: &Problem, vertices: &[Vertex]) -> String {
    let arcs = vertices.iter().flat_map(|&v| problem.world.graph.arcs(v));
    let mut actions: Vec<Label> = arcs.map(|arc| arc.label).collect();
    actions.sort_unstable();
    actions.dedup();
    let needs = actions.iter().filter_map(|&action| {
        let condition = needs(problem, action, vertices)?;
        Some(format!("`{}` needs `{condition}`", problem.alphabet.name(action)))
    });
    let needs: Vec<String> = needs.collect();
    match needs.len() {
        0 => String::new(),
        1 => format!(". {}, and the robot does not know whether this holds", needs[0]),
        _ => format!(". {}: the robot does not know which of these hold", few(&needs, ACTIONS)),
    }
}

/// The last events of a way.
pub(super) fn way(problem: &Problem, execution: &[Label]) -> String {
    let left_out = execution.len().saturating_sub(WAY);
    let names: Vec<&str> = execution[left_out..].iter().map(|&l| problem.alphabet.name(l)).collect();
    match left_out {
        0 => names.join(", "),
        n => format!("{}, then {},", count(n, "event"), names.join(", ")),
    }
}

fn conflict(problem: &Problem, conflict: &Conflict, style: Style) -> String {
    let said = match (conflict.parts.len(), conflict.minimal) {
        (1, _) => "Some plans solve the world, but none of them keeps this:",
        (_, true) => {
            "Some plans solve the world, but none keeps all of these; leave out any one of them, and some plan keeps the rest:"
        }
        (_, false) => {
            "Some plans solve the world, but none keeps all of these (fewer of them may already be too many):"
        }
    };
    let mut out = paragraph(said, 0, 0, style);
    for (i, part) in conflict.parts.iter().enumerate() {
        out += &paragraph(&format!("{}. {}", i + 1, part_text(problem, part)), 2, 6, style);
    }
    out += &those(problem, &conflict.parts, style);
    out += &beyond(problem, conflict, style);
    out += &helps(problem, &conflict.remedies, &conflict.parts, style);
    if !conflict.all_tried {
        out += &paragraph("Not every single change has been tried.", 0, 0, style);
    }
    out
}

/// The observers that some parts are about, in sentences.
pub(super) fn those(problem: &Problem, parts: &[Part], style: Style) -> String {
    let about = |number: &usize| parts.iter().any(|part| part.observer == *number);
    let all = problem.observers().enumerate();
    let told: String = all
        .filter(|(number, _)| about(number))
        .map(|(_, observer)| paragraph(&one(observer), 0, 0, style))
        .collect();
    if told.is_empty() { paragraph(&observer(problem), 0, 0, style) } else { told }
}

/// That leaving out one part of the conflict does not help, nor anything else, where that was found.
fn beyond(problem: &Problem, conflict: &Conflict, style: Style) -> String {
    let dropping = conflict.remedies.iter().any(|remedy| matches!(remedy.change, Change::Drop(_)));
    if dropping || !conflict.all_tried {
        return String::new();
    }
    let one = if conflict.parts.len() == 1 { "it out" } else { "one of these out" };
    let mut said = format!(
        "Leaving {one} would not help by itself: what remains of the stipulations cannot be kept either."
    );
    let mut vain = Vec::new();
    if problem.observer.knows != Knows::World {
        vain.push("the observer's knowing less");
    }
    if can_merge(problem) {
        vain.push("making two more labels look alike");
    }
    if conflict.remedies.is_empty() && !vain.is_empty() {
        said += &format!(" Nor would {}.", vain.join(", or "));
    }
    paragraph(&said, 0, 0, style)
}

/// Whether two labels of a kind look different.
fn can_merge(problem: &Problem) -> bool {
    let Some(map) = &problem.observer.map else { return false };
    [Kind::Action, Kind::Observation].into_iter().any(|kind| {
        let labels = problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index()));
        let mut images = labels.map(|l| map.image(l));
        let first = images.next();
        images.any(|image| Some(image) != first)
    })
}

pub(super) fn part_text(problem: &Problem, part: &Part) -> String {
    let Some(observer) = problem.observers().nth(part.observer) else { return String::new() };
    let stipulation = &observer.stipulations[part.stipulation];
    let whose = match problem.others.is_empty() {
        true => String::new(),
        false => format!("{}: ", problem.called(part.observer)),
    };
    match &part.clause {
        None => format!("{whose}{}", scoped(stipulation)),
        Some(clause) => {
            let text = formula(clause);
            let whole = format!("{:#}", stipulation.formula);
            let from =
                if stipulation.name == whole { String::new() } else { format!("{}: ", stipulation.name) };
            format!("{whose}[{}] {from}{text}", when(stipulation.scope))
        }
    }
}

fn helps(problem: &Problem, remedies: &[Remedy], parts: &[Part], style: Style) -> String {
    if remedies.is_empty() {
        return String::new();
    }
    let mut out = heading("What would make a plan possible", style);
    for Remedy { change, worst_case } in remedies {
        let name = |label: Label| problem.alphabet.name(label);
        let change = match change {
            Change::Drop(part) => match parts.get(*part) {
                Some(dropped) => {
                    format!("leaving out {}. ({})", part + 1, part_text(problem, dropped))
                }
                None => format!("leaving out {}.", part + 1),
            },
            Change::Know(knows) if problem.others.is_empty() => format!("an observer who {}", less(knows)),
            Change::Know(knows) => format!("if {} {}", problem.called(0), less(knows)),
            // What looks like an unseen event is not seen.
            Change::Merge(a, b) if hidden(problem, *a) => {
                format!("{} not seeing {} at all", whom(problem), alike(problem, *b))
            }
            Change::Merge(a, b) if matches!(problem.observer.filter, Filter::Graph(_)) => {
                format!("making `{}` look as `{}` does", name(*b), name(*a))
            }
            Change::Merge(a, b) => {
                let to =
                    if problem.others.is_empty() { String::new() } else { format!(" to {}", whom(problem)) };
                format!("making `{}` and `{}` look alike{to}", name(*a), name(*b))
            }
        };
        let events = count(usize::try_from(worst_case.events).unwrap_or(usize::MAX), "event");
        let text = format!("- {change}: a plan of at most {events}, cost at most {}", worst_case.cost);
        out += &paragraph(&text, 2, 4, style);
    }
    out
}

/// The observer whom single changes are about: of several, the first.
fn whom(problem: &Problem) -> String {
    if problem.others.is_empty() { "the observer".to_owned() } else { problem.called(0) }
}

fn hidden(problem: &Problem, label: Label) -> bool {
    problem.observer.map.as_ref().is_some_and(|map| map.image(label).is_none())
}

/// A label with all of its kind that look like it.
fn alike(problem: &Problem, label: Label) -> String {
    let kind = problem.alphabet.kind(label);
    let Some(map) = &problem.observer.map else { return format!("`{}`", problem.alphabet.name(label)) };
    let own = problem.alphabet.of_kind(kind).filter(|l| problem.world_labels.contains(l.index()));
    let names: Vec<String> = own
        .filter(|&l| map.image(l) == map.image(label))
        .map(|l| format!("`{}`", problem.alphabet.name(l)))
        .collect();
    few(&names, ACTIONS)
}

fn less(knows: &Knows) -> &'static str {
    match knows {
        Knows::Plan => "knows the plan",
        Knows::Plans(_) => "knows that the plan is one of some",
        Knows::GoalDirected => "knows only that the robot pursues the goal",
        Knows::World => "knows the world alone",
        Knows::Graph(_) => "expects the executions of a graph",
    }
}
