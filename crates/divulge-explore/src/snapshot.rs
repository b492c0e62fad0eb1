//! How things are after some events: the robot on one side, whoever watches on the other.

use divulge::{
    Monitor,
    graph::follow,
    limit::{Both, Limit, Progress},
    problem::{Kind, Label, Vertex},
    verdict::QuestionError,
};
use serde::Serialize;

use crate::{
    observer::Posed,
    side::{Eyes, Seen, Side},
    situation::{Situation, patient},
    variables::{Knowing, Variable, variables},
    words::{self, asked, asked_by},
};

/// An event of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The label.
    pub label: String,
    /// `action` or `observation`.
    pub kind: &'static str,
    /// What each observer made of it.
    pub seen: Vec<Seen>,
}

/// Something that may happen next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The label.
    pub label: String,
    /// `action` or `observation`.
    pub kind: &'static str,
    /// What each observer would see of it.
    pub seen: Vec<OutcomeSeen>,
}

/// What an observer would see of something that may happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeSeen {
    /// What it would see; nothing if it would not notice.
    pub image: Option<String>,
    /// The other outcomes here that look the same to it, or that it would not notice either.
    pub like: Vec<String>,
}

/// How things are after some events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// The events so far.
    pub events: Vec<Event>,
    /// The world vertices where the robot may be, by what it knows itself.
    pub robot: Vec<u32>,
    /// The plan vertices where the plan may be.
    pub plan: Vec<u32>,
    /// The variables, with what the robot knows of them, those that anybody is asked about first.
    pub variables: Vec<Variable>,
    /// What may happen next.
    pub outcomes: Vec<Outcome>,
    /// Whether the plan may stop here.
    pub stops: bool,
    /// Whether the robot is at a goal, as it knows itself.
    pub goal: bool,
    /// Whoever watches, in the order of the problem.
    pub sides: Vec<Side>,
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
    eyes: Vec<Eyes<'g, 'a>>,
    world: Vec<Vertex>,
    plan: Vec<Vertex>,
}

impl<'g, 'a> Walk<'g, 'a> {
    fn new(posed: &'g Posed<'a>) -> Result<Self, QuestionError> {
        let numbers = 0..posed.situation.observers();
        Ok(Self {
            posed,
            eyes: numbers.map(|number| Eyes::new(posed, number)).collect::<Result<_, _>>()?,
            world: posed.situation.problem.world.graph.initial().to_vec(),
            plan: posed.plan.as_ref().map_or(Vec::new(), |g| g.initial().to_vec()),
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
        self.tell(told, monitor)
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
        self.eyes.iter_mut().for_each(|eyes| eyes.step(label));
    }

    /// What may happen next: what plan and world both have, or, without a plan, what some observer reckons with.
    fn outcomes(&self) -> Vec<Label> {
        let world = &self.posed.situation.problem.world.graph;
        let mut labels: Vec<Label> = self.world.iter().flat_map(|&w| world.labels(w)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.retain(|&label| match &self.posed.plan {
            Some(plan) => self.plan.iter().any(|&v| plan.bears(v, label)),
            None => self.eyes.iter().any(|eyes| eyes.admits(label)),
        });
        labels
    }

    fn stops(&self) -> bool {
        let plan = self.posed.situation.problem.plan.as_ref();
        plan.is_some_and(|plan| self.plan.iter().any(|&v| plan.is_terminal(v)))
    }

    fn event(&self, label: Label) -> Event {
        let (alphabet, stops) = (&self.posed.situation.problem.alphabet, self.stops());
        Event {
            label: alphabet.name(label).to_owned(),
            kind: alphabet.kind(label).word(),
            seen: self.eyes.iter().map(|eyes| eyes.seen(label, stops)).collect(),
        }
    }

    fn outcome(&self, label: Label, all: &[Label]) -> Outcome {
        let situation = self.posed.situation;
        let alphabet = &situation.problem.alphabet;
        let name = |l: Label| alphabet.name(l).to_owned();
        let seen = |number: usize| {
            let map = situation.map(number);
            let like = all.iter().filter(|&&l| l != label && map.image(l) == map.image(label));
            OutcomeSeen { image: map.look(label).map(str::to_owned), like: like.map(|&l| name(l)).collect() }
        };
        Outcome {
            label: name(label),
            kind: alphabet.kind(label).word(),
            seen: (0..self.eyes.len()).map(seen).collect(),
        }
    }

    fn tell(self, events: Vec<Event>, monitor: &dyn Monitor) -> Result<Snapshot, QuestionError> {
        let situation = self.posed.situation;
        let problem = &situation.problem;
        let (outcomes, stops) = (self.outcomes(), self.stops());
        let ids = |set: &[Vertex]| set.iter().map(|v| v.0).collect::<Vec<u32>>();
        let estimates: Vec<Option<Vec<Vertex>>> = self.eyes.iter().map(Eyes::estimate).collect();
        let anybody: Vec<Vertex> = estimates.iter().flatten().flatten().copied().collect();
        let mut sides = Vec::with_capacity(self.eyes.len());
        for (eyes, estimate) in self.eyes.iter().zip(&estimates) {
            let (who, asked) =
                (situation.who(eyes.number), asked_by(problem, situation.observer(eyes.number)));
            let (robot, estimate) = (&self.world, estimate.as_deref());
            let knowing = Knowing { robot, estimate, anybody: &anybody, who: &who };
            let own = variables(problem, &asked, &knowing);
            sides.push(eyes.tell(own, stops, monitor)?);
        }
        let words = self.words(&events, &sides, stops);
        let knowing = Knowing { robot: &self.world, estimate: None, anybody: &anybody, who: "nobody" };
        Ok(Snapshot {
            robot: ids(&self.world),
            plan: ids(&self.plan),
            variables: variables(problem, &asked(problem), &knowing),
            outcomes: outcomes.iter().map(|&l| self.outcome(l, &outcomes)).collect(),
            goal: self.world.iter().all(|&w| problem.world.is_goal(w)),
            stops,
            sides,
            events,
            words,
        })
    }

    /// What just happened, what was seen, and what observers make of what matters.
    fn words(&self, events: &[Event], sides: &[Side], stops: bool) -> String {
        let mut text = match events.last() {
            None => "Start: nothing has happened yet.".to_owned(),
            Some(e) => {
                let did = match e.kind == Kind::Action.word() {
                    true => format!("The robot did {}", e.label),
                    false => format!("The robot observed {}", e.label),
                };
                let saw = e.seen.iter().enumerate().map(|(number, seen)| {
                    let who = self.posed.situation.who(number);
                    match &seen.image {
                        None => format!("{who} did not notice"),
                        Some(image) if *image == e.label => format!("{who} saw it"),
                        Some(image) => format!("{who} saw {image}"),
                    }
                });
                format!("Step {}. {did}; {}.", events.len(), saw.collect::<Vec<_>>().join("; "))
            }
        };
        for (eyes, side) in self.eyes.iter().zip(sides) {
            if eyes.is_lost() {
                let who = words::sentence(&self.posed.situation.who(eyes.number));
                text += &format!(" {who} did not expect this.");
            }
            for variable in side.variables.iter().filter(|v| v.asked) {
                text += &format!(" {}", words::sentence(&variable.words));
            }
            for row in side.recalled.iter().filter(|row| row.since == events.len()) {
                text += &format!(" Event {} is {}.", row.events, row.short);
            }
        }
        if stops {
            text += " The robot stops here.";
        }
        text
    }
}
