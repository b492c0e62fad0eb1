//! The game that a robot plays whose observers' knowledge does not depend on its plan: one arena, one exploration, one backward
//! induction, and the strategies that come of it.
//!
//! *Background.* A node of the arena is what the robot knows, what the divulged plan makes of its execution, and the observer's state. At action
//! nodes the robot chooses among safe, admitted actions; at observation nodes the world does. The robot wins by stopping where
//! it knows that it is at the goal and the observer's stipulations let it.
//!
//! *Practical.* `robot` is the game without the observer, `arena` the one with it, which `explore` visits; `induction` (events) and
//! `cost` give each node its value, `read_off` reads off what to do: a [`Strategy`], whose branches `joined` joins and which becomes a plan.

pub(crate) mod arena;
pub(crate) mod cost;
mod deep;
pub(crate) mod explore;
pub(crate) mod induction;
pub(crate) mod joined;
pub(crate) mod naming;
pub(crate) mod product;
pub(crate) mod read_off;
mod robot;
mod single;
pub(crate) mod strategy;
mod turned;
mod watched;

pub(crate) use cost::needed;
pub(crate) use deep::deep;
pub(crate) use robot::Robot;
pub(crate) use single::Single;
pub use strategy::{Strategy, StrategyNode, worst_case};
pub(crate) use watched::watched;
