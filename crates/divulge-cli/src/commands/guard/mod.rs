//! `divulge guard`.

mod door;
mod input;
mod streams;
#[cfg(feature = "zenoh")]
mod zenoh;

use std::path::Path;

use divulge::{
    ask::{Verdict, ask},
    problem::Problem,
    setting::{Setting, unfold},
    verdict::QuestionError,
};
use divulge_guard::{
    Chance, Gate, Guard as Heart, Journal, JournalError, Mode, OpenError, Options, Out, digest, lines::Writer,
};
use divulge_model::document;
use divulge_render::words;

use self::{
    door::{Door, Doors, Times},
    input::reading,
    streams::{Own, Standard, Stream},
};
use super::{attend, audit_log, watched};
use crate::{
    arguments::{Guard, GuardMode},
    input::{Input, text},
    limits::Watch,
    output::Terminal,
    status::{Failure, Status},
};

/// Guards a run until it ends or is held.
pub fn run(asked: &Guard, terminal: &Terminal) -> Result<Status, Failure> {
    if asked.source.file == "-" {
        return Err(Failure::new(
            "standard input is where the robot's events come from",
            "give the model as a file",
        ));
    }
    watched(&asked.limits, false, terminal, |watch| {
        attend(&asked.source.file, watch);
        let input = Input::read(&asked.source, terminal, watch)?;
        let problem = match &asked.plan {
            Some(answer) => with_answer(input.problem, answer, watch)?,
            None => {
                input.total_map()?;
                input.problem
            }
        };
        let mode = match asked.mode {
            GuardMode::Enforce => Mode::Enforce,
            GuardMode::Shadow => Mode::Shadow,
            GuardMode::Audit => {
                return audit_log::look(&problem, &audit_log::Log::default(), terminal, watch);
            }
        };
        guard(asked, &problem, mode, terminal, watch)
    })
}

