//! What becomes of stipulations as an observer watches.
//!
//! *Background.* A stipulation speaks of the estimates that an observer forms, one after the other. What has become of all of an
//! observer's stipulations so far is a *course*: a state that starts with the first estimate and advances with every other. `always`
//! breaks it where it does not hold; `end` tells whether a plan may terminate. Both look at the present estimate alone, so a
//! course remembers nothing yet; a scope with a memory keeps its own state here, beside these two.

use super::Stipulations;
use crate::problem::Scope;

/// What has become of an observer's stipulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Course {
    kept: bool,
    may_end: bool,
}

impl Course {
    /// Whether nothing is broken so far. Where this is false, no plan may lead.
    pub fn is_kept(self) -> bool {
        self.kept
    }

    /// The scope that is broken, if any; `end` counts if the plan terminates now.
    pub fn broken(self, ends: bool) -> Option<Scope> {
        match (self.kept, self.may_end) {
            (false, _) => Some(Scope::Always),
            (true, false) if ends => Some(Scope::End),
            _ => None,
        }
    }

    /// Whether a plan may terminate now.
    pub fn may_end(self) -> bool {
        self.may_end
    }
}

impl Stipulations {
    /// The course that starts with an estimate of this signature.
    pub fn begin(&self, signature: &[u64]) -> Course {
        Course { kept: self.hold(Scope::Always, signature), may_end: self.hold(Scope::End, signature) }
    }

    /// The course after one more estimate.
    pub fn advance(&self, _before: Course, signature: &[u64]) -> Course {
        self.begin(signature)
    }

    /// The first stipulation that an estimate of this signature breaks; those of scope `end` count if the plan may terminate here.
    pub fn first_broken(&self, signature: &[u64], ends: bool) -> Option<usize> {
        let broken = |scope| self.broken(scope, signature);
        broken(Scope::Always).or_else(|| broken(Scope::End).filter(|_| ends))
    }
}
