//! Answers about an unfolded world, told of the world that it comes from.

use super::{Verdict, Why};
use crate::{
    explain::Explanation,
    problem::{Vertex, World},
    verdict::{NoMap, NoPlan, Reason, Unsolvable, Violation},
};

impl Verdict {
    /// The same verdict, its vertices those of the world that the unfolded one comes from.
    pub(super) fn folded(mut self, unfolded: &World) -> Self {
        if let Verdict::Violated { violation, .. } = &mut self {
            Fold(unfolded).violation(violation);
        }
        self.with_explanation_folded(unfolded)
    }

    /// The same where the verdict itself was told of that world before, and only what explains it was not.
    pub(super) fn with_explanation_folded(mut self, unfolded: &World) -> Self {
        let fold = Fold(unfolded);
        match &mut self {
            Verdict::Violated { explanation: Some(explanation), .. } => fold.explanation(explanation),
            Verdict::None { why: Some(why), .. } => match &mut **why {
                Why::Plan(NoPlan::Unsolvable(stuck)) | Why::Map(NoMap::Unsolvable(stuck)) => {
                    fold.unsolvable(stuck)
                }
                Why::Map(NoMap::PlanFails(violation)) => fold.violation(violation),
                Why::Plan(_) | Why::Map(_) => {}
            },
            _ => {}
        }
        self
    }
}

struct Fold<'w>(&'w World);

impl Fold<'_> {
    fn set(&self, set: &mut Vec<Vertex>) {
        set.iter_mut().for_each(|v| *v = self.0.base_vertex(*v));
        set.sort_unstable();
        set.dedup();
    }

    fn violation(&self, violation: &mut Violation) {
        // What is wrong with solving is told of the world as it is.
        if violation.reason == Reason::Stipulation {
            violation.at = violation.at.map(|(v, w)| (v, self.0.base_vertex(w)));
        }
        violation.estimate.iter_mut().for_each(|estimate| self.set(estimate));
    }

    fn explanation(&self, explanation: &mut Explanation) {
        for moment in &mut explanation.replay.moments {
            self.set(&mut moment.world);
            moment.estimate.iter_mut().for_each(|estimate| self.set(estimate));
        }
        if let Some(uneven) = &mut explanation.uneven {
            let twins = uneven.gone.iter_mut().filter_map(|gone| gone.twin.as_mut());
            for twin in twins.chain(uneven.left.iter_mut().map(|(_, twin)| twin)) {
                twin.path.iter_mut().for_each(|v| *v = self.0.base_vertex(*v));
            }
        }
    }

    fn unsolvable(&self, stuck: &mut Unsolvable) {
        stuck.places.iter_mut().for_each(|place| self.set(&mut place.vertices));
        stuck.unsure.iter_mut().for_each(|unsure| self.set(&mut unsure.vertices));
    }
}
