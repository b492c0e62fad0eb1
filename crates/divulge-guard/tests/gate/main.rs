//! A gate with everything thrown at it: robots that obey, every kind of fault at every line, crashes at every line.

use std::{
    fs,
    path::{Path, PathBuf},
};

use divulge::problem::{Label, Problem};
use divulge_guard::{Chance, Held, Journal, JournalError, Mode, OpenError, Options, Out, Reason, Standing};
use divulge_naive::random::{Rng, effort, seed};
use divulge_trial::{Streams, enforcing, event, problems, run, told, with_gate};

/// A file that is gone afterwards.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("divulge-gate-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn journal(&self) -> Journal {
        Journal::open(&self.0).unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A robot that does as it is told always gets to the end, and everybody sees exactly the images.
#[test]
fn robots_that_obey_end_as_planned() {
    let mut rng = Rng::new(seed(51));
    let mut events = 0;
    for problem in problems(&mut rng, 100 * effort()) {
        for seed in 0..20 {
            events += run(&problem, seed, &mut rng).1.len();
        }
    }
    assert!(events > 4000, "{events}");
}

/// Choices are made by chance, and every one that the plan offers is made at some time.
#[test]
fn every_offered_action_is_chosen_at_some_time() {
    let mut rng = Rng::new(seed(52));
    let mut choices = 0;
    for problem in problems(&mut rng, 60) {
        let options = |seed| match seed {
            0..20 => Options { mode: Mode::Enforce, chance: Chance::System },
            seed => enforcing(seed),
        };
        let first = |seed| with_gate(&problem, options(seed), None, |mut gate| told(&gate.take())).unwrap();
        let offered = with_gate(&problem, enforcing(0), None, |gate| gate.guard().offers()).unwrap();
        if offered.len() > 1 {
            choices += 1;
            let chosen: std::collections::BTreeSet<Option<Option<Label>>> = (0..200).map(first).collect();
            assert_eq!(chosen.len(), offered.len(), "{offered:?}");
        }
    }
    assert!(choices > 3, "{choices}");
}

/// What may go wrong instead of a line.
#[derive(Clone, Debug)]
enum Fault {
    Line(Vec<u8>, Vec<Reason>),
    Outside(Held),
    InputEnds,
}

fn faults(problem: &Problem, next: &[u8], rng: &mut Rng) -> Vec<Fault> {
    use Reason::{EarlyEnd, ImpossibleEvent, NotTold, UnforeseenEvent, UnknownEvent, Unreadable};
    let mut all: Vec<Fault> = vec![
        Fault::Line(b"{\"event\": \"no such event\"}".to_vec(), vec![UnknownEvent]),
        Fault::Line(b"".to_vec(), vec![Unreadable]),
        Fault::Line(b"{\"event\": \"\xff\xfe\"}".to_vec(), vec![Unreadable]),
        Fault::Line(next[..next.len() - 1].to_vec(), vec![Unreadable]),
        Fault::Line([next, next].concat(), vec![Unreadable]),
        Fault::Line([next, b" x"].concat(), vec![Unreadable]),
        Fault::Line([&next[..next.len() - 1], b", \"n\": 1}"].concat(), vec![Unreadable]),
        Fault::Line([&next[..next.len() - 1], b", ", &next[1..]].concat(), vec![Unreadable]),
        Fault::Line([b"{\"event\": \"", &[b'a'; 70_000][..], b"\"}"].concat(), vec![Unreadable]),
        Fault::Outside(Held::new(Reason::NoHeartbeat, "none came")),
        Fault::Outside(Held::new(Reason::Output, "it is closed")),
        Fault::InputEnds,
    ];
    if next != b"{\"end\": true}" {
        all.push(Fault::Line(b"{\"end\": true}".to_vec(), vec![EarlyEnd, NotTold]));
    }
    let reasons =
        vec![UnforeseenEvent, ImpossibleEvent, NotTold, Reason::Stipulation, Reason::OutsideDivulged];
    let labels: Vec<Label> = problem.alphabet.labels().filter(|&l| event(problem, l) != next).collect();
    all.extend(labels.iter().map(|&l| Fault::Line(event(problem, l), reasons.clone())));
    // A few of each are enough for each line of each run.
    (0..6).map(|_| rng.pick(&all).clone()).collect()
}

