//! One file for each subcommand.

mod audit_log;
mod completions;
mod convert;
mod demo;
mod draw;
mod events;
mod explain;
mod explore;
mod fmt;
mod generate;
mod guard;
mod info;
mod lsp;
mod playground;
mod present;
mod question;
mod step;
mod sweep;

use divulge_render::json;

use crate::{
    arguments::{Asking, Command, Limits, Seek},
    input::Input,
    limits::Watch,
    output::{Terminal, answer},
    status::{Failure, Status},
};

/// Does what the command line says.
pub fn run(command: Command, terminal: &Terminal) -> Result<Status, Failure> {
    sweep::belong();
    match command {
        Command::Check(asked) => question::check(&asked, terminal),
        Command::Audit(asking) => question::audit(&asking, terminal),
        Command::Seek(Seek::Plan(asked)) => question::seek_plan(&asked, terminal),
        Command::Seek(Seek::Map(asked)) => question::seek_map(&asked, terminal),
        Command::Seek(Seek::Both(asked)) => question::seek_both(&asked, terminal),
        Command::Seek(Seek::Maps(asked)) => question::seek_maps(&asked, terminal),
        Command::Explore(asked) => explore::run(&asked, terminal),
        Command::Info(info) => info::run(&info, terminal),
        Command::Convert(convert) => convert::run(&convert, terminal),
        Command::Draw(asked) => draw::run(&asked, terminal),
        Command::Step(asked) => step::run(&asked, terminal),
        Command::Guard(asked) => guard::run(&asked, terminal),
        Command::AuditLog(asked) => audit_log::run(&asked, terminal),
        Command::Fmt(files) => fmt::run(&files, terminal),
        Command::Explain { code } => explain::run(code.as_deref()),
        Command::Demo(explore) => demo::run(&explore, terminal),
        Command::Generate(asked) => generate::run(&asked),
        Command::Sweep(asked) => sweep::run(&asked, terminal),
        Command::Playground(asked) => playground::run(&asked, terminal),
        Command::Lsp { stdio: _ } => lsp::run(),
        Command::Completions { shell } => completions::run(shell),
    }
}

/// Reads the problem within the limits and does something with it; a limit that was hit is an answer too.
fn reading(
    asking: &Asking,
    terminal: &Terminal,
    work: impl FnOnce(Input, &Watch) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    watched(&asking.limits, asking.json, terminal, |watch| {
        attend(&asking.source.file, watch);
        work(Input::read(&asking.source, terminal, watch)?, watch)
    })
}

/// Does something under the limits; says so if one was hit.
fn watched(
    limits: &Limits,
    json: bool,
    terminal: &Terminal,
    work: impl FnOnce(&Watch) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let watch = Watch::start(limits, json, terminal);
    let result = work(&watch);
    watch.answered();
    let Err(Failure::Limit(limit)) = result else { return result };
    if json {
        answer(|out| json::unknown(out, limit))?;
    }
    terminal.note(&watch.stopped(limit));
    Ok(Status::Unknown)
}

/// Watches from the first byte, unless reading is over before anybody could want to stop it.
fn attend(file: &str, watch: &Watch) {
    if !is_small(file) {
        watch.attend();
    }
}

/// Whether reading the file is over before anybody could want to stop it.
fn is_small(file: &str) -> bool {
    std::fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() < 1 << 20)
}
