//! Why there is no map.

use divulge::{
    problem::{Label, Problem},
    verdict::{Demand, MapConflict, NoMap, Violation},
};

use super::{
    layout::paragraph,
    no_plan::{part_text, those, unsolvable, way},
    observer::observer,
    style::Style,
    violated::sentence,
};

/// That there is no map, where there was no time to find out why.
pub const NO_MAP: &str = "none\n\nNo map has a plan that keeps every stipulation.\n";

/// Why no map was found for `problem`. `given` says whether the plan was given.
pub fn no_map(problem: &Problem, reason: &NoMap, given: bool, style: Style) -> String {
    let mut out = style.bad("none") + "\n\n";
    out += &match reason {
        NoMap::Unsolvable(stuck) => unsolvable(problem, stuck, style),
        NoMap::PlanFails(violation) => fails(problem, violation, style),
        NoMap::NotAdmitted => {
            let said =
                "Whatever the map, the observer expects something that no plan that solves the world does.";
            paragraph(&format!("{said} {}", observer(problem)), 0, 0, style)
        }
        NoMap::Conflict(conflict) => self::conflict(problem, conflict, given, style),
    };
    out
}

fn fails(problem: &Problem, violation: &Violation, style: Style) -> String {
    let reason = violation.reason.word();
    let mut out =
        paragraph(&format!("Whatever the map, the plan does not solve the world ({reason})."), 0, 0, style);
    out += &paragraph(&sentence(problem, problem.plan.as_ref(), violation), 0, 0, style);
    if !violation.execution.is_empty() {
        out += &paragraph(&format!("That is after {}", way(problem, &violation.execution)), 2, 6, style);
    }
    out
}

fn conflict(problem: &Problem, conflict: &MapConflict, given: bool, style: Style) -> String {
    let mut items: Vec<String> = conflict.parts.iter().map(|part| part_text(problem, part)).collect();
    items.extend(conflict.demands.iter().map(|demand| self::demand(problem, demand)));
    let with = if given { "with the given plan" } else { "with any plan" };
    let said = match (items.len(), conflict.minimal) {
        (1, _) => format!("No map, {with}, satisfies this:"),
        (_, true) => format!(
            "No map, {with}, satisfies all of these; leave out any one of them, and some map satisfies the rest:"
        ),
        (_, false) => {
            format!("No map, {with}, satisfies all of these (fewer of them may already be too many):")
        }
    };
    let mut out = paragraph(&said, 0, 0, style);
    for (i, item) in items.iter().enumerate() {
        out += &paragraph(&format!("{}. {item}", i + 1), 2, 6, style);
    }
    out + &those(problem, &conflict.parts, style)
}

fn demand(problem: &Problem, demand: &Demand) -> String {
    let name = |l: &Label| problem.alphabet.name(*l);
    match demand {
        Demand::Merge(a, b) => format!("[map] `{}` and `{}` look alike", name(a), name(b)),
        Demand::Separate(a, b) => format!("[map] `{}` and `{}` look different", name(a), name(b)),
        Demand::Fixed(l, image) => format!("[map] `{}` looks like `{image}`", name(l)),
        Demand::MaxImages(1) => "[map] there is at most 1 image".to_owned(),
        Demand::MaxImages(n) => format!("[map] there are at most {n} images"),
        Demand::MinImages(1) => "[map] there is at least 1 image".to_owned(),
        Demand::MinImages(n) => format!("[map] there are at least {n} images"),
    }
}
