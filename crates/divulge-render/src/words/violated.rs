//! Bad news: what is wrong, the execution that shows it, and why.

use divulge::{
    explain::{Explanation, RunMoment, RunState, RunTold},
    problem::{Kind, Knows, Label, Plan, Problem, Scope, Stipulation, Vertex},
    verdict::{Reason, Violation},
};

use super::{
    clause::broken,
    estimate::Describer,
    layout::{Table, count, paragraph},
    observer::{named, observer, scoped},
    steps::{skipped, steps},
    style::Style,
    twins::Teller,
    uneven::Apart,
};

/// A violation, explained as far as that was found out. `plan` is the plan that was checked; `None` for an audit.
pub fn violated(
    problem: &Problem,
    plan: Option<&Plan>,
    violation: &Violation,
    explanation: Option<&Explanation>,
    style: Style,
) -> String {
    // Of several observers, the one that it is about is all that matters here.
    if violation.is_observers() && !problem.others.is_empty() {
        let name = problem.called(violation.observer);
        let (problem, violation) =
            (problem.clone().about(violation.observer), Violation { observer: 0, ..violation.clone() });
        let told = violated(&problem, plan, &violation, explanation, style);
        let (first, rest) = told.split_once("\n\n").unwrap_or((&told, ""));
        return format!("{first}: {name}\n\n{rest}");
    }
    // In hindsight it may be about a moment before the last.
    let earlier = violation.moment.filter(|moment| *moment < violation.execution.len());
    let mut out = format!("{} ({})\n\n", style.bad("violated"), violation.reason.word());
    out += &paragraph(&sentence(problem, plan, violation), 0, 0, style);
    let (Some(explanation), Some(map)) = (explanation, &problem.observer.map) else {
        if !violation.execution.is_empty() {
            let events = names(problem, &violation.execution);
            out += &paragraph(&format!("The execution that shows it: {events}"), 0, 2, style);
        }
        return out;
    };
    if let Some(breach) = &explanation.breach {
        let stipulation = &problem.observer.stipulations[breach.stipulation];
        out += &paragraph(&named(stipulation), 2, 6, style);
        out += &paragraph(&broken(&breach.clause), 0, 0, style);
        out += &paragraph(&observer(problem), 0, 0, style);
    }
    if let (None, Some(stipulation)) = (&explanation.breach, stipulated(problem, violation)) {
        out += &paragraph(&scoped(stipulation), 2, 6, style);
        if let Some(uneven) = &explanation.uneven {
            let said = broken(&uneven.clause);
            let said = match (earlier, said.strip_prefix("The observer")) {
                (Some(0), Some(rest)) => format!("Of the start the observer{rest}"),
                (Some(n), Some(rest)) => {
                    format!("Of the moment after {} the observer{rest}", count(n, "event"))
                }
                _ => said,
            };
            out += &paragraph(&said, 0, 0, style);
        }
        out += &paragraph(&observer(problem), 0, 0, style);
    }
    out += "\n";
    out += &steps(problem, map, &explanation.replay, style);
    if let Some(cycle) = &violation.cycle {
        out += &paragraph(&format!("and from there round and round: {}", names(problem, cycle)), 2, 6, style);
    }
    if let Some(run) = &explanation.run {
        out += &moments(run, style);
    }
    if let (Some(moment), Some(later)) = (earlier, &violation.estimate) {
        out += &hindsight(problem, violation, moment, later, explanation, style);
    } else if let Some(uneven) = &explanation.uneven {
        out += &Apart { problem, map, violation, describer: Describer::new(problem), style }.told(uneven);
    }
    if let Some(breach) = &explanation.breach {
        let execution = &violation.execution;
        let describer = Describer::new(problem);
        out += &Teller { problem, map, execution, explanation, describer, style }.twins(breach);
    }
    out
}

/// The stipulation that a violation breaks.
fn stipulated<'p>(problem: &'p Problem, violation: &Violation) -> Option<&'p Stipulation> {
    problem.observers().nth(violation.observer)?.stipulations.get(violation.stipulation?)
}

/// A run, moment by moment: what it speaks of, and whether it can still become true.
fn moments(run: &RunTold, style: Style) -> String {
    let atoms: Vec<String> = run.atoms.iter().map(|atom| format!("{atom:#}")).collect();
    let mut table = table(run, &atoms);
    let mut key = String::new();
    if !table.heads_fit(style) {
        // Heads that are cut may look alike.
        let numbers: Vec<String> = (1..=atoms.len()).map(|n| format!("[{n}]")).collect();
        table = self::table(run, &numbers);
        let lines = numbers.iter().zip(&atoms);
        key = lines.map(|(number, atom)| paragraph(&format!("{number} {atom}"), 2, 6, style)).collect();
    }
    let failed = failed(run).map_or(String::new(), |told| paragraph(&told, 0, 2, style));
    format!("\n{}{key}{failed}", table.text(style))
}

/// The moments of a run below these heads, one for each of its atoms.
fn table(run: &RunTold, atoms: &[String]) -> Table {
    let heads: Vec<&str> =
        ["after"].into_iter().chain(atoms.iter().map(String::as_str)).chain(["so far"]).collect();
    let mut table = Table::new(&heads);
    let skipped = skipped(run.moments.len());
    for (n, RunMoment { events, holds, state, .. }) in run.moments.iter().enumerate() {
        if skipped.contains(&n) {
            continue;
        }
        let at_end = run.failed.as_ref().is_some_and(|failed| failed.at_end && failed.moment == n);
        let so_far = match state {
            RunState::Broken if at_end => "not true, and it ends here",
            RunState::Broken => "broken for good",
            RunState::Satisfied => "true, whatever follows",
            RunState::Kept => "true if it ends here",
            RunState::Owed => "not true yet",
        };
        let mut row = vec![count(*events, "event")];
        row.extend(holds.iter().map(|&holds| if holds { "yes" } else { "no" }.to_owned()));
        row.push(so_far.to_owned());
        table.row(row);
    }
    table
}

