//! Following an observer along an execution: what has become of its stipulations.

use std::collections::BTreeSet;

use divulge::problem::{Label, Scope, Stipulation};

use super::{
    hindsight::Relation,
    past::Estimate,
    runs::Run,
    watcher::{Memory, Watcher},
};
use crate::{Refusal, graph::Set};

/// An observer with the automata of its stipulations over runs.
#[derive(Clone, Debug)]
pub struct Follower<'p> {
    /// The observer.
    pub watcher: Watcher<'p>,
    runs: Vec<Option<Run>>,
}

/// What has become of a stipulation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It says something of the present estimate only.
    Present,
    /// The state of its run.
    Run(usize),
    /// Earlier moments in hindsight, each with how many images came since.
    Past(BTreeSet<(Relation, u32)>),
}

/// All that matters of an execution to one observer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Follow {
    /// The vertices of D reached: none if D does not admit the execution.
    pub divulged: Set,
    /// What is remembered.
    pub memory: Memory,
    /// What has become of the stipulations that are followed.
    pub standing: Vec<Standing>,
}

/// Which earlier moments are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moments {
    /// None but the present one.
    Present,
    /// All of them.
    All,
}

/// What ends with an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing: others may follow.
    None,
    /// Nothing, but what can no longer be satisfied counts as broken.
    Hope,
    /// The plan terminates.
    Plan,
}

/// The automata of some stipulations: none for those that are not over runs.
pub(super) fn automata(stipulations: &[Stipulation]) -> Result<Vec<Option<Run>>, Refusal> {
    stipulations.iter().map(|s| (s.scope == Scope::Run).then(|| Run::new(&s.formula)).transpose()).collect()
}

impl<'p> Follower<'p> {
    /// One of the problem's observers.
    ///
    /// # Errors
    /// As [`Watcher::new`], or if a formula is too large.
    pub fn new(watcher: Watcher<'p>) -> Result<Self, Refusal> {
        let runs = automata(&watcher.observer.stipulations)?;
        Ok(Self { watcher, runs })
    }

    /// Its stipulations.
    pub fn stipulations(&self) -> &'p [Stipulation] {
        &self.watcher.observer.stipulations
    }

    /// Before the first event; `which` stipulations are followed.
    pub fn start(&self, which: &[usize]) -> Follow {
        let (divulged, memory) = (self.watcher.divulged.initial.clone(), self.watcher.start());
        let estimate = self.watcher.estimate(&memory);
        let first = |&i: &usize| match (self.stipulations()[i].scope, &self.runs[i]) {
            (Scope::Hindsight { .. }, _) => Standing::Past([(self.watcher.look_back(&memory), 0)].into()),
            (_, Some(run)) => Standing::Run(run.after(&self.watcher.asked, 0, &estimate)),
            _ => Standing::Present,
        };
        Follow { standing: which.iter().map(first).collect(), divulged, memory }
    }

    /// After one more event.
    pub fn after(&self, which: &[usize], follow: &Follow, event: Label, moments: Moments) -> Follow {
        let memory = self.watcher.after(&follow.memory, event);
        let divulged = self.watcher.divulged.after(&follow.divulged, &event);
        let seen = self.watcher.image(event).is_some();
        let estimate = self.watcher.estimate(&memory);
        let go = |(&i, standing): (&usize, &Standing)| match standing {
            Standing::Run(state) if seen => {
                let run = self.runs[i].as_ref().expect("it is a run's");
                Standing::Run(run.after(&self.watcher.asked, *state, &estimate))
            }
            Standing::Past(earlier) => {
                let mut all = self.later(i, earlier, event, seen);
                if moments == Moments::All {
                    all.insert((self.watcher.look_back(&memory), 0));
                }
                Standing::Past(all)
            }
            other => other.clone(),
        };
        let standing = which.iter().zip(&follow.standing).map(go).collect();
        Follow { divulged, memory, standing }
    }

    fn later(
        &self,
        i: usize,
        earlier: &BTreeSet<(Relation, u32)>,
        event: Label,
        seen: bool,
    ) -> BTreeSet<(Relation, u32)> {
        let Scope::Hindsight { within } = self.stipulations()[i].scope else { unreachable!("of hindsight") };
        let images = |n: u32| if within.is_some() && seen { n + 1 } else { n };
        let still = earlier.iter().filter(|(_, n)| within.is_none_or(|most| images(*n) <= most));
        still.map(|(relation, n)| (self.watcher.later(relation, event), images(*n))).collect()
    }

    /// Whether a stipulation is broken, after an execution that D admits.
    pub fn breaks(&self, i: usize, standing: &Standing, estimate: &Estimate, end: End) -> bool {
        let Stipulation { scope, formula, .. } = &self.stipulations()[i];
        let holds = |estimate: &Estimate| self.watcher.asked.holds(formula, estimate);
        match (scope, standing) {
            (Scope::Always, _) => !holds(estimate),
            (Scope::End, _) => end == End::Plan && !holds(estimate),
            (Scope::Run, Standing::Run(state)) => {
                let run = self.runs[i].as_ref().expect("it is a run's");
                match end {
                    End::None => false,
                    End::Hope => run.is_bad(*state),
                    End::Plan => !run.accepts(*state),
                }
            }
            (_, Standing::Past(earlier)) => {
                earlier.iter().any(|(relation, _)| !holds(&self.watcher.revised(relation)))
            }
            _ => unreachable!("standings are those of their scopes"),
        }
    }

    /// Whether everything that is followed is kept.
    pub fn kept(&self, which: &[usize], follow: &Follow, end: End) -> bool {
        let estimate = self.watcher.estimate(&follow.memory);
        let mut all = which.iter().zip(&follow.standing);
        !follow.divulged.is_empty() && all.all(|(&i, standing)| !self.breaks(i, standing, &estimate, end))
    }
}
