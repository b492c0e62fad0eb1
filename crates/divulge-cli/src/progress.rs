//! How far a long search has come, in one line.

use std::time::Duration;

use divulge::limit::{Milestone, Progress};

/// Nothing is shown of what is done sooner.
pub const SHOWN_AFTER: Duration = Duration::from_millis(800);

/// What engines have reported. Their counts begin anew with every phase and every game.
#[derive(Debug, Default)]
pub struct Tally {
    /// What was last being done.
    doing: &'static str,
    /// The most that was explored while each thing was done.
    explored: Vec<(&'static str, u64)>,
    /// The most that was reported of the others.
    stored: u64,
    maps: u64,
    learnt: u64,
}

impl Tally {
    /// Takes a report.
    pub fn add(&mut self, progress: &Progress) {
        let Progress { doing, explored, stored, maps, learnt, .. } = *progress;
        self.doing = doing;
        match self.explored.iter_mut().find(|(what, _)| *what == doing) {
            Some((_, most)) => *most = explored.max(*most),
            None => self.explored.push((doing, explored)),
        }
        self.stored = self.stored.max(stored);
        self.maps = self.maps.max(maps);
        self.learnt = self.learnt.max(learnt);
    }

    fn here(&self) -> u64 {
        self.explored.iter().find(|(what, _)| *what == self.doing).map_or(0, |(_, most)| *most)
    }

    /// Phases go over the same nodes, so their counts are not added up.
    fn in_all(&self) -> u64 {
        self.explored.iter().map(|(_, most)| *most).max().unwrap_or(0)
    }
}

/// What is being done now. `adding` is what is added to an answer that is known, if it is.
pub fn now(
    tally: &Tally,
    adding: &str,
    best: Option<Milestone>,
    elapsed: Duration,
    memory: Option<u64>,
) -> String {
    let mut line = match adding {
        "" => String::new(),
        adding => format!("{adding}: "),
    };
    line += if tally.doing.is_empty() { "reading" } else { tally.doing };
    counts(&mut line, tally, tally.here(), best);
    if let Some(bytes) = memory {
        line.push_str(&format!(", {} MB", grouped(bytes >> 20)));
    }
    line.push_str(&format!(", {:.0} s", elapsed.as_secs_f64()));
    line
}

/// What was done in all, when it is over; `memory` is the most that was in use.
pub fn in_all(tally: &Tally, best: Option<Milestone>, elapsed: Duration, memory: Option<u64>) -> String {
    let mut line = if tally.doing.is_empty() { "reading" } else { tally.doing }.to_owned();
    counts(&mut line, tally, tally.in_all(), best);
    if let Some(bytes) = memory {
        line.push_str(&format!(", at most {} MB", grouped(bytes >> 20)));
    }
    line.push_str(&format!(", {:.1} s", elapsed.as_secs_f64()));
    line
}

fn counts(line: &mut String, tally: &Tally, explored: u64, best: Option<Milestone>) {
    let counts = [
        (explored, "explored"),
        (tally.stored, "estimates stored"),
        (tally.maps, "regions of maps decided"),
        (tally.learnt, "lessons learnt"),
    ];
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        line.push_str(&format!(", {} {what}", grouped(count)));
    }
    match best {
        Some(Milestone::Found { events }) => line.push_str(&format!(", best so far {events} events")),
        Some(Milestone::Classified { feasible, infeasible }) => {
            line.push_str(&format!(", {feasible} maps would do, {infeasible} would not"));
        }
        Some(Milestone::Checking | Milestone::Decided(_)) | None => {}
    }
}

/// Thousands apart: 1 234 567.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let mut tally = Tally::default();
        tally.add(&Progress { doing: "expanding", explored: 1000, ..Progress::default() });
        tally.add(&Progress {
            doing: "searching maps",
            explored: 1_234_567,
            maps: 12,
            ..Progress::default()
        });
        // The next game begins anew.
        tally.add(&Progress { doing: "searching maps", explored: 5, ..Progress::default() });
        assert_eq!(
            now(&tally, "", None, Duration::from_secs(3), Some(5 << 20)),
            "searching maps, 1 234 567 explored, 12 regions of maps decided, 5 MB, 3 s"
        );
        assert_eq!(
            in_all(&tally, None, Duration::from_secs(3), Some(7 << 20)),
            "searching maps, 1 234 567 explored, 12 regions of maps decided, at most 7 MB, 3.0 s"
        );
        assert_eq!(now(&Tally::default(), "", None, Duration::ZERO, None), "reading, 0 s");
        assert_eq!(now(&tally, "finding out why", None, Duration::ZERO, None).split(':').count(), 2);
    }
}
