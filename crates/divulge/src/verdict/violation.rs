//! What was found wrong, with its witness.

use crate::problem::{Label, Vertex};

/// Why a plan, or a world under audit, does not keep to what is asked. The order is that in which they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The plan may take an action that the world does not have there.
    UnsafeAction,
    /// The world may give an observation that the plan does not foresee.
    UnforeseenObservation,
    /// The plan may terminate at a vertex that is no goal.
    TerminatesOffGoal,
    /// Neither can go on, and the plan has not terminated.
    Stuck,
    /// Joint executions can go on for ever.
    Unbounded,
    /// The divulged plan does not admit an execution.
    OutsideDivulged,
    /// A stipulation does not hold.
    Stipulation,
}

impl Reason {
    /// The word used for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Reason::UnsafeAction => "unsafe-action",
            Reason::UnforeseenObservation => "unforeseen-observation",
            Reason::TerminatesOffGoal => "terminates-off-goal",
            Reason::Stuck => "stuck",
            Reason::Unbounded => "unbounded",
            Reason::OutsideDivulged => "outside-divulged",
            Reason::Stipulation => "stipulation",
        }
    }
}

/// A violation and a shortest execution that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub reason: Reason,
    /// The execution after which it is wrong; for [`Reason::OutsideDivulged`] the one that is not admitted.
    pub execution: Vec<Label>,
    /// For [`Reason::Unbounded`], events that lead back to where the execution ended.
    pub cycle: Option<Vec<Label>>,
    /// The event that is unsafe or unforeseen.
    pub event: Option<Label>,
    /// The vertices of the plan and of the world where it is wrong.
    pub at: Option<(Vertex, Vertex)>,
    /// The number of the observer that it is about: where a stipulation does not hold, or its divulged plan does not admit the execution.
    pub observer: usize,
    /// The number of the stipulation that does not hold, among that observer's.
    pub stipulation: Option<usize>,
    /// For a stipulation of scope `hindsight`: how many of the events had happened at the moment that it is broken of.
    pub moment: Option<usize>,
    /// The observer's estimate then; in hindsight, what it makes of that moment in the end.
    pub estimate: Option<Vec<Vertex>>,
}

impl Violation {
    /// Whether it is about one observer in particular.
    pub fn is_observers(&self) -> bool {
        matches!(self.reason, Reason::OutsideDivulged | Reason::Stipulation)
    }

    /// A violation shown by `execution`; the rest is to be filled in.
    pub fn new(reason: Reason, execution: Vec<Label>) -> Self {
        Self {
            reason,
            execution,
            cycle: None,
            event: None,
            at: None,
            observer: 0,
            stipulation: None,
            moment: None,
            estimate: None,
        }
    }
}
