//! How things are after some events: the robot on one side, the observer on the other.

use divulge::{
    Monitor,
    graph::follow,
    limit::{Both, Limit, Progress},
    observer::StateId,
    problem::{Kind, Label, Vertex},
    verdict::QuestionError,
};
use serde::Serialize;

use crate::{
    observer::Posed,
    situation::{Situation, patient},
    variables::{Variable, variables},
    words::{self, Told, standing},
};

/// An event of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The label.
    pub label: String,
    /// `action` or `observation`.
    pub kind: &'static str,
    /// What the observer sees of it.
    pub image: String,
    /// How many different places the observer thinks possible afterwards; nothing if it did not expect this.
    pub possible: Option<usize>,
    /// Whether some stipulation is broken afterwards.
    pub broken: bool,
}

/// Something that may happen next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The label.
    pub label: String,
    /// `action` or `observation`.
    pub kind: &'static str,
    /// What the observer would see of it.
    pub image: String,
    /// The other outcomes here that look the same.
    pub like: Vec<String>,
}

/// How a stipulation stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Its name.
    pub name: String,
    /// `holds`, `broken`, or `later` where it is not asked for yet.
    pub state: &'static str,
    /// Why.
    pub why: String,
}

/// How things are after some events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// The events so far.
    pub events: Vec<Event>,
    /// The world vertices where the robot may be, by what it knows itself.
    pub robot: Vec<u32>,
    /// The world vertices that the observer thinks possible; nothing if it did not expect this.
    pub estimate: Option<Vec<u32>>,
    /// The plan vertices where the plan may be.
    pub plan: Vec<u32>,
    /// The variables, with what the robot and the observer know of them.
    pub variables: Vec<Variable>,
    /// What may happen next.
    pub outcomes: Vec<Outcome>,
    /// Whether the plan may stop here.
    pub stops: bool,
    /// Whether the robot is at a goal, as it knows itself.
    pub goal: bool,
    /// Every stipulation, now.
    pub stipulations: Vec<State>,
    /// The moment in a sentence, to be read aloud.
    pub words: String,
}

/// Follows `events`. What cannot happen is left out, with everything after it: the moment says how far it came.
///
/// # Errors
/// As [`divulge::check::check`], and if following takes too long.
pub fn snapshot(
    situation: &Situation,
    events: &[Label],
    monitor: &dyn Monitor,
) -> Result<Snapshot, QuestionError> {
    let patient = patient();
    let effort = Both(&patient, monitor);
    let posed = Posed::new(situation, &effort)?;
    Walk::new(&posed)?.through(events, &effort)
}

/// What is being done, for whoever watches.
const FOLLOWING: &str = "following the events";

struct Walk<'g, 'a> {
    posed: &'g Posed<'a>,
    tracker: Option<divulge::observer::Tracker<'g>>,
    world: Vec<Vertex>,
    plan: Vec<Vertex>,
    /// Without a plan: the vertices of what the observer reckons with that these very events reach.
    admitted: Vec<Vertex>,
    state: Option<StateId>,
}

impl<'g, 'a> Walk<'g, 'a> {
    fn new(posed: &'g Posed<'a>) -> Result<Self, QuestionError> {
        let tracker = posed.setting.tracker(posed.situation.map())?;
        let initial =
            |graph: Option<&divulge::problem::PGraph>| graph.map_or(Vec::new(), |g| g.initial().to_vec());
        Ok(Self {
            posed,
            state: tracker.as_ref().map(|tracker| tracker.initial()),
            tracker,
            world: posed.situation.problem.world.graph.initial().to_vec(),
            plan: initial(posed.plan.as_ref()),
            admitted: initial(posed.tracked().map(|tracked| &*tracked.graph)),
        })
    }

    fn through(mut self, events: &[Label], monitor: &dyn Monitor) -> Result<Snapshot, QuestionError> {
        let mut told = Vec::new();
        self.poll(monitor)?;
        for (number, &label) in events.iter().enumerate() {
            if number % 64 == 0 {
                self.poll(monitor)?;
            }
            if !self.outcomes().contains(&label) {
                break;
            }
            self.step(label);
            told.push(self.event(label));
        }
        Ok(self.tell(told))
    }

    fn poll(&self, monitor: &dyn Monitor) -> Result<(), Limit> {
        monitor.poll(&Progress { doing: FOLLOWING, ..Progress::default() })
    }

    fn step(&mut self, label: Label) {
        let Posed { situation, plan, .. } = self.posed;
        self.world = follow(&situation.problem.world.graph, &self.world, label);
        if let Some(plan) = plan {
            self.plan = follow(plan, &self.plan, label);
        }
        if let Some(tracked) = self.posed.tracked() {
            self.admitted = follow(&tracked.graph, &self.admitted, label);
        }
        let image = situation.map().image(label);
        self.state = match (&mut self.tracker, self.state) {
            (Some(tracker), Some(state)) => tracker.step(state, image),
            _ => None,
        };
    }

