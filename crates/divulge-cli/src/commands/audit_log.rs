//! `divulge audit-log`.

use std::io::{self, Write};

use divulge::{
    explain::{Moment, Replay},
    problem::{Label, Problem},
    setting::{Setting, unfold},
    verdict::QuestionError,
};
use divulge_guard::{Audit, Finding, Known, Reason, audit, audit_images, digest, read_log};
use divulge_model::document::write::{Json, Layout};
use divulge_picture::{self as picture, Mark, Style};
use divulge_render::words;

use super::{attend, watched};
use crate::{
    arguments::AuditLog,
    input::{Input, text},
    limits::Watch,
    output::{Terminal, answer, text_within, to_file_within},
    status::{Failure, Status},
};

/// Says what a log shows.
pub fn run(asked: &AuditLog, terminal: &Terminal) -> Result<Status, Failure> {
    if asked.source.file == "-" && asked.log == "-" {
        return Err(Failure::new("standard input holds one thing", "give FILE or LOG as a file"));
    }
    if asked.json && asked.svg.as_deref() == Some("-") {
        return Err(Failure::new("--json and --svg - would both write to standard output", "name a file"));
    }
    watched(&asked.limits, asked.json, terminal, |watch| {
        attend(&asked.source.file, watch);
        let input = Input::read(&asked.source, terminal, watch)?;
        input.total_map()?;
        let log = Log {
            file: &asked.log,
            seen_by: asked.seen_by.as_deref(),
            ended: asked.ended,
            json: asked.json,
            svg: asked.svg.as_deref(),
        };
        look(&input.problem, &log, terminal, watch)
    })
}

/// A log, and how its audit is wanted.
pub struct Log<'a> {
    /// The file.
    pub file: &'a str,
    /// Whose images it has, if it does not have events.
    pub seen_by: Option<&'a str>,
    /// Whether the robot stopped where it ends.
    pub ended: bool,
    /// One JSON object instead of words.
    pub json: bool,
    /// Where a picture goes.
    pub svg: Option<&'a str>,
}

impl Default for Log<'_> {
    fn default() -> Self {
        Self { file: "-", seen_by: None, ended: false, json: false, svg: None }
    }
}

/// Says what a log of a problem's plan shows.
pub fn look(
    problem: &Problem,
    asked: &Log<'_>,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<Status, Failure> {
    let plan = problem.plan.as_ref().ok_or(QuestionError::NeedsPlan("`audit-log` needs one"))?;
    let (name, log) = text(asked.file, Some(watch))?;
    let read = read_log(&log, asked.seen_by).map_err(|(line, why)| {
        Failure::new(
            format!("line {line} of {name} cannot be read: {why}"),
            "`divulge audit-log --help` says what a log is",
        )
    })?;
    if read.digest.as_ref().is_some_and(|of| *of != digest(problem)) {
        return Err(Failure::new(
            format!("the journal {name} belongs to another problem, plan or map"),
            "give the file that the guard was started with",
        ));
    }
    let unfolded = unfold(problem, watch)?;
    let setting = Setting::pose(unfolded.as_ref().unwrap_or(problem), Some(plan), watch)?;
    let (names, ended) = (read.names, read.ended || asked.ended);
    let found = match asked.seen_by {
        None => audit(&setting, &names, ended)?,
        Some(name) => audit_images(&setting, whose(problem, name)?, &names, ended)?,
    };
    if let Some(path) = asked.svg {
        draw(problem, &found, path, asked.seen_by.is_some(), terminal, watch)?;
    }
    let said = match asked.json {
        true => text_within(watch, |out| json(out, problem, &found))?,
        false => told(problem, &found, asked.seen_by.is_some(), terminal),
    };
    watch.answered();
    answer(|out| out.write_all(said.as_bytes()))?;
    Ok(if found.findings.is_empty() { Status::Yes } else { Status::No })
}

/// The number of the observer of this name.
fn whose(problem: &Problem, name: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = problem.observers().map(|o| o.name.as_deref().unwrap_or("observer")).collect();
    names.iter().position(|known| *known == name).ok_or_else(|| {
        Failure::new(
            format!("there is no observer `{name}`"),
            format!("the observers are: {}", names.join(", ")),
        )
    })
}

/// Whether the robot did something else than it should have, or all that happened is that a stipulation broke.
fn verdict(found: &Audit) -> &'static str {
    let stipulations = |reason| matches!(reason, Reason::Stipulation | Reason::OutsideDivulged);
    match &found.findings[..] {
        [] => "clean",
        all if all.iter().all(|finding| stipulations(finding.held.reason)) => "violated",
        _ => "deviated",
    }
}

fn told(problem: &Problem, found: &Audit, images: bool, terminal: &Terminal) -> String {
    let what = if images { "image" } else { "event" };
    let count = format!("{} {what}{}", found.events, if found.events == 1 { "" } else { "s" });
    let mut out = format!("{}\n\n", verdict(found));
    if found.findings.is_empty() {
        let stopped = if found.ended { ", and the robot stopped where the plan does" } else { "" };
        out += &format!("The log ({count}) keeps to the plan, the world and every stipulation{stopped}.\n");
    }
    for finding in &found.findings {
        let place = match (finding.after, finding.held.event.is_some()) {
            (0, _) => "At the start".to_owned(),
            (n, true) => format!("{} {n}", if images { "Image" } else { "Event" }),
            (n, false) => format!("After {what} {n}"),
        };
        out += &format!("{place}: {}.\n", finding.held.message);
    }
    for (number, moments) in &found.observers {
        let about = problem.clone().about(*number);
        let style = terminal.style();
        let Some(map) = about.observer.map.as_ref().filter(|_| !moments.is_empty()) else { continue };
        out += &format!("\n{}\n", words::observer(&about).trim_end());
        if images {
            let rows = moments.iter().map(|known| {
                let saw = known.image.map_or("", |image| map.name(image));
                (saw, known.estimate.as_deref())
            });
            out += &words::seen(&about, &rows.collect::<Vec<_>>(), style);
        } else {
            let replay = Replay { moments: named(moments).map(moment).collect(), admitted: true };
            out += &words::steps(&about, map, &replay, style);
        }
    }
    out
}

