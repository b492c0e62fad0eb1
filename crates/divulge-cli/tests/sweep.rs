//! Sweeps: tables, stores that are continued, points that fail, and searches over maps that are remembered.

mod children;

use std::{
    path::PathBuf,
    process::Output,
    time::{Duration, Instant},
};

use rusqlite::Connection;

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

/// The points that a store has, each with when it was finished.
fn known(store: &str) -> Vec<(String, String)> {
    let Ok(db) = Connection::open(store) else { return Vec::new() };
    db.busy_timeout(Duration::from_secs(10)).expect("a time");
    let Ok(mut rows) = db.prepare("SELECT parameters, finished || seconds FROM points ORDER BY parameters")
    else {
        return Vec::new();
    };
    let all = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    all.collect::<Result<_, _>>().expect("rows")
}

#[test]
fn killed_twice_and_continued() {
    let folder = Folder::new("sweep-killed");
    let (store, csv) = (folder.file("runs.sqlite"), folder.file("runs.csv"));
    let arguments = ["sweep", NUCLEAR, "--set", "rows=20..31", "--set", "cols=32", "--store", &store];
    let arguments = [&arguments[..], &["--threads", "2", "--csv", &csv]].concat();
    let mut had = Vec::new();
    for enough in [2, 5] {
        let mut command = children::divulge();
        let quiet = || std::process::Stdio::null();
        let mut running = children::Running::start(
            command.args(&arguments).stdout(quiet()).stderr(quiet()),
            children::TIME,
        );
        let begin = Instant::now();
        while known(&store).len() < enough && begin.elapsed() < Duration::from_secs(100) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = running.child.kill();
        let _ = running.output();
        let now = known(&store);
        assert!(enough <= now.len() && now.len() < 12, "{} points are done", now.len());
        assert!(had.iter().all(|row| now.contains(row)), "what is done is not done again");
        had = now;
    }
    let out = run(&arguments);
    assert!(out.status.success(), "{}", said(&out.stderr));
    let (all, first) = (known(&store), std::fs::read_to_string(&csv).expect("a table"));
    assert!(all.len() == 12 && had.iter().all(|row| all.contains(row)));
    assert_eq!(column(&first, "status"), vec!["done"; 12]);
    // The answers are those of a sweep that nobody disturbed, and nothing is asked again.
    let alone = run(&["sweep", NUCLEAR, "--set", "rows=20..31", "--set", "cols=32", "--csv", "-"]);
    for name in ["rows", "verdict", "events", "cost", "explored", "vertices"] {
        assert_eq!(column(&first, name), column(&said(&alone.stdout), name), "{name}");
    }
    assert!(run(&arguments).status.success());
    assert_eq!(std::fs::read_to_string(&csv).expect("a table"), first);
    assert_eq!(known(&store), all);
}

#[test]
fn several_at_once_on_a_store_that_is_new() {
    let folder = Folder::new("sweep-several");
    for round in 0..6 {
        let store = folder.file(&format!("runs-{round}.sqlite"));
        let arguments = ["sweep", NUCLEAR, "--set", "rows=3..5", "--set", "cols=4", "--store", &store];
        let each: Vec<Output> = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..4).map(|_| scope.spawn(|| run(&arguments))).collect();
            asked.into_iter().map(|one| one.join().expect("it ends")).collect()
        });
        for one in each {
            assert!(one.status.success(), "{}", said(&one.stderr));
        }
        assert_eq!(known(&store).len(), 3);
    }
}

