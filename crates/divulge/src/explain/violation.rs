//! Why a violation is one: the execution step by step, the clause that broke, and twin runs.

use crate::{
    explain::{
        replay::{Expected, Memory, Replay, Standing, replay, satisfying},
        run::RunTold,
        twin::{LookAlikes, RuledOut, Twin, same_memory},
        uneven::{Uneven, later, uneven},
    },
    formula::{PlainClause, Predicate},
    graph::follow,
    limit::Limit,
    problem::{Label, LabelMap, PGraph, Plan, Vertex},
    setting::Setting,
    verdict::{QuestionError, Violation},
};

/// What the observer should hold possible and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// What the observer has ruled out.
    pub predicate: Predicate,
    /// The number of events after which it was last possible; `None` if it never was.
    pub last_possible: Option<usize>,
    /// Which events ruled out the runs that would make it so now; none if no run of that many events does.
    pub ruled_out: Vec<RuledOut>,
}

/// What the observer should be able to rule out and cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// What the observer still holds possible.
    pub predicate: Predicate,
    /// A run that makes it so and that the observer takes for the execution.
    pub twin: Twin,
    /// Whether the run's events are the execution's own: then the robot cannot tell either.
    pub itself: bool,
    /// Whether the run looks exactly like the execution. If not, the observer's filter has forgotten the difference.
    pub same_image: bool,
}

/// A broken stipulation, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The number of the stipulation.
    pub stipulation: usize,
    /// A clause that it implies and that is false of the last estimate.
    pub clause: PlainClause,
    /// Its positive literals: what the observer has ruled out.
    pub missed: Vec<Missed>,
    /// Its negative literals: what the observer cannot rule out.
    pub met: Vec<Met>,
}

/// A violation with all that is needed to follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The violation's execution, step by step.
    pub replay: Replay,
    /// The stipulation that broke, if that is what is wrong and it can be told by runs that look alike.
    pub breach: Option<Breach>,
    /// The stipulation that broke, if that is what is wrong and runs that look alike may have different numbers of events.
    pub uneven: Option<Uneven>,
    /// The stipulation that broke, if it is about the moments of a run.
    pub run: Option<RunTold>,
}

/// Explains a violation. `plan` is the plan that was checked; `None` for an audit.
///
/// # Errors
/// As [`replay`].
pub fn explain(
    setting: &Setting<'_>,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: &Violation,
) -> Result<Explanation, QuestionError> {
    let replay = replay(setting, map, plan, &violation.execution)?;
    let run = violation.stipulation.and_then(|i| RunTold::of(setting, i, &replay));
    let standing = violation.stipulation.and_then(|i| Some((i, replay.last().stipulations.get(i)?)));
    // Runs that look alike have equally many events only if every event is seen.
    if map.hides() || setting.world().past.is_some() || violation.moment.is_some() {
        let uneven = match (violation.moment.zip(violation.stipulation), standing) {
            (Some((moment, i)), _) if moment < violation.execution.len() => {
                later(setting, map, &violation.execution, (i, moment))?
            }
            (_, Some((i, Standing::Broken(clause)))) => {
                Some(uneven(setting, map, &replay, &violation.execution, (i, clause))?)
            }
            _ => None,
        };
        return Ok(Explanation { replay, breach: None, uneven, run });
    }
    let breach = match standing {
        Some((i, Standing::Broken(clause))) => {
            let told = Told { setting, map, replay: &replay, execution: &violation.execution };
            Some(told.breach(i, clause)?)
        }
        _ => None,
    };
    Ok(Explanation { replay, breach, uneven: None, run })
}

struct Told<'a, 'p> {
    setting: &'a Setting<'p>,
    map: &'a LabelMap,
    replay: &'a Replay,
    execution: &'a [Label],
}

impl Told<'_, '_> {
    fn breach(&self, stipulation: usize, clause: &PlainClause) -> Result<Breach, QuestionError> {
        let expected = Expected::new(self.setting)?;
        let memory = Memory::new(self.setting, self.map, &expected)?;
        let alike = LookAlikes::new(&expected, self.map, self.execution, self.setting.monitor())?;
        let mut missed = Vec::new();
        for predicate in &clause.positive {
            missed.push(self.missed(predicate, &alike)?);
        }
        let met = clause.negative.iter().filter_map(|p| self.met(p, &alike, &memory)).collect();
        Ok(Breach { stipulation, clause: clause.clone(), missed, met })
    }

    fn missed(&self, predicate: &Predicate, alike: &LookAlikes<'_>) -> Result<Missed, Limit> {
        let mask = satisfying(self.setting.world(), predicate);
        let last_possible = self.replay.last_possible(&mask);
        Ok(Missed { last_possible, ruled_out: alike.ruled_out(&mask)?, predicate: predicate.clone() })
    }

    fn met(&self, predicate: &Predicate, alike: &LookAlikes<'_>, memory: &Memory<'_>) -> Option<Met> {
        let mask = satisfying(self.setting.world(), predicate);
        let here = &self.replay.last().world;
        let own = here.iter().find(|w| mask.contains(w.index()) && self.replay.admitted);
        let graph = &self.setting.world().graph;
        let twin = match (own, memory) {
            (Some(&end), _) => path(graph, self.execution, end),
            (None, Memory::Recall) => alike.ending_in(&mask),
            (None, Memory::Filter(filter)) => {
                alike.ending_in(&mask).or_else(|| same_memory(filter, self.execution, &mask))
            }
        }?;
        let look = |run: &[Label]| run.iter().map(|&l| self.map.image(l)).collect::<Vec<_>>();
        let same_image = look(&twin.execution) == look(self.execution);
        let predicate = predicate.clone();
        Some(Met { predicate, itself: twin.execution == self.execution, same_image, twin })
    }
}

/// The execution as a run that ends at `end`, which it reaches.
fn path(world: &PGraph, execution: &[Label], end: Vertex) -> Option<Twin> {
    let mut layers = vec![world.initial().to_vec()];
    for &label in execution {
        layers.push(follow(world, &layers[layers.len() - 1], label));
    }
    let mut path = vec![end];
    for (layer, &label) in layers.iter().zip(execution).rev() {
        let to = path[path.len() - 1];
        let from = layer.iter().find(|&&v| world.step(v, label).iter().any(|arc| arc.to == to))?;
        path.push(*from);
    }
    path.reverse();
    Some(Twin { execution: execution.to_vec(), path })
}
