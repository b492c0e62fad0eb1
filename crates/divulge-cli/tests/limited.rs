//! Processes of tests that are started anyhow are ended, and have limits.

#![cfg(unix)]

mod children;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use children::{Running, limited, output};

#[test]
fn a_process_that_hangs_is_ended_with_all_that_it_started() {
    let begin = Instant::now();
    let mut command = limited("sh");
    command.args(["-c", "sleep 60 & sleep 60"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = Running::start(&mut command, Duration::from_millis(200));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| running.output()));
    assert!(ended.is_err() && begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_process_has_so_much_memory_and_no_more() {
    let said = output(limited("sh").args(["-c", "ulimit -d"]));
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "2097152");
}