/// Which parts a run failed by, and when.
fn failed(run: &RunTold) -> Option<String> {
    let failed = run.failed.as_ref()?;
    let moment = run.moments.get(failed.moment)?;
    let truth = |&atom: &usize| {
        format!("`{:#}` is {}", run.atoms[atom], if moment.holds[atom] { "true" } else { "false" })
    };
    let parts: Vec<String> = failed.atoms.iter().map(truth).collect();
    let when = match moment.events {
        0 => "at the very start".to_owned(),
        n => format!("after {}", count(n, "event")),
    };
    (!parts.is_empty()).then(|| format!("This is where it fails: {when} {}.", parts.join(" and ")))
}

/// What the observer thought at an earlier moment, what it makes of that moment in the end, and what gave it away.
fn hindsight(
    problem: &Problem,
    violation: &Violation,
    moment: usize,
    later: &[Vertex],
    explanation: &Explanation,
    style: Style,
) -> String {
    let describer = Describer::new(problem);
    let then = explanation.replay.moments.get(moment).and_then(|m| m.estimate.as_deref());
    let mut out = String::from("\n");
    if let Some(then) = then {
        let held = describer.set(then);
        out += &paragraph(&format!("{} the observer held possible: {held}", after(moment)), 0, 2, style);
    }
    let all = violation.execution.len();
    let gave = match violation.execution.last() {
        Some(&last) => format!(" `{}` gave it away:", problem.alphabet.name(last)),
        None => String::new(),
    };
    let made = describer.set(later);
    let of = if moment == 0 {
        "the start".to_owned()
    } else {
        format!("the moment after {}", count(moment, "event"))
    };
    out += &paragraph(&format!("{}{gave} it knows that {of} was one of: {made}", after(all)), 0, 2, style);
    out
}

/// What is wrong, in a sentence.
pub fn sentence(problem: &Problem, plan: Option<&Plan>, violation: &Violation) -> String {
    let after = after(violation.execution.len());
    let event = violation.event.map_or("an event".to_owned(), |l| format!("`{}`", problem.alphabet.name(l)));
    let (at_plan, at_world) = match (violation.at, plan) {
        (Some((v, w)), Some(plan)) => {
            (format!(" (at {})", plan.name(v)), format!(" (at {})", problem.world.name(w)))
        }
        _ => (String::new(), String::new()),
    };
    match violation.reason {
        Reason::UnsafeAction => {
            format!(
                "{after} the plan{at_plan} may take the action {event}, but the world{at_world} may not have it there."
            )
        }
        Reason::UnforeseenObservation => {
            format!(
                "{after} the world{at_world} may answer {event}, but the plan{at_plan} does not foresee that."
            )
        }
        Reason::TerminatesOffGoal => {
            format!("{after} the plan{at_plan} may terminate although the world{at_world} is not at a goal.")
        }
        // Anything that the one may do, the other is asked for first: so it is the one whose turn it is that is at a loss.
        Reason::Stuck => match violation.at.map(|(_, w)| problem.world.graph.kind(w)) {
            Some(Kind::Action) => {
                format!(
                    "{after} the plan{at_plan} may have no action to go on with, and it has not terminated."
                )
            }
            _ => format!(
                "{after} the world{at_world} may stay silent, and the plan{at_plan}, which waits, has not terminated."
            ),
        },
        Reason::Unbounded => {
            "The plan may go on for ever: some events lead back to where they started.".to_owned()
        }
        Reason::OutsideDivulged => outside(problem, violation),
        Reason::Stipulation => {
            let stipulation = stipulated(problem, violation);
            let own = stipulation.filter(|s| s.name != s.formula.to_string());
            let name = own.map_or(String::new(), |s| format!(" `{}`", s.name));
            match stipulation.map(|s| s.scope) {
                Some(Scope::End) => {
                    format!("{after}, where the plan terminates, the stipulation{name} does not hold.")
                }
                Some(Scope::Run) => format!("{after} the stipulation{name} on the run is broken."),
                Some(Scope::Hindsight { .. })
                    if violation.moment.is_some_and(|m| m < violation.execution.len()) =>
                {
                    format!("{after} the stipulation{name} does not hold any longer of an earlier moment.")
                }
                _ => format!("{after} the stipulation{name} does not hold."),
            }
        }
    }
}

fn after(events: usize) -> String {
    match events {
        0 => "At the very start".to_owned(),
        n => format!("After {}", count(n, "event")),
    }
}

fn outside(problem: &Problem, violation: &Violation) -> String {
    let knows = problem.observers().nth(violation.observer).map(|observer| &observer.knows);
    let what = match knows.unwrap_or(&problem.observer.knows) {
        Knows::GoalDirected => "no plan that pursues the goal",
        Knows::Plans(_) => "none of the plans that the observer knows of",
        _ => "nothing that the observer expects",
    };
    match violation.execution.split_last() {
        None => format!("The plan does something at all, but {what} does: there is no such plan."),
        Some((&last, before)) => {
            let last = problem.alphabet.name(last);
            format!("{} `{last}` may come, but {what} does that.", after(before.len()))
        }
    }
}

fn names(problem: &Problem, labels: &[Label]) -> String {
    let names: Vec<&str> = labels.iter().map(|&l| problem.alphabet.name(l)).collect();
    names.join(", ")
}
