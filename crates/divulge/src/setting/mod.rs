//! A problem, posed: all that every question needs of it, made once and within limits.
//!
//! *Practical.* A [`Setting`] holds a problem, the plan in question and the [`Monitor`]; its stipulations are compiled when it is posed, the
//! world is expanded and the divulged plan set up when they are first asked for. Engines get all of this from the setting, and there is no
//! way to a setting without a monitor, so limits hold for all that they do. What is found on the way to something better is
//! [reported](Setting::report) here. A setting with something changed ([`Setting::with_plan`] and the like) shares what is the same.

mod askable;
mod observer;
mod unfold;
mod watch;

pub use observer::PosedObserver;
pub use unfold::unfold;
pub use watch::{Here, Watch};

use std::{
    borrow::Cow,
    cell::OnceCell,
    sync::{Arc, Mutex, PoisonError},
};

use askable::askable;

use crate::{
    expansion::{Actions, Expansion, expand},
    formula::Stipulations,
    graph::Joint,
    limit::{Limit, Milestone, Monitor, Progress},
    observer::{Divulged, Tracker, check_filter},
    problem::{LabelMap, Observer, Plan, Problem, World},
    verdict::{Classified, QuestionError, SoFar},
};

/// A problem, posed.
pub struct Setting<'p> {
    problem: &'p Problem,
    plan: Option<&'p Plan>,
    monitor: &'p dyn Monitor,
    /// How many threads may be used; 0 stands for as many as there are processors.
    threads: usize,
    observers: Vec<PosedObserver<'p>>,
    /// The number of the observer that is looked at.
    focus: usize,
    safe: OnceCell<Arc<Expansion>>,
    whole: OnceCell<Arc<Expansion>>,
    joint: OnceCell<Joint>,
    best: Mutex<Option<SoFar>>,
}

impl<'p> Setting<'p> {
    /// Poses a problem; `plan` is the plan in question, if there is one.
    ///
    /// # Errors
    /// If a stipulation does not fit the world, or if the plan starts with another kind of vertex than the world does.
    pub fn pose(
        problem: &'p Problem,
        plan: Option<&'p Plan>,
        monitor: &'p dyn Monitor,
    ) -> Result<Self, QuestionError> {
        askable(problem)?;
        let mut observers: Vec<PosedObserver<'p>> = Vec::new();
        for (number, observer) in problem.observers().enumerate() {
            let alike = observers.iter().find(|other| other.observer.stipulations == observer.stipulations);
            let known = alike.map(|other| other.stipulations.clone());
            observers.push(PosedObserver::new(&problem.world, number, Cow::Borrowed(observer), known)?);
        }
        let setting = Self {
            problem,
            plan: None,
            monitor,
            threads: 1,
            observers,
            focus: problem.sought(),
            safe: OnceCell::new(),
            whole: OnceCell::new(),
            joint: OnceCell::new(),
            best: Mutex::default(),
        };
        match plan {
            Some(plan) => setting.with_plan(plan),
            None => Ok(setting),
        }
    }

    /// The same setting, for which so many threads may be used; 0 stands for as many as there are processors.
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// How many threads may be used, and the monitor.
    pub(crate) fn limits(&self) -> (usize, &'p dyn Monitor) {
        (self.threads, self.monitor)
    }

