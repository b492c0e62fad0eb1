//! The rows of a strip: executions, each as every observer sees it.

use std::ops::Range;

use divulge::{
    explain::{Moment, Recall, replay},
    problem::{Label, LabelMap, Observer, Plan, Scope},
    setting::Setting,
    verdict::QuestionError,
};

use super::{Mark, runs};
use crate::pace::Pace;

/// What is wrong at a moment: a stipulation that is not kept, or that the robot did something else than it should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The name of the stipulation, or what the robot did.
    pub name: String,
    pub how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The stipulation does not hold at this moment.
    Here,
    /// It did not hold between the events that lead here.
    Before,
    /// It holds at this moment, and what is seen later gives the moment away.
    Later,
    /// What led here is not what it should have been.
    Deviates,
}

impl Wrong {
    fn here(name: &str) -> Self {
        Self { name: name.to_owned(), how: How::Here }
    }

    /// As it stands on a card.
    pub fn words(&self) -> String {
        match self.how {
            How::Here | How::Deviates => self.name.clone(),
            How::Before => format!("before: {}", self.name),
            How::Later => format!("later: {}", self.name),
        }
    }
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
        let mut wrong: Vec<Vec<Wrong>> = moments.iter().map(|moment| broken(observer, moment)).collect();
        carry(&mut wrong, &steps);
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

/// The rows of these executions: for each, one for every observer. `marks` tell of more that is wrong than executions themselves do.
pub(super) fn rows(
    setting: &Setting<'_>,
    plan: &Plan,
    maps: &[&LabelMap],
    executions: &[Vec<Label>],
    marks: &[Mark],
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
            for Mark { after, words, stipulation } in marks {
                let how = if *stipulation { How::Here } else { How::Deviates };
                let marked = Wrong { name: words.clone(), how };
                if let Some(there) = wrong.get_mut(*after).filter(|there| !there.contains(&marked)) {
                    there.push(marked);
                }
            }
            carry(&mut wrong, &shape.steps);
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
    broken.map(|(_, stipulation)| Wrong::here(&stipulation.name)).collect()
}

/// A column shows the last moment of its step; what was wrong on the way there is told there too.
fn carry(wrong: &mut [Vec<Wrong>], steps: &[Range<usize>]) {
    let moments = wrong.len();
    for step in steps.iter().filter(|step| step.end < moments) {
        for before in step.start + 1..step.end {
            for Wrong { name, how } in wrong[before].clone() {
                let how = if how == How::Here { How::Before } else { how };
                let told = |known: &Wrong| known.name == name && (known.how == how || known.how == How::Here);
                if !wrong[step.end].iter().any(told) {
                    wrong[step.end].push(Wrong { name, how });
                }
            }
        }
    }
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
        let lasts = |moment: usize| starts[moment]..starts.get(moment + 1).copied().unwrap_or(usize::MAX);
        let (given, gave) = (lasts(given.moment), lasts(given.since));
        for (at, wrong) in wrong.iter_mut().enumerate() {
            if given.contains(&at) {
                wrong.push(Wrong { name: name.clone(), how: How::Later });
            }
            if gave.contains(&at) && !wrong.contains(&Wrong::here(name)) {
                wrong.push(Wrong::here(name));
            }
        }
    }
    Ok(())
}
