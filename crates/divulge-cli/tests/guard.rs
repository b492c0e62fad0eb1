//! The guard as a process: killed at random moments, on full disks, with closed pipes, against the clock.

#![cfg(unix)]

mod children;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use children::{divulge, limited, output};

/// The run of `careful` for ann.
const RUN: [&str; 17] = [
    "ann", "go", "quiet", "to_ann", "quiet", "give", "quiet", "leave", "quiet", "to_sink", "quiet", "wash",
    "quiet", "leave", "quiet", "return", "quiet",
];
const VISITORS: [&str; 6] = ["door", "door", "door", "water", "door", "back"];

fn model() -> String {
    format!("{}/../../examples/observers/hospital.divulge", env!("CARGO_MANIFEST_DIR"))
}

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("divulge-guard-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn guard(options: &[&str]) -> Command {
    let mut command = divulge();
    command.args(["guard", &model(), "--quiet"]).args(options);
    command
}

fn line(event: &str) -> String {
    format!("{{\"event\": \"{event}\"}}\n")
}

fn lines(events: &[&str]) -> String {
    events.iter().map(|event| line(event)).collect()
}

/// Everything that a guard says to this input, and its status.
fn said(command: &mut Command, input: &[u8]) -> (String, i32) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || {
        // A guard that holds does not listen to the end.
        let _ = stdin.write_all(&input);
    });
    let out = child.wait_with_output().unwrap();
    writing.join().unwrap();
    let text = String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap();
    (text, out.status.code().unwrap_or(-1))
}

/// The images in a file, whose numbers must be right.
fn images(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut all = Vec::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let fields: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
        if fields == ["beat", "to"] {
            continue;
        }
        assert_eq!(fields, ["image", "n", "to"], "nothing else is in a stream");
        all.push(line["image"].as_str().unwrap().to_owned());
        assert_eq!(line["n"], all.len());
    }
    all
}

/// What the visitors see of the first events.
fn seen(events: usize) -> Vec<&'static str> {
    let doors = |event: &&&str| matches!(**event, "to_ann" | "leave" | "to_sink" | "wash" | "return");
    VISITORS[..RUN[..events].iter().filter(doors).count()].to_vec()
}

#[test]
fn a_run_ends_as_planned_and_a_restart_says_so() {
    let folder = Folder::new("whole");
    let (visitors, nurse) = (folder.file("visitors"), folder.file("nurse"));
    let (to, also, journal) =
        (format!("visitors={visitors}"), format!("nurse={nurse}"), folder.file("journal"));
    let options = ["--journal", &journal, "--to", &to, "--to", &also];
    let (text, status) = said(&mut guard(&options), (lines(&RUN) + "{\"end\": true}").as_bytes());
    assert_eq!(status, 0, "{text}");
    assert!(text.ends_with("{\"do\": []}\n{\"ended\": true}\n") && !text.contains("image"), "{text}");
    assert_eq!(
        (images(&visitors), images(&nurse)),
        (VISITORS.map(str::to_owned).to_vec(), vec!["lamp".to_owned()])
    );
    let (text, status) = said(&mut guard(&options), b"");
    assert_eq!((status, text.contains("\"events\": 17}\n{\"ended\": true}")), (0, true), "{text}");
    assert_eq!(images(&visitors), VISITORS);
    // Nobody but the owner reads the journal.
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&journal).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn every_fault_at_every_line_has_its_status_and_shows_nothing_more() {
    let folder = Folder::new("faults");
    let faults: [(&[u8], &str, i32); 8] = [
        (b"{\"event\": \"dance\"}\n", "unknown-event", 1),
        (b"{\"event\": \"ben\"}\n", "", 1),
        (b"{\"end\": true}\n", "early-end", 1),
        (b"", "input-ended", 1),
        (b"{\"event\": \"quiet\"\n", "unreadable", 2),
        (b"\xff\n", "unreadable", 2),
        (b"\n", "unreadable", 2),
        (&[b'a'; 70_000], "unreadable", 2),
    ];
    for at in 0..RUN.len() {
        for (number, (fault, reason, expected)) in faults.iter().enumerate() {
            // At the first line ben may be met instead.
            if (at + number) % 3 != 0 || (at, number) == (0, 1) {
                continue;
            }
            let stream = folder.file(&format!("stream-{at}-{number}"));
            let to = format!("visitors={stream}");
            let mut input = [lines(&RUN[..at]).as_bytes(), fault].concat();
            if !fault.is_empty() {
                input.extend_from_slice(lines(&RUN[at..]).as_bytes());
            }
            let (text, status) = said(&mut guard(&["--to", &to]), &input);
            assert_eq!(status, *expected, "{reason} at {at}: {text}");
            // Where the robot acts, the plan does not foresee ben; where it observes, the world does not allow him.
            assert!(
                text.contains("\"held\"") && text.contains(&format!("\"reason\": \"{reason}")),
                "{reason} at {at}: {text}"
            );
            assert_eq!(images(&stream), seen(at), "{reason} at {at}");
        }
    }
}

