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
    hear_of_files_that_may_not_grow();
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

/// A file at the largest size that it may have is an error of that file, as a full disk is: unheard, the signal would end the program without a word.
fn hear_of_files_that_may_not_grow() {
    #[cfg(unix)]
    {
        let unheeded = std::sync::Arc::default();
        // Without it, the system does what it does by itself.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unheeded);
    }
}
