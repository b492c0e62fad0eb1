//! Pictures, pages and walks of large problems: they fit, they keep to limits, and they say what is left out.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("divulge-pictures-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

fn divulge(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_divulge"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// The status and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let out = divulge(folder, arguments).output().expect("the program starts");
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

fn size(png: &Path) -> (u32, u32) {
    let bytes = fs::read(png).expect("a picture");
    assert_eq!(&bytes[1..4], b"PNG");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn pixels_show_a_part_of_what_is_too_large() {
    let folder = folder("pixels");
    // A tree with a thousand leaves, side by side.
    let mut edges = String::new();
    for i in 0..1200 {
        edges += &format!("u -a{i}-> y{i} -o-> v{i}\n");
    }
    let model = format!(
        "world graph {{ u: start; {edges} v0: goal }}\nobserver {{ knows world; sees others as themselves; stipulate s: possible(goal) | !possible(goal) }}"
    );
    fs::write(folder.join("wide.divulge"), model).expect("a model");
    let wide = ["draw", "wide.divulge", "--what", "world", "--most", "5000", "-o", "wide.png"];
    let (status, said) = run(&folder, &wide);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("are left out") && said.contains("an .svg can show more"), "{said}");
    let (width, height) = size(&folder.join("wide.png"));
    assert!(width.max(height) <= 20_000 && width.max(height) > 5_000, "{width} by {height}");
    // Vectors show all of it.
    let (status, said) =
        run(&folder, &["draw", "wide.divulge", "--what", "world", "--most", "5000", "-o", "wide.svg"]);
    assert!(status == Some(0) && !said.contains("note:"), "{said}");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn limits_hold_while_something_is_laid_out_or_written() {
    let folder = folder("limits");
    let (status, said) = run(&folder, &["generate", "rooms", "--rooms", "20000", "-o", "rooms.json"]);
    assert_eq!(status, Some(0), "{said}");
    fs::write(folder.join("rooms.svg"), "as it was").expect("a file");
    let begin = Instant::now();
    let draw = ["draw", "rooms.json", "--what", "world", "--most", "100000", "-o", "rooms.svg"];
    let (status, said) = run(&folder, &[&draw[..], &["--time-limit", "1.5"]].concat());
    assert_eq!((status, said.as_str()), (Some(3), "unknown: stopped by the time limit\n"));
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(fs::read_to_string(folder.join("rooms.svg")).expect("the file"), "as it was");
    let (status, said) =
        run(&folder, &["explore", "rooms.json", "-o", "rooms.html", "--memory-limit", "30M"]);
    assert_eq!(status, Some(3), "{said}");
    assert!(!folder.join("rooms.html").exists());
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "nothing unfinished is left");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_page_is_there_also_where_no_browser_is() {
    let folder = folder("browser");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nuclear.divulge");
    for arguments in [&["explore", example, "--open", "-o", "page.html"][..], &["check", example, "--open"]] {
        let out = divulge(&folder, arguments).env("PATH", "/nowhere").env_remove("BROWSER").output();
        let out = out.expect("the program starts");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{said}");
        assert!(
            said.contains("no browser could be started") && said.contains("open the file yourself"),
            "{said}"
        );
    }
    for page in ["page.html", "nuclear.html"] {
        assert!(fs::read_to_string(folder.join(page)).expect("a page").starts_with("<!doctype html>"));
    }
    let _ = fs::remove_dir_all(folder);
}

/// Walks by commands from a pipe; gives the answers.
fn walk(folder: &Path, file: &str, screen: (usize, usize), commands: &str) -> Vec<String> {
    let mut child = divulge(folder, &["step", file, "--signs", "ascii"])
        .env("LINES", screen.0.to_string())
        .env("COLUMNS", screen.1.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(commands.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success());
    String::from_utf8_lossy(&out.stdout).split("\n> ").map(str::to_owned).collect()
}

fn fits(answers: &[String], (rows, cols): (usize, usize)) {
    for answer in answers {
        // The line that was typed is not part of the answer.
        let lines: Vec<&str> = answer.lines().skip(1).collect();
        assert!(lines.len() <= rows, "{} lines:\n{answer}", lines.len());
        let wide = lines.iter().find(|line| line.chars().count() > cols);
        assert!(wide.is_none(), "too wide: {wide:?}");
    }
}

#[test]
fn every_answer_of_a_walk_fits_the_screen() {
    let folder = folder("walk");
    let actions: String =
        (0..80).map(|i| format!("    action move_{i} when n < 2 {{ n := n + 1 }}\n")).collect();
    let hidden: String = (0..30).map(|i| format!("  stipulate hide_{i}: !knows(n = {})\n", 3 + i)).collect();
    let flags: String = (0..3).map(|i| format!("    f{i}: bool\n")).collect();
    let model = format!(
        "world {{\n    n: 0..40 = 0\n{flags}{actions}    observe {{ here }}\n    goal n = 2\n}}\nobserver {{\n  knows world; sees others as themselves\n{hidden}}}\n"
    );
    fs::write(folder.join("many.divulge"), model).expect("a model");
    let grid = ["generate", "nuclear", "--rows", "40", "--cols", "40", "-o", "grid.json"];
    assert_eq!(run(&folder, &grid).0, Some(0));
    for screen in [(24, 80), (50, 132), (30, 100)] {
        let answers = walk(&folder, "grid.json", screen, "g\n1\np\n+\nm\na\n+\n?\nj 0\nq\n");
        fits(&answers, screen);
        assert!(answers[0].contains("cells are not shown"), "{}", answers[0]);
        let answers = walk(&folder, "many.divulge", screen, "\n1\ns\na\n+\nw separate move_1\nq\n");
        fits(&answers, screen);
        assert!(answers[4].contains("more lines; + shows them"), "all of it is long: {}", answers[4]);
        let all = answers.concat();
        assert!(all.contains("more lines on stipulations; a shows all"), "{all}");
    }
    let _ = fs::remove_dir_all(folder);
}
