//! Everything that is broken of an observer's stipulations. A tracker tells the first.

use divulge::{
    formula::Stipulations,
    observer::{StateId, Tracker},
    problem::{Image, LabelMap, Scope},
    setting::Setting,
    verdict::QuestionError,
};

/// An observer's stipulations, all of which are asked about.
pub(super) struct Broken<'s> {
    stipulations: &'s Stipulations,
    /// Those in hindsight, where there are several: each followed by itself.
    alone: Vec<Alone<'s>>,
}

struct Alone<'s> {
    number: usize,
    tracker: Tracker<'s>,
    state: Option<StateId>,
}

/// The stipulations in hindsight of each observer that has several, each compiled by itself, beside its number.
pub(super) type Several = Vec<Vec<(usize, Stipulations)>>;

/// Compiles what [`Broken`] follows.
pub(super) fn several(setting: &Setting<'_>) -> Result<Several, QuestionError> {
    let mut all = Several::new();
    for (observer, posed) in setting.observers().iter().enumerate() {
        let of = &posed.observer.stipulations;
        let later = |n: &usize| matches!(of[*n].scope, Scope::Hindsight { .. });
        let numbers: Vec<usize> = (0..of.len()).filter(later).collect();
        let mut own = Vec::new();
        for number in numbers.iter().copied().filter(|_| numbers.len() > 1) {
            let compiled = Stipulations::compile(setting.world(), &of[number..=number]);
            own.push((number, compiled.map_err(|(_, e)| QuestionError::Formula { observer, number, e })?));
        }
        all.push(own);
    }
    Ok(all)
}

impl<'s> Broken<'s> {
    /// Before anything has happened.
    pub fn new<'p: 's>(
        setting: &'s Setting<'p>,
        observer: usize,
        map: &LabelMap,
        several: &'s Several,
    ) -> Result<Self, QuestionError> {
        let tracked = setting.divulged_to(observer)?.tracked.as_ref();
        let alone = several[observer].iter().filter_map(|(number, stipulations)| {
            let tracker = Tracker::recalling(map, tracked?, stipulations);
            Some(Alone { number: *number, state: Some(tracker.initial()), tracker })
        });
        Ok(Self { stipulations: &setting.observers()[observer].stipulations, alone: alone.collect() })
    }

    /// Goes on after an event that looks like this.
    pub fn see(&mut self, image: Option<Image>) {
        for Alone { tracker, state, .. } in &mut self.alone {
            *state = state.and_then(|state| tracker.step(state, image));
        }
    }

    /// The numbers of those that are broken in a state of the observer, ascending; what is asked for at the end counts if it is there.
    pub fn all(&self, tracker: &Tracker<'_>, state: StateId, ends: bool) -> Vec<usize> {
        let signature = tracker.signature(state);
        let is_broken = |number: usize| {
            let stipulation = &self.stipulations.all()[number];
            match stipulation.scope {
                Scope::Always => !stipulation.holds(&signature),
                Scope::End => ends && !stipulation.holds(&signature),
                Scope::Run => tracker
                    .run_standing(state, number)
                    .is_some_and(|run| !run.can_be_mended || ends && !run.may_end),
                Scope::Hindsight { .. } => {
                    !stipulation.holds(&signature) || self.is_broken_later(tracker, state, number)
                }
            }
        };
        (0..self.stipulations.all().len()).filter(|&number| is_broken(number)).collect()
    }

    fn is_broken_later(&self, tracker: &Tracker<'_>, state: StateId, number: usize) -> bool {
        match self.alone.iter().find(|alone| alone.number == number) {
            Some(alone) => {
                alone.state.is_some_and(|state| alone.tracker.broken_in_hindsight(state).is_some())
            }
            None => tracker.broken_in_hindsight(state) == Some(number),
        }
    }
}
