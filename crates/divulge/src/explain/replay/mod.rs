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
use memory::StateNumber;
pub(crate) use memory::{Filtered, Memory};
pub(crate) use truth::satisfying;

use std::collections::BTreeSet;

use crate::{
    formula::{Course, Courses, PlainClause, RunStanding},
    graph::follow,
    limit::{Limit, Progress},
    problem::{Image, Kind, Label, LabelMap, PGraph, Plan, Scope, Vertex},
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
    Replays::new(setting, map, plan)?.replay(execution)
}

/// Replays executions one after the other. What the observer makes of the first events of one is what it made of the events before that looked like
/// them, and is not found again.
pub(crate) struct Replays<'a, 'p> {
    setting: &'a Setting<'p>,
    map: &'a LabelMap,
    plan: Option<&'a Plan>,
    /// The plan's graph, stopping where the plan terminates.
    effective: Option<PGraph>,
    expected: Expected<'a>,
    memory: Memory<'a>,
    courses: Courses,
    /// What the observer made of the last execution: one before the first event, and one after each.
    views: Vec<View>,
}

/// What the observer makes of some events.
struct View {
    /// What was seen of the last event, if it was seen, and its kind; nothing at the start.
    seen: Option<(Option<Image>, Kind)>,
    belief: Vec<Pair>,
    state: Option<StateNumber>,
    estimate: Option<Vec<Vertex>>,
    course: Option<Course>,
    /// How stipulations stand where the plan goes on, and where it terminates, once that was asked for.
    standings: [Option<Vec<Standing>>; 2],
}

impl<'a, 'p> Replays<'a, 'p> {
    /// Executions of this plan, or of any, as in [`replay`].
    ///
    /// # Errors
    /// As [`replay`].
    pub fn new(
        setting: &'a Setting<'p>,
        map: &'a LabelMap,
        plan: Option<&'a Plan>,
    ) -> Result<Self, QuestionError> {
        let world = setting.world();
        if plan.is_some_and(|plan| plan.graph.initial_kind() != world.graph.initial_kind()) {
            return Err(QuestionError::OtherKind("the plan"));
        }
        let expected = Expected::new(setting)?;
        let memory = Memory::new(setting, map, &expected)?;
        let (effective, courses) = (plan.map(Plan::effective), Courses::new(setting.stipulations()));
        Ok(Self { setting, map, plan, effective, expected, memory, courses, views: Vec::new() })
    }

    /// Follows an execution.
    ///
    /// # Errors
    /// As [`replay`].
    pub fn replay(&mut self, execution: &[Label]) -> Result<Replay, QuestionError> {
        self.look(execution)?;
        let (setting, world) = (self.setting, &self.setting.world().graph);
        let mut moments = Vec::with_capacity(execution.len() + 1);
        let mut at_world = world.initial().to_vec();
        let mut at_plan = self.effective.as_ref().map(|graph| graph.initial().to_vec()).unwrap_or_default();
        for (n, view) in self.views.iter_mut().enumerate() {
            let event = n.checked_sub(1).map(|before| execution[before]);
            if let Some(label) = event {
                at_world = follow(world, &at_world, label);
                at_plan =
                    self.effective.as_ref().map(|graph| follow(graph, &at_plan, label)).unwrap_or_default();
            }
            let terminates = self.plan.is_some_and(|plan| at_plan.iter().any(|&v| plan.is_terminal(v)));
            let stipulations = match (&view.estimate, view.course) {
                (Some(estimate), Some(course)) => {
                    let run = |number| self.courses.standing(number, course);
                    let known = &mut view.standings[usize::from(terminates)];
                    known.get_or_insert_with(|| standings(setting, estimate, terminates, run)).clone()
                }
                _ => Vec::new(),
            };
            moments.push(Moment {
                event: event.map(|label| (label, self.map.image(label))),
                world: at_world.clone(),
                plan: at_plan.clone(),
                terminates,
                estimate: view.estimate.clone(),
                stipulations,
            });
        }
        Ok(Replay { moments, admitted: admits(&self.expected, execution) })
    }

