//! The search over maps as tasks that anybody can carry out: threads, other processes, other machines, today or later.
//!
//! *Background.* Regions of maps are disjoint, and what is learnt in one holds in all. So a region, with the lessons known by then and an
//! amount of work, is a [`Task`]: whoever carries it out tells what was decided, which regions are left, and what was learnt.
//! What comes of a task depends on the task alone, not on who carries it out or on what they did before. Tasks are given out in *rounds*: those
//! of a round are known before any of them begins, and what comes of them is put together in their order. So the same tasks
//! are given out, and the answer is the same, whatever the number of hands and whichever is done first; and a task may be done twice.
//!
//! *Practical.* [`Task`] and [`Done`] are plain data, with a form in bytes. A [`Crew`] carries out the tasks of a round; `Hands` are
//! threads that do, [`Keep`] remembers what they did, and `Rounds` gives out tasks.

mod bytes;
mod crew;
mod data;
mod rounds;

pub use bytes::Malformed;
pub use crew::{Crew, Hands, Keep, Watched};
pub use data::{Aim, Done, Region, Task};
pub use rounds::{Rounds, Sharing};
