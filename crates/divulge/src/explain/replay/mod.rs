//! One execution followed step by step: what the robot knows, what the observer sees and believes, and what holds.
//!
//! *Background.* A witness is worth most when something that knows nothing of the search can repeat it. The replayer works
//! straight from the definitions, on plain sets of vertices: it has its own divulged plan, its own filters and its own
//! reading of formulas.
//!
//! *Practical.* [`replay`] gives one [`Moment`] for each prefix of the execution. [`confirms`](super::confirms) uses it to
//! check a violation, and [`explain`](super::explain) to explain one.

mod divulged;
mod memory;
mod truth;

pub(crate) use divulged::{Expected, Pair};
pub(crate) use memory::{Filtered, Memory};
pub(crate) use truth::satisfying;

use std::collections::BTreeSet;

use crate::{
    formula::{Courses, PlainClause, RunStanding},
    graph::follow,
    limit::{Limit, Monitor, Progress},
    problem::{Image, Label, LabelMap, Plan, Scope, Vertex},
    sets::BitSet,
    setting::Setting,
    verdict::QuestionError,
};

/// What is said to be done while an explanation is found.
pub(crate) const EXPLAINING: Progress = Progress {
    doing: "explaining",
    explored: 0,
    stored: 0,
    arcs: 0,
    members: 0,
    maps: 0,
    learnt: 0,
    again: false,
};

/// How many steps are made between two looks at the monitor.
pub(crate) const POLL: usize = 1024;

/// How a stipulation stands at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is asked for at the end alone, and the plan does not terminate here.
    NotAsked,
    /// It holds.
    Holds,
    /// It does not: a clause that it implies and that is false of the estimate.
    Broken(PlainClause),
    /// It is about the moments of a run, which stands like this so far.
    Run(RunStanding),
}

impl Standing {
    /// Whether it is broken; what is asked for at the end counts if the plan terminates here.
    pub fn is_broken(&self, terminates: bool) -> bool {
        match self {
            Standing::NotAsked | Standing::Holds => false,
            Standing::Broken(_) => true,
            Standing::Run(run) => !run.can_be_mended || (terminates && !run.may_end),
        }
    }
}

/// How things are after some of the events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The last event and what the observer saw of it, if it was seen; nothing at the start.
    pub event: Option<(Label, Option<Image>)>,
    /// The world vertices that this execution reaches, which is what the robot knows; none if the world does not have it.
    pub world: Vec<Vertex>,
    /// The plan vertices that it reaches, the plan stopping where it terminates; none if the plan does not have it.
    pub plan: Vec<Vertex>,
    /// Whether the plan may have terminated here.
    pub terminates: bool,
    /// The observer's estimate; `None` if the divulged plan and the world do not admit an execution that looks like this.
    pub estimate: Option<Vec<Vertex>>,
    /// Each stipulation in the order of the problem; empty where there is no estimate.
    pub stipulations: Vec<Standing>,
}

/// An execution, moment by moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// One moment before the first event, and one after each.
    pub moments: Vec<Moment>,
    /// Whether the divulged plan and the world admit the execution itself.
    pub admitted: bool,
}

impl Replay {
    /// The moment after all events.
    pub fn last(&self) -> &Moment {
        self.moments.last().expect("there is a moment before the first event")
    }

    /// The number of events after which one of these vertices was last thought possible; `None` if none ever was.
    pub(crate) fn last_possible(&self, of: &BitSet) -> Option<usize> {
        let possible = |moment: &Moment| moment.estimate.iter().flatten().any(|v| of.contains(v.index()));
        self.moments.iter().rposition(possible)
    }
}

/// Follows `execution` through the world, the plan and the observer's eyes.
///
/// Without `plan`, whatever the world allows is followed, and a stipulation of scope `end` is never asked for; an observer
/// who knows the plan knows the setting's. The execution may be any: what does not admit it reaches no vertex.
///
/// # Errors
/// As [`check`](crate::check::check); a filter is looked at only as far as expected executions lead it.
pub fn replay(
    setting: &Setting<'_>,
    map: &LabelMap,
    plan: Option<&Plan>,
    execution: &[Label],
) -> Result<Replay, QuestionError> {
    let world = setting.world();
    if plan.is_some_and(|plan| plan.graph.initial_kind() != world.graph.initial_kind()) {
        return Err(QuestionError::OtherKind("the plan"));
    }
    let expected = Expected::new(setting)?;
    let memory = Memory::new(setting, map, &expected)?;
    let estimates = estimates(&expected, &memory, map, execution, setting.monitor())?;
    let effective = plan.map(Plan::effective);
    let mut moments = Vec::with_capacity(execution.len() + 1);
    let mut at_world = world.graph.initial().to_vec();
    let mut at_plan = effective.as_ref().map(|graph| graph.initial().to_vec()).unwrap_or_default();
    let (mut courses, mut course) = (Courses::new(setting.stipulations()), None);
    for (n, estimate) in estimates.into_iter().enumerate() {
        let event = n.checked_sub(1).map(|before| execution[before]);
        if let Some(label) = event {
            at_world = follow(&world.graph, &at_world, label);
            at_plan = effective.as_ref().map(|graph| follow(graph, &at_plan, label)).unwrap_or_default();
        }
        let terminates = plan.is_some_and(|plan| at_plan.iter().any(|&v| plan.is_terminal(v)));
        // An unseen event makes no moment.
        if event.is_none_or(|label| map.image(label).is_some()) {
            let signature =
                estimate.iter().map(|e| setting.stipulations().signature_of(e.iter().copied())).next();
            course = signature.map(|signature| match course {
                None => courses.begin(setting.stipulations(), &signature),
                Some(course) => courses.after(setting.stipulations(), course, &signature),
            });
        }
        let standings = match (&estimate, course) {
            (Some(estimate), Some(course)) => {
                let run = |number| courses.standing(number, course);
                standings(setting, estimate, terminates, run)
            }
            _ => Vec::new(),
        };
        moments.push(Moment {
            event: event.map(|label| (label, map.image(label))),
            world: at_world.clone(),
            plan: at_plan.clone(),
            terminates,
            estimate,
            stipulations: standings,
        });
    }
    Ok(Replay { moments, admitted: admits(&expected, execution) })
}

