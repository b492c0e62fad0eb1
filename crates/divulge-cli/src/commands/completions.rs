//! `divulge completions`.

use clap::CommandFactory;

use crate::{
    arguments::Arguments,
    output::answer,
    status::{Failure, Status},
};

/// Writes a script that completes this program's command line.
pub fn run(shell: clap_complete::Shell) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "divulge", &mut script);
    answer(|out| out.write_all(&script))?;
    Ok(Status::Yes)
}
