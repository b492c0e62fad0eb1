//! One observer beside the robot: what it saw, what it thinks possible, and how what is stipulated of it stands.

use divulge::{
    Monitor,
    formula::Compiled,
    graph::follow,
    observer::{StateId, Tracker},
    problem::{Label, Scope, Vertex},
    verdict::QuestionError,
};
use serde::Serialize;

use crate::{
    hindsight::{Recalled, recalled},
    observer::Posed,
    run::{RunTable, table},
    variables::Variable,
    words::{Told, standing},
};

/// What an observer made of one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// What it saw; nothing if it does not see this event at all.
    pub image: Option<String>,
    /// How many different places it thinks possible afterwards; nothing if it did not expect this.
    pub possible: Option<usize>,
    /// Whether some stipulation on it is broken afterwards.
    pub broken: bool,
}

/// How a stipulation stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Its name.
    pub name: String,
    /// `holds`, `broken`, or `later` where it is not asked for yet.
    pub state: &'static str,
    /// The same in a word or two.
    pub now: &'static str,
    /// Why.
    pub why: String,
    /// Moment by moment, if it is about a run.
    pub run: Option<RunTable>,
}

/// One observer at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Whether the last event was not seen at all.
    pub unseen: bool,
    /// The world vertices that it thinks possible; nothing if it did not expect this.
    pub estimate: Option<Vec<u32>>,
    /// The variables, with what the robot and this observer know of them.
    pub variables: Vec<Variable>,
    /// Every stipulation on it, now.
    pub stipulations: Vec<State>,
    /// The earlier moments that it can tell now what it could not tell then.
    pub recalled: Vec<Recalled>,
    /// How it stands, in a sentence or two.
    pub words: String,
}

/// An observer that follows events.
pub(crate) struct Eyes<'g, 'a> {
    posed: &'g Posed<'a>,
    pub number: usize,
    tracker: Option<Tracker<'g>>,
    state: Option<StateId>,
    /// The vertices of what it reckons with that these very events reach.
    admitted: Vec<Vertex>,
    /// Its states, one for each of its moments, with how many events had happened.
    moments: Vec<(usize, StateId)>,
    events: Vec<Label>,
}

impl<'g, 'a> Eyes<'g, 'a> {
    pub fn new(posed: &'g Posed<'a>, number: usize) -> Result<Self, QuestionError> {
        let tracker = posed.setting.tracker_of(number, posed.situation.map(number))?;
        let state = tracker.as_ref().map(|tracker| tracker.initial());
        let admitted = posed.tracked(number).map_or(Vec::new(), |t| t.graph.initial().to_vec());
        let moments = state.iter().map(|&state| (0, state)).collect();
        Ok(Self { posed, number, tracker, state, admitted, moments, events: Vec::new() })
    }

    /// Follows an event.
    pub fn step(&mut self, label: Label) {
        if let Some(tracked) = self.posed.tracked(self.number) {
            self.admitted = follow(&tracked.graph, &self.admitted, label);
        }
        self.events.push(label);
        let image = self.posed.situation.map(self.number).image(label);
        self.state = match (&mut self.tracker, self.state) {
            (Some(tracker), Some(state)) => tracker.step(state, image),
            _ => None,
        };
        if let (Some(state), Some(_)) = (self.state, image) {
            self.moments.push((self.events.len(), state));
        }
    }

    /// Whether it reckons with this event here.
    pub fn admits(&self, label: Label) -> bool {
        let tracked = self.posed.tracked(self.number);
        tracked.is_some_and(|tracked| self.admitted.iter().any(|&v| tracked.graph.bears(v, label)))
    }

    pub fn is_lost(&self) -> bool {
        self.state.is_none()
    }

    pub fn estimate(&self) -> Option<Vec<Vertex>> {
        Some(self.tracker.as_ref()?.estimate(self.state?))
    }

