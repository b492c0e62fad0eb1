//! `divulge step`.

use clap::{Args, ValueEnum};

use super::{Limits, Source};

/// What its help ends with.
pub const NOTES: &str = "\
Examples:
  divulge step examples/nuclear.divulge
  divulge step examples/nuclear_hasty_violated.divulge       (then v, t)
  printf '1\\n1\\nw separate blue\\nq\\n' | divulge step examples/nuclear.divulge

If FILE lacks a plan or a map, divulge looks for one, as `divulge seek` does. Commands are read from standard input,
one on each line; ? lists them. Every answer fits the screen, or 40 lines in a pipe, and says what it leaves out.
The limits hold until the walk begins, and then for each command.";

/// What to walk through.
#[derive(Debug, Args)]
pub struct Step {
    #[command(flatten)]
    pub source: Source,
    /// Start after these events
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub events: Vec<String>,
    /// The characters that grids are drawn with
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub signs: Signs,
    #[command(flatten)]
    pub limits: Limits,
}

/// Signs in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Signs {
    /// Unicode, if the environment says that the terminal shows it
    Auto,
    /// Letters and punctuation marks
    Ascii,
    /// Dots, shades and lines
    Unicode,
}
