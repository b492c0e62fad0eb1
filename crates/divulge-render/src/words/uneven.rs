//! Runs that look alike and need not have equally many events, one after the other.

use divulge::{
    explain::{Gone, Twin, Uneven},
    formula::Logic,
    problem::{Label, LabelMap, Problem},
    verdict::Violation,
};

use super::{
    clause::{remark, said},
    estimate::Describer,
    layout::{count, heading, list, paragraph},
    style::Style,
};

/// A run with more events than this is cut short.
const EVENTS: usize = 24;

/// Tells what an observer has ruled out, and what it cannot rule out.
pub(super) struct Apart<'a> {
    pub problem: &'a Problem,
    pub map: &'a LabelMap,
    pub violation: &'a Violation,
    pub describer: Describer<'a>,
    pub style: Style,
}

impl Apart<'_> {
    pub fn told(&self, uneven: &Uneven) -> String {
        let mut out: String = uneven.gone.iter().map(|gone| self.gone(gone)).collect();
        if uneven.left.is_empty() {
            return out;
        }
        out += &heading("What the observer cannot tell: these runs look exactly like this one", self.style);
        for (predicate, twin) in &uneven.left {
            let end = self.describer.vertex(twin.end());
            let run = format!("{} -- ends at {end} ({})", self.events(&twin.execution), remark(predicate));
            out += &paragraph(&run, 2, 4, self.style);
        }
        out
    }

    fn gone(&self, gone: &Gone) -> String {
        let title = match &gone.predicate {
            Logic::Not(q) => format!("How the observer comes to know that {}", said(q)),
            p => format!("How the observer comes to rule out that {}", said(p)),
        };
        let Some(before) = gone.last_possible else {
            let always = paragraph("It never held anything else possible.", 2, 2, self.style);
            return heading(&title, self.style) + &always;
        };
        let mut out = heading(&title, self.style);
        if let Some(&event) = self.violation.execution.get(before) {
            let (name, image) = (self.problem.alphabet.name(event), self.map.shown(event));
            let event = format!("Event {} (`{name}`, seen as `{image}`) gives it away.", before + 1);
            out += &paragraph(&event, 2, 4, self.style);
        }
        out + &gone.twin.as_ref().map_or(String::new(), |twin| self.until(before, twin))
    }

    /// The run that looked the same until the event that gave it away.
    fn until(&self, before: usize, twin: &Twin) -> String {
        let when = match before {
            0 => "Before the first event".to_owned(),
            n => format!("After {}", count(n, "event")),
        };
        let end = self.describer.vertex(twin.end());
        let run = match twin.execution.is_empty() {
            true => format!("nothing need have happened (the world at {end})"),
            false => {
                format!("this could have happened instead: {} -- ends at {end}", self.events(&twin.execution))
            }
        };
        paragraph(&format!("{when}, for all that it had seen, {run}."), 2, 4, self.style)
    }

    /// "`a`, `b` and `c`", without the middle of a long run.
    fn events(&self, labels: &[Label]) -> String {
        let name = |&label: &Label| format!("`{}`", self.problem.alphabet.name(label));
        match labels.len() {
            0 => "no event at all".to_owned(),
            n if n <= EVENTS => list(&labels.iter().map(name).collect::<Vec<_>>(), "then"),
            n => {
                let half = EVENTS / 2;
                let mut names: Vec<String> = labels[..half].iter().map(name).collect();
                names.push(format!("… {} more …", n - 2 * half));
                names.extend(labels[n - half..].iter().map(name));
                list(&names, "then")
            }
        }
    }
}
