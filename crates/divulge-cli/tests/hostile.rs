//! Enormous and hopeless input through the whole program: status 2 and a message, with bounded time and memory.

mod children;

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use children::{Running, TIME, divulge, output};
use divulge_naive::random::Rng;

fn info(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> (Option<i32>, String) {
    let pipe = Stdio::piped;
    let mut command = divulge();
    command.args(["info", "--json", "-"]).stdin(pipe()).stdout(pipe()).stderr(pipe());
    let mut running = Running::start(&mut command, TIME);
    let mut stdin = running.child.stdin.take().expect("a pipe");
    // The program may stop reading before the end.
    let _ = write(&mut stdin);
    drop(stdin);
    let out = running.output();
    assert!(out.stdout.is_empty(), "nothing is said on standard output");
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

fn refused(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>, message: &str) {
    let begin = Instant::now();
    let (status, said) = info(write);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains(message) && said.len() < 10_000, "{said}");
    assert!(begin.elapsed() < Duration::from_secs(60));
}

const MEGABYTE: usize = 1 << 20;

/// A document of about eight megabytes, in a file of its own.
fn large(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("divulge-{name}-{}.json", std::process::id()));
    let grid = ["generate", "nuclear", "--rows", "50", "--cols", "50", "-o"];
    assert!(output(divulge().args(grid).arg(&path)).status.success());
    path
}

/// Asks about a file: the status, standard output and standard error.
fn asked(arguments: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let out = output(divulge().args(arguments).arg(file));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn limits_hold_while_reading() {
    let file = large("reading");
    let unknown = |limit: &str| format!("unknown: stopped by the {limit} limit while reading the problem\n");
    for (limit, arguments) in [
        ("memory", ["seek", "plan", "--memory-limit", "12M"]),
        ("memory", ["seek", "plan", "--memory-limit", "16M"]),
        ("time", ["seek", "plan", "--time-limit", "0.01"]),
    ] {
        let (status, out, error) = asked(&arguments, &file);
        assert_eq!((status, out, error), (Some(3), String::new(), unknown(limit)), "{arguments:?}");
        let (status, out, error) = asked(&[&arguments[..], &["--json"]].concat(), &file);
        let json = format!("{{\"verdict\": \"unknown\", \"limit\": \"{limit}\"}}\n");
        assert_eq!((status, out, error), (Some(3), json, unknown(limit)), "{arguments:?}");
    }
    let _ = std::fs::remove_file(file);
}

/// Ctrl-C, sent to the program when it has surely begun.
#[cfg(unix)]
#[test]
fn interrupts_say_how_far_it_came() {
    let file = large("interrupted");
    let mut command = divulge();
    command.args(["seek", "maps", "--any-map", "--json"]).arg(&file);
    // Should the interrupt be lost, it ends all the same.
    command.args(["--time-limit", "60", "--memory-limit", "1G"]);
    let running = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()), TIME);
    std::thread::sleep(Duration::from_millis(1500));
    let process = running.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("a shell's kill");
    let out = running.output();
    assert!(sent.success() && out.status.code() == Some(3));
    assert!(
        String::from_utf8_lossy(&out.stdout)
            .starts_with("{\"verdict\": \"unknown\", \"limit\": \"interrupt\"")
    );
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.starts_with("unknown: interrupted\nso far: ") && said.contains(" explored, "), "{said}");
    let _ = std::fs::remove_file(file);
}

#[test]
fn a_hundred_megabytes_of_noise() {
    let noise = Rng::new(1).bytes(MEGABYTE);
    refused(|out| (0..100).try_for_each(|_| out.write_all(&noise)), "UTF-8");
}

#[test]
fn a_hundred_megabytes_of_nothing() {
    let spaces = vec![b' '; MEGABYTE];
    refused(|out| (0..100).try_for_each(|_| out.write_all(&spaces)), "error");
    let words = b"word ".repeat(MEGABYTE / 5);
    refused(|out| (0..100).try_for_each(|_| out.write_all(&words)), "error");
}

#[test]
fn a_hundred_megabytes_that_begin_well() {
    refused(
        |out| {
            out.write_all(
                br#"{"format": "divulge/1", "world": {"vertices": {"u": {"kind": "action"}, "v": {"kind": "observation"}}, "edges": ["#,
            )?;
            let edge = br#"{"from": "u", "to": "v", "labels": ["a"]}, "#.repeat(MEGABYTE / 40);
            (0..100).try_for_each(|_| out.write_all(&edge))
        },
        "ends too early",
    );
}

#[test]
fn a_hundred_thousand_levels() {
    refused(|out| out.write_all(&b"{\"name\": ".repeat(100_000)), "nest");
    refused(|out| out.write_all(&b"[".repeat(100_000)), "JSON object");
    let formula = "(".repeat(100_000);
    let text = format!(
        r#"{{"format": "divulge/1", "world": {{"vertices": {{"u": {{"kind": "action"}}}}, "initial": ["u"], "edges": []}},
           "observers": [{{"knows": "world", "stipulations": [{{"formula": "{formula}"}}]}}]}}"#
    );
    refused(|out| out.write_all(text.as_bytes()), "levels deep");
}

#[test]
fn names_do_not_command_the_terminal() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nuclear.divulge");
    for command in ["draw", "step"] {
        let (status, _, said) = asked(&[command, "--events", "\u{1b}[31mright"], &example);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("[31mright") && !said.contains('\u{1b}'), "{said:?}");
    }
}
