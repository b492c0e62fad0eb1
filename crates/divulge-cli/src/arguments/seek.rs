//! `divulge seek`.

use clap::{Args, Subcommand, ValueEnum};

use super::{Asking, Exploring, Later, STATUS};

/// What to seek.
#[derive(Debug, Subcommand)]
pub enum Seek {
    /// A plan, the map being given: the one with the least worst case
    #[command(after_help = STATUS)]
    Plan(Later<SeekPlan>),
    /// A map, the plan being given
    #[command(after_help = STATUS)]
    Map(Later<SeekMap>),
    /// A plan and a map
    #[command(after_help = STATUS)]
    Both(Later<SeekBoth>),
    /// Every map with which the given plan, or some plan, would do: how many, the finest and the coarsest
    #[command(after_help = STATUS)]
    Maps(Later<SeekMaps>),
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
    /// What is made least in the worst case
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    /// Prove the least number of events (a plan that is sought alone always has it)
    #[arg(long)]
    pub shortest: bool,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// How to seek a map.
#[derive(Debug, Args)]
pub struct SeekMap {
    #[command(flatten)]
    pub answering: Answering,
    /// Which map is wanted if there are several; without it, the first found
    #[arg(long, value_name = "WHICH")]
    pub prefer: Option<Prefer>,
    /// Set aside the map that FILE gives, and seek one
    #[arg(long)]
    pub any_map: bool,
    /// Prove the least number of events over all maps (a plan that is given has what it has)
    #[arg(long)]
    pub shortest: bool,
}

/// How to seek a plan and a map.
#[derive(Debug, Args)]
pub struct SeekBoth {
    #[command(flatten)]
    pub map: SeekMap,
    /// What the plan makes least in the worst case, the map being found
    #[arg(long, value_name = "WHAT", default_value = "events")]
    pub minimize: Minimize,
    /// How to search; see docs/engines.md
    #[arg(long, value_name = "WHICH", default_value = "native")]
    pub engine: Engine,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// How to seek all maps.
#[derive(Debug, Args)]
pub struct SeekMaps {
    #[command(flatten)]
    pub asking: Asking,
    /// Set aside the plan that FILE gives: any plan would do, another for each map
    #[arg(long)]
    pub any_plan: bool,
    /// Set aside the map that FILE gives, and seek all
    #[arg(long)]
    pub any_map: bool,
    /// Prove the least number of events for each map listed (this is always done)
    #[arg(long)]
    pub shortest: bool,
    /// How many threads to use; the answer is the same
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// Which map is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// One that hides least: no finer map will do, and none that will do has more images
    Finest,
    /// One that hides most: no coarser map will do, and none that will do has fewer images
    Coarsest,
    /// One whose merges cost least, as `merge_cost` says
    Cheapest,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// This program's own: the plan has the least worst case
    Native,
    /// The paper's AND–OR search: any plan that holds; for comparison, on small problems
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
