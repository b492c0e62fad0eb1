//! What was found is checked before it is given, by code that had no part in finding it.

use super::Checked;
use crate::{
    check::check_worst_case,
    explain::{Moment, Replay, Replays, replay},
    limit::{Milestone, Tally, threads, together},
    problem::{Label, Names, PGraphBuilder, Plan, Vertex},
    sets::BitSet,
    setting::Setting,
    verdict::{Disagreement, FoundMap, QuestionError},
};

/// So many nodes are always explored to check something.
const LEAST: u64 = 100_000;

/// So many vertices looked at are worth a thread.
const MUCH: usize = 1 << 16;

/// How many executions a sample has.
const EXECUTIONS: u64 = 16;

/// Checks what was found in a setting by exploring `explored` nodes: all executions or, where that takes more work than the search did,
/// some of them, replayed.
///
/// # Errors
/// If it does not hold, which is a mistake of this library, or if the monitor stops the check.
pub(super) fn verify(
    setting: &Setting<'_>,
    found: &FoundMap,
    explored: u64,
) -> Result<Checked, QuestionError> {
    setting.monitor().reached(Milestone::Checking);
    let tally = Tally::at_most(setting.monitor(), explored.max(LEAST));
    let limited = setting.under(&tally);
    let checking = limited.with_plan(&found.plan)?;
    match check_worst_case(&checking, &found.map) {
        Ok((None, worst)) => {
            if worst != Some(found.worst_case) {
                let what = format!("the plan's worst case is {worst:?}, not {:?}", found.worst_case);
                return Err(disagree(found, what, Vec::new()));
            }
            Ok(Checked::All)
        }
        Ok((Some(violation), _)) => {
            let what = format!("the plan that was found is violated: {}", violation.reason.word());
            Err(disagree(found, what, violation.execution))
        }
        Err(QuestionError::Limit(limit)) => {
            // The limit may be that of the effort, or a real one, which is hit again.
            setting.monitor().poll(&tally.sum())?;
            match limit {
                crate::limit::Limit::Time => sample(setting, found),
                limit => Err(limit.into()),
            }
        }
        Err(other) => Err(disagree(found, other.to_string(), Vec::new())),
    }
}

/// Checks a plan that goes on after some events: executions of it are replayed after these, all of them if they are few.
///
/// # Errors
/// As [`verify`].
pub(super) fn verify_after(
    setting: &Setting<'_>,
    found: &FoundMap,
    after: &[Label],
) -> Result<Checked, QuestionError> {
    setting.monitor().reached(Milestone::Checking);
    let whole = continued(setting, &found.plan, after);
    let all = executions(&found.plan, EXECUTIONS as usize * 4);
    let checked = if all.is_some() { Checked::All } else { Checked::Sample };
    let mut dice = Dice(1);
    let some = (0..EXECUTIONS).map(|_| some_execution_of(&found.plan, &mut dice));
    let maps = setting.maps(&found.map)?;
    for execution in all.unwrap_or_else(|| some.collect()) {
        let execution = [after, &execution].concat();
        for (number, map) in maps.iter().enumerate() {
            let replayed = replay(&setting.looking_at(number), map, Some(&whole), &execution)?;
            let last = replayed.last();
            let broken = |moment: &Moment| moment.stipulations.iter().any(|s| s.is_broken(moment.terminates));
            let off_goal = last.world.iter().any(|&w| !setting.world().is_goal(w));
            // What happens in the plan but not in the world is no execution.
            if last.world.is_empty() {
                continue;
            }
            let what = if replayed.moments[after.len()..].iter().any(broken) {
                "a stipulation is broken"
            } else if !replayed.admitted {
                "the divulged plan does not admit an execution"
            } else if off_goal || !last.terminates {
                "an execution does not end at the goal"
            } else {
                continue;
            };
            return Err(disagree(found, what.to_owned(), execution));
        }
    }
    Ok(checked)
}

