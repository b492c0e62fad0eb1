//! What goes wrong along a log, each thing once.

use divulge::{problem::Label, setting::Setting, verdict::QuestionError};

use super::{
    Finding,
    broken::{Broken, Several},
};
use crate::{guard::Guard, held::Held, table::Refusal};

/// What was told already, and what observers make of the log.
pub(super) struct Told<'s> {
    plan: bool,
    world: bool,
    minds: Vec<Mind<'s>>,
}

struct Mind<'s> {
    lost: bool,
    /// For each stipulation, whether it was told that it is broken.
    stipulations: Vec<bool>,
    broken: Broken<'s>,
}

impl<'s> Told<'s> {
    pub fn new<'p: 's>(
        setting: &'s Setting<'p>,
        guard: &Guard<'s>,
        several: &'s Several,
    ) -> Result<Self, QuestionError> {
        let mut minds = Vec::new();
        for (number, map) in guard.maps().iter().enumerate() {
            let stipulations = vec![false; setting.observers()[number].observer.stipulations.len()];
            let broken = Broken::new(setting, number, map, several)?;
            minds.push(Mind { lost: false, stipulations, broken });
        }
        Ok(Self { plan: false, world: false, minds })
    }

    /// What is wrong before the first event.
    pub fn at_start(&mut self, guard: &Guard<'_>) -> Vec<Finding> {
        let new = self.of_observers(guard, false);
        findings(guard, 0, None, ("the start", "breaks"), new, &[])
    }

    /// What an event has made wrong that was not before. The plan had foreseen these.
    pub fn after(
        &mut self,
        guard: &Guard<'_>,
        after: usize,
        label: Label,
        foreseen: &[Label],
    ) -> Vec<Finding> {
        for (number, mind) in self.minds.iter_mut().enumerate() {
            mind.broken.see(guard.image(number, label));
        }
        let mut new = Vec::new();
        if !guard.is_on_plan() && !std::mem::replace(&mut self.plan, true) {
            new.push(Refusal::Unforeseen);
        }
        if !guard.is_in_world() && !std::mem::replace(&mut self.world, true) {
            new.push(Refusal::Impossible);
        }
        new.extend(self.of_observers(guard, false));
        let name = guard.problem().alphabet.name(label);
        findings(guard, after, Some(name), (&format!("`{name}`"), "breaks"), new, foreseen)
    }

    /// What is wrong with ending here. What left the plan or the world on the way need not be said again.
    pub fn at_end(&mut self, guard: &Guard<'_>, after: usize) -> Vec<Finding> {
        let mut new = Vec::new();
        if !guard.may_stop() && !self.plan {
            new.push(Refusal::EarlyEnd);
        } else if guard.may_be_off_goal() && !self.plan {
            new.push(Refusal::OffGoal);
        }
        new.extend(self.of_observers(guard, true));
        findings(guard, after, None, ("the end", "breaks"), new, &[])
    }

    /// Everything that is broken of everybody's stipulations and was not told yet.
    fn of_observers(&mut self, guard: &Guard<'_>, ends: bool) -> Vec<Refusal> {
        let mut new = Vec::new();
        for (number, mind) in self.minds.iter_mut().enumerate() {
            let observer = number as u32;
            let Some((tracker, state)) = guard.mind(number) else {
                if !std::mem::replace(&mut mind.lost, true) {
                    new.push(Refusal::Outside { observer });
                }
                continue;
            };
            for stipulation in mind.broken.all(tracker, state, ends) {
                if !std::mem::replace(&mut mind.stipulations[stipulation], true) {
                    new.push(Refusal::Broken { observer, stipulation: stipulation as u32 });
                }
            }
        }
        new
    }
}

fn findings(
    guard: &Guard<'_>,
    after: usize,
    event: Option<&str>,
    words: (&str, &str),
    new: Vec<Refusal>,
    foreseen: &[Label],
) -> Vec<Finding> {
    let find = |refusal| {
        let (observer, stipulation) = match refusal {
            Refusal::Broken { observer, stipulation } => (Some(observer), Some(stipulation as usize)),
            Refusal::Outside { observer } => (Some(observer), None),
            _ => (None, None),
        };
        let event = event.map(str::to_owned);
        let held = Held { event, ..Held::against(guard.problem(), words, refusal, foreseen) };
        Finding { after, held, observer: observer.map(|observer| observer as usize), stipulation }
    };
    new.into_iter().map(find).collect()
}