/// A guard that is spoken to line by line.
struct Spoken {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Spoken {
    fn start(options: &[&str]) -> Self {
        // Not limited by a shell, which would be killed in its place.
        let mut command = Command::new(env!("CARGO_BIN_EXE_divulge"));
        command.args(["guard", &model(), "--quiet"]).args(options);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.out.read_line(&mut line).unwrap_or(0) > 0).then_some(line)
    }

    fn say(&mut self, line: &str) -> bool {
        self.child.stdin.as_mut().is_some_and(|stdin| stdin.write_all(line.as_bytes()).is_ok())
    }

    fn ended(mut self) -> ExitStatus {
        drop(self.child.stdin.take());
        self.child.wait().unwrap()
    }
}

/// Killed a hundred times (or as often as `DIVULGE_KILLS` says) at random moments, it goes on where it was; streams are as if nothing had happened.
#[test]
fn killed_at_any_moment_it_goes_on_where_it_was() {
    let kills: usize = std::env::var("DIVULGE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut rng = divulge_naive::random::Rng::new(divulge_naive::random::seed(61));
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let folder = Folder::new(&format!("kills-{round}"));
        round += 1;
        let (visitors, journal) = (folder.file("visitors"), folder.file("journal"));
        let to = format!("visitors={visitors}");
        let options = ["--journal", journal.as_str(), "--to", &to];
        let mut nurse: Vec<String> = Vec::new();
        loop {
            let mut guard = Spoken::start(&options);
            let pid = guard.child.id();
            let after = Duration::from_micros(rng.below(60_000) as u64);
            let killer = std::thread::spawn(move || {
                std::thread::sleep(after);
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
            });
            let heard = talk(&mut guard, &mut nurse, rng.below(3));
            // The number of the process is not used again before it was waited for.
            killer.join().unwrap();
            let status = guard.ended();
            if let (true, Some(0)) = (heard, status.code()) {
                break;
            }
            killed += usize::from(status.code().is_none());
            assert!(status.code().is_none() || status.code() == Some(0), "{status}");
            let shown = images(&whole_lines(&visitors, &folder));
            assert!(VISITORS[..shown.len()] == shown[..], "{shown:?}");
        }
        assert_eq!(images(&visitors), VISITORS);
        assert_eq!(nurse, ["lamp"], "what is shown again has the same number");
    }
}

