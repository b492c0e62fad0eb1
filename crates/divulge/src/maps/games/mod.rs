//! The game under maps that are only partly decided, one for each situation: what can be told of all maps that agree so far.

mod beginnings;
mod beliefs;
mod field;
mod given_divulged;
mod given_plan;
mod may_or_must;
mod one_by_one;
mod partly_decided;
mod reasons;
mod self_divulged;

pub use beliefs::Pool;
pub use field::Field;
pub use given_divulged::GivenDivulgedGame;
pub use given_plan::GivenPlanGame;
pub use one_by_one::OneByOne;
pub use self_divulged::SelfDivulgedGame;

use crate::{
    maps::space::{Pairs, PartialMap},
    seek::self_divulged::Stop,
};

/// What those who play tell that they are doing while they count their nodes, which are no more than their effort will have been.
pub const PLAYING: &str = "playing under many maps";

/// A verdict for every completion of a partial map.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Whether the question has a solution.
    pub feasible: bool,
    /// The pairs that the verdict depends on.
    pub looked: Pairs,
}

/// A question that depends on the map.
pub trait MapGame {
    /// A lower bound on the number of events of any solution, under any map; `None` if there is no solution under any.
    fn least(&self) -> Option<u32>;

    /// Whether there is a solution under every completion of `map`, or under none; with at most `within` events if that is given.
    ///
    /// # Errors
    /// The pair that it depends on, a limit, or that `effort` was not enough.
    fn decide(&mut self, map: &PartialMap, within: Option<u32>, effort: u64) -> Result<Decided, Stop>;

    /// The pairs because of which there is no solution under any completion of `map`, if that can be told without deciding more and
    /// without much work.
    ///
    /// # Errors
    /// A limit.
    fn refute(&mut self, _map: &PartialMap, _within: Option<u32>) -> Result<Option<Pairs>, Stop> {
        Ok(None)
    }

    /// The pairs because of which there is no solution under the whole map `whole`, nor under any that agrees on them; `None` if there
    /// is one. After about so much effort, more pairs than are needed will do.
    ///
    /// # Errors
    /// A limit, or that `effort` was not enough.
    fn explain(
        &mut self,
        whole: &PartialMap,
        within: Option<u32>,
        effort: u64,
    ) -> Result<Option<Pairs>, Stop> {
        let Decided { feasible, looked } = self.decide(whole, within, effort)?;
        Ok((!feasible).then_some(looked))
    }

    /// How much work has been done so far. The same questions asked in the same order of a new game make the same effort.
    fn effort(&self) -> u64;

    /// How many sets of vertices are remembered.
    fn stored(&self) -> usize {
        0
    }

    /// The length of plans that were found last, where that helps to find others; 0 if there is none.
    fn usual(&self) -> u32 {
        0
    }

    /// Plans of this length were found elsewhere.
    fn expect(&mut self, _usual: u32) {}

    /// The search goes on in other games: what holds under every map is left to those that begin with what others found.
    fn hand_over(self: Box<Self>) {}
}
