//! What watches an engine and may stop it: the engines themselves know no clock.

/// Why an engine was told to stop before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The time allowed is over.
    Time,
    /// The memory allowed is used.
    Memory,
    /// Somebody asked it to stop.
    Interrupt,
}

/// How far an engine has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub doing: &'static str,
    /// Nodes of the search explored.
    pub explored: u64,
    /// Beliefs or estimates stored.
    pub stored: u64,
    /// Arcs between the nodes, once they have been counted.
    pub arcs: u64,
    /// Members of all the beliefs stored, where they are counted.
    pub members: u64,
    /// Maps decided, when maps are sought.
    pub maps: u64,
    /// Nogoods learnt, when maps are sought.
    pub learnt: u64,
    /// Whether all of this was told before, and it is only asked whether to go on: somebody beside the one who counts.
    pub again: bool,
}

/// Something that happens at most a few times while a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Milestone {
    /// A plan was found that would do, with so many events in the worst case; the search for something better goes on, or it is
    /// about to be checked.
    Found {
        /// The events.
        events: u64,
    },
    /// Every map is sought, and so many are known to do, or not to do, at least.
    Classified {
        /// Maps that would do.
        feasible: u128,
        /// Maps that would not.
        infeasible: u128,
    },
    /// What was found is being checked.
    Checking,
    /// The verdict is known. What follows explains it.
    Decided(&'static str),
}

/// Watches an engine and may stop it.
pub trait Monitor: Sync {
    /// Called often, at least once in a few thousand steps.
    ///
    /// # Errors
    /// The limit that was hit: the engine then gives up.
    fn poll(&self, progress: &Progress) -> Result<(), Limit>;

    /// Told of milestones.
    fn reached(&self, _: Milestone) {}
}

/// Never stops anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Monitor for Unlimited {
    fn poll(&self, _: &Progress) -> Result<(), Limit> {
        Ok(())
    }
}
