//! Runs side by side.

use divulge::problem::{Problem, Vertex};
use divulge_explore::{Comparison, Run};

use super::{
    frame::{Look, clean, named},
    screen::{cut, wrap},
};

/// Rows of two runs that are shown before and after each that matters.
const AROUND: usize = 3;

/// Two runs side by side. Long stretches in which both do the same are left out.
pub fn comparison(problem: &Problem, told: &Comparison, look: Look, cols: usize) -> Vec<String> {
    let each = cols.saturating_sub(10) / 2;
    let place = |run: &Run, n: usize| {
        let at: Vec<Vertex> = run.places.get(n).into_iter().flatten().map(|&v| Vertex(v)).collect();
        match at.len() {
            0 => String::new(),
            1 => named(problem, &at),
            many => format!("one of {many} vertices"),
        }
    };
    let cell = |run: &Run, event: Option<usize>| {
        let Some(event) = event else { return String::new() };
        let (Some(label), Some(image)) = (run.events.get(event), run.images.get(event)) else {
            return String::new();
        };
        let seen = match image {
            None => " (not seen)".to_owned(),
            Some(image) if image == label => String::new(),
            Some(image) => format!(" (seen as {})", clean(image)),
        };
        let at = place(run, event + 1);
        let at = if at.is_empty() { at } else { format!(" -> {at}") };
        cut(&format!("{}{seen}{at}", clean(label)), each)
    };
    // The start, then a row for each pair of events.
    let rows = told.rows.len() + 1;
    let both = |n: usize| match n.checked_sub(1) {
        None => [&told.run, &told.other].map(|run| cut(&format!("(start) {}", place(run, 0)), each)),
        Some(row) => {
            let (one, other) = told.rows[row];
            [cell(&told.run, one), cell(&told.other, other)]
        }
    };
    let name = |run: &Run, event: Option<usize>| event.and_then(|event| run.events.get(event).cloned());
    let parts = |n: usize| n > 0 && told.rows[n - 1].0.is_some_and(|event| told.parts_at == Some(event + 1));
    let matters = |n: &usize| {
        let pair = n.checked_sub(1).map(|row| told.rows[row]);
        let differ = pair.is_some_and(|(a, b)| name(&told.run, a) != name(&told.other, b));
        differ || parts(*n) || *n == 0 || n + 1 == rows
    };
    let mut shown = vec![false; rows];
    for n in (0..rows).filter(matters) {
        shown[n.saturating_sub(AROUND)..(n + AROUND + 1).min(rows)].fill(true);
    }
    let kept = (0..rows).filter(|&n| shown[n]);
    let wide = kept.map(|n| both(n)[0].chars().count()).max().unwrap_or(0).max(13);
    let mut lines = vec![String::new(), look.strong(&cut(&clean(&told.title), cols))];
    lines.push(look.faint(&format!("      {:wide$}   another run", "what happened")));
    let mut left_out = 0;
    for n in 0..rows {
        if !shown[n] {
            left_out += 1;
            if shown[n + 1] {
                lines.push(look.faint(&format!("      … {left_out} events, the same in both")));
                left_out = 0;
            }
            continue;
        }
        let mark = if parts(n) { "!" } else { " " };
        let [this, other] = both(n);
        let line = format!("  {n:>2}{mark} {this:wide$}   {other}");
        lines.push(line.trim_end().to_owned());
    }
    lines.extend(wrap(&format!("  {}", clean(&told.why)), cols, 2));
    lines
}
