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
    // One number is wrong, and the others are not.
    let out = run(&["sweep", NUCLEAR, "--set", "rows=3,0"]);
    assert_eq!(out.status.code(), Some(1));
    let text = said(&out.stdout);
    assert!(text.contains("found") && text.contains("rows=0: error[E0306]"), "{text}");
}

/// What no number would mend is no matter of one point.
#[test]
fn what_cannot_be_set_is_refused_before_anything_is_computed() {
    let folder = Folder::new("sweep-settable");
    let store = folder.file("runs.sqlite");
    let example = |name: &str| format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let (document, lamps, lab) =
        (example("opacity/automaton.json"), example("formats/lamps.prism"), example("formats/lab.fsm"));
    let refused: &[(&str, &[&str], &str)] = &[
        (NUCLEAR, &["rws=3..5"], "error[E0204]: the model has no constant `rws` to set"),
        (NUCLEAR, &["rws=3..5"], "= help: did you mean `rows`?"),
        (NUCLEAR, &["rows=3..5", "clos=3"], "= help: did you mean `cols`?"),
        (NUCLEAR, &["rows=3,nonsense"], "error[E0201]: `nonsense` is not known here"),
        (NUCLEAR, &["rows=3,true"], "error[E0301]: this must be an integer, but it is a condition"),
        (NUCLEAR, &["cols=4,6", "rows=3,4 +"], "error[E0106]"),
        (&document, &["rows=3,4"], "`--set rows=…` sets a constant of a model"),
        (&lamps, &["n=3,4"], "= help: did you mean `N`?"),
        (&lab, &["n=3,4"], "`n` cannot be set: a UMDES automaton has no constants"),
    ];
    for (file, sets, message) in refused {
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        let arguments: Vec<&str> = ["sweep", file, "--store", &store].into_iter().chain(sets).collect();
        let out = run(&arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(said(&out.stderr).contains(message), "{arguments:?}: {}", said(&out.stderr));
        assert!(out.stdout.is_empty() && !std::path::Path::new(&store).exists(), "{arguments:?}");
    }
    // What is looked at beforehand is not the states.
    let out = run(&["sweep", &lamps, "--set", "N=4,5", "--csv", "-"]);
    assert_eq!(column(&said(&out.stdout), "status"), ["done", "done"], "{}", said(&out.stderr));
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

/// A store whose every result is counted, whoever writes it.
fn counted(folder: &Folder) -> String {
    let store = folder.file("runs.sqlite");
    assert!(run(&["sweep", NUCLEAR, "--set", "rows=3", "--store", &store]).status.success());
    let sql = "CREATE TABLE puts (parameters);
        CREATE TRIGGER put AFTER INSERT ON points BEGIN INSERT INTO puts VALUES (new.parameters); END";
    Connection::open(&store).and_then(|db| db.execute_batch(sql)).expect("a store");
    store
}

/// One number from a store that others write.
fn number(store: &str, sql: &str) -> i64 {
    let db = Connection::open(store).expect("a store");
    db.busy_timeout(Duration::from_secs(10)).expect("a time");
    db.query_row(sql, [], |row| row.get(0)).expect("a number")
}

/// What is beside a store when nobody is at work on it.
fn beside(folder: &Folder) -> Vec<String> {
    let all = std::fs::read_dir(&folder.0).expect("a folder").flatten();
    let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains("-worker-")).collect()
}

const SHARED: [&str; 5] = ["sweep", NUCLEAR, "--set", "rows=20..31", "--set"];

#[test]
fn processes_that_share_a_store_share_its_points() {
    let folder = Folder::new("sweep-shared");
    let store = counted(&folder);
    let asked = |threads: &'static str| {
        let more = ["cols=32", "--store", &store, "--threads", threads, "--csv", "-"];
        run(&[&SHARED[..], &more].concat())
    };
    let each: Vec<Output> = std::thread::scope(|scope| {
        let asked: Vec<_> = ["1", "2", "1"].map(|threads| scope.spawn(move || asked(threads))).into();
        asked.into_iter().map(|one| one.join().expect("it ends")).collect()
    });
    for one in &each {
        assert!(one.status.success(), "{}", said(&one.stderr));
        assert_eq!(said(&one.stdout), said(&each[0].stdout), "all have the whole table");
    }
    assert_eq!(column(&said(&each[0].stdout), "status"), vec!["done"; 12]);
    assert_eq!(number(&store, "SELECT count(*) FROM puts"), 12, "each point is computed once");
    assert_eq!(number(&store, "SELECT count(*) FROM claims"), 0);
    assert_eq!(beside(&folder), [""; 0]);
}

