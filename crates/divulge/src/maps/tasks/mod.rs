//! The search over maps as tasks that anybody can carry out: threads, other processes, other machines, today or later.
//!
//! *Background.* Regions of maps are disjoint, and what is learnt in one holds in all. So a region, with the lessons known by then and an
//! amount of work, is a [`Task`]: whoever carries it out tells what was decided, which regions are left, and what was learnt.
//! What comes of a task depends on the task alone, not on who carries it out or on what they did before. Results are taken in the order in which
//! tasks are given out, and whenever one is taken, the next task is made from what is known then: some tasks are always under way, and each knows
//! what came of all but those. So the same tasks are given out, and the answer is the same, whatever the number of hands and whichever is done
//! first; and a task may be done twice.
//!
//! *Practical.* [`Task`] and [`Done`] are plain data, with a form in bytes. An [`Office`] gives out tasks, a [`Crew`] carries them out; `Hands` are
//! threads that do, [`Keep`] remembers what they did, and `Shared` is the search whose tasks they are. A [`Line`] has threads do
//! searches for one map beside one another.

mod bytes;
mod crew;
mod data;
mod hands;
mod line;
mod shared;

pub use bytes::Malformed;
pub use crew::{Crew, Keep, Office, Watched};
pub use data::{Aim, Done, Region, Task};
pub use hands::Hands;
pub use line::{Came, Found, How, Job, Line, Number, Tools};
pub use shared::{Shared, Sharing};
