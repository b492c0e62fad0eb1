//! The questions: CHECK, AUDIT and SEEK.
//!
//! *Practical.* Each question is a function of a [`Problem`](crate::problem::Problem) and a [`Monitor`], which is polled often and
//! may stop it. [`check`] and [`audit`] answer with a violation or with none; [`seek`] with a plan, a map or both, or with none, which
//! is a proof. What cannot be asked, and what was stopped, is a [`QuestionError`].

mod audit;
mod check;
mod error;
mod monitor;
pub mod seek;
mod solves;
mod threads;
mod walk;

pub use audit::{AuditOptions, Ends, audit, audit_with};
pub use check::{check, check_with};
pub use error::QuestionError;
pub use monitor::{Limit, Monitor, Progress, Unlimited};
pub use solves::{Joint, solves};