/// Says what the guard has not heard yet; tells whether the run ended. `pace` is how slowly.
fn talk(guard: &mut Spoken, nurse: &mut Vec<String>, pace: usize) -> bool {
    let Some(hello) = guard.hear() else { return false };
    let hello: serde_json::Value = serde_json::from_str(&hello).unwrap();
    let events = hello["events"].as_u64().unwrap() as usize;
    let rest: Vec<String> =
        RUN[events..].iter().map(|event| line(event)).chain(["{\"end\": true}\n".to_owned()]).collect();
    for line in &rest {
        if !guard.say(line) {
            break;
        }
        std::thread::sleep(Duration::from_micros(500 * pace as u64));
    }
    let mut ended = false;
    while let Some(line) = guard.hear() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(&line) else { break };
        assert!(line.get("held").is_none(), "{line}");
        ended |= line.get("ended").is_some();
        if line.get("image").is_some() && line["n"].as_u64().unwrap() as usize > nurse.len() {
            nurse.push(line["image"].as_str().unwrap().to_owned());
        }
    }
    ended
}

/// A copy of a file without a line that was cut off.
fn whole_lines(path: &str, folder: &Folder) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let copy = folder.file("copy");
    fs::write(&copy, &text[..text.rfind('\n').map_or(0, |at| at + 1)]).unwrap();
    copy
}

#[test]
fn a_full_disk_or_a_closed_output_holds() {
    let folder = Folder::new("full");
    let input = lines(&RUN) + "{\"end\": true}\n";
    // The journal may not grow beyond so many blocks of 512 bytes.
    for blocks in 1..4 {
        let (journal, stream) =
            (folder.file(&format!("journal-{blocks}")), folder.file(&format!("stream-{blocks}")));
        let script = format!(
            "ulimit -f {blocks}; exec \"$0\" guard \"$1\" --quiet --journal {journal} --to visitors={stream}"
        );
        let mut command = limited("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_divulge"), &model()]);
        let (text, status) = said(&mut command, input.as_bytes());
        if blocks < 2 {
            assert_eq!(status, 3, "{text}");
            assert!(text.contains("\"reason\": \"journal\""), "{text}");
            assert!(images(&stream).is_empty(), "nothing of what could not be written is shown");
        }
        // With room again, it goes on.
        let (journal, to) = (journal, format!("visitors={stream}"));
        let mut guard = Spoken::start(&["--journal", &journal, "--to", &to]);
        assert!(talk(&mut guard, &mut Vec::new(), 0) && guard.ended().success());
        assert_eq!(images(&stream), VISITORS);
    }
    let (text, status) = said(&mut guard(&["--to", "visitors=/dev/full"]), input.as_bytes());
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("\"reason\": \"output\"") && !text.contains("\"to\": \"visitors\""), "{text}");
    // An observer who goes away: the reader of its pipe takes one line.
    let pipe = folder.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reading = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut first = String::new();
            BufReader::with_capacity(1, fs::File::open(pipe).unwrap()).read_line(&mut first).unwrap();
            first
        }
    });
    let to = format!("visitors={pipe}");
    let mut command = guard(&["--to", &to]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines(&RUN[..5]).as_bytes()).unwrap();
    assert!(reading.join().unwrap().contains("door"));
    let _ = stdin.write_all(lines(&RUN[5..]).as_bytes());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(3), "{text}");
    assert!(text.contains("\"reason\": \"output\""), "{text}");
    // The robot itself goes away.
    let mut command = guard(&[]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn silence_is_noticed() {
    let folder = Folder::new("silence");
    let journal = folder.file("journal");
    let begin = Instant::now();
    let mut guard = Spoken::start(&["--heartbeat", "400ms", "--journal", &journal]);
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(150));
        assert!(guard.say("{\"heartbeat\": true}\n"));
    }
    let said: Vec<String> = std::iter::from_fn(|| guard.hear()).collect();
    assert!(begin.elapsed() > Duration::from_millis(900), "heartbeats count");
    assert!(said.last().unwrap().contains("\"reason\": \"no-heartbeat\""), "{said:?}");
    assert_eq!(guard.child.wait().unwrap().code(), Some(3));
    let (text, status) = self::said(&mut self::guard(&["--journal", &journal]), lines(&RUN).as_bytes());
    assert_eq!((status, text.contains("image")), (3, false), "once held, always held: {text}");
}

