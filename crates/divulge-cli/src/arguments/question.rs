//! What every question takes.

use std::time::Duration;

use clap::Args;
use divulge_model::options::Opacity;

use crate::limits::{seconds, size};

/// A question and the limits on its answer.
#[derive(Debug, Args)]
pub struct Asking {
    #[command(flatten)]
    pub source: Source,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// Where the problem comes from.
#[derive(Debug, Args)]
pub struct Source {
    /// A problem document, a model, or a file of another tool (docs/formats.md); `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Give a constant of a model another value, or choose its `plan` or `observer` by name; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
    /// Ask about one of several observers alone, as `--set observer=NAME` does
    #[arg(long, value_name = "NAME")]
    pub observer: Option<String>,
    #[command(flatten)]
    pub foreign: Foreign,
}

/// What a file of another tool does not say itself.
#[derive(Debug, Default, Args)]
pub struct Foreign {
    /// The domain of a planning problem in PDDL
    #[arg(long, value_name = "FILE")]
    pub domain: Option<String>,
    /// The goal, for a file of another tool: a condition such as 's = 10' or 'marked'
    #[arg(long, value_name = "CONDITION")]
    pub goal: Option<String>,
    /// States to keep away from, for a file of another tool: a condition, or 'none'
    #[arg(long, value_name = "CONDITION")]
    pub avoid: Option<String>,
    /// Where it starts, for a file of another tool: a condition such as 'state in {0, 3}', or 'all'
    #[arg(long, value_name = "CONDITION")]
    pub initial: Option<String>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed, such as rows=10")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// When to give up, and how much of the machine to use.
#[derive(Debug, Default, Args)]
pub struct Limits {
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,
    /// Give up beyond so much memory, such as 512M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub memory_limit: Option<u64>,
    /// How many threads to use, all processors unless given; the answer does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
}

/// What to check.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub explore: Exploring,
    #[command(flatten)]
    pub traced: Traced,
}

/// Whether a violation is also written as a trace.
#[derive(Debug, Default, Args)]
pub struct Traced {
    /// If something is violated, also write the execution that shows it as a trace in the Informal Trace Format (ITF)
    #[arg(long, value_name = "FILE.itf.json")]
    pub itf: Option<String>,
}

/// What to audit.
#[derive(Debug, Args)]
pub struct Audit {
    #[command(flatten)]
    pub asking: Asking,
    #[command(flatten)]
    pub traced: Traced,
    /// Ask about opacity instead of the file's stipulations: current, initial, k-step=K or infinite
    #[arg(long, value_name = "NOTION", requires = "secret")]
    pub opacity: Option<Opacity>,
    /// What must stay secret, with --opacity: a condition such as 'room = clinic'
    #[arg(long, value_name = "CONDITION", requires = "opacity")]
    pub secret: Option<String>,
}

/// Whether the answer is to be explored.
#[derive(Debug, Args)]
pub struct Exploring {
    /// Also write a page to walk through the answer; see `divulge explore`
    #[arg(long, value_name = "FILE.html")]
    pub explore: Option<String>,
    /// Open that page in a browser
    #[arg(long)]
    pub open: bool,
}
