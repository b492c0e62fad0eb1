//! One observer of a setting.

use std::{borrow::Cow, cell::OnceCell, sync::Arc};

use super::Setting;
use crate::{
    formula::Stipulations,
    observer::Divulged,
    problem::{Knows, Observer, Scope, Stipulation, World},
    verdict::QuestionError,
};

/// An observer with its stipulations compiled and, once that was asked for, what it knows of the plan.
pub struct PosedObserver<'p> {
    /// The observer.
    pub observer: Cow<'p, Observer>,
    /// What it stipulates.
    pub stipulations: Arc<Stipulations>,
    divulged: OnceCell<Arc<Divulged<'p>>>,
}

impl<'p> PosedObserver<'p> {
    /// An observer; `known` is what it stipulates, if that was compiled for another one who stipulates the same.
    pub(super) fn new(
        world: &World,
        number: usize,
        observer: Cow<'p, Observer>,
        known: Option<Arc<Stipulations>>,
    ) -> Result<Self, QuestionError> {
        let stipulations = match known {
            Some(known) => known,
            None => compiled(world, number, &observer.stipulations)?,
        };
        Ok(Self { observer, stipulations, divulged: OnceCell::new() })
    }

    /// The same observer.
    pub(super) fn same<'q>(&self) -> PosedObserver<'q>
    where
        'p: 'q,
    {
        let divulged = OnceCell::new();
        if let Some(known) = self.divulged.get() {
            let known: Arc<Divulged<'q>> = known.clone();
            let _ = divulged.set(known);
        }
        PosedObserver { observer: self.observer.clone(), stipulations: self.stipulations.clone(), divulged }
    }

    /// The same observer where another plan is in question, which may be what it knows.
    pub(super) fn with_another_plan<'q>(&self) -> PosedObserver<'q>
    where
        'p: 'q,
    {
        let same = self.same();
        match self.observer.knows {
            Knows::Plan => PosedObserver { divulged: OnceCell::new(), ..same },
            _ => same,
        }
    }

    /// Another observer, which takes over what is the same.
    pub(super) fn changed_to(
        &self,
        world: &World,
        number: usize,
        observer: Observer,
    ) -> Result<Self, QuestionError> {
        let stipulations = if observer.stipulations == self.observer.stipulations {
            self.stipulations.clone()
        } else {
            compiled(world, number, &observer.stipulations)?
        };
        let single = |observer: &Observer| observer.stipulations.iter().any(looks_back);
        let same = observer.knows == self.observer.knows && single(&observer) == single(&self.observer);
        let divulged = if same { self.divulged.clone() } else { OnceCell::new() };
        Ok(Self { observer: Cow::Owned(observer), stipulations, divulged })
    }

    /// What it knows of the plan in question.
    pub(super) fn divulged(&self, setting: &Setting<'p>) -> Result<&Divulged<'p>, QuestionError> {
        if self.divulged.get().is_none() {
            let (world, knows) = (&setting.world().graph, &self.observer.knows);
            let expansion = || setting.expansion().cloned();
            let single = self.observer.stipulations.iter().any(looks_back);
            let divulged = Divulged::new(world, knows, setting.plan(), expansion, single, setting.monitor())?;
            let _ = self.divulged.set(Arc::new(divulged));
        }
        Ok(self.divulged.get().expect("it was set just now"))
    }
}

/// Whether what an execution goes on from matters, which is one vertex, not all that the robot cannot tell apart.
fn looks_back(stipulation: &Stipulation) -> bool {
    matches!(stipulation.scope, Scope::Hindsight { .. })
}

fn compiled(
    world: &World,
    observer: usize,
    stipulations: &[Stipulation],
) -> Result<Arc<Stipulations>, QuestionError> {
    let wrong = |(number, e)| QuestionError::Formula { observer, number, e };
    Stipulations::compile(world, stipulations).map(Arc::new).map_err(wrong)
}
