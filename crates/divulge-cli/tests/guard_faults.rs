//! Random problems, with several observers, unseen events and plans that observers know, guarded by processes: every kind of fault, at any line.

#![cfg(unix)]

mod children;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use children::{TIME, limited};
use divulge::problem::{Label, Problem};
use divulge_model::document;
use divulge_naive::random::{Rng, effort, seed};
use divulge_trial::{Streams, event, problems, run};

/// How choices are made, here and in the guard.
const SEED: u64 = 7;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// Nothing does.
    None,
    UnknownEvent,
    /// An event that is known, but not the next one: not foreseen, not allowed by the world, or it would break something.
    OtherEvent,
    Unreadable,
    TooLong,
    EarlyEnd,
    InputEnds,
    InputIsCut,
    NoHeartbeat,
    FullDisk,
    OtherDigest,
    OutputCloses,
    Killed,
}

/// What the robot does when it has said everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Close,
    Silence,
}

const FAULTS: [Fault; 13] = [
    Fault::None,
    Fault::UnknownEvent,
    Fault::OtherEvent,
    Fault::Unreadable,
    Fault::TooLong,
    Fault::EarlyEnd,
    Fault::InputEnds,
    Fault::InputIsCut,
    Fault::NoHeartbeat,
    Fault::FullDisk,
    Fault::OtherDigest,
    Fault::OutputCloses,
    Fault::Killed,
];

/// A problem in a folder of its own, which is gone afterwards.
struct Place {
    folder: PathBuf,
    names: Vec<String>,
}

