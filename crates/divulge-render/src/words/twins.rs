//! Twin runs side by side.

use std::ops::Range;

use divulge::{
    explain::{Breach, Explanation, Met, Missed, RuledOut, Why},
    formula::Logic,
    problem::{Label, LabelMap, Problem, Vertex},
};

use super::{
    clause::{remark, said},
    estimate::Describer,
    layout::{Table, count, heading, list, paragraph},
    steps::{event, skipped},
    style::Style,
};

/// How many events that ruled something out are told of, the last ones, and how many runs stand beside one another.
const TOLD: usize = 4;
const ABREAST: usize = 3;

/// Tells of twin runs.
pub(super) struct Teller<'a> {
    pub problem: &'a Problem,
    pub map: &'a LabelMap,
    pub execution: &'a [Label],
    pub explanation: &'a Explanation,
    pub describer: Describer<'a>,
    pub style: Style,
}

impl Teller<'_> {
    /// The twin runs of a breach.
    pub fn twins(&self, breach: &Breach) -> String {
        let mut out = String::new();
        for missed in &breach.missed {
            out += &self.missed(missed);
        }
        if !breach.met.is_empty() {
            out += &self.met(&breach.met);
        }
        out
    }

    fn missed(&self, missed: &Missed) -> String {
        let title = match &missed.predicate {
            Logic::Not(q) => format!("How the observer comes to know that {}", said(q)),
            p => format!("How the observer comes to rule out that {}", said(p)),
        };
        let mut out = heading(&title, self.style);
        let Some(last) = missed.ruled_out.last() else {
            let events = count(self.execution.len(), "event");
            let never =
                format!("No run of {events} ends otherwise in this world, so no event had to rule it out.");
            return out + &paragraph(&never, 2, 2, self.style);
        };
        let earlier = missed.ruled_out.len().saturating_sub(TOLD);
        if earlier > 0 {
            out += &format!("  {} before these ruled out alternatives, too.\n", count(earlier, "event"));
        }
        for out_now in &missed.ruled_out[earlier..] {
            out += &paragraph(&self.ruled_out(out_now), 2, 4, self.style);
        }
        out += &paragraph(
            &format!("Another run, which looks the same until event {}:", last.event),
            2,
            2,
            self.style,
        );
        out + &self.beside(last)
    }

    fn ruled_out(&self, out: &RuledOut) -> String {
        let (label, image) = self.seen(out.event);
        let at = self.describer.within(&out.vertices);
        let (one, for_one) = match out.vertices.len() {
            1 => ("they", "for them"),
            _ => ("one of them", "for one of them"),
        };
        let how = match &out.why {
            Why::LooksDifferent(labels) => {
                let look = if labels.len() == 1 { "looks" } else { "look" };
                format!("{one} would go on with {}, which {look} different", self.names(labels, "or"))
            }
            Why::NotDivulged(labels) => {
                let names = self.names(labels, "or");
                format!("{one} would go on with {names}, but the divulged plan does something else there")
            }
            Why::PlanStops => format!("{for_one} the divulged plan ends there"),
            Why::WorldStops => format!("{for_one} nothing more happens there"),
        };
        format!("Event {} (`{label}`, seen as `{image}`) rules out other runs at {at}: {how}.", out.event)
    }

    /// The execution and a run that went with it until some event.
    fn beside(&self, out: &RuledOut) -> String {
        let describer = &self.describer;
        let mut table = Table::new(&["n", "observer saw", "this execution", "the other run"]);
        let before = &self.explanation.replay.moments[out.event - 1];
        for n in shown(1..out.event) {
            self.row(&mut table, n, |n| event(self.problem, out.twin.execution[n - 1]));
        }
        let at = format!("[at {}]", self.place(&before.world));
        let other = format!("[at {}]", describer.vertex(out.twin.end()));
        table.row(vec![String::new(), String::new(), at, other]);
        self.row(&mut table, Some(out.event), |_| self.parting(out));
        if let Some(whole) = &out.whole {
            for n in shown(out.event + 1..self.execution.len() + 1) {
                self.row(&mut table, n, |n| event(self.problem, whole.execution[n - 1]));
            }
            let own = format!("[ends at {}]", self.place(&self.explanation.replay.last().world));
            let other = format!("[would end at {}]", describer.vertex(whole.end()));
            table.row(vec![String::new(), String::new(), own, other]);
        }
        table.text(self.style)
    }

    /// What the other run does where the two part.
    fn parting(&self, out: &RuledOut) -> String {
        let first =
            |labels: &[Label]| out.whole.as_ref().map_or(labels[0], |whole| whole.execution[out.event - 1]);
        match &out.why {
            Why::LooksDifferent(labels) => {
                let label = first(labels);
                format!("{} -- seen as {}", event(self.problem, label), self.map.shown(label))
            }
            Why::NotDivulged(labels) => {
                format!("{} -- not in the divulged plan", event(self.problem, labels[0]))
            }
            Why::PlanStops => "-- the divulged plan ends".to_owned(),
            Why::WorldStops => "-- nothing more happens".to_owned(),
        }
    }

    fn place(&self, set: &[Vertex]) -> String {
        match set {
            [one] => self.describer.vertex(*one),
            several => format!("one of {}", count(several.len(), "vertex")),
        }
    }

    /// A row for event `n`, or one that stands for rows left out.
    fn row(&self, table: &mut Table, n: Option<usize>, other: impl Fn(usize) -> String) {
        table.row(match n {
            None => vec!["…".to_owned(), String::new(), "…".to_owned(), "…".to_owned()],
            Some(n) => {
                let (_, image) = self.seen(n);
                vec![n.to_string(), image, event(self.problem, self.execution[n - 1]), other(n)]
            }
        });
    }

    fn met(&self, met: &[Met]) -> String {
        let (same, forgotten): (Vec<&Met>, Vec<&Met>) = met.iter().partition(|m| m.same_image);
        let runs = together(&same);
        let mut out = match &runs[..] {
            [] => String::new(),
            [(remark, one)] if one.itself => self.itself(remark, one),
            runs => {
                let own = runs.iter().all(|(_, met)| met.itself);
                let title = match own {
                    true => "What the observer cannot tell; nor can the robot: these are the same events",
                    false => "What the observer cannot tell: these runs look exactly alike",
                };
                heading(title, self.style) + &self.abreast(runs)
            }
        };
        for (remark, met) in together(&forgotten) {
            let text = format!(
                "The observer's filter forgets how this execution differs from another run: {}, which ends at {} ({remark}).",
                self.names(&met.twin.execution, "then"),
                self.describer.vertex(met.twin.end()),
            );
            out += "\n";
            out += &paragraph(&text, 0, 2, self.style);
        }
        out
    }

    fn itself(&self, remark: &str, met: &Met) -> String {
        let end = self.describer.vertex(met.twin.end());
        let remark = if remark == format!("at {end}") { String::new() } else { format!(" ({remark})") };
        "\n".to_owned()
            + &paragraph(&format!("This very execution may end at {end}{remark}."), 0, 2, self.style)
    }

    /// Runs that look alike to the end.
    fn abreast(&self, same: &[(String, &Met)]) -> String {
        let describer = &self.describer;
        let mut runs: Vec<(String, &[Label], String)> = Vec::new();
        for (remark, met) in same.iter().take(ABREAST) {
            let end = describer.vertex(met.twin.end());
            runs.push((format!("a run with {remark}"), &met.twin.execution, end));
        }
        if runs.iter().all(|(_, run, _)| *run != self.execution) {
            let end = self.place(&self.explanation.replay.last().world);
            runs.insert(0, ("this execution".to_owned(), self.execution, end));
        }
        let mut heading = vec!["n".to_owned(), "observer saw".to_owned()];
        heading.extend(runs.iter().map(|(title, _, _)| title.clone()));
        let mut table = Table::new(&heading);
        for n in shown(1..self.execution.len() + 1) {
            let Some(n) = n else {
                table.row(vec!["…".to_owned(); heading.len()]);
                continue;
            };
            let (_, image) = self.seen(n);
            let events = runs.iter().map(|(_, run, _)| event(self.problem, run[n - 1]));
            table.row([n.to_string(), image].into_iter().chain(events).collect());
        }
        let ends = runs.iter().map(|(_, _, end)| format!("[ends at {end}]"));
        table.row([String::new(), String::new()].into_iter().chain(ends).collect());
        table.text(self.style)
    }

    fn seen(&self, n: usize) -> (String, String) {
        let label = self.execution[n - 1];
        (self.problem.alphabet.name(label).to_owned(), self.map.shown(label).to_owned())
    }

    fn names(&self, labels: &[Label], word: &str) -> String {
        let names: Vec<String> =
            labels.iter().map(|&l| format!("`{}`", self.problem.alphabet.name(l))).collect();
        if names.is_empty() { "no event at all".to_owned() } else { list(&names, word) }
    }
}

/// The rows of a range, `None` standing for those left out in the middle.
fn shown(rows: Range<usize>) -> impl Iterator<Item = Option<usize>> {
    let gap = skipped(rows.len());
    let (from, to) = (rows.start + gap.start, rows.start + gap.end);
    rows.filter(move |n| !(from + 1..to).contains(n)).map(move |n| (!(from..to).contains(&n)).then_some(n))
}

/// Runs that are one and the same, with what is remarkable about their end.
fn together<'m>(met: &[&'m Met]) -> Vec<(String, &'m Met)> {
    let mut runs: Vec<(String, &Met)> = Vec::new();
    for met in met {
        let same =
            |other: &Met| other.twin.execution == met.twin.execution && other.twin.end() == met.twin.end();
        match runs.iter_mut().find(|(_, other)| same(other)) {
            Some((remarks, _)) => *remarks += &format!(", {}", remark(&met.predicate)),
            None => runs.push((remark(&met.predicate), met)),
        }
    }
    runs
}
