//! The command line: what every question takes, and a file for each subcommand that takes more.

mod convert;
mod deferred;
mod draw;
mod explore;
mod generate;
mod guard;
mod info;
mod playground;
mod question;
mod seek;
mod step;
mod sweep;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use self::{
    convert::{Convert, Form, Part},
    deferred::Deferred,
    draw::{Draw, PictureFormat, PictureTheme, What},
    explore::Explore,
    generate::{Family, Generate, Knowledge, Merge},
    guard::{AuditLog, Guard, GuardMode},
    info::{Info, Over},
    playground::Playground,
    question::{Asking, Audit, Check, Exploring, Limits, Source},
    seek::{Answering, Engine, Minimize, Offering, Prefer, Seek, SeekBoth, SeekMap, SeekMaps, SeekPlan},
    step::{Signs, Step},
    sweep::Sweep,
};

const STATUS: &str = "\
Exit status:
  0  it holds, or was found, or the thing was done
  1  it is violated, or there is none
  2  bad input or usage
  3  unknown: a limit was hit first";

/// Plans that keep stipulations on what an observer may and must come to know.
///
/// FILE is a problem document (JSON), a model in the divulge language, or a file of another tool (.fsm, .gen, .aut, PRISM, PDDL), recognised by
/// name and content; `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "divulge", version, after_help = STATUS, max_term_width = 100)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// Colours in messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no warnings or notes on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Does the plan solve the world, and does every stipulation hold?
    #[command(after_help = STATUS)]
    Check(Deferred<Check>),
    /// Do the stipulations of scope `always` hold whatever the robot does?
    #[command(after_help = STATUS)]
    Audit(Deferred<Audit>),
    /// Find a plan, a map, both, or all maps
    #[command(subcommand)]
    Seek(Seek),
    /// Write a page in which one walks through the plan beside its observer
    #[command(after_help = explore::NOTES)]
    Explore(Deferred<Explore>),
    /// How large the problem is, who watches, and what is stipulated
    #[command(after_help = STATUS)]
    Info(Deferred<Info>),
    /// Translate a problem into another form
    Convert(Deferred<Convert>),
    /// Draw the world, the plan, what the observer believes, or the maps that would do
    #[command(after_help = draw::NOTES)]
    Draw(Deferred<Draw>),
    /// Walk through a plan in the terminal, beside its observer
    #[command(after_help = step::NOTES)]
    Step(Deferred<Step>),
    /// Stand between a robot and everybody outside: events go in, each observer's images come out
    #[command(after_help = guard::NOTES)]
    Guard(Deferred<Guard>),
    /// What a log shows: where it left the plan, what each observer knew when
    #[command(after_help = guard::LOG_NOTES)]
    AuditLog(Deferred<AuditLog>),
    /// Print models in canonical layout
    Fmt(Deferred<Fmt>),
    /// What a diagnostic's code means
    Explain {
        /// The code, such as E0503; all codes are listed without one
        code: Option<String>,
    },
    /// Seek and check a plan of the nuclear inspection, a built-in example
    Demo(Deferred<Exploring>),
    /// Write a problem of a family that grows with its parameters
    Generate(Deferred<Generate>),
    /// Ask one question of a whole family of problems, and print a table
    #[command(after_help = sweep::NOTES)]
    Sweep(Deferred<Sweep>),
    /// Write a page in which models are written, asked about and drawn, without a network
    #[command(after_help = playground::NOTES)]
    Playground(Deferred<Playground>),
    /// Serve an editor: speak the language server protocol over standard input and output
    Lsp {
        /// What many editors add; there is no other way to speak to it
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Write completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What to set in canonical layout.
#[derive(Debug, Args)]
pub struct Fmt {
    /// Models, or problem documents; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Rewrite the files instead of printing them
    #[arg(long, short)]
    pub write: bool,
    /// Change nothing; exit with status 1 if a file is not in canonical layout
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
}
