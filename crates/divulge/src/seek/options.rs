//! How plans are sought.

/// What is made least in the worst case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Minimize {
    /// The number of events.
    #[default]
    Events,
    /// The cost of the events.
    Cost,
}

/// How a plan is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekOptions {
    /// What is made least.
    pub minimize: Minimize,
    /// How many threads may be used, 0 for as many as there are processors; the answer does not depend on it. Without the feature
    /// `parallel` it is one.
    pub threads: usize,
    /// How many nodes of the game with a fixed divulged plan are explored before a plan is also sought depth first. 0 is for
    /// comparisons: all that can be found out depth first is found out so.
    pub look_ahead: usize,
}

impl Default for SeekOptions {
    fn default() -> Self {
        Self { minimize: Minimize::Events, threads: 1, look_ahead: 1 << 12 }
    }
}
