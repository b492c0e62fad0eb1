//! The results for people and for spreadsheets, and how long it will take.

use std::{
    fmt,
    io::{self, Write},
    time::{Duration, Instant},
};

use divulge_host::store::results;
use serde_json::Value;

use super::{grid::Point, store::Row};

/// What the table shows of each point beside its parameters.
const SHOWN: [&str; 8] =
    ["verdict", "events", "cost", "feasible", "maps_in_all", "seconds", "explored", "memory"];

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A table in columns; those in which nothing is known are left out.
pub fn text(out: &mut dyn Write, names: &[String], points: &[(&Point, Option<&Row>)]) -> io::Result<()> {
    let shown: Vec<&str> = SHOWN
        .into_iter()
        .filter(|name| {
            *name == "verdict" || points.iter().any(|(_, row)| row.is_some_and(|row| row.get(name).is_some()))
        })
        .collect();
    let mut lines: Vec<Vec<String>> =
        vec![names.iter().cloned().chain(shown.iter().map(|s| (*s).to_owned())).collect()];
    for (point, row) in points {
        let parameters = names.iter().map(|name| point.parameters.get(name).map(plain).unwrap_or_default());
        let results = shown.iter().map(|name| row.map(|row| told(row, name)).unwrap_or_default());
        lines.push(parameters.chain(results).collect());
    }
    let columns = names.len() + shown.len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in &lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    for (point, row) in points {
        let Some(error) = row.and_then(|row| row.get("error")) else { continue };
        let at: Vec<String> = point.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        writeln!(out, "\n{}: {}", at.join(" "), plain(error))?;
    }
    Ok(())
}

fn told(row: &Row, name: &str) -> String {
    let Some(value) = row.get(name) else {
        return if name == "verdict" { row.status.clone() } else { String::new() };
    };
    match (name, value.as_f64()) {
        ("seconds", Some(seconds)) => format!("{seconds:.3}"),
        ("memory", Some(bytes)) => format!("{:.0} MB", bytes / 1e6),
        ("verdict", _) if row.get("limit_hit").is_some() => {
            format!("{} ({} limit)", plain(value), row.get("limit_hit").map(plain).unwrap_or_default())
        }
        _ => plain(value),
    }
}

/// Comma-separated values, everything in them.
pub fn csv(out: &mut dyn Write, names: &[String], points: &[(&Point, Option<&Row>)]) -> io::Result<()> {
    let head: Vec<&str> = names.iter().map(String::as_str).chain(results()).collect();
    writeln!(out, "{}", head.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(","))?;
    for (point, row) in points {
        let parameters = names.iter().map(|name| point.parameters.get(name).map(plain).unwrap_or_default());
        let results = results()
            .into_iter()
            .map(|name| row.and_then(|row| row.get(name)).map(plain).unwrap_or_default());
        let cells: Vec<String> = parameters.chain(results).map(|cell| quoted(&cell)).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// How fast it goes, and how long it will go on.
pub struct Pace {
    done: usize,
    failed: usize,
    points: usize,
    threads: usize,
    begin: Instant,
    took: Vec<f64>,
}

impl Pace {
    /// `done` of `points` are known already.
    pub fn new(done: usize, points: usize, threads: usize, begin: Instant) -> Self {
        Self { done, failed: 0, points, threads, begin, took: Vec::new() }
    }

    /// One more.
    pub fn took(&mut self, row: &Row) {
        self.done += 1;
        self.failed += usize::from(row.status != "done");
        self.took.push(row.get("seconds").and_then(Value::as_f64).unwrap_or(0.0) + 0.01);
    }

    fn left(&self) -> Duration {
        // Points usually grow: the last ones tell most about those to come.
        let recent = &self.took[self.took.len().saturating_sub((self.took.len() / 4).max(4))..];
        let mean = recent.iter().sum::<f64>() / recent.len().max(1) as f64;
        let left = (self.points - self.done) as f64;
        Duration::try_from_secs_f64(mean * left / (self.threads as f64).min(left.max(1.0)))
            .unwrap_or_default()
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} points", self.done, self.points)?;
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        write!(f, ", {}", spelled(self.begin.elapsed()))?;
        if self.done < self.points { write!(f, ", about {} left", spelled(self.left())) } else { Ok(()) }
    }
}

fn spelled(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        90.0..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
