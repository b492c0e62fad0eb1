//! A violation as a trace in the Informal Trace Format (ITF), which trace viewers read.
//!
//! A state for each moment: before the first event, and after each. `event` is what happened (nothing at the start), `world` what
//! the execution reaches and, where there is a plan, `plan` where that is, `terminates` whether it stops there. For each observer there are what it saw
//! (`image`), what it holds possible (`estimate`) and which stipulations do not hold (`broken`); with several observers, these names begin with
//! the observer's. What is wrong is said in `#meta`.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use divulge::{
    explain::Replay,
    limit::Monitor,
    problem::{Label, Observer, Problem, Vertex},
    verdict::{QuestionError, Violation},
};
use divulge_model::document::write::{Json, Layout};

use crate::look::replayed;

/// Where the format is described.
const FORMAT: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// A trace that shows a violation, as each observer who has a map sees it.
pub struct Trace<'a> {
    problem: &'a Problem,
    violation: &'a Violation,
    /// Whether the plan is followed, too.
    planned: bool,
    seats: Vec<Seat>,
}

impl<'a> Trace<'a> {
    /// Follows the execution. `planned`: the problem's plan is followed too, as it is in a check.
    ///
    /// # Errors
    /// As [`replay`](divulge::explain::replay).
    pub fn new(
        problem: &'a Problem,
        violation: &'a Violation,
        planned: bool,
        monitor: &dyn Monitor,
    ) -> Result<Self, QuestionError> {
        let events = shown(violation);
        let seen = |(number, observer): (usize, &Observer)| {
            let replay = observer.map.is_some().then(|| replayed(problem, number, planned, &events, monitor));
            Ok(replay.transpose()?.map(|replay| (number, replay)))
        };
        let replays = problem.observers().enumerate().map(seen).collect::<Result<Vec<_>, QuestionError>>()?;
        let seats = seats(problem, replays.into_iter().flatten());
        Ok(Self { problem, violation, planned: planned && problem.plan.is_some(), seats })
    }

    /// Writes the trace.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut json = Json::new(out);
        json.object(Layout::Lines, |j| {
            j.key("#meta")?;
            meta(j, self.problem, self.violation)?;
            let of_plan: &[&str] = if self.planned { &["terminates", "plan"] } else { &[] };
            let own = ["event", "world"].into_iter().chain(of_plan.iter().copied());
            let theirs = self.seats.iter().flat_map(|seat| seat.names.iter().map(String::as_str));
            j.texts_field("vars", own.chain(theirs))?;
            j.key("states")?;
            let moments = self.seats.iter().map(|seat| seat.replay.moments.len()).max().unwrap_or(0);
            j.list(Layout::Lines, |j| (0..moments).try_for_each(|n| self.state(j, n, n + 1 == moments)))
        })?;
        json.finish()?.flush()
    }

    fn state<W: Write>(&self, j: &mut Json<W>, n: usize, last: bool) -> io::Result<()> {
        let problem = self.problem;
        let Some(first) = self.seats.first().and_then(|seat| seat.replay.moments.get(n)) else {
            return Ok(());
        };
        let of_world = |v: &Vertex| problem.world.name(*v);
        j.object(Layout::Inline, |j| {
            j.key("#meta")?;
            j.object(Layout::Inline, |j| j.plain_field("index", n))?;
            j.text_field("event", first.event.map_or("", |(label, _)| problem.alphabet.name(label)))?;
            set(j, "world", first.world.iter().map(of_world))?;
            if let Some(plan) = problem.plan.as_ref().filter(|_| self.planned) {
                j.plain_field("terminates", first.terminates)?;
                set(j, "plan", first.plan.iter().map(|&v| plan.name(v)))?;
            }
            for seat in &self.seats {
                let (Some(moment), Some(observer)) =
                    (seat.replay.moments.get(n), problem.observers().nth(seat.number))
                else {
                    continue;
                };
                let [image, estimate, broken] = &seat.names;
                let seen = moment.event.and_then(|(label, _)| observer.map.as_ref()?.look(label));
                j.text_field(image, seen.unwrap_or(""))?;
                set(j, estimate, moment.estimate.iter().flatten().map(of_world))?;
                let stands = moment.stipulations.iter().zip(&observer.stipulations);
                let wrong = stands.filter(|(standing, _)| standing.is_broken(moment.terminates));
                // What is broken in hindsight is broken of an earlier moment, in the end.
                let own =
                    self.violation.stipulation.filter(|_| last && self.violation.observer == seat.number);
                let own = own.map(|number| &observer.stipulations[number]);
                set(
                    j,
                    broken,
                    wrong.map(|(_, stipulation)| stipulation).chain(own).map(|s| s.name.as_str()),
                )?;
            }
            Ok(())
        })
    }
}

/// The events that show a violation: its execution, one more that is unsafe or unforeseen, or once round its cycle.
fn shown(violation: &Violation) -> Vec<Label> {
    let more = violation.cycle.iter().flatten().chain(&violation.event);
    violation.execution.iter().chain(more).copied().collect()
}

/// An observer whose eyes the events are seen through: what its variables are called.
struct Seat {
    number: usize,
    names: [String; 3],
    replay: Replay,
}

fn seats(problem: &Problem, replays: impl Iterator<Item = (usize, Replay)>) -> Vec<Seat> {
    let mut used = BTreeSet::new();
    let several = !problem.others.is_empty();
    let seat = |(number, replay)| {
        let mut begin = if several { identifier(&problem.observer_name(number)) } else { String::new() };
        while !used.insert(begin.clone()) {
            begin.push('_');
        }
        Seat { number, names: ["image", "estimate", "broken"].map(|name| format!("{begin}{name}")), replay }
    };
    replays.map(seat).collect()
}

/// A name that may begin the name of a variable.
fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let letter = plain.starts_with(|c: char| c.is_ascii_alphabetic());
    format!("{}{plain}_", if letter { "" } else { "observer_" })
}

fn meta<W: Write>(j: &mut Json<W>, problem: &Problem, violation: &Violation) -> io::Result<()> {
    j.object(Layout::Lines, |j| {
        j.text_field("format", "ITF")?;
        j.text_field("format-description", FORMAT)?;
        if let Some(name) = &problem.name {
            j.text_field("source", name)?;
        }
        j.text_field("description", "A violation found by divulge")?;
        j.text_field("reason", violation.reason.word())?;
        let observer = problem.observers().nth(violation.observer).filter(|_| violation.is_observers());
        if let Some(observer) = observer {
            if let Some(name) = &observer.name {
                j.text_field("observer", name)?;
            }
            if let Some(number) = violation.stipulation {
                j.text_field("stipulation", &observer.stipulations[number].name)?;
                j.text_field("formula", &observer.stipulations[number].formula.to_string())?;
            }
        }
        if let Some(moment) = violation.moment {
            j.plain_field("moment", moment)?;
        }
        if let (Some(estimate), Some(_)) = (&violation.estimate, violation.moment) {
            let names = estimate.iter().map(|&v| problem.world.name(v));
            j.texts_field("estimate_in_hindsight", names)?;
        }
        match &violation.cycle {
            Some(_) => j.plain_field("cycle_begins_after", violation.execution.len()),
            None => Ok(()),
        }
    })
}

/// A variable whose value is a set of texts, each once.
fn set<'a, W: Write>(j: &mut Json<W>, name: &str, texts: impl Iterator<Item = &'a str>) -> io::Result<()> {
    let each: BTreeSet<&str> = texts.collect();
    j.key(name)?;
    j.object(Layout::Inline, |j| j.texts_field("#set", each))
}