/// The start, and what followed events whose names are known.
fn named(moments: &[Known]) -> impl Iterator<Item = &Known> {
    moments.iter().filter(|known| known.after == 0 || known.label.is_some())
}

fn moment(known: &Known) -> Moment {
    Moment {
        event: known.label.map(|label| (label, known.image)),
        world: Vec::new(),
        plan: Vec::new(),
        terminates: false,
        estimate: known.estimate.clone(),
        stipulations: Vec::new(),
    }
}

fn json(out: impl Write, problem: &Problem, found: &Audit) -> io::Result<()> {
    let mut json = Json::new(out);
    let inline = Layout::Inline;
    json.object(inline, |j| {
        j.text_field("verdict", verdict(found))?;
        j.plain_field("events", found.events)?;
        j.plain_field("ended", found.ended)?;
        j.key("findings")?;
        j.list(inline, |j| {
            found.findings.iter().try_for_each(|finding| {
                j.object(inline, |j| {
                    j.plain_field("after", finding.after)?;
                    j.text_or_null_field("event", finding.held.event.as_deref())?;
                    j.text_field("reason", finding.held.reason.word())?;
                    j.text_field("message", &finding.held.message)?;
                    let Some(number) = finding.observer else { return Ok(()) };
                    let Some(observer) = problem.observers().nth(number) else { return Ok(()) };
                    j.text_field("observer", observer.name.as_deref().unwrap_or("observer"))?;
                    let stipulation = finding.stipulation.and_then(|s| observer.stipulations.get(s));
                    stipulation.map_or(Ok(()), |s| j.text_field("stipulation", &s.name))
                })
            })
        })?;
        j.key("observers")?;
        j.list(inline, |j| {
            found.observers.iter().try_for_each(|(number, moments)| knew(j, problem, *number, moments))
        })
    })?;
    json.finish().map(|_| ())
}

fn knew<W: Write>(j: &mut Json<W>, problem: &Problem, number: usize, moments: &[Known]) -> io::Result<()> {
    let Some(observer) = problem.observers().nth(number) else { return Ok(()) };
    let inline = Layout::Inline;
    j.object(inline, |j| {
        j.text_field("name", observer.name.as_deref().unwrap_or("observer"))?;
        j.key("moments")?;
        j.list(inline, |j| {
            moments.iter().try_for_each(|known| {
                j.object(inline, |j| {
                    j.plain_field("after", known.after)?;
                    if let Some(label) = known.label {
                        j.text_field("event", problem.alphabet.name(label))?;
                    }
                    let image = known.image.zip(observer.map.as_ref()).map(|(image, map)| map.name(image));
                    j.text_or_null_field("image", image)?;
                    match &known.estimate {
                        Some(all) => j.texts_field("estimate", all.iter().map(|&w| problem.world.name(w))),
                        None => j.text_or_null_field("estimate", None),
                    }
                })
            })
        })
    })
}

/// One panel for each observer.
fn draw(
    problem: &Problem,
    found: &Audit,
    path: &str,
    images: bool,
    terminal: &Terminal,
    watch: &Watch,
) -> Result<(), Failure> {
    if images {
        return Err(Failure::new(
            "a picture shows where the robot was, which images do not tell",
            "leave --svg out, or give a log of events",
        ));
    }
    let style = Style::default();
    let mut panels = Vec::new();
    for (number, moments) in &found.observers {
        let about = problem.clone().about(*number);
        let events: Vec<Label> = moments.iter().filter_map(|known| known.label).collect();
        if let (Some(plan), Some(map)) = (&about.plan, &about.observer.map) {
            let marks = marks(&about, *number, found, moments);
            panels.push(picture::log(&about, plan, map, &events, &marks, &style, watch)?);
        }
    }
    for note in panels.iter().filter_map(|panel| panel.left_out.as_ref()) {
        terminal.note(&format!("note: {note}\n"));
    }
    let svg = picture::figure(problem.name.as_deref().unwrap_or("divulge"), &panels, &style);
    to_file_within(path, watch, |out| out.write_all(svg.as_bytes()))
}

/// What is wrong, as it is marked in the picture of one observer's moments.
fn marks(about: &Problem, number: usize, found: &Audit, moments: &[Known]) -> Vec<Mark> {
    // An event whose name nobody knows is not drawn.
    let drawn = |after: usize| named(moments).filter(|known| (1..=after).contains(&known.after)).count();
    let own = found.findings.iter().filter(|finding| finding.observer.is_none_or(|of| of == number));
    let mark = |finding: &Finding| {
        let words = match finding.held.reason {
            Reason::Stipulation => about.observer.stipulations.get(finding.stipulation?)?.name.as_str(),
            Reason::OutsideDivulged => "unexpected",
            Reason::UnknownEvent => "unknown event",
            Reason::UnforeseenEvent => "off the plan",
            Reason::ImpossibleEvent => "impossible",
            Reason::EarlyEnd => "ended early",
            Reason::OffGoal => "no goal here",
            _ => return None,
        };
        let stipulation = finding.held.reason == Reason::Stipulation;
        Some(Mark { after: drawn(finding.after), words: words.to_owned(), stipulation })
    };
    own.filter_map(mark).collect()
}
