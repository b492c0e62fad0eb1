//! `divulge info`.

use clap::{Args, ValueEnum};

use super::Asking;

/// What to say of a problem.
#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    pub asking: Asking,
    /// Print the stipulations in the paper's clausal form, and which clauses are dual-Horn
    #[arg(long, value_name = "OVER", num_args = 0..=1, require_equals = true, default_missing_value = "predicates")]
    pub clauses: Option<Over>,
}

/// What clauses are written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Over {
    /// Predicates of vertices, as in the stipulations
    Predicates,
    /// Single vertices, as in the paper
    Vertices,
}