/// After any fault at any line nothing more is shown, whatever is said then, and a restart changes nothing.
#[test]
fn nothing_is_shown_after_a_fault() {
    let mut rng = Rng::new(seed(53));
    let file = Temporary::new("faults");
    let (mut thrown, mut passed) = (0, 0);
    for problem in problems(&mut rng, 40 * effort()) {
        let (lines, did) = run(&problem, 5, &mut rng);
        for at in 0..lines.len() {
            for fault in faults(&problem, &lines[at], &mut rng) {
                let _ = fs::remove_file(&file.0);
                let mut shown = Streams::new(&problem);
                let passes = with_gate(&problem, enforcing(5), Some(file.journal()), |mut gate| {
                    lines[..at].iter().for_each(|line| gate.line(line));
                    match &fault {
                        Fault::Line(line, _) => gate.line(line),
                        Fault::Outside(held) => gate.hold(held.clone()),
                        Fault::InputEnds => gate.input_ended(),
                    }
                    let standing = gate.standing().clone();
                    let Standing::Held(held) = &standing else {
                        // The robot has observed something else than before, as it may.
                        assert!(matches!(&fault, Fault::Line(line, _) if line.starts_with(b"{\"event\"")));
                        assert!(gate.told().is_some() && *gate.standing() == Standing::Open);
                        return true;
                    };
                    if let Fault::Line(_, reasons) = &fault {
                        assert!(reasons.contains(&held.reason), "{held:?} of {fault:?}");
                    }
                    lines[at..].iter().for_each(|line| gate.line(line));
                    gate.commit();
                    shown.take(&problem, &gate.take());
                    assert_eq!(*gate.standing(), standing);
                    false
                })
                .unwrap();
                if passes {
                    passed += 1;
                    continue;
                }
                thrown += 1;
                assert_eq!(
                    shown,
                    Streams::expected(&problem, &did[..at.min(did.len())]),
                    "{fault:?} in {problem:?}"
                );
                with_gate(&problem, enforcing(5), Some(file.journal()), |mut gate| {
                    lines[at..].iter().for_each(|line| gate.line(line));
                    gate.commit();
                    let said = gate.take();
                    let mut again = shown.clone();
                    again.take(&problem, &said);
                    assert_eq!(again, shown, "a restart shows more");
                    assert!(matches!(said.last(), Some(Out::Held(_))) && gate.status() > 0);
                })
                .unwrap();
            }
        }
    }
    assert!(thrown > 500 && passed < thrown / 4, "{thrown} thrown, {passed} were none");
}

/// However often the process dies, and wherever the last record is torn, the run goes on where it was.
#[test]
fn a_restart_goes_on_where_it_was() {
    let mut rng = Rng::new(seed(54));
    let file = Temporary::new("restarts");
    let mut restarts = 0;
    for problem in problems(&mut rng, 60 * effort()) {
        let (lines, did) = run(&problem, 9, &mut rng);
        for _ in 0..4 {
            let _ = fs::remove_file(&file.0);
            let mut shown = Streams::new(&problem);
            let mut sent = 0;
            loop {
                let over = with_gate(&problem, enforcing(9), Some(file.journal()), |mut gate| {
                    gate.commit();
                    let said = gate.take();
                    assert!(
                        matches!(&said[0], Out::Hello { events } if *events as usize == sent.min(did.len()))
                    );
                    shown.take(&problem, &said);
                    while sent < lines.len() {
                        let batch = 1 + rng.below(4);
                        let last = lines.len().min(sent + batch);
                        lines[sent..last].iter().for_each(|line| gate.line(line));
                        match rng.below(6) {
                            // It dies before anything was written, and the robot says it again.
                            0 => return false,
                            // It dies when all was written and some was shown.
                            1 => {
                                gate.commit();
                                sent = last;
                                let said = gate.take();
                                shown.take(&problem, &said[..rng.below(said.len() + 1)]);
                                return false;
                            }
                            _ => {
                                gate.commit();
                                sent = last;
                                for out in gate.take() {
                                    shown.take(&problem, std::slice::from_ref(&out));
                                    if let Out::Image { observer, n, .. } = out {
                                        gate.shown(observer as usize, n);
                                    }
                                }
                                if rng.chance(30) {
                                    gate.mark();
                                }
                            }
                        }
                    }
                    *gate.standing() == Standing::Ended
                })
                .unwrap();
                restarts += 1;
                // Something of a record that was never synced may be there.
                if rng.chance(50) && !over {
                    let torn = b"12345678 {\"n\": 4, \"event\": \"never\"}";
                    let cut = rng.below(torn.len());
                    append(&file.0, &torn[..cut]);
                }
                if over {
                    break;
                }
            }
            assert_eq!(shown, Streams::expected(&problem, &did));
        }
    }
    assert!(restarts > 300, "{restarts}");
}

