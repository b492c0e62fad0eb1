//! The questions: CHECK, AUDIT and SEEK.

mod audit;
mod check;
mod error;
mod monitor;
pub mod seek;
mod solves;
mod walk;

pub use audit::audit;
pub use check::{check, check_with};
pub use error::QuestionError;
pub use monitor::{Limit, Monitor, Progress, Unlimited};
pub use solves::{Joint, solves};
