//! `divulge playground`.

use clap::Args;

/// What its help ends with.
pub const NOTES: &str = "\
The page is one file that works without a network: an editor for models, the engines, the examples and the explorer.

Exit status: 0 if the page was written, 2 if it could not be.";

/// Where to write the page.
#[derive(Debug, Args)]
pub struct Playground {
    /// Where to write the page; `-` is standard output
    #[arg(long, short, value_name = "FILE.html", default_value = "playground.html")]
    pub out: String,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
}
