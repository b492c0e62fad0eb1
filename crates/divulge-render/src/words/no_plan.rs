//! Why there is no plan, and what would help.

use divulge::{
    answer::{Change, Conflict, NoPlan, Obstacle, Part, Remedy, StuckPlace, Unsolvable},
    formula::{Predicate, Stipulations},
    problem::{Filter, Knows, Label, Problem},
};

use super::{
    clause::formula,
    estimate::Describer,
    layout::{count, heading, paragraph},
    observer::{observer, scoped, when},
    style::Style,
};

/// How many events of the way to a place are named.
const WAY: usize = 12;

/// That there is no plan, where there was no time to find out why.
pub const NO_PLAN: &str = "none\n\nNo plan solves the world and keeps every stipulation.\n";

/// Why no plan was found for `problem`.
pub fn no_plan(problem: &Problem, reason: &NoPlan, style: Style) -> String {
    let mut out = style.bad("none") + "\n\n";
    out += &match reason {
        NoPlan::Unsolvable(stuck) => unsolvable(problem, stuck, style),
        NoPlan::NotAdmitted { remedies } => {
            let said = "Plans solve the world, but the observer expects something else: it does not admit any of them.";
            paragraph(&format!("{said} {}", observer(problem)), 0, 0, style)
                + &helps(problem, remedies, &[], &[], style)
        }
        NoPlan::Conflict(conflict) => self::conflict(problem, conflict, style),
    };
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
        let said = "It can also go on for ever without being able to force the goal.";
        out += &paragraph(said, 0, 0, style);
    }
    out
}

fn place(problem: &Problem, place: &StuckPlace) -> String {
    let at = Describer::new(problem).within(&place.vertices);
    let several = place.vertices.len() > 1;
    let how = match place.obstacle {
        Obstacle::DeadEnd => "there is nothing it can do",
        Obstacle::NoSafeAction => "no action is available whichever of them it is at",
        Obstacle::Silence if several => "at some of them no observation ever comes",
        Obstacle::Silence => "no observation ever comes",
    };
    let at = if several { format!("it may be at any of {at}") } else { format!("it is at {at}") };
    match place.execution.len() {
        0 => format!("At the very start {at}: {how}."),
        _ => format!("After {} {at}: {how}.", way(problem, &place.execution)),
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
    let compiled = Stipulations::compile(&problem.world, &problem.observer.stipulations);
    let masks: &[Predicate] = compiled.as_ref().map(Stipulations::masks).unwrap_or_default();
    let said = match (conflict.parts.len(), conflict.minimal) {
        (1, _) => "Plans solve the world, but none of them keeps this:",
        (_, true) => {
            "Plans solve the world, but none keeps all of these; leave any one out, and some plan keeps the others:"
        }
        (_, false) => {
            "Plans solve the world, but none keeps all of these (fewer of them may already be too many):"
        }
    };
    let mut out = paragraph(said, 0, 0, style);
    for (i, part) in conflict.parts.iter().enumerate() {
        out += &paragraph(&format!("{}. {}", i + 1, part_text(problem, part, masks)), 2, 6, style);
    }
    out += &paragraph(&observer(problem), 0, 0, style);
    out += &helps(problem, &conflict.remedies, &conflict.parts, masks, style);
    if conflict.remedies.is_empty() && conflict.all_tried {
        let said = "No single change would help: not leaving out one such part, nor the observer's knowing less, nor making \
                    two more labels look alike.";
        out += &paragraph(said, 0, 0, style);
    } else if !conflict.all_tried {
        out += &paragraph("Not every single change was tried.", 0, 0, style);
    }
    out
}

pub(super) fn part_text(problem: &Problem, part: &Part, masks: &[Predicate]) -> String {
    let stipulation = &problem.observer.stipulations[part.stipulation];
    match &part.clause {
        None => scoped(stipulation),
        Some(clause) => {
            let text = formula(clause, masks);
            let whole = stipulation.formula.to_string();
            let from =
                if stipulation.name == whole { String::new() } else { format!("{}: ", stipulation.name) };
            format!("[{}] {from}{text}", when(stipulation.scope))
        }
    }
}

fn helps(
    problem: &Problem,
    remedies: &[Remedy],
    parts: &[Part],
    masks: &[Predicate],
    style: Style,
) -> String {
    if remedies.is_empty() {
        return String::new();
    }
    let mut out = heading("What would make a plan possible", style);
    for Remedy { change, worst_case } in remedies {
        let name = |label: Label| problem.alphabet.name(label);
        let change = match change {
            Change::Drop(part) => match parts.get(*part) {
                Some(dropped) => {
                    format!("leaving out {}. ({})", part + 1, part_text(problem, dropped, masks))
                }
                None => format!("leaving out {}.", part + 1),
            },
            Change::Know(knows) => format!("an observer who {}", less(knows)),
            Change::Merge(a, b) if matches!(problem.observer.filter, Filter::Graph(_)) => {
                format!("making `{}` look as `{}` does", name(*b), name(*a))
            }
            Change::Merge(a, b) => format!("making `{}` and `{}` look alike", name(*a), name(*b)),
        };
        let events = count(usize::try_from(worst_case.events).unwrap_or(usize::MAX), "event");
        let text = format!("- {change}: a plan of at most {events}, cost at most {}", worst_case.cost);
        out += &paragraph(&text, 2, 4, style);
    }
    out
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
