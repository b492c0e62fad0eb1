//! Maps that were found: one with its plan, or the frontier of all.

use divulge::{
    ask::Account,
    problem::{Label, LabelMap, Problem},
    verdict::{Classified, FoundMap, Frontier, SoFar},
};

use super::{
    choices::choices,
    layout::{Table, count, heading, paragraph},
    map::{groups, label_map},
    plan::plan,
    style::Style,
};

/// A frontier's list with more maps than this is cut short.
const ROWS: usize = 40;

/// A map and the plan with it. `given` says whether the plan was given; `account` is what there is to tell of it, where that was found out.
pub fn found_map(
    problem: &Problem,
    found: &FoundMap,
    given: bool,
    account: Option<&Account>,
    style: Style,
) -> String {
    style.good("found") + "\n\n" + &map_with_plan(problem, found, given, account, style)
}

fn map_with_plan(
    problem: &Problem,
    found: &FoundMap,
    given: bool,
    account: Option<&Account>,
    style: Style,
) -> String {
    let mut out = label_map(problem, &found.map, style);
    if !problem.observer.constraints.merge_cost.is_empty() {
        out += &format!("  what is merged costs {} in all\n", found.merge_cost);
    }
    out += match given {
        true => "\nUnder this map the given plan keeps every stipulation.\n",
        false => "\nUnder this map the following plan keeps every stipulation.\n",
    };
    out += &plan(problem, &found.plan, Some(found.worst_case), account, style);
    if !given {
        out += &choices(problem, &found.plan, found.choices, style);
    }
    out
}

/// What had been found when a limit was hit. `given` says whether the plan was given.
pub fn so_far(problem: &Problem, so_far: &SoFar, given: bool, style: Style) -> String {
    let not_proven = "unknown\n\nThe best found so far; it is *not* proven to be the best:\n\n";
    match so_far {
        SoFar::Plan(found) => {
            not_proven.to_owned() + &plan(problem, &found.plan, Some(found.worst_case), None, style)
        }
        SoFar::Map(found) => not_proven.to_owned() + &map_with_plan(problem, found, given, None, style),
        SoFar::Maps(Classified { feasible, infeasible, maps }) => {
            let undecided = maps.saturating_sub(feasible.saturating_add(*infeasible));
            let text = format!(
                "Of {maps} maps, at least {feasible} would do and at least {infeasible} would not; {undecided} are not \
                 decided yet."
            );
            "unknown\n\n".to_owned() + &paragraph(&text, 0, 0, style)
        }
    }
}

/// How many maps would do, and the extremes among them. `given` says whether the plan was given.
pub fn frontier(problem: &Problem, frontier: &Frontier, given: bool, style: Style) -> String {
    let mut out = style.good("found") + "\n\n";
    let with = match given {
        true => "with the given plan (`--any-plan` sets it aside)",
        false => "each with some plan",
    };
    let (feasible, maps) = (frontier.feasible, frontier.maps);
    let would = if feasible == 1 { "1 would do" } else { &format!("{feasible} would do") };
    let of = if maps == 1 { "Of 1 map" } else { &format!("Of {maps} maps") };
    out += &paragraph(&format!("{of}, {would}, {with}."), 0, 0, style);
    for (title, list) in [
        ("The finest: no finer map would do", &frontier.finest),
        ("The coarsest: no coarser map would do", &frontier.coarsest),
    ] {
        out += &heading(title, style);
        out += &table(problem, list, style);
    }
    out
}

fn table(problem: &Problem, list: &[FoundMap], style: Style) -> String {
    let dear = !problem.observer.constraints.merge_cost.is_empty();
    let mut titles = vec!["images", "events", "cost"];
    titles.extend(dear.then_some("merging"));
    titles.push("these look alike");
    let mut table = Table::new(&titles);
    for found in list.iter().take(ROWS) {
        let mut cells = vec![
            groups(problem, &found.map).len().to_string(),
            found.worst_case.events.to_string(),
            found.worst_case.cost.to_string(),
        ];
        cells.extend(dear.then(|| found.merge_cost.to_string()));
        cells.push(alike(problem, &found.map));
        table.row(cells);
    }
    let mut out = table.text(style);
    if let Some(more) = list.len().checked_sub(ROWS).filter(|&more| more > 0) {
        out += &format!("  … and {}; --json has them all\n", count(more, "more map"));
    }
    out
}

/// "left, right / blue, dark".
fn alike(problem: &Problem, map: &LabelMap) -> String {
    let name = |l: &Label| problem.alphabet.name(*l);
    let groups = groups(problem, map);
    let merged = groups.iter().filter(|(_, _, labels)| labels.len() > 1);
    let merged: Vec<String> =
        merged.map(|(_, _, labels)| labels.iter().map(name).collect::<Vec<_>>().join(", ")).collect();
    if merged.is_empty() { "(nothing)".to_owned() } else { merged.join(" / ") }
}
