//! `seek maps --store`: killed at random moments it goes on where it was, and what is damaged is done again.

mod children;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::Duration,
};

use divulge_naive::random::{Rng, seed};
use rusqlite::Connection;

/// A folder of its own, with a problem whose maps take some time.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("divulge-store-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let folder = Self(folder);
        let out = folder.file("problem.json");
        let generate = ["generate", "nuclear", "--knows", "plan", "--merge", "sought", "-o", &out];
        assert!(children::output(children::divulge().args(generate)).status.success());
        folder
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }

    /// The arguments of the question, and some more.
    fn asked(&self, more: &[&str]) -> Vec<String> {
        let problem = self.file("problem.json");
        ["seek", "maps", &problem, "--json", "--threads", "2"]
            .iter()
            .chain(more)
            .map(ToString::to_string)
            .collect()
    }

    fn answer(&self, more: &[&str]) -> Output {
        children::output(children::divulge().args(self.asked(more)))
    }
}

/// How many tasks a store has.
fn tasks(store: &str) -> usize {
    let Ok(db) = Connection::open(store) else { return 0 };
    db.busy_timeout(Duration::from_secs(10)).expect("a time");
    let count = db.query_row("SELECT count(*) FROM tasks", [], |row| row.get::<_, i64>(0));
    count.map_or(0, |count| usize::try_from(count).expect("a number of rows"))
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn killed_at_any_moment_it_goes_on_where_it_was() {
    let folder = Folder::new("kills");
    let store = folder.file("maps.store");
    let expected = folder.answer(&[]).stdout;
    assert!(!expected.is_empty());
    let mut rng = Rng::new(seed(71));
    let (mut kills, mut grown, mut had) = (0, 0, 0);
    // The more often it was killed, the longer it is let be.
    while kills < 60 {
        // Not limited by a shell, which would be killed in its place.
        let mut command = Command::new(env!("CARGO_BIN_EXE_divulge"));
        command.args(folder.asked(&["--store", &store, "--time-limit", "200"]));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(rng.below(100 + 60 * kills) as u64));
        if child.try_wait().expect("a child").is_some_and(|status| status.success()) {
            let out = child.wait_with_output().expect("what it said");
            assert_eq!(out.stdout, expected);
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        kills += 1;
        let now = tasks(&store);
        assert!(now >= had, "what was kept is kept");
        grown += usize::from(now > had);
        had = now;
    }
    assert!(grown >= 2 && had > 5, "killed {kills} times, {grown} times with something new, {had} tasks");
    let again = folder.answer(&["--store", &store]);
    assert_eq!(again.stdout, expected);
}

#[test]
fn what_is_damaged_is_done_again() {
    let folder = Folder::new("cut");
    let store = folder.file("maps.store");
    let expected = folder.answer(&["--store", &store]);
    let all = tasks(&store);
    assert!(all > 5, "there are tasks");
    let changes = [
        "DELETE FROM tasks WHERE rowid % 3 = 0",
        "UPDATE tasks SET done = substr(done, 1, length(done) - 8) WHERE rowid % 2 = 0",
        "UPDATE tasks SET done = zeroblob(16)",
    ];
    for change in changes {
        assert!(Connection::open(&store).unwrap().execute(change, []).unwrap() > 0);
        let again = folder.answer(&["--store", &store]);
        assert_eq!((again.status.code(), &again.stdout), (Some(0), &expected.stdout));
        assert_eq!(tasks(&store), all);
        let last = folder.answer(&["--store", &store]);
        let told = String::from_utf8_lossy(&last.stderr).into_owned();
        assert!(told.contains(&format!("{all} tasks were done before")), "{told}");
    }
}

#[test]
fn a_store_serves_many_questions_and_what_is_no_store_stays_as_it_is() {
    let folder = Folder::new("other");
    let store = folder.file("maps.store");
    assert!(folder.answer(&["--store", &store]).status.success());
    let all = tasks(&store);
    // A map that is set aside changes nothing: there is none.
    let same = folder.answer(&["--store", &store, "--any-map", "--any-plan"]);
    assert!(String::from_utf8_lossy(&same.stderr).contains("tasks were done before"));
    let other = folder.file("other.json");
    let generate = ["generate", "nuclear", "--knows", "world", "--merge", "sought", "-o", &other];
    assert!(children::output(children::divulge().args(generate)).status.success());
    let run = children::output(children::divulge().args(["seek", "maps", &other, "--store", &store]));
    assert!(!String::from_utf8_lossy(&run.stderr).contains("were done before"));
    assert!(tasks(&store) >= all);
    fs::write(&store, "shopping list\nmilk\n").unwrap();
    let run = folder.answer(&["--store", &store]);
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!((run.status.code(), run.stdout.is_empty()), (Some(2), true), "{text}");
    assert!(text.contains("is not a database"), "{text}");
    assert_eq!(fs::read_to_string(&store).unwrap(), "shopping list\nmilk\n");
}
