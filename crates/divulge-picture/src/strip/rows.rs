//! The rows of a strip: executions, each as every observer sees it.

use std::ops::Range;

use divulge::{
    explain::{Moment, Recall, replay},
    problem::{Label, LabelMap, Observer, Plan, Scope},
    setting::Setting,
    verdict::QuestionError,
};

use super::runs;
use crate::pace::Pace;

/// A stipulation that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Its name.
    pub name: String,
    /// Whether it holds at this moment, and what is seen later gives the moment away.
    pub later: bool,
}

/// One execution as one observer sees it, in steps.
pub(super) struct Row {
    /// The number of the observer.
    pub lane: usize,
    pub moments: Vec<Moment>,
    /// What is wrong at each moment.
    pub wrong: Vec<Vec<Wrong>>,
    /// Whether that includes what is given away later.
    pub whole: bool,
    pub steps: Vec<Range<usize>>,
    /// How many steps it has in common with a row above, and which that is.
    pub common: usize,
    pub above: usize,
}

impl Row {
    /// Moments on their own. What stipulations in hindsight make of them is not known.
    pub fn alone(observer: &Observer, moments: Vec<Moment>, steps: Vec<Range<usize>>) -> Self {
        let wrong = moments.iter().map(|moment| broken(observer, moment)).collect();
        Self { lane: 0, moments, wrong, whole: false, steps, common: 0, above: 0 }
    }

    /// The number of the moment that a column shows.
    pub fn moment(&self, column: usize) -> Option<usize> {
        match column.checked_sub(1) {
            None => (!self.moments.is_empty()).then_some(0),
            Some(step) => Some(self.steps.get(step)?.end).filter(|&end| end < self.moments.len()),
        }
    }

    /// Whether the observer saw nothing of the step to a column.
    pub fn is_still(&self, column: usize) -> bool {
        let unseen = |n: usize| self.moments.get(n + 1).is_some_and(|m| matches!(m.event, Some((_, None))));
        column > 0 && self.steps.get(column - 1).is_some_and(|step| step.clone().all(unseen))
    }
}

/// How an execution goes along with those before it.
struct Shape {
    steps: Vec<Range<usize>>,
    common: usize,
    above: usize,
}

fn shapes(executions: &[Vec<Label>], setting: &Setting<'_>) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for (i, execution) in executions.iter().enumerate() {
        let steps = runs::steps(execution, setting.world().graph.initial_kind());
        let same = |other: &Vec<Label>| execution.iter().zip(other).take_while(|(a, b)| a == b).count();
        let before = executions[..i].iter().map(same).enumerate().max_by_key(|&(j, n)| (n, j));
        let (above, events) = before.unwrap_or((0, 0));
        let common = steps.iter().take_while(|step| step.end <= events).count();
        let mut shape = Shape { steps, common: if i == 0 { 0 } else { common }, above };
        // What it has in common may itself be drawn further up.
        while shape.above > 0 && shapes[shape.above].common >= shape.common {
            shape.above = shapes[shape.above].above;
        }
        shapes.push(shape);
    }
    shapes
}

/// The rows of these executions: for each, one for every observer.
pub(super) fn rows(
    setting: &Setting<'_>,
    plan: &Plan,
    maps: &[&LabelMap],
    executions: &[Vec<Label>],
    pace: &Pace<'_>,
) -> Result<Vec<Row>, QuestionError> {
    let lanes: Vec<Setting<'_>> = (0..maps.len()).map(|number| setting.looking_at(number)).collect();
    let mut rows = Vec::with_capacity(executions.len() * lanes.len());
    for (execution, shape) in executions.iter().zip(shapes(executions, setting)) {
        for (lane, looking) in lanes.iter().enumerate() {
            pace.work(execution.len())?;
            let moments = replay(looking, maps[lane], Some(plan), execution)?.moments;
            let mut wrong: Vec<Vec<Wrong>> =
                moments.iter().map(|moment| broken(looking.observer(), moment)).collect();
            given_away(looking, maps[lane], execution, &mut wrong)?;
            let above = shape.above * lanes.len() + lane;
            let (steps, common) = (shape.steps.clone(), shape.common);
            rows.push(Row { lane, moments, wrong, whole: true, steps, common, above });
        }
    }
    Ok(rows)
}

/// What does not hold of a moment when that has come.
fn broken(observer: &Observer, moment: &Moment) -> Vec<Wrong> {
    let each = moment.stipulations.iter().zip(&observer.stipulations);
    let broken = each.filter(|(standing, _)| standing.is_broken(moment.terminates));
    broken.map(|(_, stipulation)| Wrong { name: stipulation.name.clone(), later: false }).collect()
}

/// Adds the moments that are given away later.
fn given_away(
    looking: &Setting<'_>,
    map: &LabelMap,
    execution: &[Label],
    wrong: &mut [Vec<Wrong>],
) -> Result<(), QuestionError> {
    let looks_back = |scope: Scope| matches!(scope, Scope::Hindsight { .. });
    let stipulations = &looking.observer().stipulations;
    if !stipulations.iter().any(|s| looks_back(s.scope)) {
        return Ok(());
    }
    let Some(tracked) = &looking.divulged()?.tracked else { return Ok(()) };
    let recall = Recall::new(tracked, map, execution, looking.monitor())?;
    let starts: Vec<usize> = recall.moments().collect();
    for given in recall.given_away(looking.stipulations(), looking.monitor())? {
        if given.since == given.moment {
            continue;
        }
        let name = &stipulations[given.stipulation].name;
        // A moment lasts until something is seen.
        let end = starts.get(given.moment + 1).copied().unwrap_or(wrong.len());
        for at in starts[given.moment]..end.min(wrong.len()) {
            wrong[at].push(Wrong { name: name.clone(), later: true });
        }
        let gave = starts[given.since];
        let known = |w: &Wrong| w.name == *name && !w.later;
        if !wrong[gave].iter().any(known) {
            wrong[gave].push(Wrong { name: name.clone(), later: false });
        }
    }
    Ok(())
}
