//! The `divulge` program: reads a question, asks an engine, prints the answer.
//!
//! One file for each subcommand in `commands/`; all that it does with clocks, signals and the terminal is in this crate.

mod arguments;
mod commands;
mod condition;
mod database;
mod foreign;
mod input;
mod limits;
mod output;
mod progress;
mod status;
mod store;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help is asked for, or the usage is wrong: clap knows which, and its status for the latter is 2.
        Err(e) => e.exit(),
    };
    let terminal = output::Terminal::new(arguments.color, arguments.quiet);
    match commands::run(arguments.command, &terminal) {
        Ok(status) => status.into(),
        Err(failure) => terminal.fail(failure).into(),
    }
}