impl Place {
    fn new(problem: &Problem, number: usize) -> Self {
        let folder = std::env::temp_dir().join(format!("divulge-faults-{number}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("problem.json"), document::to_string(problem)).unwrap();
        let name = |o: &divulge::Observer| o.name.clone().unwrap_or_else(|| "observer".to_owned());
        Self { folder, names: problem.observers().map(name).collect() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Without what earlier runs left.
    fn clear(&self) {
        for name in self.names.iter().map(String::as_str).chain(["journal"]) {
            let _ = fs::remove_file(self.path(name));
        }
    }

    /// What everybody was shown. Nothing else is in their streams, but perhaps a line that was cut off where a process ended.
    fn streams(&self, cut: bool) -> Streams {
        let stream = |name: &String| {
            let text = fs::read_to_string(self.path(name)).unwrap_or_default();
            let whole = if cut { &text[..text.rfind('\n').map_or(0, |at| at + 1)] } else { &text[..] };
            let image = |(n, line): (u64, &str)| {
                let line: serde_json::Value =
                    serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
                let fields = line.as_object().expect("an object");
                assert_eq!(fields.len(), 3, "{line}");
                assert!(line["to"] == **name && line["n"] == n, "{line} for {name}");
                line["image"].as_str().expect("a name").to_owned()
            };
            (1..).zip(whole.lines()).map(image).collect()
        };
        Streams(self.names.iter().map(stream).collect())
    }

    /// The guard, every observer with a stream of its own, all in files.
    fn command(&self, problem: &str, options: &[&str], blocks: Option<usize>) -> Command {
        let mut command = match blocks {
            None => limited(env!("CARGO_BIN_EXE_divulge")),
            Some(blocks) => {
                let mut command = limited("sh");
                let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
                command.args(["-c", &script, env!("CARGO_BIN_EXE_divulge")]);
                command
            }
        };
        command.args(["guard", &self.path(problem), "--quiet", "--seed", &SEED.to_string()]);
        command.args(["--journal", &self.path("journal")]).args(options);
        for name in &self.names {
            command.args(["--to", &format!("{name}={}", self.path(name))]);
        }
        command
    }

    /// Says all of this, and closes unless it is to stay silent; gives what is said back and the status.
    fn say(&self, mut command: Command, input: &[u8], then: Then) -> (String, i32) {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = children::Running::start(&mut command, TIME);
        let mut stdin = running.child.stdin.take().unwrap();
        let input = input.to_vec();
        let writing = std::thread::spawn(move || {
            // One that holds does not listen to the end.
            let _ = stdin.write_all(&input);
            (then == Then::Silence).then_some(stdin)
        });
        let out = running.output();
        drop(writing.join().unwrap());
        let text = String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap();
        (text, out.status.code().unwrap_or(-1))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn joined<'l>(lines: impl IntoIterator<Item = &'l Vec<u8>>) -> Vec<u8> {
    lines.into_iter().flat_map(|line| [&line[..], b"\n"].concat()).collect()
}

/// A run with a fault at a line; `None` if it was none after all.
struct Thrown<'a> {
    place: &'a Place,
    problem: &'a Problem,
    lines: &'a [Vec<u8>],
    did: &'a [Label],
    at: usize,
}

impl Thrown<'_> {
    /// What should have been shown after so many events.
    fn expected(&self, events: usize) -> Streams {
        Streams::expected(self.problem, &self.did[..events.min(self.did.len())])
    }

    fn before(&self) -> Vec<u8> {
        joined(&self.lines[..self.at])
    }

    /// The lines before the fault, something else, and the lines after it.
    fn line(&self, wrong: &[u8], status: &[i32]) {
        let input = [self.before(), wrong.to_vec(), b"\n".to_vec(), joined(&self.lines[self.at..])].concat();
        self.held(self.place.command("problem.json", &[], None), &input, Then::Close, status);
    }

    /// The guard holds, has shown what came before, and a restart shows nothing more.
    fn held(&self, command: Command, input: &[u8], then: Then, status: &[i32]) {
        let (text, code) = self.place.say(command, input, then);
        assert!(status.contains(&code), "{code}: {text}");
        assert!(text.contains("\"held\""), "{text}");
        let expected = self.expected(self.at);
        assert_eq!(self.place.streams(false), expected, "{text}");
        let again = self.place.command("problem.json", &[], None);
        let (text, again) = self.place.say(again, &joined(&self.lines[self.at..]), Then::Close);
        assert_eq!(again, code, "{text}");
        assert_eq!(self.place.streams(false), expected, "a restart shows more: {text}");
    }

    /// Says the rest to a guard that goes on from the journal, which must end as planned.
    fn finish(&self) {
        let mut command = self.place.command("problem.json", &[], None);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = children::Running::start(&mut command, TIME);
        let mut stdin = running.child.stdin.take().unwrap();
        let mut out = BufReader::new(running.child.stdout.take().unwrap());
        let mut hello = String::new();
        out.read_line(&mut hello).unwrap();
        let hello: serde_json::Value = serde_json::from_str(&hello).unwrap();
        let events = hello["events"].as_u64().unwrap() as usize;
        let _ = stdin.write_all(&joined(&self.lines[events..]));
        drop(stdin);
        let rest: Vec<String> = out.lines().map_while(Result::ok).collect();
        assert_eq!(running.output().status.code(), Some(0), "{rest:?}");
        assert_eq!(self.place.streams(false), self.expected(usize::MAX), "{rest:?}");
    }

    fn throw(&self, fault: Fault, rng: &mut Rng) -> Option<()> {
        let place = self.place;
        let next = &self.lines[self.at];
        let plain = || place.command("problem.json", &[], None);
        match fault {
            Fault::None => {
                let (text, status) = place.say(plain(), &joined(self.lines), Then::Close);
                assert_eq!(status, 0, "{text}");
                assert_eq!(place.streams(false), self.expected(usize::MAX));
            }
            Fault::UnknownEvent => self.line(b"{\"event\": \"no such event\"}", &[1]),
            Fault::OtherEvent => {
                let labels: Vec<Label> =
                    self.problem.alphabet.labels().filter(|&l| event(self.problem, l) != *next).collect();
                let other = event(self.problem, *rng.pick(&labels));
                // The robot may have observed that instead.
                let observed = divulge_trial::with_gate(
                    self.problem,
                    divulge_trial::enforcing(SEED),
                    None,
                    |mut gate| {
                        self.lines[..self.at].iter().for_each(|line| gate.line(line));
                        gate.line(&other);
                        *gate.standing() == divulge_guard::Standing::Open
                    },
                );
                if observed.unwrap() {
                    return None;
                }
                self.line(&other, &[1]);
            }
            Fault::Unreadable => {
                let cut = &next[..1 + rng.below(next.len() - 1)];
                let twice = [&next[..], next].concat();
                let lines: [&[u8]; 5] = [b"", b"{\"event\": \"\xff\"}", b"{\"event\": 1}", cut, &twice];
                self.line(lines[rng.below(lines.len())], &[2]);
            }
            Fault::TooLong => self.line(&[b"{\"event\": \"", &[b'a'; 70_000][..], b"\"}"].concat(), &[2]),
            Fault::EarlyEnd if next == b"{\"end\": true}" => return None,
            Fault::EarlyEnd => self.line(b"{\"end\": true}", &[1]),
            Fault::InputEnds => self.held(plain(), &self.before(), Then::Close, &[1]),
            Fault::InputIsCut => {
                let cut = [self.before(), next[..1 + rng.below(next.len() - 1)].to_vec()].concat();
                self.held(plain(), &cut, Then::Close, &[2]);
            }
            Fault::NoHeartbeat => {
                let command = place.command("problem.json", &["--heartbeat", "300ms"], None);
                self.held(command, &self.before(), Then::Silence, &[3]);
            }
            Fault::FullDisk => {
                // Room for some records; what cannot be written is not shown.
                let command = place.command("problem.json", &[], Some(rng.below(2)));
                let (text, status) = place.say(command, &joined(self.lines), Then::Close);
                assert!(status == 3 || status == 0, "{status}: {text}");
                if status == 0 {
                    return None;
                }
                let (shown, all) = (place.streams(true), self.expected(usize::MAX));
                let begins = shown.0.iter().zip(&all.0).all(|(shown, all)| all.starts_with(shown));
                assert!(begins, "{shown:?} of {all:?}");
            }
            Fault::OtherDigest => {
                let (_, status) = place.say(plain(), &self.before(), Then::Close);
                assert_eq!(status, 1);
                let mut other = self.problem.clone();
                let first = other.world.graph.initial()[0].index();
                let goal = |v: usize| other.world.is_goal(divulge::problem::Vertex(v as u32)) != (v == first);
                other.world.goal = divulge::sets::BitSet::from_fn(other.world.graph.len(), goal);
                fs::write(place.path("other.json"), document::to_string(&other)).unwrap();
                let (text, status) = place.say(
                    place.command("other.json", &["--mode", "shadow"], None),
                    &joined(self.lines),
                    Then::Close,
                );
                assert_eq!(status, 2, "{text}");
                assert!(text.contains("belongs to"), "{text}");
                assert_eq!(place.streams(false), self.expected(self.at), "{text}");
            }
            Fault::OutputCloses => {
                let mut command = plain();
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut running = children::Running::start(&mut command, TIME);
                drop(running.child.stdout.take());
                let mut stdin = running.child.stdin.take().unwrap();
                let _ = stdin.write_all(&joined(self.lines));
                drop(stdin);
                assert_eq!(running.output().status.code(), Some(3));
                let (shown, all) = (place.streams(false), self.expected(usize::MAX));
                assert!(shown.0.iter().zip(&all.0).all(|(shown, all)| all.starts_with(shown)));
            }
            Fault::Killed => {
                for _ in 0..1 + rng.below(3) {
                    self.kill(rng);
                    let (shown, all) = (place.streams(true), self.expected(usize::MAX));
                    let begins = shown.0.iter().zip(&all.0).all(|(shown, all)| all.starts_with(shown));
                    assert!(begins, "{shown:?} of {all:?}");
                }
                self.finish();
            }
        }
        Some(())
    }

    /// A guard that hears something, and is killed.
    fn kill(&self, rng: &mut Rng) {
        let mut command = self.place.command("problem.json", &[], None);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut hello = String::new();
        let _ = out.read_line(&mut hello);
        let said = serde_json::from_str::<serde_json::Value>(&hello);
        let events = said.ok().and_then(|hello| hello["events"].as_u64()).unwrap_or(0) as usize;
        // The end is not said: a run that has ended is not gone on with.
        let rest = &self.lines[events..self.lines.len() - 1];
        let some = rest.len().min(1 + rng.below(rest.len() + 1));
        let _ = stdin.write_all(&joined(&rest[..some]));
        std::thread::sleep(Duration::from_micros(rng.below(4000) as u64));
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = child.wait();
    }
}

#[test]
fn whatever_goes_wrong_no_stream_holds_more_than_its_images() {
    let mut rng = Rng::new(seed(81));
    let mut thrown = std::collections::BTreeMap::new();
    let (mut several, mut known, mut unseen) = (0, 0, 0);
    for (number, made) in problems(&mut rng, 36 * effort()).into_iter().enumerate() {
        // Not all can be written down: a label that nothing bears cannot have a cost.
        let Ok(document::Document { problem, .. }) = document::read("random", &document::to_string(&made))
        else {
            continue;
        };
        several += usize::from(!problem.others.is_empty());
        known += usize::from(problem.observers().any(|o| o.knows == divulge::Knows::Plan));
        unseen += usize::from(problem.observers().any(|o| o.map.as_ref().is_some_and(|map| map.hides())));
        let place = Place::new(&problem, number);
        let (lines, did) = run(&problem, SEED, &mut rng);
        for fault in FAULTS {
            place.clear();
            let at = rng.below(lines.len());
            let run = Thrown { place: &place, problem: &problem, lines: &lines, did: &did, at };
            if run.throw(fault, &mut rng).is_some() {
                *thrown.entry(fault).or_insert(0) += 1;
            }
        }
    }
    println!("{thrown:?}; {several} several, {known} known, {unseen} unseen");
    assert!(FAULTS.iter().all(|fault| thrown.get(fault).is_some_and(|n| *n > 3)), "{thrown:?}");
    assert!(several > 2 && known > 4 && unseen > 8, "{several} several, {known} known, {unseen} unseen");
}
