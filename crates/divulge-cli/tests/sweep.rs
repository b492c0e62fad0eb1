//! Sweeps: tables, stores that are continued, points that fail, and searches over maps that are remembered.

mod children;

use std::{
    path::PathBuf,
    process::Output,
    time::{Duration, Instant},
};

const NUCLEAR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nuclear.divulge");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("divulge-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(arguments: &[&str]) -> Output {
    children::output(children::divulge().args(arguments))
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The cells of one column of a table of comma-separated values.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let at = head.iter().position(|cell| cell == name).expect("such a column");
    lines.map(|line| line[at].clone()).collect()
}

#[test]
fn a_table_with_the_answers_of_the_questions() {
    let out = run(&["sweep", NUCLEAR, "--set", "rows=3..5", "--set", "cols=4,6", "--csv", "-"]);
    assert!(out.status.success(), "{}", said(&out.stderr));
    let csv = said(&out.stdout);
    assert_eq!(column(&csv, "rows"), ["3", "3", "4", "4", "5", "5"]);
    for (number, (rows, cols)) in [(3, 4), (3, 6), (4, 4), (4, 6), (5, 4), (5, 6)].into_iter().enumerate() {
        let (rows, cols) = (format!("rows={rows}"), format!("cols={cols}"));
        let alone = run(&["seek", "plan", NUCLEAR, "--json", "--set", &rows, "--set", &cols]);
        let found = alone.status.code() == Some(0);
        assert_eq!(column(&csv, "verdict")[number], if found { "found" } else { "none" });
        let events = &column(&csv, "events")[number];
        assert!(if found {
            said(&alone.stdout).contains(&format!("\"events\": {events}"))
        } else {
            events.is_empty()
        });
    }
    let table = run(&["sweep", NUCLEAR, "--set", "rows=3"]);
    assert!(said(&table.stdout).starts_with("rows  verdict  events  cost  seconds  explored  memory\n"));
}

#[test]
fn points_that_fail_are_told() {
    let out = run(&["sweep", NUCLEAR, "--set", "rows=3,nonsense"]);
    assert_eq!(out.status.code(), Some(1));
    let text = said(&out.stdout);
    assert!(text.contains("found") && text.contains("rows=nonsense: error[E0201]"), "{text}");
}

#[test]
fn limits_are_for_each_point_and_may_be_raised() {
    let folder = Folder::new("sweep-limits");
    let store = folder.file("runs.sqlite");
    let with = |limit: &str| {
        let out = run(&[
            "sweep",
            NUCLEAR,
            "--set",
            "rows=20",
            "--set",
            "cols=22",
            "--store",
            &store,
            "--csv",
            "-",
            "--time-limit",
            limit,
        ]);
        column(&said(&out.stdout), "verdict").remove(0)
    };
    assert_eq!(
        [with("0"), with("0"), with("100"), with("0")],
        ["unknown", "unknown", "found", "found"].map(str::to_owned)
    );
}

#[test]
fn killed_twice_and_continued() {
    let folder = Folder::new("sweep-killed");
    let (store, csv) = (folder.file("runs.sqlite"), folder.file("runs.csv"));
    let arguments = [
        "sweep",
        NUCLEAR,
        "--set",
        "rows=30..41",
        "--set",
        "cols=32",
        "--store",
        &store,
        "--threads",
        "2",
        "--csv",
        &csv,
    ];
    for wait in [400, 700] {
        let mut running = children::Running::start(
            children::divulge()
                .args(arguments)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null()),
            children::TIME,
        );
        std::thread::sleep(Duration::from_millis(wait));
        let _ = running.child.kill();
        let _ = running.output();
    }
    let begin = Instant::now();
    let out = run(&arguments);
    assert!(out.status.success(), "{}", said(&out.stderr));
    let first = std::fs::read_to_string(&csv).expect("a table");
    assert_eq!(column(&first, "status"), vec!["done"; 12]);
    // Nothing is asked again.
    let took = begin.elapsed();
    let again = Instant::now();
    assert!(run(&arguments).status.success());
    assert_eq!(std::fs::read_to_string(&csv).expect("a table"), first);
    assert!(again.elapsed() < took.max(Duration::from_secs(2)));
}

#[test]
fn what_is_refused() {
    let folder = Folder::new("sweep-refused");
    let text = folder.file("text.sqlite");
    std::fs::write(&text, "this is no database, however long it may be, and that is that\n".repeat(20))
        .expect("a file");
    let refused: &[(&[&str], &str)] = &[
        (&["--set", "rows=5..3"], "the range `5..3` of `rows` is empty"),
        (&["--set", "rows"], "`--set rows` has no values"),
        (&["--set", "rows=3", "--set", "rows=4"], "`rows` is set twice"),
        (&["--set", "rows=3", "--question", "seek plam"], "there is no question `seek plam`"),
        (&["--set", "rows=3", "--question", "seek plan --frob"], "--question: unexpected argument '--frob'"),
        (
            &["--set", "rows=3", "--question", "seek plan --json"],
            "the question cannot have the option --json",
        ),
        (&["--set", "rows=3", "--store", &text], "is not a database"),
        (&["--set", "rows=3", "--store", "/nowhere/at/all.sqlite"], "cannot be used"),
    ];
    for (arguments, message) in refused {
        let out = run(&[&["sweep", NUCLEAR], *arguments].concat());
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(said(&out.stderr).contains(message), "{arguments:?}: {}", said(&out.stderr));
    }
}