fn standings(
    setting: &Setting<'_>,
    estimate: &[Vertex],
    ends: bool,
    run: impl Fn(usize) -> Option<RunStanding>,
) -> Vec<Standing> {
    let compiled = setting.stipulations();
    let each = setting.observer().stipulations.iter().zip(compiled.all());
    each.enumerate()
        .map(|(number, (stipulation, compiled_one))| {
            if let Some(run) = run(number) {
                Standing::Run(run)
            } else if stipulation.scope == Scope::End && !ends {
                Standing::NotAsked
            } else if truth::holds(setting.world(), &stipulation.formula, estimate) {
                Standing::Holds
            } else {
                let signature = compiled.signature_of(estimate.iter().copied());
                let clause = compiled_one.broken_clause(&signature).unwrap_or_default();
                Standing::Broken(compiled.plain(&clause))
            }
        })
        .collect()
}

/// The estimate before the first event and after each; `None` from where no expected execution looks like that.
fn estimates(
    expected: &Expected<'_>,
    memory: &Memory<'_>,
    map: &LabelMap,
    execution: &[Label],
    monitor: &dyn Monitor,
) -> Result<Vec<Option<Vec<Vertex>>>, Limit> {
    let mut belief = expected.start();
    stay(expected, map, &mut belief);
    let mut state = Some(0);
    let mut all = Vec::with_capacity(execution.len() + 1);
    for next in execution.iter().map(Some).chain([None]) {
        monitor.poll(&EXPLAINING)?;
        all.push(match (memory, state) {
            _ if belief.is_empty() => None,
            (Memory::Recall, _) => Some(worlds(&belief)),
            (Memory::Filter(filter), Some(state)) => Some(filter.estimate(state)),
            (Memory::Filter(_), None) => None,
        });
        let Some(&label) = next else { break };
        if let Some(image) = map.image(label) {
            belief = look_alike(expected, map, &belief, image);
        }
        if let Memory::Filter(filter) = memory {
            state = state.and_then(|state| filter.follow(state, label));
        }
    }
    Ok(all)
}

/// The pairs that one more event with this image leads to, ascending.
fn look_alike(expected: &Expected<'_>, map: &LabelMap, belief: &[Pair], image: Image) -> Vec<Pair> {
    let looks = |label: Label| map.image(label) == Some(image);
    let mut next: Vec<Pair> = Vec::new();
    // Taken one by one from the outside, they would take three times as long.
    belief.iter().for_each(|&pair| expected.next_of(pair, looks).for_each(|(_, to)| next.push(to)));
    next.sort_unstable();
    next.dedup();
    stay(expected, map, &mut next);
    next
}

/// Adds what unseen events lead to.
fn stay(expected: &Expected<'_>, map: &LabelMap, belief: &mut Vec<Pair>) {
    if !map.hides() {
        return;
    }
    let mut known: BTreeSet<Pair> = belief.iter().copied().collect();
    while let Some(pair) = belief.pop() {
        let unseen = expected.next_of(pair, |label| map.image(label).is_none());
        belief.extend(unseen.map(|(_, to)| to).filter(|&to| known.insert(to)));
    }
    belief.extend(known);
}

/// The projection of a belief to world vertices.
fn worlds(belief: &[Pair]) -> Vec<Vertex> {
    let mut all: Vec<Vertex> = belief.iter().map(|pair| pair.0).collect();
    all.dedup();
    all
}

fn admits(expected: &Expected<'_>, execution: &[Label]) -> bool {
    let mut pairs = expected.start();
    for &event in execution {
        pairs = pairs
            .iter()
            .flat_map(|&pair| expected.next_of(pair, |label| label == event).map(|(_, to)| to))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
    }
    !pairs.is_empty()
}
