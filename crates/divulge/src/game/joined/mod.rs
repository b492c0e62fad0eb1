//! Joining branches of a strategy from which the same can follow.
//!
//! *Background.* A strategy is read off place by place, so that one branch may stop sooner than another from which nearly the same follows.
//! Wherever the longer branch could be followed too, and that makes the worst case no worse, one of them is enough. A vertex of the plan takes the
//! place of another if everything that may happen from there on is foreseen, in all the places in which the other is visited.
//!
//! *Practical.* [`joined`] tries pairs of vertices from the start on, so that long branches are joined before their parts. [`Places`] is what the
//! robot moves on: the arena, where all that counts is known of a place, or the expanded world, where what is
//! joined is checked as a whole. Effort is bounded, by counting: the same is joined however long it takes.

mod places;
mod program;

pub(crate) use places::{InArena, InWorld, Places};

use rustc_hash::FxHashSet;

use crate::{
    expansion::Expansion,
    game::strategy::Strategy,
    problem::{Kind, Label},
    verdict::{QuestionError, WorstCase},
};
use program::Program;

/// How much is looked at in all.
const EFFORT: u64 = 1 << 18;

/// Whether a strategy keeps what must be kept; `None` if no more are to be tried.
pub(crate) type Holds = Result<Option<bool>, QuestionError>;

/// The strategy with all branches joined that were found to go together, as far as `holds` tells. Where a limit is hit, it stays as it is by then.
pub(crate) fn joined<P: Places>(
    strategy: Strategy,
    expansion: &Expansion,
    costs: &[u64],
    places: &mut P,
    mut holds: impl FnMut(&Strategy) -> Holds,
) -> Result<Strategy, QuestionError> {
    if strategy.nodes().len() as u64 > EFFORT {
        return Ok(strategy);
    }
    let program = Program::new(&strategy, expansion, costs, places);
    let known = places.effort();
    let mut joining = Joining { worst: program.worst_case(), program, places, known, effort: 0 };
    match joining.run(expansion, costs, &mut holds) {
        // There is a plan, though it is not known what could be joined.
        Ok(()) | Err(QuestionError::Limit(_)) => {}
        Err(other) => return Err(other),
    }
    Ok(joining.program.strategy(joining.places))
}

struct Joining<'p, P> {
    program: Program,
    places: &'p mut P,
    /// What the worst case may be.
    worst: WorstCase,
    /// What it took to know the places that the strategy visits.
    known: u64,
    effort: u64,
}

impl<P: Places> Joining<'_, P> {
    fn run(
        &mut self,
        expansion: &Expansion,
        costs: &[u64],
        holds: &mut impl FnMut(&Strategy) -> Holds,
    ) -> Result<(), QuestionError> {
        // Nothing leads to the start.
        let (mut order, mut at, mut changed) = (self.program.breadth_first(), 1, false);
        while at < order.len() {
            let mut next = None;
            for other in self.candidates(order[at], &order) {
                if self.effort + self.places.effort() - self.known >= EFFORT {
                    return Ok(());
                }
                if self.follows(order[at], other)? {
                    let fewer = self.program.redirected(order[at], other);
                    match holds(&fewer)? {
                        Some(true) => {
                            next = Some(fewer);
                            break;
                        }
                        Some(false) => {}
                        None => return Ok(()),
                    }
                }
            }
            match next {
                Some(fewer) => {
                    self.program = Program::new(&fewer, expansion, costs, self.places);
                    self.effort += self.program.size();
                    (order, changed) = (self.program.breadth_first(), true);
                }
                None => at += 1,
            }
            // What could not be joined before may be now.
            if at == order.len() && changed {
                (at, changed) = (1, false);
            }
        }
        Ok(())
    }

    /// The vertices that may take the place of another as far as their own labels and lengths tell.
    fn candidates(&mut self, vertex: u32, order: &[u32]) -> Vec<u32> {
        let Self { program, places, worst, effort, .. } = self;
        let own = &program.vertices[vertex as usize];
        if own.terminal {
            return Vec::new();
        }
        *effort += 1 + order.len() as u64 / 16;
        let first = program.visits[vertex as usize][0];
        let can: Vec<Label> = places.place(first).labels().collect();
        let fits = |other: u32| {
            let there = &program.vertices[other as usize];
            let labels = || there.arcs.iter().map(|&(label, _)| label);
            other != vertex
                && there.kind == own.kind
                && program.through(vertex, other, *worst)
                && match own.kind {
                    _ if there.terminal => true,
                    Kind::Observation => labels().eq(can.iter().copied()),
                    Kind::Action => labels().all(|label| can.binary_search(&label).is_ok()),
                }
        };
        order.iter().copied().filter(|&other| fits(other)).collect()
    }

    /// Whether, wherever one vertex is visited, the robot could go on at another.
    fn follows(&mut self, vertex: u32, other: u32) -> Result<bool, QuestionError> {
        let mut todo: Vec<(u32, u32)> =
            self.program.visits[vertex as usize].iter().map(|&place| (place, other)).collect();
        let mut met: FxHashSet<(u32, u32)> = todo.iter().copied().collect();
        // What led back would go on for ever.
        let (back, looked) = self.program.leads(other, vertex);
        self.effort += looked;
        if back {
            return Ok(false);
        }
        while let Some((at, then)) = todo.pop() {
            self.effort += 1;
            self.places.poll()?;
            // This is what happens now.
            if self.program.visits[then as usize].binary_search(&at).is_ok() {
                continue;
            }
            let own = &self.program.vertices[then as usize];
            let place = self.places.place(at);
            if own.terminal {
                if !place.stops {
                    return Ok(false);
                }
                continue;
            }
            if own.kind == Kind::Observation && !place.labels().eq(own.arcs.iter().map(|&(label, _)| label)) {
                return Ok(false);
            }
            for &(label, next) in &own.arcs {
                let Some(to) = place.after(label) else { return Ok(false) };
                if met.insert((to, next)) {
                    todo.push((to, next));
                }
            }
        }
        Ok(true)
    }
}
