//! The expanded world: what the robot itself knows, and what it could force with that.
//!
//! *Background.* After an execution the robot knows the set of world vertices that it leads to; these sets are the vertices of
//! Sde(W). A plan may take an action at a set only if every member has it, must foresee what some member bears, and may
//! terminate only if all members are goals.
//!
//! *Practical.* [`expand`] builds the reachable part; [`ranks`] tells from where the goal can be forced, and how soon;
//! [`goal_directed`] is the union of all plans that solve the world (case III).

mod almost_sure;
mod expand;
mod goal_directed;
mod known;
mod share;
mod steps;
mod subsets;

pub use almost_sure::almost_surely;
pub use expand::{Actions, Expansion, expand};
pub(crate) use goal_directed::by_ranks;
pub use goal_directed::{goal_directed, ranks, winning};
pub use subsets::EXPANDING;
