//! `divulge seek`.

use clap::{Args, Subcommand, ValueEnum};

use super::{Asking, Deferred, Exploring, STATUS};

/// What to seek.
#[derive(Debug, Subcommand)]
pub enum Seek {
    /// Find a plan for the given map: the one with the least worst case
    #[command(after_help = STATUS)]
    Plan(Deferred<SeekPlan>),
    /// Find a map for the given plan
    #[command(after_help = STATUS)]
    Map(Deferred<SeekMap>),
    /// Find a plan and a map
    #[command(after_help = STATUS)]
    Both(Deferred<SeekBoth>),
    /// Find every map that works, for the given plan or for some plan: how many, the finest and the coarsest
    #[command(after_help = STATUS)]
    Maps(Deferred<SeekMaps>),
}

/// A question, and where its answer goes.
#[derive(Debug, Args)]
pub struct Answering {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub explore: Exploring,
    /// Write the question with the answer filled in, as a document that `divulge check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
}

/// How to seek a plan.
#[derive(Debug, Args)]
pub struct SeekPlan {
    #[command(flatten)]
    pub answering: Answering,
    /// What the plan should minimize in the worst case
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    /// Go on after these events, separated by commas: from what the robot knows and the observers believe then
    #[arg(long, value_name = "EVENTS")]
    pub after: Option<String>,
    /// Prove that the plan has the fewest events (without --minimize cost it always has)
    #[arg(long)]
    pub shortest: bool,
    #[command(flatten)]
    pub offering: Offering,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
}

/// Which actions a plan offers.
#[derive(Clone, Copy, Debug, Args)]
pub struct Offering {
    /// Let the plan offer every action that works, where an observer knows it; without this it offers a choice only where one is needed
    #[arg(long)]
    pub permissive: bool,
    /// Find a plan that never chooses: one action for each pair of what the robot knows and what the observer has seen
    #[arg(long, conflicts_with = "permissive")]
    pub deterministic: bool,
}

/// How to seek a map.
#[derive(Debug, Args)]
pub struct SeekMap {
    #[command(flatten)]
    pub answering: Answering,
    /// Which map to prefer; without it, the first one found
    #[arg(long, value_name = "WHICH")]
    pub prefer: Option<Prefer>,
    /// Ignore the map in FILE, and find one
    #[arg(long)]
    pub any_map: bool,
    /// Find the fewest events over all maps, and prove it (no effect if the plan is given)
    #[arg(long)]
    pub shortest: bool,
}

/// How to seek a plan and a map.
#[derive(Debug, Args)]
pub struct SeekBoth {
    #[command(flatten)]
    pub map: SeekMap,
    /// What the plan should minimize in the worst case
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    #[command(flatten)]
    pub offering: Offering,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
}

/// How to seek all maps.
#[derive(Debug, Args)]
pub struct SeekMaps {
    #[command(flatten)]
    pub asking: Asking,
    /// Ignore the plan in FILE: each map may have a plan of its own
    #[arg(long)]
    pub any_plan: bool,
    /// Ignore the map in FILE, and find all
    #[arg(long)]
    pub any_map: bool,
    /// Prove the fewest events for each map listed (this is always done)
    #[arg(long)]
    pub shortest: bool,
    /// Keep what is done of a long search in FILE, and go on from there if it was interrupted
    #[arg(long, value_name = "FILE")]
    pub store: Option<String>,
}

/// Which map is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// One that hides least: no finer map works, and no map that works has more images
    Finest,
    /// One that hides most: no coarser map works, and no map that works has fewer images
    Coarsest,
    /// One whose merges cost least, as `merge_cost` says
    Cheapest,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The program's own: the plan has the least worst case
    Native,
    /// The paper's AND–OR search: any plan that works; for comparison, on small problems
    AndOr,
}

/// What is made least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minimize {
    /// The number of events
    Events,
    /// The cost of the events
    Cost,
}
