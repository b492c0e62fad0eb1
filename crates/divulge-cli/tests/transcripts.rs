//! Runs every console transcript in the documentation and in `tests/transcripts`, and compares what is printed.
//!
//! A transcript is a block marked `console`: lines that begin with `$ ` are commands, what follows is what they print on both
//! streams. `$ echo $?` shows the status of the command before, which is 0 if no such line follows. A line `...` stands for any
//! lines. The commands run in a folder of their own with links to the repository's folders.
//!
//! To accept changes: `UPDATE=1 cargo test -p divulge-cli --test transcripts`, then look at the difference.

mod children;

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use children::{limited, output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "md"));
    files.sort();
    files
}

/// A folder for one document's commands.
fn workshop(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("divulge-transcripts-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    #[cfg(unix)]
    for linked in ["examples", "docs", "crates"] {
        if root().join(linked).exists() {
            std::os::unix::fs::symlink(root().join(linked), folder.join(linked)).expect("a link");
        }
    }
    folder
}

struct Session {
    folder: PathBuf,
    status: i32,
    /// Whether the status of the last command has been shown.
    shown: bool,
}

impl Session {
    /// What a command prints.
    fn run(&mut self, command: &str) -> String {
        if command.trim() == "echo $?" {
            self.shown = true;
            return format!("{}\n", self.status);
        }
        assert!(self.shown || self.status == 0, "the status {} before `{command}` is not shown", self.status);
        let program = Path::new(env!("CARGO_BIN_EXE_divulge"));
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", program.parent().expect("a folder").display());
        let command = command.replace("cargo run --release --", "divulge");
        let out = output(
            limited("sh")
                .args(["-c", &format!("{{ {command}\n}} 2>&1")])
                .env("PATH", path)
                .env_remove("NO_COLOR")
                .current_dir(&self.folder),
        );
        self.status = out.status.code().unwrap_or(-1);
        self.shown = false;
        String::from_utf8_lossy(&out.stdout).into_owned()
    }
}

/// The document with what the commands really print.
fn played(text: &str, session: &mut Session) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        if line.trim() != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|l| l.trim() != "```") {
            let Some(command) = line.strip_prefix("$ ") else {
                panic!("a transcript must begin with a command: {line}");
            };
            let mut command = command.to_owned();
            let _ = writeln!(out, "{line}");
            while command.ends_with('\\') {
                let more = lines.next().expect("a command goes on");
                let _ = writeln!(out, "{more}");
                command.truncate(command.len() - 1);
                command.push_str(more.trim_start_matches("> "));
            }
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|l| l.trim() != "```" && !l.starts_with("$ ")) {
                expected.push(line);
            }
            let printed = session.run(&command);
            if agrees(&expected, &printed.lines().collect::<Vec<_>>()) {
                expected.iter().for_each(|line| {
                    let _ = writeln!(out, "{line}");
                });
            } else {
                out.push_str(&printed);
                if !printed.is_empty() && !printed.ends_with('\n') {
                    out.push('\n');
                }
            }
        }
    }
    assert!(session.shown || session.status == 0, "the last status, {}, is not shown", session.status);
    out
}

/// Whether the lines are as expected, `...` standing for any.
fn agrees(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..])),
        Some((line, rest)) => {
            printed.first().is_some_and(|p| p.trim_end() == line.trim_end()) && agrees(rest, &printed[1..])
        }
    }
}

fn try_folder(folder: &Path) {
    let files = markdown(folder);
    assert!(!files.is_empty(), "no documents in {}", folder.display());
    let mut wrong = String::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a document");
        // Documents of different folders, which are played at the same time, may have the same name.
        let part = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{}-{}", part(folder.file_name()), part(path.file_stem()));
        let mut session = Session { folder: workshop(&name), status: 0, shown: true };
        let played = played(&text, &mut session);
        let _ = fs::remove_dir_all(&session.folder);
        if played.trim_end() == text.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, played).expect("the document can be written");
            continue;
        }
        let (a, b): (Vec<_>, Vec<_>) = (text.lines().collect(), played.lines().collect());
        let at = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let _ = writeln!(wrong, "{}:{}: the program prints", path.display(), at + 1);
        b.iter().skip(at).take(20).for_each(|line| {
            let _ = writeln!(wrong, "    {line}");
        });
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn transcripts_of_the_program() {
    try_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts"));
}

#[test]
fn transcripts_in_the_readme() {
    if !markdown(&root()).is_empty() {
        try_folder(&root());
    }
}

#[test]
fn transcripts_in_the_documentation() {
    if !markdown(&root().join("docs")).is_empty() {
        try_folder(&root().join("docs"));
    }
}

#[test]
fn transcripts_in_the_book() {
    for part in ["lessons", "recipes", "concepts", "reference"] {
        let folder = root().join("book/src").join(part);
        if !markdown(&folder).is_empty() {
            try_folder(&folder);
        }
    }
}

#[test]
fn elisions() {
    assert!(agrees(&["a", "...", "z"], &["a", "b", "c", "z"]));
    assert!(agrees(&["..."], &[]) && agrees(&[], &[]));
    assert!(!agrees(&["a", "..."], &["b"]) && !agrees(&["a"], &["a", "b"]));
}