#[test]
fn on_the_beat_everybody_gets_one_line_each() {
    let folder = Folder::new("beat");
    let (visitors, nurse) = (folder.file("visitors"), folder.file("nurse"));
    let (to, also) = (format!("visitors={visitors}"), format!("nurse={nurse}"));
    let options = ["--beat", "20ms", "--beats", "30", "--to", &to, "--to", &also];
    let begin = Instant::now();
    let (text, status) = said(&mut guard(&options), (lines(&RUN) + "{\"end\": true}").as_bytes());
    assert_eq!(status, 0, "{text}");
    assert!(begin.elapsed() >= Duration::from_millis(600));
    for (stream, expected) in [(&visitors, &VISITORS[..]), (&nurse, &["lamp"])] {
        assert_eq!(fs::read_to_string(stream).unwrap().lines().count(), 30);
        assert_eq!(images(stream), expected);
    }
    // Being held looks the same from outside: the same number of lines.
    let held = folder.file("held");
    let to = format!("visitors={held}");
    let input = lines(&RUN[..3]) + "{\"event\": \"dance\"}\n";
    let (text, status) =
        said(&mut guard(&["--beat", "10ms", "--beats", "15", "--to", &to]), input.as_bytes());
    assert_eq!((status, text.contains("unknown-event")), (1, true), "{text}");
    assert_eq!(fs::read_to_string(&held).unwrap().lines().count(), 15);
    assert!(images(&held).is_empty());
    let (text, status) = said(&mut guard(&["--beat", "10ms", "--on-time"]), lines(&RUN[..3]).as_bytes());
    assert!(status == 3 && text.contains("\"reason\": \"late\"") || status == 1, "{status}: {text}");
}

/// Beats are counted on after a restart, so that all processes together show as many lines as one would have.
#[test]
fn a_restart_goes_on_counting_beats() {
    let folder = Folder::new("beats");
    let (visitors, journal) = (folder.file("visitors"), folder.file("journal"));
    let to = format!("visitors={visitors}");
    let options = ["--beat", "10ms", "--beats", "40", "--journal", &journal, "--to", &to];
    let mut first = Spoken::start(&options);
    assert!(first.hear().is_some() && first.say(&lines(&RUN[..5])));
    std::thread::sleep(Duration::from_millis(150));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let before = fs::read_to_string(&visitors).unwrap().lines().count();
    assert!((2..40).contains(&before), "{before}");
    let (text, status) = said(&mut guard(&options), (lines(&RUN[5..]) + "{\"end\": true}").as_bytes());
    assert_eq!(status, 0, "{text}");
    let all = fs::read_to_string(&visitors).unwrap().lines().count();
    assert!(all == 40 || all == 41, "{before} before, {all} in all");
    assert_eq!(images(&visitors), VISITORS);
}

