//! One point: the process that asks, and what it says.

use std::{
    io::{self, Read},
    process::{self, Command, Output},
    time::Duration,
};

use divulge::{Answer, Verdict, problem::Problem};
use divulge_render::json::limit_word;
use serde_json::{Value, json};

use super::store::Row;
use crate::{arguments::Limits, status::Status};

/// Set for a process that asks about one point: it prints a row instead of an answer.
pub const POINT: &str = "DIVULGE_POINT";

/// A process that asks about a point ends with the sweep that it belongs to, however that ends: nobody holds its input open any more.
pub fn belong() {
    if std::env::var_os(POINT).is_some() {
        std::thread::spawn(|| {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            process::exit(Status::Unknown as i32);
        });
    }
}

/// The row of an answer, if this process asks about a point.
pub fn row(problem: &Problem, found: &Answer, seconds: f64) -> Option<String> {
    std::env::var_os(POINT)?;
    let work = &found.work;
    let mut row = json!({
        "status": "done",
        "vertices": problem.world.graph.len(),
        "seconds": seconds,
        "explored": work.explored,
        "stored": work.stored,
        "maps": work.maps,
        "learnt": work.learnt,
        "memory": divulge_host::peak(),
    });
    let verdict = match &found.verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } => "violated",
        Verdict::Found { found, .. } => {
            row["events"] = found.worst_case.events.into();
            row["cost"] = found.worst_case.cost.into();
            "found"
        }
        Verdict::Frontier { frontier, .. } => {
            row["feasible"] = wide(frontier.feasible);
            row["maps_in_all"] = wide(frontier.maps);
            "found"
        }
        Verdict::None { maps, .. } => {
            if let Some(maps) = maps {
                row["feasible"] = 0.into();
                row["maps_in_all"] = wide(*maps);
            }
            "none"
        }
        Verdict::Unknown { limit, .. } => {
            row["limit_hit"] = limit_word(*limit).into();
            "unknown"
        }
    };
    row["verdict"] = verdict.into();
    Some(format!("{row}\n"))
}

/// Numbers beyond 64 bits are texts in the database.
fn wide(n: u128) -> Value {
    i64::try_from(n).map_or_else(|_| Value::String(n.to_string()), Value::from)
}

/// What a process that has ended says; `None` if it was interrupted.
pub fn ended(output: &Output, limits: &Limits) -> Option<Row> {
    let said = String::from_utf8_lossy(&output.stdout);
    let read: Option<Value> = said.lines().next().and_then(|line| serde_json::from_str(line).ok());
    match (output.status.code(), read) {
        (Some(0 | 1 | 3), Some(mut read)) => {
            // A process that did not come back in time says no more than that a limit was hit.
            if let Some(limit) = read.get("limit").cloned() {
                read["limit_hit"] = limit;
            }
            if read["limit_hit"] == "interrupt" {
                return None;
            }
            Some(Row::read(&read, limits))
        }
        (Some(_), _) => {
            let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let error = error.strip_prefix("error: ").unwrap_or(&error).to_owned();
            Some(Row::failed("failed", error, limits))
        }
        // Killed from outside: it is tried again next time.
        (None, _) => Some(Row::failed("lost", format!("its process died: {}", output.status), limits)),
    }
}

/// A process whose streams are read as it writes them.
pub struct Child {
    child: process::Child,
    streams: [std::thread::JoinHandle<Vec<u8>>; 2],
}

fn reading(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut all);
        }
        all
    })
}

impl Child {
    /// Starts it.
    pub fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.spawn()?;
        let streams = [reading(child.stdout.take()), reading(child.stderr.take())];
        Ok(Self { child, streams })
    }

    /// Waits until it ends; `None` if it was stopped before.
    pub fn wait(mut self, stopped: impl Fn() -> bool, tick: Duration) -> Option<Output> {
        let status = loop {
            if stopped() {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return None;
            }
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => std::thread::sleep(tick),
                Err(_) => return None,
            }
        };
        let [stdout, stderr] = self.streams.map(|stream| stream.join().unwrap_or_default());
        Some(Output { status, stdout, stderr })
    }
}
