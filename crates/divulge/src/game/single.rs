//! What single states of the robot tell of every estimate that they are part of.

use crate::{
    formula::Stipulations,
    problem::{Scope, Vertex},
    sets::{BitSet, Members},
};

/// Where no plan may go and where none may stop, because of what the robot itself holds possible there: that is part of the observer's
/// estimate, so what it alone breaks without remedy (a clause without positive literals) is broken whatever else is possible.
pub(crate) struct Single {
    /// Which masks of the stipulations each state meets, one signature after the other.
    pub signatures: Vec<u64>,
    /// The states that no plan may visit.
    pub banned: BitSet,
    /// The states where a plan may stop, the rest of the estimate permitting.
    pub goal: BitSet,
}

impl Single {
    /// Of `n` states, each of which stands for some world vertices.
    pub fn new<'m>(
        stipulations: &Stipulations,
        goal: &BitSet,
        n: usize,
        members: impl Fn(usize) -> Members<'m>,
    ) -> Self {
        let words = stipulations.words();
        let mut signatures = vec![0; n * words];
        for state in 0..n {
            let signature = &mut signatures[state * words..][..words];
            members(state).for_each(|w| stipulations.add(signature, Vertex(w)));
        }
        let hopeless = |scope: Scope, state: usize| {
            let signature = &signatures[state * words..][..words];
            let scoped = stipulations.all().iter().filter(|s| s.scope == scope);
            scoped.filter_map(|s| s.clauses()).flatten().any(|c| c.positive.is_empty() && !c.holds(signature))
        };
        let banned = BitSet::from_fn(n, |s| hopeless(Scope::Always, s));
        let goal =
            BitSet::from_fn(n, |s| goal.contains(s) && !banned.contains(s) && !hopeless(Scope::End, s));
        Self { signatures, banned, goal }
    }
}
