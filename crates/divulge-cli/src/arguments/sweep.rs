//! `divulge sweep`.

use clap::Args;

use super::Limits;

pub const NOTES: &str = "\
VALUES are separated by commas: whole numbers, words, and ranges such as 3..20 (both ends included) or 3..21..2 (in steps of 2). Every
combination is a point, and is asked about in a process of its own. A store that is given again is continued: points that are done are not
done again, unless a limit was hit and more is allowed now. `divulge.sweep` in Python reads and writes the same stores.

Examples:
  divulge sweep nuclear.divulge --set rows=3..20 --set cols=4,6 --store runs.sqlite
  divulge sweep nuclear.divulge --set rows=2..4 --question \"seek both --any-map --prefer finest\" --csv maps.csv

Exit status:
  0  every point has an answer
  1  some point failed: its row says why
  2  bad input or usage
  3  interrupted; what is done is in the store";

/// A question about a whole family of problems.
#[derive(Debug, Args)]
pub struct Sweep {
    /// A model, whose constants are the parameters
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Values of a constant; may be repeated for others
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    pub set: Vec<String>,
    /// What is asked at each point, with its options: check, audit, \"seek plan\", \"seek map\", \"seek both\" or \"seek maps\"
    #[arg(long, value_name = "QUESTION", default_value = "seek plan")]
    pub question: String,
    /// Keep the results in this SQLite database, and continue what is there
    #[arg(long, value_name = "FILE")]
    pub store: Option<String>,
    /// Also write the table as comma-separated values; `-` is standard output, instead of the table
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Ask again about points that failed before
    #[arg(long)]
    pub again: bool,
    #[command(flatten)]
    pub limits: Limits,
}
