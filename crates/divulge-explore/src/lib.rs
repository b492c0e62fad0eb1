//! The explorer: a person walks through a plan, step by step, with the robot on one side and whoever watches on the other.
//!
//! *Practical.* [`Explorer`] is the session: it answers requests in JSON about one problem, a plan and a map filled in. It runs
//! in the page, compiled to WebAssembly; the page draws what it is told and decides nothing. [`page`] makes the page, one HTML file
//! with everything in it.
//!
//! What is shown was found by the engines of [`divulge`]: [`snapshot()`] follows executions with the observer's own tracker,
//! [`verdict()`] checks, [`facts`] looks at everything that may happen. [`words`] chooses the words.

pub mod words;

mod about;
mod explorer;
mod hindsight;
mod look_alike;
mod observer;
mod opening;
mod overview;
#[cfg(feature = "page")]
pub mod page;
mod regroup;
mod route;
mod run;
mod scene;
mod side;
mod situation;
mod snapshot;
mod twins;
mod variables;
mod verdict;

pub use explorer::{Explorer, GridRequest, Request};
pub use hindsight::Recalled;
pub use look_alike::look_alike;
pub use opening::{Opening, data, shown};
pub use overview::{Fact, facts, sentences};
pub use route::route;
pub use run::{RunRow, RunTable};
pub use scene::{Atlas, Cell, Drawing, DrawnEdge, DrawnNode, GridScene, Mark, Marks, Scene, View, plan};
pub use side::{Seen, Side, State};
pub use situation::{Change, KnowsChoice, Situation, What, choices};
pub use snapshot::{Event, Outcome, OutcomeSeen, Snapshot, snapshot};
pub use twins::{Comparison, Run};
pub use variables::{ValueState, Variable};
pub use verdict::{Verdict, verdict};