/// A plan after a straight line of events.
fn continued(setting: &Setting<'_>, plan: &Plan, after: &[Label]) -> Plan {
    let mut builder = PGraphBuilder::new();
    let mut names = Names::new();
    let alphabet = &setting.problem().alphabet;
    after.iter().for_each(|&label| _ = builder.vertex(alphabet.kind(label)));
    plan.graph.vertices().for_each(|v| _ = builder.vertex(plan.graph.kind(v)));
    let place = |v: Vertex| Vertex(v.0 + after.len() as u32);
    for (number, &label) in (0..).zip(after) {
        builder.arc(Vertex(number), label, Vertex(number + 1));
    }
    builder.initial(Vertex(0));
    plan.graph.all_arcs().for_each(|(v, arc)| builder.arc(place(v), arc.label, place(arc.to)));
    let graph = builder.build().expect("events alternate, and the plan goes on after them");
    graph.vertices().for_each(|v| _ = names.intern(&v.0.to_string()));
    let terminal =
        BitSet::from_fn(graph.len(), |v| v >= after.len() && plan.terminal.contains(v - after.len()));
    Plan { graph, names, terminal }
}

/// The executions of a plan that was found, if there are no more than so many.
fn executions(plan: &Plan, most: usize) -> Option<Vec<Vec<Label>>> {
    let mut all = Vec::new();
    let mut todo = vec![(plan.graph.initial()[0], Vec::new())];
    while let Some((v, execution)) = todo.pop() {
        if plan.is_terminal(v) {
            all.push(execution);
        } else {
            todo.extend(
                plan.graph.arcs(v).iter().map(|arc| (arc.to, [&execution[..], &[arc.label]].concat())),
            );
        }
        if all.len() + todo.len() > most {
            return None;
        }
    }
    Some(all)
}

fn some_execution_of(plan: &Plan, dice: &mut Dice) -> Vec<Label> {
    let (mut at, mut execution) = (plan.graph.initial()[0], Vec::new());
    while !plan.is_terminal(at) && !plan.graph.arcs(at).is_empty() {
        let arc = dice.one_of(plan.graph.arcs(at));
        execution.push(arc.label);
        at = arc.to;
    }
    execution
}

fn disagree(found: &FoundMap, what: String, execution: Vec<Label>) -> QuestionError {
    let (plan, map) = (found.plan.clone(), found.map.clone());
    QuestionError::Internal(Box::new(Disagreement { what, plan, map, execution }))
}

/// Replays some executions, by several threads if that takes long.
fn sample(setting: &Setting<'_>, found: &FoundMap) -> Result<Checked, QuestionError> {
    let setting = setting.with_plan(&found.plan)?;
    let mut dice = Dice(1);
    let some = |_| some_execution(&setting, &found.plan, found.worst_case.events, &mut dice);
    let executions: Vec<Vec<Label>> = (0..EXECUTIONS).map(some).collect();
    // About how many vertices are looked at.
    let events: usize = executions.iter().map(|execution| execution.len() + 1).sum();
    let work = events.saturating_mul(setting.world().graph.initial().len());
    let parts = threads(setting.limits().0, work, MUCH).min(executions.len());
    let share = |i: usize| &executions[executions.len() * i / parts..executions.len() * (i + 1) / parts];
    let mut parts: Vec<_> = (0..parts).map(|i| (setting.looking_at(setting.focus()), share(i))).collect();
    together(&mut parts, |(setting, executions)| replayed(setting, found, executions))?;
    Ok(Checked::Sample)
}

/// Replays executions before every observer.
fn replayed(setting: &Setting<'_>, found: &FoundMap, executions: &[Vec<Label>]) -> Result<(), QuestionError> {
    let maps = setting.maps(&found.map)?;
    let settings: Vec<Setting<'_>> = (0..maps.len()).map(|number| setting.looking_at(number)).collect();
    let each = settings.iter().zip(maps).map(|(setting, map)| Replays::new(setting, map, Some(&found.plan)));
    let mut observers: Vec<Replays<'_, '_>> = each.collect::<Result<_, _>>()?;
    for execution in executions {
        for (replays, setting) in observers.iter_mut().zip(&settings) {
            if let Some(what) = wrong(setting, &replays.replay(execution)?) {
                return Err(disagree(found, what.to_owned(), execution.clone()));
            }
        }
    }
    Ok(())
}

