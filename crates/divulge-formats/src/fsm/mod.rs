//! `.fsm`: automata as UMDES, DESUMA, VEiP and PSU-MDESops write them.
//!
//! The first line has the number of states and perhaps the number of initial ones, which come first. Then follow the states, each a line with
//! its name, whether it is marked (1 or 0) and the number of its transitions, and then those: event, next state, and perhaps `c` or `uc`, `o`
//! or `uo`, and a probability.

mod read;
mod write;

pub use read::read;
pub use write::write;
