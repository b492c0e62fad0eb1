//! Explanations: what an execution looks like step by step, why a violation is one, why there is no plan or no map.
//!
//! *Practical.* [`confirms`] checks that a violation's execution shows it, by [`replay`], which follows an
//! execution straight from the definitions and shares no search code with the engines. [`explain`] finds the clause that broke and twin
//! runs; [`RunTold`] follows a stipulation on a run from moment to moment, and [`Recall`] what is made of earlier moments;
//! [`endings`] what the observer can tell where a plan terminates; [`why_no_plan`] and [`why_no_map`] what stands in the way.

mod alternatives;
mod ending;
mod hindsight;
mod no_map;
mod no_plan;
mod program;
mod replay;
mod run;
mod twin;
mod uneven;
mod violation;
mod witness;

pub use ending::{Ending, Known, Sure, ending_anywhere, endings};
pub use hindsight::{GivenAway, Recall};
pub use no_map::why_no_map;
pub use no_plan::why_no_plan;
pub use program::{Passage, Program, Then};
pub(crate) use replay::Replays;
pub use replay::{Moment, Replay, Standing, replay};
pub use run::{RunFailed, RunMoment, RunState, RunTold};
pub use twin::{RuledOut, Twin, Why};
pub use uneven::{Gone, Uneven};
pub use violation::{Breach, Explanation, Met, Missed, explain};
pub use witness::confirms;