/// The processes whose parent is this one.
#[cfg(target_os = "linux")]
fn started_by(parent: u32) -> Vec<u32> {
    let folders = std::fs::read_dir("/proc").expect("processes").flatten();
    let all = folders.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = format!("PPid:\t{parent}\n");
    all.filter(|id| {
        std::fs::read_to_string(format!("/proc/{id}/status")).is_ok_and(|text| text.contains(&parent))
    })
    .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn points_whose_processes_are_killed_are_asked_about_again() {
    let folder = Folder::new("sweep-points-killed");
    let csv = folder.file("runs.csv");
    let arguments = ["sweep", NUCLEAR, "--set", "rows=40..43", "--set", "cols=52", "--threads", "2", "--csv"];
    let mut command = children::divulge();
    let null = std::process::Stdio::null();
    let running = children::Running::start(command.args(arguments).arg(&csv).stdout(null), children::TIME);
    let (sweep, begin) = (running.child.id(), Instant::now());
    let mut kills = 0;
    // No more than a point survives, should it be the same one each time.
    let mut seen = std::collections::HashSet::new();
    while kills < 2 && begin.elapsed() < Duration::from_secs(20) {
        if let Some(id) = started_by(sweep).into_iter().find(|id| seen.insert(*id)) {
            let killed = std::process::Command::new("kill").args(["-KILL", &id.to_string()]).status();
            kills += usize::from(killed.is_ok_and(|status| status.success()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let out = running.output();
    assert_eq!(kills, 2);
    assert!(out.status.success());
    let told = std::fs::read_to_string(&csv).expect("a table");
    assert_eq!(column(&told, "status"), vec!["done"; 4]);
}

#[test]
#[cfg(unix)]
fn a_disk_that_is_full_is_told() {
    let folder = Folder::new("sweep-full");
    let store = folder.file("runs.sqlite");
    let program = env!("CARGO_BIN_EXE_divulge");
    // No file may be longer than so many blocks; the signal that says so is ignored.
    let limited = |blocks: usize, arguments: &[&str]| {
        let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        children::output(children::limited("sh").args(["-c", &shell, program]).args(arguments))
    };
    let arguments = ["sweep", NUCLEAR, "--set", "rows=3..40", "--set", "cols=4", "--store", &store];
    let out = limited(120, &arguments);
    assert_eq!(out.status.code(), Some(2));
    assert!(said(&out.stderr).contains("cannot be used"), "{}", said(&out.stderr));
    let had = known(&store);
    assert!(had.len() < 38);
    let again = run(&arguments);
    assert!(again.status.success(), "{}", said(&again.stderr));
    let all = known(&store);
    assert!(all.len() == 38 && had.iter().all(|row| all.contains(row)));
}

#[test]
fn stores_of_others_and_of_other_versions() {
    let folder = Folder::new("sweep-versions");
    let (store, other) = (folder.file("runs.sqlite"), folder.file("other.sqlite"));
    let ask = |store: &str| run(&["sweep", NUCLEAR, "--set", "rows=3", "--store", store]);
    let change = |store: &str, sql: &str| {
        Connection::open(store).and_then(|db| db.execute_batch(sql)).expect("a database that can be changed");
    };
    change(&other, "CREATE TABLE precious (x)");
    let out = ask(&other);
    assert_eq!(out.status.code(), Some(2));
    assert!(said(&out.stderr).contains("is a database, but not one of divulge's"), "{}", said(&out.stderr));
    let out = ask(&store);
    assert!(out.status.success() && !said(&out.stderr).contains("begun by"), "{}", said(&out.stderr));
    change(&store, "UPDATE sweeps SET divulge = '0.0.7'");
    let out = ask(&store);
    assert!(out.status.success(), "{}", said(&out.stderr));
    assert!(said(&out.stderr).contains("this sweep was begun by divulge 0.0.7"), "{}", said(&out.stderr));
    change(&store, "PRAGMA user_version = 99");
    let out = ask(&store);
    assert_eq!(out.status.code(), Some(2));
    assert!(said(&out.stderr).contains("was written by a newer divulge"), "{}", said(&out.stderr));
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
        (&["--set", "rows=3", "--store", ""], "--store has no file"),
    ];
    for (arguments, message) in refused {
        let out = run(&[&["sweep", NUCLEAR], *arguments].concat());
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(said(&out.stderr).contains(message), "{arguments:?}: {}", said(&out.stderr));
    }
}
