//! How far a long search has come, in one line.

use std::time::Duration;

use divulge::{answer::SoFar, question::Progress};

/// Nothing is shown of what is done sooner.
pub const SHOWN_AFTER: Duration = Duration::from_millis(800);

/// What has been done so far, in words; nothing if nothing was reported.
pub fn words(progress: &Progress, best: Option<&SoFar>, elapsed: Duration, memory: Option<u64>) -> String {
    let counts = [
        (progress.explored, "explored"),
        (progress.stored, "estimates stored"),
        (progress.maps, "regions of maps decided"),
        (progress.learnt, "lessons learnt"),
    ];
    let mut line = if progress.doing.is_empty() { "reading".to_owned() } else { progress.doing.to_owned() };
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        line.push_str(&format!(", {} {what}", grouped(count)));
    }
    match best {
        Some(SoFar::Plan(found)) => {
            line.push_str(&format!(", best so far {} events", found.worst_case.events))
        }
        Some(SoFar::Map(found)) => {
            line.push_str(&format!(", best so far {} events", found.worst_case.events))
        }
        Some(SoFar::Maps(so_far)) => {
            line.push_str(&format!(", {} maps would do, {} would not", so_far.feasible, so_far.infeasible));
        }
        None => {}
    }
    if let Some(bytes) = memory {
        line.push_str(&format!(", {} MB", grouped(bytes >> 20)));
    }
    line.push_str(&format!(", {:.0} s", elapsed.as_secs_f64()));
    line
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
        let progress =
            Progress { doing: "searching maps", explored: 1_234_567, maps: 12, ..Progress::default() };
        assert_eq!(
            words(&progress, None, Duration::from_secs(3), Some(5 << 20)),
            "searching maps, 1 234 567 explored, 12 regions of maps decided, 5 MB, 3 s"
        );
        assert_eq!(words(&Progress::default(), None, Duration::ZERO, None), "reading, 0 s");
    }
}