    /// What it made of the last event; `stops` says whether the plan may stop then.
    pub fn seen(&self, label: Label, stops: bool) -> Seen {
        let broken = match (&self.tracker, self.state) {
            (Some(tracker), Some(state)) => tracker.course(state).broken(stops).is_some(),
            _ => false,
        };
        let image = self.posed.situation.map(self.number).look(label).map(str::to_owned);
        Seen { image, possible: self.estimate().map(|estimate| estimate.len()), broken }
    }

    /// How it stands now; `variables` are those that it is asked about first.
    pub fn tell(
        &self,
        variables: Vec<Variable>,
        stops: bool,
        monitor: &dyn Monitor,
    ) -> Result<Side, QuestionError> {
        let estimate = self.estimate();
        let (recalled, told_back) = recalled(self.posed, self.number, &self.events, monitor)?;
        let all = &self.posed.setting.observers()[self.number].stipulations;
        let each = estimate.iter().flat_map(|estimate| {
            all.all().iter().enumerate().map(|(i, s)| {
                let run = self.run(i, s, stops);
                let looked_back =
                    matches!(s.scope, Scope::Hindsight { .. }).then(|| self.looked_back(i, told_back.get(i)));
                let (told, now) = match (&run, looked_back.flatten()) {
                    (Some(run), _) => (run.told(), run.now()),
                    (None, Some(told)) => (told, "broken"),
                    (None, None) => {
                        let world = &self.posed.situation.problem.world;
                        let told = standing(world, all, s, estimate, stops);
                        let now = word(told.holds);
                        (told, now)
                    }
                };
                State { name: s.name.clone(), state: key(told.holds), now, why: told.why, run }
            })
        });
        let stipulations = each.collect();
        Ok(Side {
            unseen: self.is_still(),
            estimate: estimate.map(|set| set.iter().map(|v| v.0).collect()),
            variables,
            stipulations,
            recalled,
            words: self.words(),
        })
    }

    /// Whether the last event was not seen.
    pub fn is_still(&self) -> bool {
        let map = self.posed.situation.map(self.number);
        self.events.last().is_some_and(|&label| map.image(label).is_none())
    }

    fn words(&self) -> String {
        if self.is_lost() {
            return "It did not expect this.".to_owned();
        }
        let Some(&last) = self.events.last().filter(|_| self.is_still()) else {
            return "Every place it thinks possible.".to_owned();
        };
        let name = self.posed.situation.problem.alphabet.name(last);
        format!(
            "It did not notice event {} ({name}). What it thinks possible is as before: that includes wherever events that it does not see may have led meanwhile.",
            self.events.len()
        )
    }

    /// A stipulation on a run, moment by moment.
    fn run(&self, stipulation: usize, compiled: &Compiled, stops: bool) -> Option<RunTable> {
        let (run, tracker) = (compiled.run()?, self.tracker.as_ref()?);
        let atoms = |&(events, state): &(usize, StateId)| {
            Some((events, compiled.run_atoms(&tracker.signature(state))?))
        };
        let moments = self.moments.iter().map(atoms).collect::<Option<Vec<_>>>()?;
        let formula = &self.posed.situation.observer(self.number).stipulations[stipulation].formula;
        let map = self.posed.situation.map(self.number);
        let saw = |events: usize| events.checked_sub(1).map(|n| map.shown(self.events[n]).to_owned());
        Some(table(formula, run, moments, stops, saw))
    }

    /// A stipulation in hindsight that what is made of an earlier moment breaks now.
    fn looked_back(&self, stipulation: usize, found: Option<&Option<String>>) -> Option<Told> {
        let found = found.and_then(Option::as_ref);
        let (tracker, state) = (self.tracker.as_ref()?, self.state?);
        // Where looking back took too long, it is known all the same whether something is given away.
        let broken = found.is_some() || tracker.broken_in_hindsight(state) == Some(stipulation);
        let untold = || "What was seen since then gives an earlier moment away.".to_owned();
        broken.then(|| Told { holds: Some(false), why: found.cloned().unwrap_or_else(untold) })
    }
}

fn key(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "holds",
        Some(false) => "broken",
        None => "later",
    }
}

fn word(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "kept",
        Some(false) => "broken",
        None => "not yet asked",
    }
}