    /// Finds what the observer makes of the first events, and of each that follows.
    fn look(&mut self, execution: &[Label]) -> Result<(), Limit> {
        let alphabet = &self.setting.problem().alphabet;
        let seen = |&label: &Label| Some((self.map.image(label), alphabet.kind(label)));
        let events = std::iter::once(None).chain(execution.iter().map(seen));
        let same = self.views.iter().zip(events).take_while(|(view, seen)| view.seen == *seen).count();
        self.views.truncate(same);
        for n in same..=execution.len() {
            self.setting.monitor().poll(&EXPLAINING)?;
            let view = match n.checked_sub(1) {
                None => self.first(),
                Some(before) => self.after(&self.views[before], execution[before]),
            };
            let course = match &view.estimate {
                // An unseen event makes no moment.
                _ if matches!(view.seen, Some((None, _))) => view.course,
                None => None,
                Some(estimate) => {
                    let stipulations = self.setting.stipulations();
                    let signature = stipulations.signature_of(estimate.iter().copied());
                    Some(match view.course {
                        None => self.courses.begin(stipulations, &signature),
                        Some(course) => self.courses.after(stipulations, course, &signature),
                    })
                }
            };
            self.views.push(View { course, ..view });
        }
        Ok(())
    }

    /// Before the first event; it is not known yet what becomes of the stipulations then.
    fn first(&self) -> View {
        let mut belief = self.expected.start();
        stay(&self.expected, self.map, &mut belief);
        self.view(None, belief, Some(0), None)
    }

    /// After one more event; what becomes of the stipulations is what it was before.
    fn after(&self, before: &View, label: Label) -> View {
        let image = self.map.image(label);
        let belief = match image {
            Some(image) => look_alike(&self.expected, self.map, &before.belief, image),
            None => before.belief.clone(),
        };
        let state = match &self.memory {
            Memory::Recall => before.state,
            Memory::Filter(filter) => before.state.and_then(|state| filter.follow(state, label)),
        };
        let seen = Some((image, self.setting.problem().alphabet.kind(label)));
        self.view(seen, belief, state, before.course)
    }

    fn view(
        &self,
        seen: Option<(Option<Image>, Kind)>,
        belief: Vec<Pair>,
        state: Option<StateNumber>,
        course: Option<Course>,
    ) -> View {
        let estimate = match (&self.memory, state) {
            _ if belief.is_empty() => None,
            (Memory::Recall, _) => Some(worlds(&belief)),
            (Memory::Filter(filter), Some(state)) => Some(filter.estimate(state)),
            (Memory::Filter(_), None) => None,
        };
        View { seen, belief, state, estimate, course, standings: [None, None] }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        limit::Unlimited,
        problem::{Alphabet, Builder, Filter, Knows, Observer, Problem, Stipulation},
    };

    /// Executions that begin as others did, or end sooner, or look like them, or are none, are replayed as if each were the only one.
    #[test]
    fn executions_one_after_the_other_are_as_each_alone() {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        b.actions(["u", "v"]).observations(["x", "y"]).initial("u").mark("v");
        b.edge("u", ["a", "b"], "x").edge("u", ["b", "c"], "y").edge("v", ["a"], "x").edge("v", ["d"], "y");
        b.edge("x", ["p", "q"], "u").edge("x", ["q"], "v").edge("y", ["q"], "u").edge("y", ["r"], "v");
        let world = b.world().unwrap();
        let labels: Vec<Label> = alphabet.labels().collect();
        let of_kind = |kind| labels.iter().copied().filter(|&l| alphabet.kind(l) == kind).collect();
        let kinds: [Vec<Label>; 2] = [of_kind(Kind::Action), of_kind(Kind::Observation)];
        let map = LabelMap::from_fn(&alphabet, |l| match alphabet.name(l) {
            "b" => "a".to_owned(),
            "r" => "q".to_owned(),
            name => name.to_owned(),
        });
        let stipulations = vec![
            Stipulation::new("unsure", Scope::Always, "!knows(is(v))").unwrap(),
            Stipulation::new("seen", Scope::Run, "eventually possible(is(v))").unwrap(),
        ];
        let mut random = 7_u64;
        let mut dice = |n: usize| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (random >> 33) as usize % n
        };
        let mut kept = 0;
        for filter in [Filter::Strongest, Filter::Image] {
            let stipulations = stipulations.clone();
            let observer =
                Observer { map: Some(map.clone()), stipulations, filter, ..Observer::new(Knows::World) };
            let problem = Problem::new(alphabet.clone(), world.clone(), observer);
            let setting = Setting::pose(&problem, None, &Unlimited).unwrap();
            let mut replays = Replays::new(&setting, &map, None).unwrap();
            let mut execution: Vec<Label> = Vec::new();
            for _ in 0..300 {
                execution.truncate(dice(8));
                for n in execution.len()..dice(9) {
                    let kind = &kinds[n % 2];
                    execution.push(kind[dice(kind.len())]);
                }
                let alone = replay(&setting, &map, None, &execution).unwrap();
                kept += usize::from(alone.admitted);
                assert_eq!(replays.replay(&execution).unwrap(), alone);
            }
        }
        assert!((100..500).contains(&kept), "{kept} of 600 are executions");
    }
}