/// A plan with more images than there are beats is not shown to the end.
#[test]
fn images_without_a_beat_are_held() {
    let input = lines(&RUN) + "{\"end\": true}";
    let (text, status) = said(&mut guard(&["--beat", "10ms", "--beats", "3"]), input.as_bytes());
    assert_eq!((status, text.contains("\"reason\": \"late\"")), (3, true), "{text}");
    assert_eq!(text.matches("\"to\": \"visitors\"").count(), 3, "{text}");
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_shown() {
    let folder = Folder::new("refused");
    let (journal, stream) = (folder.file("journal"), folder.file("stream"));
    let to = format!("visitors={stream}");
    let refused = |options: &[&str], expected: i32, word: &str| {
        let mut command = divulge();
        command.arg("guard").args(options);
        let (text, status) = said(&mut command, lines(&RUN).as_bytes());
        assert!(
            status == expected && text.contains(word) && !text.contains("image"),
            "{options:?}: {status} {text}"
        );
    };
    let model = model();
    refused(&[&model, "--set", "plan=hasty"], 1, "the plan is violated");
    refused(&[&model, "--to", "nobody=x"], 2, "the observers are: visitors, nurse");
    refused(&["-"], 2, "standard input");
    refused(&[&model, "--journal", "/dev/null"], 2, "not a regular file");
    refused(&[&model, "--beats", "3"], 2, "--beat");
    fs::write(&stream, "{\"to\": \"visitors\", \"image\": \"door\", \"n\": 1}\n").unwrap();
    refused(&[&model, "--to", &to], 2, "is not empty");
    let (_, status) = said(&mut guard(&["--journal", &journal]), b"");
    assert_eq!(status, 1);
    refused(&[&model, "--journal", &journal, "--mode", "shadow"], 2, "mode `enforce`");
    refused(&[&model, "--journal", &journal, "--observer", "nurse"], 2, "another problem");
    // The stream shows more than the journal knows.
    refused(&[&model, "--journal", &journal, "--to", &to], 2, "more than the journal knows");
    let begun = fs::read_to_string(&journal).unwrap().replacen("enforce", "enforxe", 1);
    fs::write(&journal, begun).unwrap();
    refused(&[&model, "--journal", &journal], 2, "damaged in line 1");
}

/// The plan of an answer is run as well as one in the file.
#[test]
fn an_answer_gives_the_plan() {
    let folder = Folder::new("answer");
    let (answer, found) = (folder.file("answer.json"), folder.file("found.json"));
    let out = output(divulge().args(["seek", "plan", &model(), "--json", "--out", &found]));
    fs::write(&answer, &out.stdout).unwrap();
    let hear = |options: &[&str]| {
        let mut command = divulge();
        command.arg("guard").args(options).args(["--seed", "1"]);
        said(&mut command, line("ann").as_bytes())
    };
    let (from_answer, status) = hear(&[&model(), "--plan", &answer]);
    assert_eq!(status, 1);
    assert!(from_answer.contains("\"do\""), "{from_answer}");
    let (from_document, _) = hear(&[&found]);
    assert_eq!(from_answer, from_document);
    let (text, status) = hear(&[&model(), "--plan", &model()]);
    assert_eq!((status, text.contains("no answer with a plan")), (2, true), "{text}");
    assert!(Path::new(&found).exists());
}

/// Robot, guard and two observers, each a process of its own.
fn demo(options: &[&str], peer: Option<&Path>) {
    let script = format!("{}/../../scripts/guard-demo", env!("CARGO_MANIFEST_DIR"));
    for (patient, others) in [("ann", "to_ann"), ("ben", "to_ben")] {
        let mut command = limited(&script);
        command.args(options).arg(patient).env("DIVULGE", env!("CARGO_BIN_EXE_divulge"));
        if let Some(peer) = peer {
            command.env("GUARD_PEER", peer).env("PORT", (20_000 + std::process::id() % 20_000).to_string());
        }
        let out = output(&mut command);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains(&format!("  {patient}\n  go\n  quiet\n  {others}\n")), "{text}");
        let seen: Vec<&str> = text.lines().filter(|line| line.contains("image")).collect();
        let image = |(n, image): (usize, &&str)| {
            format!("  {{\"to\": \"visitors\", \"image\": \"{image}\", \"n\": {}}}", n + 1)
        };
        let mut expected: Vec<String> = VISITORS.iter().enumerate().map(image).collect();
        expected.push("  {\"to\": \"nurse\", \"image\": \"lamp\", \"n\": 1}".to_owned());
        assert_eq!(seen, expected);
    }
}

#[test]
fn four_processes_speak_through_pipes() {
    demo(&[], None);
}

#[cfg(feature = "zenoh")]
#[test]
fn four_processes_speak_through_zenoh() {
    let peer = Path::new(env!("CARGO_BIN_EXE_divulge")).with_file_name("examples").join("guard_peer");
    demo(&["--zenoh"], Some(&peer));
}
