//! `divulge guard` and `divulge audit-log`.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Limits, Source};

/// What the help of `guard` ends with.
pub const NOTES: &str = r#"
Lines in (from the robot), one JSON object each:
  {"event": "right"}     this happened
  {"heartbeat": true}    the robot is alive
  {"end": true}          the robot has stopped
Lines out:
  {"do": ["right"]}      for the robot: do this; an empty list: stop
  {"to": "public", "image": "move", "n": 1}
                         for an observer: its first image
  {"held": "left", "reason": "unforeseen-event", "message": …, "status": 1}
                         for the robot: nothing more is shown, and why

Examples:
  divulge guard examples/observers/hospital.divulge --journal run.journal --to visitors=visitors.jsonl
  divulge guard examples/observers/hospital.divulge --mode shadow < events.jsonl

The plan is checked first, and one that breaks a stipulation is not run. docs/guard.md tells the rest.

Exit status:
  0  the run ended as planned
  1  something was held back: the robot deviated, or the plan is violated
  2  bad input or usage: a line or file that cannot be read, a journal of something else
  3  no heartbeat in time, a full disk, a closed output, or a limit was hit"#;

/// What the help of `audit-log` ends with.
pub const LOG_NOTES: &str = r#"
LOG has one event on each line, as `divulge guard` takes them ({"event": "right"}), or as names alone; or names
separated by commas; or it is the journal of a guard. A last line {"end": true}, or --ended, says that the robot
stopped there.

Examples:
  divulge audit-log examples/observers/hospital.divulge events.jsonl --svg log.svg
  divulge audit-log examples/observers/hospital.divulge visitors.jsonl --seen-by visitors --json

Exit status:
  0  the log keeps to plan, world and stipulations
  1  it deviates, or breaks a stipulation
  2  bad input or usage
  3  unknown: a limit was hit first"#;

/// What to guard, and how.
#[derive(Debug, Args)]
pub struct Guard {
    #[command(flatten)]
    pub source: Source,
    /// Take the plan (and the map, if it was sought too) from an answer of `divulge seek … --json`
    #[arg(long, value_name = "ANSWER")]
    pub plan: Option<String>,
    /// What to do about events that the plan, the world or a stipulation forbids
    #[arg(long, value_name = "MODE", default_value = "enforce")]
    pub mode: GuardMode,
    /// Keep a private record here, synced before anything is shown; a restart goes on from it
    #[arg(long, value_name = "FILE")]
    pub journal: Option<String>,
    /// Give an observer a file or pipe of its own, with its images and nothing else; may be repeated
    #[arg(long = "to", value_name = "NAME=FILE", value_parser = to)]
    pub to: Vec<(String, String)>,
    /// Show every observer exactly one line on each beat, such as 200ms: its next image, or that there is none
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub beat: Option<Duration>,
    /// With --beat: show so many lines in all, then exit, whatever happens meanwhile
    #[arg(long, value_name = "NUMBER", requires = "beat")]
    pub beats: Option<u64>,
    /// With --beat: hold if a beat comes before the next image of every observer is there
    #[arg(long, requires = "beat")]
    pub on_time: bool,
    /// Hold if the robot says nothing for so long, such as 1s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub heartbeat: Option<Duration>,
    /// Choose actions predictably, for tests only: whoever knows the seed knows the choices
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Speak to robot and observers through Zenoh: PREFIX/events, PREFIX/do, and PREFIX/to/NAME for each observer
    #[cfg(feature = "zenoh")]
    #[arg(long, value_name = "PREFIX")]
    pub zenoh: Option<String>,
    /// With --zenoh: where to wait for others, such as tcp/127.0.0.1:7447; may be repeated
    #[cfg(feature = "zenoh")]
    #[arg(long, value_name = "ENDPOINT", requires = "zenoh")]
    pub listen: Vec<String>,
    /// With --zenoh: a router or peer to connect to; may be repeated
    #[cfg(feature = "zenoh")]
    #[arg(long, value_name = "ENDPOINT", requires = "zenoh")]
    pub connect: Vec<String>,
    #[command(flatten)]
    pub limits: Limits,
}

/// What the guard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GuardMode {
    /// Hold them back and all that follows; also say what to do next
    Enforce,
    /// Show everything, and say what would have been held back
    Shadow,
    /// Take a whole log on standard input and say what it shows, as `divulge audit-log` does
    Audit,
}

/// What to say of a log.
#[derive(Debug, Args)]
pub struct AuditLog {
    #[command(flatten)]
    pub source: Source,
    /// The log; `-` is standard input
    #[arg(value_name = "LOG")]
    pub log: String,
    /// The log has what this observer saw: images instead of events
    #[arg(long, value_name = "NAME")]
    pub seen_by: Option<String>,
    /// The robot stopped where the log ends
    #[arg(long)]
    pub ended: bool,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    /// Also draw what the observers thought possible, one panel each: an .svg
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,
    #[command(flatten)]
    pub limits: Limits,
}

fn to(text: &str) -> Result<(String, String), String> {
    let (name, file) = text.split_once('=').ok_or("NAME=FILE is needed, such as public=public.jsonl")?;
    if file.is_empty() {
        return Err("say which file, as in public=public.jsonl".to_owned());
    }
    Ok((name.to_owned(), file.to_owned()))
}

fn duration(text: &str) -> Result<Duration, String> {
    let help = || "a time is needed, such as 200ms, 1s or 2.5s".to_owned();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(help)?;
    let number: f64 = text[..split].parse().map_err(|_| help())?;
    let seconds = match &text[split..] {
        "us" => number / 1e6,
        "ms" => number / 1e3,
        "s" => number,
        "min" => number * 60.0,
        _ => return Err(help()),
    };
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| help())?;
    // Timers do no better than this.
    if time < Duration::from_micros(100) { Err("at least 100us is needed".to_owned()) } else { Ok(time) }
}
