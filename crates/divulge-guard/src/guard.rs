//! The heart of the guard: where everything is, and what an event would lead to.

use divulge::{
    limit::{Limit, Progress},
    observer::{StateId, Tracker},
    problem::{Image, Kind, Label, LabelMap, Plan, Problem, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

use crate::{
    chance::Chance,
    table::{Refusal, Table},
};

/// About so many bytes are kept of what was worked out, unless told otherwise.
const MOST: usize = 512 << 20;

/// How many places are prepared between two looks at the monitor.
const POLL: u32 = 256;

/// What the robot is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// Take this action.
    Do(Label),
    /// Wait for what comes.
    Observe,
    /// Stop: the plan ends here.
    Stop,
}

/// A plan at work, in its world, before its observers.
///
/// It looks at events before they count: [`refusal`](Self::refusal) changes nothing, [`advance`](Self::advance) goes on. What was
/// worked out once is looked up afterwards, and only so much of it is kept, however long a run is.
pub struct Guard<'s> {
    table: Table<'s>,
    at: u32,
    events: u64,
}

impl<'s> Guard<'s> {
    /// A guard at the start of the setting's plan. Where stipulations ask about the past, the setting's world must be
    /// [unfolded](divulge::setting::unfold).
    ///
    /// # Errors
    /// If there is no plan, if an observer has no map, if the input is bad, or if the monitor stops it.
    pub fn new<'p: 's>(setting: &'s Setting<'p>) -> Result<Self, QuestionError> {
        Self::keeping(setting, MOST)
    }

    /// The same, where about `most` bytes are kept of what was worked out.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn keeping<'p: 's>(setting: &'s Setting<'p>, most: usize) -> Result<Self, QuestionError> {
        Ok(Self { table: Table::new(setting, most)?, at: 0, events: 0 })
    }

    /// Works out beforehand what events will lead to, as far as there is room; tells whether that is all there is. From then on
    /// events are looked up.
    ///
    /// # Errors
    /// The limit that was hit. The guard can be used all the same.
    pub fn prepare(&mut self, setting: &Setting<'_>) -> Result<bool, Limit> {
        let room = |table: &Table<'_>| table.bytes() < MOST / 2;
        let mut place = self.at;
        while (place as usize) < self.table.len() {
            if place.is_multiple_of(POLL) {
                let (doing, explored) = ("preparing the guard", u64::from(place));
                setting.poll(&Progress { doing, explored, ..Progress::default() })?;
                if !room(&self.table) {
                    return Ok(false);
                }
            }
            for label in self.table.foreseen(place) {
                if self.table.allows(place, label) {
                    self.table.step(place, label);
                }
            }
            place += 1;
        }
        Ok(true)
    }

    /// The problem.
    pub fn problem(&self) -> &'s Problem {
        self.table.problem
    }

    /// The plan.
    pub fn plan(&self) -> &'s Plan {
        self.table.plan
    }

    /// Everybody's maps, in order.
    pub fn maps(&self) -> &[&'s LabelMap] {
        &self.table.maps
    }

    /// How many events have been accepted.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What is against an event here; nothing has changed.
    pub fn refusal(&mut self, label: Label) -> Option<Refusal> {
        self.table.step(self.at, label).refusal
    }

    /// What is against ending here.
    pub fn end_refusal(&self) -> Option<Refusal> {
        self.table.end(self.at)
    }

    /// What is broken here already, as it may be at the start.
    pub fn broken(&self) -> Option<Refusal> {
        (0..self.table.maps.len()).find_map(|observer| self.broken_of(observer))
    }

    /// The first stipulation of an observer that is broken here, or that nothing it expects leads here.
    pub fn broken_of(&self, observer: usize) -> Option<Refusal> {
        self.table.broken(self.at, observer)
    }

    /// An observer's tracker and its state, unless nothing that it expects, or admits, leads here.
    pub(crate) fn mind(&self, observer: usize) -> Option<(&Tracker<'s>, StateId)> {
        self.table.mind(self.at, observer)
    }

    /// Whether the world may be anywhere but at a goal.
    pub(crate) fn may_be_off_goal(&self) -> bool {
        self.table.may_be_off_goal(self.at)
    }

    /// Whether the events so far are the plan's.
    pub fn is_on_plan(&self) -> bool {
        self.table.is_on_plan(self.at)
    }

    /// Whether the events so far are the world's.
    pub fn is_in_world(&self) -> bool {
        self.table.is_in_world(self.at)
    }

    /// Goes on with an event, whatever is against it: plan, world and observers go as far as they can follow.
    pub fn advance(&mut self, label: Label) {
        self.at = self.table.step(self.at, label).to;
        self.events += 1;
        if self.table.is_full() {
            self.at = self.table.forget_all_but(self.at);
        }
    }

    /// What an observer sees of an event, if anything.
    pub fn image(&self, observer: usize, label: Label) -> Option<Image> {
        self.table.maps[observer].image(label)
    }

    /// What the plan foresees here, ascending: the actions that it offers, or the observations.
    pub fn foreseen(&self) -> Vec<Label> {
        self.table.foreseen(self.at)
    }

    /// Whether the plan may stop here.
    pub fn may_stop(&self) -> bool {
        self.table.may_stop(self.at)
    }

    /// What an observer holds possible now: vertices of the world, ascending; `None` if nothing that it expects looks like this.
    pub fn estimate(&self, observer: usize) -> Option<Vec<Vertex>> {
        self.table.estimate(self.at, observer)
    }

    /// All that the plan offers here.
    pub fn offers(&self) -> Vec<Told> {
        let mut offers: Vec<Told> = Vec::new();
        let foreseen = self.foreseen();
        match self.table.kind(self.at) {
            Some(Kind::Action) => offers.extend(foreseen.into_iter().map(Told::Do)),
            Some(Kind::Observation) if !foreseen.is_empty() => offers.push(Told::Observe),
            _ => {}
        }
        if self.may_stop() {
            offers.push(Told::Stop);
        }
        offers
    }

    /// Chooses among what the plan offers here; `None` where it offers nothing, as a plan that solves its world never does.
    ///
    /// # Errors
    /// If the system has no source of chance.
    pub fn choose(&self, chance: Chance) -> Result<Option<Told>, getrandom::Error> {
        match self.offers()[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            ref several => Ok(Some(several[chance.choose(several.len(), self.events)?])),
        }
    }
}