/// A joint execution of plan and world; it stops where the plan terminates, where nothing can follow, or when it is longer than it may be.
fn some_execution(setting: &Setting<'_>, plan: &Plan, most: u64, dice: &mut Dice) -> Vec<Label> {
    let world = &setting.world().graph;
    let mut at = (dice.one_of(plan.graph.initial()), dice.one_of(world.initial()));
    let mut execution = Vec::new();
    while !plan.is_terminal(at.0) && execution.len() as u64 <= most {
        let labels: Vec<Label> = plan.graph.labels(at.0).filter(|&l| world.bears(at.1, l)).collect();
        if labels.is_empty() {
            break;
        }
        let label = dice.one_of(&labels);
        let mut follow = |graph: &crate::problem::PGraph, v: Vertex| dice.one_of(graph.step(v, label)).to;
        at = (follow(&plan.graph, at.0), follow(world, at.1));
        execution.push(label);
    }
    execution
}

/// What is wrong with an execution that was replayed, if anything.
fn wrong(setting: &Setting<'_>, replayed: &Replay) -> Option<&'static str> {
    let last = replayed.last();
    let broken = |moment: &Moment| moment.stipulations.iter().any(|s| s.is_broken(moment.terminates));
    if !replayed.admitted {
        Some("the divulged plan does not admit an execution")
    } else if replayed.moments.iter().any(broken) {
        Some("a stipulation is broken")
    } else if !last.terminates {
        Some("an execution does not end where the plan terminates")
    } else if !last.world.iter().any(|&w| setting.world().is_goal(w)) {
        Some("the plan terminates off the goal")
    } else {
        None
    }
}

/// Numbers without much order, always the same.
struct Dice(u64);

impl Dice {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        all[(self.0 >> 33) as usize % all.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        limit::Unlimited,
        problem::{Alphabet, Builder, Knows, LabelMap, Observer, Problem, Scope, Stipulation},
        verdict::{Choices, WorstCase},
    };

    /// A world where going left is a secret, and two plans.
    fn corridor() -> (Problem, [Plan; 2]) {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u"]).observations(["left", "right"]).initial("u").mark("left").mark("right");
        b.edge("u", ["l"], "left").edge("u", ["r"], "right");
        let world = b.world().unwrap();
        let plans = ["l", "r"].map(|action| {
            let mut b = Builder::new(&mut alphabet);
            b.actions(["p"]).observations(["q"]).initial("p").mark("q").edge("p", [action], "q");
            b.plan().unwrap()
        });
        let secret = Stipulation::new("secret", Scope::Always, "!knows(is(left))").unwrap();
        let map = Some(LabelMap::identity(&alphabet));
        let observer = Observer { map, stipulations: vec![secret], ..Observer::new(Knows::World) };
        (Problem::new(alphabet, world, observer), plans)
    }

    #[test]
    fn what_does_not_hold_is_never_an_answer() {
        let (problem, [left, right]) = corridor();
        let setting = Setting::pose(&problem, None, &Unlimited).unwrap();
        let found = |plan: &Plan, events| FoundMap {
            map: problem.observer.map.clone().unwrap(),
            plan: plan.clone(),
            worst_case: WorstCase { events, cost: 1 },
            choices: Choices::Needed,
            merge_cost: 0,
        };
        assert_eq!(verify(&setting, &found(&right, 1), 0), Ok(Checked::All));
        assert!(matches!(verify(&setting, &found(&left, 1), 0), Err(QuestionError::Internal(_))));
        assert!(matches!(verify(&setting, &found(&right, 2), 0), Err(QuestionError::Internal(_))));
        assert_eq!(sample(&setting, &found(&right, 1)), Ok(Checked::Sample));
        assert!(matches!(sample(&setting, &found(&left, 1)), Err(QuestionError::Internal(_))));
    }
}
