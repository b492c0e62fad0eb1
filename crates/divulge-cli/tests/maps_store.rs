//! `seek maps --store`: killed at random moments it goes on where it was, and a store serves no other question.

mod children;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::Duration,
};

use divulge_naive::random::{Rng, seed};

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
    let (mut kills, mut grown, mut lines) = (0, 0, 0);
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
        let now = fs::read(&store).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
        assert!(now >= lines, "what was kept is kept");
        grown += usize::from(now > lines);
        lines = now;
    }
    assert!(grown >= 2 && lines > 5, "killed {kills} times, {grown} times with something new, {lines} lines");
    let again = folder.answer(&["--store", &store]);
    assert_eq!(again.stdout, expected);
}

#[test]
fn a_line_that_was_cut_off_is_written_again() {
    let folder = Folder::new("cut");
    let store = folder.file("maps.store");
    let expected = folder.answer(&["--store", &store]);
    let whole = fs::read(&store).unwrap();
    assert!(whole.iter().filter(|&&byte| byte == b'\n').count() > 5, "there are tasks");
    for cut in [1, 20, whole.len() / 3, whole.len() - 10] {
        fs::write(&store, &whole[..whole.len() - cut]).unwrap();
        let again = folder.answer(&["--store", &store]);
        assert_eq!((again.status.code(), &again.stdout), (Some(0), &expected.stdout));
        assert_eq!(fs::read(&store).unwrap().len(), whole.len(), "the same tasks, perhaps in another order");
    }
}

#[test]
fn what_is_no_store_of_this_question_is_refused_and_stays_as_it_is() {
    let folder = Folder::new("other");
    let store = folder.file("maps.store");
    assert!(folder.answer(&["--store", &store]).status.success());
    let refused = |more: &[&str], says: &str| {
        let before = fs::read(&store).unwrap();
        let run = folder.answer(&[&["--store", store.as_str()], more].concat());
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!((run.status.code(), run.stdout.is_empty()), (Some(2), true), "{text}");
        assert!(text.contains(says), "{text}");
        assert_eq!(fs::read(&store).unwrap(), before);
    };
    refused(&["--any-map"], "belongs to another question");
    let mut text = fs::read_to_string(&store).unwrap();
    let middle = text.match_indices('\n').nth(1).unwrap().0 + 40;
    text.replace_range(middle..=middle, "x");
    fs::write(&store, text).unwrap();
    refused(&[], "line 3 of the store");
    fs::write(&store, "shopping list\nmilk\n").unwrap();
    refused(&[], "is not a store of `seek maps`");
}
