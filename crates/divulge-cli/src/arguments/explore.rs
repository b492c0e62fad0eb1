//! `divulge explore`.

use clap::Args;

use super::{Limits, Source};

/// What its help ends with.
pub const NOTES: &str = "\
If the problem lacks a plan or a map, divulge looks for one first.

Exit status:
  0  the page was written
  2  bad input or usage
  3  unknown: a limit was hit first";

/// What to explore, and where to write the page.
#[derive(Debug, Args)]
pub struct Explore {
    #[command(flatten)]
    pub source: Source,
    /// Where to write the page; `-` is standard output. Without this, the page is named after FILE
    #[arg(long, short, value_name = "FILE.html")]
    pub out: Option<String>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// The page starts after these events
    #[arg(long, value_name = "EVENTS", value_delimiter = ',')]
    pub events: Option<Vec<String>>,
    #[command(flatten)]
    pub limits: Limits,
}