    /// What may happen next: what plan and world both have, or, without a plan, what the observer reckons with.
    fn outcomes(&self) -> Vec<Label> {
        let world = &self.posed.situation.problem.world.graph;
        let mut labels: Vec<Label> = self.world.iter().flat_map(|&w| world.labels(w)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.retain(|&label| match (&self.posed.plan, self.posed.tracked()) {
            (Some(plan), _) => self.plan.iter().any(|&v| plan.bears(v, label)),
            (None, Some(tracked)) => self.admitted.iter().any(|&v| tracked.graph.bears(v, label)),
            (None, None) => false,
        });
        labels
    }

    fn stops(&self) -> bool {
        let plan = self.posed.situation.problem.plan.as_ref();
        plan.is_some_and(|plan| self.plan.iter().any(|&v| plan.is_terminal(v)))
    }

    fn broken(&self) -> bool {
        let (Some(tracker), Some(state)) = (&self.tracker, self.state) else { return false };
        tracker.course(state).broken(self.stops()).is_some()
    }

    fn estimate(&self) -> Option<Vec<Vertex>> {
        Some(self.tracker.as_ref()?.estimate(self.state?))
    }

    fn event(&self, label: Label) -> Event {
        let problem = &self.posed.situation.problem;
        let map = self.posed.situation.map();
        Event {
            label: problem.alphabet.name(label).to_owned(),
            kind: problem.alphabet.kind(label).word(),
            image: map.shown(label).to_owned(),
            possible: self.estimate().map(|estimate| estimate.len()),
            broken: self.broken(),
        }
    }

    fn outcome(&self, label: Label, all: &[Label]) -> Outcome {
        let problem = &self.posed.situation.problem;
        let map = self.posed.situation.map();
        let name = |l: Label| problem.alphabet.name(l).to_owned();
        let like = |l: &&Label| **l != label && map.image(**l) == map.image(label);
        Outcome {
            label: name(label),
            kind: problem.alphabet.kind(label).word(),
            image: map.shown(label).to_owned(),
            like: all.iter().filter(like).map(|&l| name(l)).collect(),
        }
    }

    fn tell(self, events: Vec<Event>) -> Snapshot {
        let problem = &self.posed.situation.problem;
        let estimate = self.estimate();
        let outcomes = self.outcomes();
        let ids = |set: &[Vertex]| set.iter().map(|v| v.0).collect::<Vec<u32>>();
        let stops = self.stops();
        let all = self.posed.setting.stipulations();
        let stipulations: Vec<State> = match &estimate {
            None => Vec::new(),
            Some(estimate) => {
                let told = all.all().iter().enumerate();
                let told = told.map(|(i, s)| {
                    let over_time = self.over_time(i, stops);
                    (s, over_time.unwrap_or_else(|| standing(&problem.world, all, s, estimate, stops)))
                });
                told.map(|(s, told)| {
                    let state = match told.holds {
                        Some(true) => "holds",
                        Some(false) => "broken",
                        None => "later",
                    };
                    State { name: s.name.clone(), state, why: told.why }
                })
                .collect()
            }
        };
        let variables = variables(problem, &self.world, estimate.as_deref());
        let words = self.words(&events, &variables, stops);
        Snapshot {
            robot: ids(&self.world),
            plan: ids(&self.plan),
            outcomes: outcomes.iter().map(|&l| self.outcome(l, &outcomes)).collect(),
            goal: self.world.iter().all(|&w| problem.world.is_goal(w)),
            estimate: estimate.as_deref().map(ids),
            variables,
            stops,
            stipulations,
            events,
            words,
        }
    }

    /// How a stipulation stands that is about more than the present estimate, if that decides it.
    fn over_time(&self, stipulation: usize, stops: bool) -> Option<Told> {
        let (tracker, state) = (self.tracker.as_ref()?, self.state?);
        if tracker.broken_in_hindsight(state) == Some(stipulation) {
            let why = "What was seen since then gives an earlier moment away.".to_owned();
            return Some(Told { holds: Some(false), why });
        }
        let run = tracker.run_standing(state, stipulation)?;
        let (holds, why) = match (run.can_be_mended, run.may_end) {
            (false, _) => (Some(false), "Nothing that may follow can make it true any more."),
            (true, false) if stops => (Some(false), "The run may end here, and it is not true of it."),
            (true, true) => (Some(true), "It is true of the run if it ends here."),
            (true, false) => (None, "It is not true of the run so far, but can still become so."),
        };
        Some(Told { holds, why: why.to_owned() })
    }

    /// What just happened, what was seen, and what the observer makes of what matters.
    fn words(&self, events: &[Event], variables: &[Variable], stops: bool) -> String {
        let mut text = match events.last() {
            None => "Start: nothing has happened yet.".to_owned(),
            Some(e) => {
                let did = match e.kind == Kind::Action.word() {
                    true => format!("The robot did {}", e.label),
                    false => format!("The robot observed {}", e.label),
                };
                let Situation { problem, .. } = &self.posed.situation;
                let label = problem.alphabet.get(&e.label);
                let unseen = label.is_some_and(|l| self.posed.situation.map().image(l).is_none());
                let saw = if unseen {
                    "the observer did not notice".to_owned()
                } else if e.image == e.label {
                    "the observer saw it".to_owned()
                } else {
                    format!("the observer saw {}", e.image)
                };
                format!("Step {}. {did}; {saw}.", events.len())
            }
        };
        if self.state.is_none() {
            text += " The observer did not expect this.";
        }
        for variable in variables.iter().filter(|v| v.asked) {
            text += &format!(" {}", words::sentence(&variable.words));
        }
        if stops {
            text += " The robot stops here.";
        }
        text
    }
}
