//! Hindsight: what the observer later makes of an earlier moment.

use std::collections::BTreeSet;

use divulge::problem::Label;

use super::{
    past::{Estimate, Place},
    watcher::{Memory, Watcher},
};

/// What the observer takes an earlier moment for, as far as it goes with what came since: the place then, and the place and the vertex of
/// D now.
pub type Relation = BTreeSet<(Place, Place, usize)>;

impl Watcher<'_> {
    /// The present moment, to be looked back at.
    pub fn look_back(&self, memory: &Memory) -> Relation {
        let Memory::Belief(belief) = memory else { unreachable!("who forgets has no hindsight") };
        self.since(belief.iter().map(|(place, d)| (place.clone(), (place.clone(), *d))), |b| self.closed(b))
    }

    /// What is left of an earlier moment after one more event.
    pub fn later(&self, relation: &Relation, event: Label) -> Relation {
        let image = self.image(event);
        if image.is_none() {
            return relation.clone();
        }
        let all = relation.iter().map(|(then, now, d)| (then.clone(), (now.clone(), *d)));
        self.since(all, |b| self.seen(&b, image))
    }

    fn since(
        &self,
        all: impl Iterator<Item = (Place, (Place, usize))>,
        go: impl Fn(BTreeSet<(Place, usize)>) -> BTreeSet<(Place, usize)>,
    ) -> Relation {
        all.flat_map(|(then, now)| {
            go([now].into()).into_iter().map(move |(place, d)| (then.clone(), place, d))
        })
        .collect()
    }

    /// The estimate of the earlier moment, as it now is.
    pub fn revised(&self, relation: &Relation) -> Estimate {
        relation.iter().map(|(then, _, _)| then.clone()).collect()
    }

    /// The same by the letter: { w : some s'·r' in L(D) that looks like s·r has s' lead to w, and r' go on from that w }.
    pub fn in_hindsight(&self, s: &[Label], r: &[Label]) -> Estimate {
        let memory = s.iter().fold(self.start(), |memory, &event| self.after(&memory, event));
        let Memory::Belief(belief) = memory else { unreachable!("who forgets has no hindsight") };
        let goes_on = |at: &(Place, usize)| {
            let seen = r.iter().map(|&event| self.image(event)).filter(|image| image.is_some());
            !seen.fold(self.closed([at.clone()].into()), |b, image| self.seen(&b, image)).is_empty()
        };
        belief.into_iter().filter(goes_on).map(|(place, _)| place).collect()
    }
}
