//! The expanded world: what the robot itself knows, and what it could force with that.

mod expand;
mod goal_directed;
mod sets;

pub use expand::{Actions, Expansion, expand, expand_within, subsets};
pub(crate) use goal_directed::ranks_in;
pub use goal_directed::{goal_directed, ranks, ranks_within, winning};
pub use sets::{SetId, SetStore};