    /// The same setting with a plan, or another one.
    ///
    /// # Errors
    /// If the plan starts with another kind of vertex than the world does.
    pub fn with_plan<'q>(&self, plan: &'q Plan) -> Result<Setting<'q>, QuestionError>
    where
        'p: 'q,
    {
        if plan.graph.initial_kind() != self.world().graph.initial_kind() {
            return Err(QuestionError::OtherKind("the plan"));
        }
        let observers = self.observers.iter().map(PosedObserver::with_another_plan).collect();
        Ok(Setting { plan: Some(plan), joint: OnceCell::new(), ..self.changed(observers, self.monitor) })
    }

    /// The same setting with another observer in place of the one that is looked at. What it stipulates is compiled anew only if it
    /// differs.
    ///
    /// # Errors
    /// If a stipulation does not fit the world.
    pub fn observed_by(&self, observer: Observer) -> Result<Self, QuestionError> {
        let mut observers: Vec<_> = self.observers.iter().map(PosedObserver::same).collect();
        observers[self.focus] = self.observers[self.focus].changed_to(self.world(), self.focus, observer)?;
        Ok(self.changed(observers, self.monitor))
    }

    /// The same setting with other observers, one in place of each.
    ///
    /// # Errors
    /// If a stipulation does not fit the world.
    pub fn observed_by_all(&self, observers: Vec<Observer>) -> Result<Self, QuestionError> {
        let each = self.observers.iter().zip(observers).enumerate();
        let changed = each.map(|(number, (posed, new))| posed.changed_to(self.world(), number, new));
        Ok(self.changed(changed.collect::<Result<_, _>>()?, self.monitor))
    }

    /// The same setting, looking at another of its observers.
    pub fn looking_at(&self, number: usize) -> Setting<'p> {
        let same = self.observers.iter().map(PosedObserver::same).collect();
        Setting { focus: number, joint: self.joint.clone(), ..self.changed(same, self.monitor) }
    }

    /// The same setting under another monitor.
    pub fn under<'q>(&self, monitor: &'q dyn Monitor) -> Setting<'q>
    where
        'p: 'q,
    {
        self.changed(self.observers.iter().map(PosedObserver::same).collect(), monitor)
    }

    fn changed<'q>(&self, observers: Vec<PosedObserver<'q>>, monitor: &'q dyn Monitor) -> Setting<'q>
    where
        'p: 'q,
    {
        Setting {
            problem: self.problem,
            plan: self.plan,
            monitor,
            threads: self.threads,
            observers,
            focus: self.focus,
            safe: self.safe.clone(),
            whole: self.whole.clone(),
            joint: OnceCell::new(),
            best: Mutex::default(),
        }
    }

    /// The problem, as it was given. Its observer is [`observer`](Self::observer), unless that was changed.
    pub fn problem(&self) -> &'p Problem {
        self.problem
    }

    /// The world.
    pub fn world(&self) -> &'p World {
        &self.problem.world
    }

    /// The plan in question.
    pub fn plan(&self) -> Option<&'p Plan> {
        self.plan
    }

    /// What may stop whatever is done in this setting.
    pub fn monitor(&self) -> &'p dyn Monitor {
        self.monitor
    }

    /// Looks at the monitor.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.monitor.poll(progress)
    }

    /// Whether the question is no more than the paper's: one observer, who sees every event, with stipulations of single estimates. `map` is
    /// what it sees through.
    pub fn is_plain(&self, map: Option<&LabelMap>) -> bool {
        self.observers.len() == 1
            && self.stipulations().are_momentary()
            && !map.is_some_and(LabelMap::hides)
            && self.observer().constraints.unseen.is_empty()
    }

    /// Everybody who watches.
    pub fn observers(&self) -> &[PosedObserver<'p>] {
        &self.observers
    }

    /// The number of the observer that is looked at: the one whose map is sought, or the first.
    pub fn focus(&self) -> usize {
        self.focus
    }

    /// The observer that is looked at.
    pub fn observer(&self) -> &Observer {
        &self.observers[self.focus].observer
    }

    /// The observer's stipulations, compiled.
    pub fn stipulations(&self) -> &Stipulations {
        &self.observers[self.focus].stipulations
    }

    /// The observer's stipulations, to keep.
    pub fn shared_stipulations(&self) -> Arc<Stipulations> {
        Arc::clone(&self.observers[self.focus].stipulations)
    }

    /// The map that the observer is given.
    ///
    /// # Errors
    /// If there is none.
    pub fn map(&self) -> Result<&LabelMap, QuestionError> {
        self.observer().map.as_ref().ok_or(QuestionError::NeedsMap)
    }

    /// Everybody's maps, in order; `map` is that of the observer that is looked at.
    ///
    /// # Errors
    /// If somebody else has none.
    pub fn maps<'m>(&'m self, map: &'m LabelMap) -> Result<Vec<&'m LabelMap>, QuestionError> {
        let each = self.observers.iter().enumerate().map(|(number, posed)| match &posed.observer.map {
            _ if number == self.focus => Ok(map),
            Some(map) => Ok(map),
            None => Err(QuestionError::NeedsMap),
        });
        each.collect()
    }

    /// The expanded world with the actions that are safe: what a plan may do.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn expansion(&self) -> Result<&Arc<Expansion>, Limit> {
        self.expanded(&self.safe, Actions::Safe)
    }

    /// The expanded world with all actions: its language is the world's.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn whole_expansion(&self) -> Result<&Arc<Expansion>, Limit> {
        self.expanded(&self.whole, Actions::Some)
    }

    fn expanded<'s>(
        &self,
        known: &'s OnceCell<Arc<Expansion>>,
        actions: Actions,
    ) -> Result<&'s Arc<Expansion>, Limit> {
        if known.get().is_none() {
            let expansion = expand(self.world(), actions, self.threads, self.monitor)?;
            let _ = known.set(Arc::new(expansion));
        }
        Ok(known.get().expect("it was set just now"))
    }

    /// All joint executions of the plan in question and the world.
    ///
    /// # Errors
    /// The limit that was hit.
    ///
    /// # Panics
    /// If there is no plan in question.
    pub fn joint(&self) -> Result<&Joint, Limit> {
        let plan = self.plan.expect("there is a plan in question");
        if self.joint.get().is_none() {
            let _ = self.joint.set(Joint::new(plan, self.world(), self.monitor)?);
        }
        Ok(self.joint.get().expect("it was set just now"))
    }

    /// What the observer knows of the plan beforehand.
    ///
    /// # Errors
    /// If it knows the plan and there is none, if a graph starts with another kind of vertex than the world, or the limit that was hit.
    pub fn divulged(&self) -> Result<&Divulged<'p>, QuestionError> {
        self.divulged_to(self.focus)
    }

    /// What the observer with this number knows of the plan beforehand.
    ///
    /// # Errors
    /// As [`divulged`](Self::divulged).
    pub fn divulged_to(&self, number: usize) -> Result<&Divulged<'p>, QuestionError> {
        self.observers[number].divulged(self)
    }

    /// The observer, who has seen nothing yet, behind a map; `None` if it expects nothing whatever.
    ///
    /// # Errors
    /// As [`divulged`](Self::divulged), and if its filter cannot trace what it may see.
    pub fn tracker(&self, map: &LabelMap) -> Result<Option<Tracker<'_>>, QuestionError> {
        self.tracker_of(self.focus, map)
    }

    /// The observer with this number, who has seen nothing yet, behind a map; `None` if it expects nothing whatever.
    ///
    /// # Errors
    /// As [`tracker`](Self::tracker).
    pub fn tracker_of(&self, number: usize, map: &LabelMap) -> Result<Option<Tracker<'_>>, QuestionError> {
        let PosedObserver { observer, stipulations, .. } = &self.observers[number];
        let (world, filter) = (&self.world().base().graph, &observer.filter);
        match &self.divulged_to(number)?.tracked {
            Some(tracked) => Tracker::new(world, filter, map, tracked, stipulations, self.monitor).map(Some),
            // Bad input is bad whatever else is so.
            None => check_filter(world, filter, map, self.monitor).map(|()| None),
        }
    }

    /// Those of the observers who are in `numbers` as one, and what they see together; `map` is that of the observer that is looked at.
    /// `None` if one of them expects nothing whatever.
    ///
    /// # Errors
    /// As [`tracker`](Self::tracker), and if one of them has no map.
    pub fn together<'s>(
        &'s self,
        numbers: &[usize],
        map: &'s LabelMap,
    ) -> Result<Option<(Tracker<'s>, Cow<'s, LabelMap>)>, QuestionError> {
        let trackers = self.trackers(numbers, map)?;
        trackers.map(|trackers| self.as_one(numbers.iter().copied().zip(trackers), map)).transpose()
    }

    /// The same, each by itself.
    pub(crate) fn trackers(
        &self,
        numbers: &[usize],
        map: &LabelMap,
    ) -> Result<Option<Vec<Tracker<'_>>>, QuestionError> {
        let maps = self.maps(map)?;
        let trackers = numbers.iter().map(|&number| self.tracker_of(number, maps[number]));
        Ok(trackers.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
    }

    /// Observers with these numbers as one, and what they see together; `map` is that of the observer that is looked at.
    pub(crate) fn as_one<'s>(
        &'s self,
        observers: impl IntoIterator<Item = (usize, Tracker<'s>)>,
        map: &'s LabelMap,
    ) -> Result<(Tracker<'s>, Cow<'s, LabelMap>), QuestionError> {
        let maps = self.maps(map)?;
        let (mut trackers, mut own) = (Vec::new(), Vec::new());
        for (number, tracker) in observers {
            trackers.push(tracker);
            own.push(maps[number]);
        }
        if let ([_], [map]) = (&*trackers, &*own) {
            return Ok((trackers.remove(0), Cow::Borrowed(*map)));
        }
        let (together, looks) = LabelMap::together(map.images().len(), &own);
        Ok((Tracker::together(trackers, looks), Cow::Owned(together)))
    }

    /// Takes note of what was found while the search for something better, or for more, goes on.
    pub fn report(&self, so_far: SoFar) {
        self.monitor.reached(match &so_far {
            SoFar::Plan(found) => Milestone::Found { events: found.worst_case.events },
            SoFar::Map(found) => Milestone::Found { events: found.worst_case.events },
            &SoFar::Maps(Classified { feasible, infeasible, .. }) => {
                Milestone::Classified { feasible, infeasible }
            }
        });
        self.keep(so_far);
    }

    /// Keeps what was found, of which the monitor knows.
    pub(crate) fn keep(&self, so_far: SoFar) {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
    }

    /// What was last reported or kept.
    pub fn best(&self) -> Option<SoFar> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