#[test]
#[cfg(unix)]
fn what_a_killed_process_was_at_is_done_by_another() {
    let folder = Folder::new("sweep-taken-over");
    let store = counted(&folder);
    let start = || {
        let mut command = children::divulge();
        let (null, piped) = (std::process::Stdio::null(), std::process::Stdio::piped());
        let more = ["cols=32", "--store", &store, "--threads", "1"];
        command.args([&SHARED[..], &more].concat()).stdout(null).stderr(piped);
        children::Running::start(&mut command, children::TIME)
    };
    let wait = |enough: &dyn Fn() -> bool| {
        let begin = Instant::now();
        while !enough() {
            assert!(begin.elapsed() < Duration::from_secs(100), "nothing happens");
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    let mut first = start();
    let claims = format!("SELECT count(*) FROM claims WHERE worker = '{}-0'", first.child.id());
    wait(&|| number(&store, &claims) == 1);
    // It is kept from ending what it is at: only its death lets go of that.
    let stop = |signal: &str, id: u32| {
        let sent = std::process::Command::new("kill").args([signal, &id.to_string()]).status();
        assert!(sent.expect("a signal").success());
    };
    stop("-STOP", first.child.id());
    let held = number(&store, &claims);
    let second = start();
    wait(&|| number(&store, "SELECT count(*) FROM puts") >= 12 - held);
    std::thread::sleep(Duration::from_millis(500));
    if held == 1 {
        assert_eq!(number(&store, "SELECT count(*) FROM puts"), 11, "the living keep what they claim");
    }
    first.child.kill().expect("it is killed");
    let _ = first.output();
    let out = second.output();
    assert!(out.status.success(), "{}", said(&out.stderr));
    assert_eq!(number(&store, "SELECT count(*) FROM puts"), 12, "and nothing is computed twice");
    assert_eq!(number(&store, "SELECT count(*) FROM claims"), 0);
    assert_eq!(beside(&folder), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_store_that_cannot_be_written_is_told_and_kept() {
    use std::os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    };
    let folder = Folder::new("sweep-read-only");
    let (program, model, store) =
        (folder.file("divulge"), folder.file("nuclear.divulge"), folder.file("stores/runs.sqlite"));
    std::fs::create_dir_all(folder.file("stores")).expect("a folder");
    std::fs::copy(env!("CARGO_BIN_EXE_divulge"), &program).expect("the program");
    std::fs::copy(NUCLEAR, &model).expect("a model");
    let allow = |path: &str, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    [folder.0.to_str().expect("a plain path"), &program].iter().for_each(|path| allow(path, 0o755));
    allow(&model, 0o644);
    let arguments = |rows: &str| ["sweep", &model, "--set", rows, "--store", &store].map(str::to_owned);
    let asked = |rows: &str| children::output(children::limited(&program).args(arguments(rows)));
    assert!(asked("rows=3..5").status.success());
    let had = known(&store);
    let bytes = std::fs::read(&store).expect("a store");
    // Nothing is forbidden to root, who therefore asks as somebody else.
    let root = std::fs::metadata(&folder.0).expect("a folder").uid() == 0;
    let (stores, nobody) = (folder.file("stores"), 65534);
    for (of_folder, of_file) in [(0o555, 0o444), (0o777, 0o444), (0o555, 0o666)] {
        allow(&store, of_file);
        allow(&stores, of_folder);
        let mut command = children::limited(&program);
        command.args(arguments("rows=3..7"));
        if root {
            command.uid(nobody).gid(nobody);
        }
        let out = children::output(&mut command);
        assert_eq!(out.status.code(), Some(2), "{of_folder:o} {of_file:o}: {}", said(&out.stdout));
        let told = said(&out.stderr);
        assert!(told.contains("cannot be used") && told.contains("may it be written?"), "{told}");
        assert!(out.stdout.is_empty());
        allow(&stores, 0o755);
        allow(&store, 0o644);
        assert!(std::fs::read(&store).expect("a store") == bytes, "{of_folder:o} {of_file:o}");
        for name in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{store}{name}"));
        }
    }
    // A store that is opened as one that is only read, and a folder in its place.
    let read_only = format!("file:{store}?mode=ro");
    for (odd, message) in [(read_only.as_str(), "cannot be used"), (stores.as_str(), "is a folder")] {
        let out = run(&["sweep", &model, "--set", "rows=3..7", "--store", odd]);
        assert_eq!(out.status.code(), Some(2), "{odd}");
        assert!(said(&out.stderr).contains(message), "{odd}: {}", said(&out.stderr));
    }
    assert_eq!(known(&store), had);
    assert!(asked("rows=3..7").status.success());
    let all = known(&store);
    assert!(all.len() == 5 && had.iter().all(|row| all.contains(row)));
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