fn guard(
    asked: &Guard,
    problem: &Problem,
    mode: Mode,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Status, Failure> {
    let plan = problem.plan.as_ref().ok_or(QuestionError::NeedsPlan("a guard needs one"))?;
    if let Some(status) = refused(asked, problem, mode, terminal, watch)? {
        return Ok(status);
    }
    let digest = digest(problem);
    let unfolded = unfold(problem, watch)?;
    let problem = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(problem, Some(plan), watch)?;
    let mut heart = Heart::new(&setting)?;
    heart.prepare(&setting)?;
    let journal = asked.journal.as_ref().map(|path| Journal::open(Path::new(path)));
    let journal = journal.transpose().map_err(journal_failure)?;
    let continuing = journal.as_ref().is_some_and(|journal| !journal.is_new());
    let writer = Writer::new(problem, mode);
    let mut own = own_streams(&asked.to, writer.names(), continuing)?;
    let chance = asked.seed.map_or(Chance::System, Chance::Seed);
    if asked.seed.is_some() {
        terminal
            .note("warning: with --seed, whoever knows the seed can predict every choice: for tests only\n");
    }
    let mut trouble = None;
    let mut recall = |observer: usize, image, n, marked: bool| {
        let Some(own) = &mut own[observer] else { return Some(marked) };
        let mut line = Vec::new();
        writer.line(&Out::Image { observer: observer as u32, image, n }, &mut line);
        match own.has(&line) {
            Ok(known) => known.unwrap_or(Some(marked)),
            Err(e) => {
                trouble = Some(e);
                None
            }
        }
    };
    let options = Options { mode, chance };
    let gate =
        Gate::open(heart, options, &digest, journal, Some(&mut recall)).map_err(|e| match trouble {
            None => open_failure(e),
            Some(e) => Failure::Message(format!("what an observer was shown cannot be read: {e}"), None),
        })?;
    let doors = doors(asked, writer.names(), own)?;
    watch.answered();
    let &Guard { beat, beats, on_time, heartbeat, .. } = asked;
    let times = Times { beat, beats, on_time, heartbeat };
    let status = Door::new(gate, writer, doors, times).keep();
    Ok(match status {
        0 => Status::Yes,
        1 => Status::No,
        2 => Status::Bad,
        _ => Status::Unknown,
    })
}

/// Where lines come from and go to: standard input and output, or Zenoh, and the streams that observers have of their own.
fn doors(asked: &Guard, names: &[String], own: Vec<Option<Own>>) -> Result<Doors, Failure> {
    let own = own.into_iter().map(|own| own.map(Own::stream).transpose()).collect::<Result<Vec<_>, _>>()?;
    #[cfg(feature = "zenoh")]
    if let Some(prefix) = &asked.zenoh {
        return zenoh::doors(prefix, &asked.listen, &asked.connect, names, own);
    }
    let _ = (asked, names);
    let mut doors =
        Doors { streams: vec![Box::new(Standard)], own: Vec::new(), said: reading(std::io::stdin()) };
    for own in own {
        doors.own.push(if own.is_some() { doors.streams.len() } else { 0 });
        doors.streams.extend(own.map(|own| Box::new(own) as Box<dyn Stream>));
    }
    Ok(doors)
}

/// Why the plan is not to be run, if it is not: it does not keep what is stipulated.
fn refused(
    asked: &Guard,
    problem: &Problem,
    mode: Mode,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Option<Status>, Failure> {
    let answer = ask(problem).check().within(watch)?;
    let violation = match &answer.verdict {
        Verdict::Unknown { limit, .. } => return Err(Failure::Limit(*limit)),
        _ => match answer.violation() {
            None => return Ok(None),
            Some(violation) => violation,
        },
    };
    let sentence = words::violation(problem, problem.plan.as_ref(), violation);
    let see = format!("`divulge check {}` shows how", asked.source.file);
    if mode == Mode::Shadow {
        terminal.note(&format!("warning: the plan is violated, so not all can go well: {sentence} {see}.\n"));
        return Ok(None);
    }
    watch.answered();
    terminal.fail(Failure::new(
        format!("the plan is violated, so it is not run: {sentence}"),
        format!("{see}; --mode shadow runs it all the same, and says what would be held back"),
    ));
    Ok(Some(Status::No))
}

/// A stream for each observer that is to have one of its own.
fn own_streams(
    to: &[(String, String)],
    names: &[String],
    continuing: bool,
) -> Result<Vec<Option<Own>>, Failure> {
    for (n, (name, file)) in to.iter().enumerate() {
        let known = || format!("the observers are: {}", names.join(", "));
        if !names.contains(name) {
            return Err(Failure::new(format!("there is no observer `{name}`"), known()));
        }
        if to[..n].iter().any(|(other, at)| other == name || at == file) {
            return Err(Failure::new(
                format!("`--to {name}={file}` names an observer or a file again"),
                "give every observer a stream of its own, once",
            ));
        }
    }
    let each = names.iter().map(|name| {
        let file = to.iter().find(|(of, _)| of == name).map(|(_, file)| file);
        file.map(|file| Own::open(file, continuing)).transpose()
    });
    each.collect()
}

/// The problem with the plan and the maps of an answer.
fn with_answer(problem: Problem, path: &str, watch: &Watch) -> Result<Problem, Failure> {
    let (name, answer) = text(path, Some(watch))?;
    let wrong = |why: String| {
        Failure::new(
            format!("{name} is no answer with a plan: {why}"),
            "give what `divulge seek plan FILE --json` printed, or a document that `--out` wrote in place of FILE",
        )
    };
    let mut answer: serde_json::Value = serde_json::from_str(&answer).map_err(|e| wrong(e.to_string()))?;
    let plan = answer.get_mut("plan").map(serde_json::Value::take);
    let plan = plan.filter(|plan| plan.is_object()).ok_or_else(|| wrong("it has no `plan`".to_owned()))?;
    let mut whole: serde_json::Value =
        serde_json::from_str(&document::to_string(&problem)).map_err(|e| wrong(e.to_string()))?;
    whole["plan"] = plan;
    if let (Some(map), true) = (answer.get_mut("map"), problem.observer.map.is_none()) {
        whole["observers"][0]["map"] = map.take();
        if let Some(observer) = whole["observers"][0].as_object_mut() {
            observer.remove("map_constraints");
        }
    }
    let read = document::read(&name, &whole.to_string())?;
    read.total_map()?;
    let others = problem.aside.len();
    // Those that were put aside stay there.
    let mut problem = read.problem;
    let kept = problem.others.len().saturating_sub(others);
    let aside = problem.others.split_off(kept);
    problem.aside.extend(aside);
    Ok(problem)
}

fn journal_failure(e: JournalError) -> Failure {
    let help = match &e {
        JournalError::File { .. } | JournalError::NoFile(_) => "give another file",
        JournalError::InUse(_) => "wait for it, or give another file",
        JournalError::Damaged { .. } => {
            "nothing is shown; look at the file, and begin a new run with a new journal"
        }
        JournalError::Other { .. } => "give what the journal was begun with, or begin a new one",
    };
    Failure::new(e.to_string(), help)
}

fn open_failure(e: OpenError) -> Failure {
    match e {
        OpenError::Journal(e) => journal_failure(e),
        OpenError::Shown(_) => Failure::new(e.to_string(), "give the stream and the journal of one run"),
        OpenError::Chance(_) => Failure::Message(e.to_string(), None),
    }
}