fn append(path: &Path, bytes: &[u8]) {
    use std::io::Write;
    fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// A journal that differs in any bit from what was written, or lacks a record in the middle, is refused.
#[test]
fn a_damaged_journal_is_refused() {
    let mut rng = Rng::new(seed(55));
    let file = Temporary::new("damage");
    let problem = problems(&mut rng, 30).into_iter().max_by_key(|p| p.world.graph.len()).unwrap();
    let (lines, _) = run(&problem, 1, &mut rng);
    with_gate(&problem, enforcing(1), Some(file.journal()), |mut gate| {
        lines.iter().for_each(|line| gate.line(line));
        gate.commit();
    })
    .unwrap();
    let sound = fs::read(&file.0).unwrap();
    for at in 0..sound.len() {
        for bit in [1, 32] {
            let mut damaged = sound.clone();
            damaged[at] ^= bit;
            fs::write(&file.0, &damaged).unwrap();
            let opened = Journal::open(&file.0);
            // Without its end the last record counts as torn.
            let torn = at == sound.len() - 1;
            assert_eq!(opened.is_err(), !torn, "byte {at}, bit {bit}");
        }
    }
    let records: Vec<&[u8]> = sound.split_inclusive(|&b| b == b'\n').collect();
    for left_out in 0..records.len() - 1 {
        let rest: Vec<u8> = records
            .iter()
            .enumerate()
            .filter(|(n, _)| *n != left_out)
            .flat_map(|(_, r)| r.to_vec())
            .collect();
        fs::write(&file.0, &rest).unwrap();
        assert!(matches!(Journal::open(&file.0), Err(JournalError::Damaged { .. })));
    }
    fs::write(&file.0, &sound).unwrap();
    let other =
        with_gate(&problem, Options { mode: Mode::Shadow, ..enforcing(1) }, Some(file.journal()), |_| ());
    assert!(matches!(other, Err(OpenError::Journal(JournalError::Other { .. }))));
    let held = file.journal();
    assert!(matches!(Journal::open(&file.0), Err(JournalError::InUse(_))));
    drop(held);
}

/// In the shadow everything that has an image is shown, and what would have been held back is said.
#[test]
fn the_shadow_shows_everything_and_says_what_it_would_hold() {
    let mut rng = Rng::new(seed(56));
    let options = Options { mode: Mode::Shadow, chance: Chance::System };
    for problem in problems(&mut rng, 40) {
        let (lines, mut did) = run(&problem, 3, &mut rng);
        let (clean, odd) = (rng.chance(50), rng.below(lines.len()));
        let wrong = Label(rng.below(problem.alphabet.len()) as u32);
        with_gate(&problem, options, None, |mut gate| {
            for (n, line) in lines.iter().enumerate() {
                if n == odd && !clean {
                    gate.line(&event(&problem, wrong));
                    gate.line(b"{\"event\": \"nobody knows this\"}");
                    did.insert(n, wrong);
                }
                gate.line(line);
            }
            let said = gate.take();
            let mut shown = Streams::new(&problem);
            shown.take(&problem, &said);
            assert_eq!(shown, Streams::expected(&problem, &did));
            let would: Vec<_> = said.iter().filter(|out| matches!(out, Out::WouldHold(_))).collect();
            assert_eq!(would.len() as u64, gate.would_hold());
            assert_eq!((would.is_empty(), gate.status()), (clean, u8::from(!clean)));
            assert!(!said.iter().any(|out| matches!(out, Out::Do(_) | Out::Held(_))));
            // Once the plan is left it neither foresees anything nor stops, and that is what is said.
            let unforeseen = said.iter().filter_map(|out| match out {
                Out::WouldHold(held) if held.reason == Reason::UnforeseenEvent => Some(held),
                _ => None,
            });
            for held in unforeseen.skip(1) {
                assert_eq!(held.message, "the robot left the plan before");
            }
        })
        .unwrap();
    }
}

/// An output that breaks after the robot has stopped is a reason to hold as well, also after a restart.
#[test]
fn a_run_that_was_not_shown_to_the_end_is_held() {
    let mut rng = Rng::new(seed(57));
    let file = Temporary::new("late");
    let problem = problems(&mut rng, 1).remove(0);
    let (lines, _) = run(&problem, 1, &mut rng);
    let broken = Held::new(Reason::Output, "it is closed");
    with_gate(&problem, enforcing(1), Some(file.journal()), |mut gate| {
        lines.iter().for_each(|line| gate.line(line));
        gate.commit();
        gate.input_ended();
        assert_eq!((gate.standing(), gate.status()), (&Standing::Ended, 0));
        gate.hold(broken.clone());
        gate.commit();
        assert_eq!(gate.status(), 3);
    })
    .unwrap();
    let again =
        with_gate(&problem, enforcing(1), Some(file.journal()), |gate| gate.standing().clone()).unwrap();
    assert_eq!(again, Standing::Held(broken));
}

/// An audit finds something where the shadow would have held, and tells what the definitions say that observers knew.
#[test]
fn an_audit_says_what_the_shadow_would_hold() {
    use divulge::{
        Unlimited,
        explain::replay,
        setting::{Setting, unfold},
    };
    use divulge_guard::{audit, audit_images};
    let mut rng = Rng::new(seed(58));
    let (mut clean, mut wrong) = (0, 0);
    for problem in problems(&mut rng, 60 * effort()) {
        let (_, mut did) = run(&problem, 3, &mut rng);
        if rng.chance(50) && !did.is_empty() {
            let at = rng.below(did.len());
            did[at] = Label(rng.below(problem.alphabet.len()) as u32);
        }
        let options = Options { mode: Mode::Shadow, chance: Chance::System };
        let held = with_gate(&problem, options, None, |mut gate| {
            did.iter().for_each(|&label| gate.line(&event(&problem, label)));
            gate.end();
            gate.would_hold()
        });
        let unfolded = unfold(&problem, &Unlimited).unwrap();
        let posed = unfolded.as_ref().unwrap_or(&problem);
        let setting = Setting::pose(posed, problem.plan.as_ref(), &Unlimited).unwrap();
        let names: Vec<String> = did.iter().map(|&label| problem.alphabet.name(label).to_owned()).collect();
        let found = audit(&setting, &names, true).unwrap();
        assert_eq!(found.findings.is_empty(), held.unwrap() == 0, "{:?}", found.findings);
        *(if found.findings.is_empty() { &mut clean } else { &mut wrong }) += 1;
        for (observer, moments) in &found.observers {
            let looking = setting.looking_at(*observer);
            let map = problem.observers().nth(*observer).and_then(|o| o.map.as_ref()).unwrap();
            let replayed = replay(&looking, map, problem.plan.as_ref(), &did).unwrap();
            let base = |all: &Vec<divulge::problem::Vertex>| {
                let mut all: Vec<_> = all.iter().map(|&v| posed.world.base_vertex(v)).collect();
                all.sort_unstable();
                all.dedup();
                all
            };
            // A filter that forgets may be where expected executions lead it, though this one is not expected.
            let recalls = looking.observer().filter == divulge::Filter::Strongest;
            for (known, moment) in moments.iter().zip(&replayed.moments) {
                if !recalls && moment.estimate.is_none() {
                    continue;
                }
                assert_eq!(known.estimate, moment.estimate.as_ref().map(base));
            }
            // Of what this observer saw, the same is known.
            let seen: Vec<String> = did.iter().filter_map(|&l| map.look(l)).map(str::to_owned).collect();
            let by_images = audit_images(&setting, *observer, &seen, true).unwrap();
            let after_images: Vec<_> = moments.iter().filter(|k| k.after == 0 || k.image.is_some()).collect();
            for (known, moment) in by_images.observers[0].1.iter().zip(after_images) {
                assert_eq!(known.estimate, moment.estimate);
            }
            assert!(!found.findings.is_empty() || by_images.findings.is_empty(), "{:?}", by_images.findings);
        }
    }
    assert!(clean > 20 && wrong > 10, "{clean} clean, {wrong} not");
}
