//! Automata in the three formats, with the oddities that occur in files.

use divulge::{Unlimited, Verdict, ask, problem::Kind};
use divulge_formats::{Beside, Failed, Fault, FaultKind, Format, Machine, Recognised, read, recognise};

fn known(name: &str, text: &str) -> Format {
    match recognise(name, text) {
        Some(Recognised::Known(format)) => format,
        other => panic!("{name}: {other:?}"),
    }
}

fn machine(name: &str, text: &str) -> Machine {
    read(known(name, text), text, Beside::default(), &Unlimited).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn faults(name: &str, text: &str) -> Vec<Fault> {
    match read(known(name, text), text, Beside::default(), &Unlimited) {
        Err(Failed::Faults(faults)) => faults,
        other => panic!("{text:?} is read: {other:?}"),
    }
}

const VAULT: &str = include_str!("files/vault.fsm");
const RELAY: &str = include_str!("files/relay.aut");
const PLANT: &str = include_str!("files/plant.gen");

#[test]
fn an_fsm_is_read() {
    let vault = machine("vault.fsm", VAULT);
    assert_eq!(vault.states.iter().collect::<Vec<_>>(), ["hall,1", "hall,2", "vault"]);
    assert_eq!(vault.initial, [0, 1], "the header says that two are initial");
    assert_eq!(vault.events.iter().collect::<Vec<_>>(), ["open", "slip", "leave"]);
    assert_eq!(vault.unseen, [false, true, false]);
    assert_eq!(vault.steps.len(), 4);
    assert!(vault.notes.iter().any(|note| note.contains("probabilities")));
}

#[test]
fn an_aut_is_read() {
    let relay = machine("relay.aut", RELAY);
    assert_eq!((relay.states.len(), relay.transitions), (3, 6));
    assert_eq!(relay.events.iter().collect::<Vec<_>>(), ["send(a, b)", "i", "back", "tau"]);
    assert_eq!(relay.unseen, [false, true, false, true]);
    assert!(relay.notes.iter().any(|note| note.contains("repeat")), "{:?}", relay.notes);
}

#[test]
fn a_generator_is_read() {
    let plant = machine("plant.gen", PLANT);
    assert_eq!(plant.name.as_deref(), Some("plant"));
    assert_eq!(plant.states.iter().collect::<Vec<_>>(), ["1", "2", "3", "broken"]);
    assert_eq!(plant.unseen, [false, true, false]);
    assert_eq!((plant.initial.as_slice(), plant.steps.len()), (&[0][..], 4));
    assert!(plant.notes.iter().any(|note| note.contains("`Unheard`")));
}

#[test]
fn content_tells_what_a_file_is() {
    for (text, format) in [(VAULT, Format::Fsm), (RELAY, Format::Aut), (PLANT, Format::Faudes)] {
        assert_eq!(known("<standard input>", text), format);
    }
    assert_eq!(recognise("x.divulge", "3\n"), None);
    assert_eq!(recognise("-", "world { x: bool }"), None);
    assert_eq!(recognise("-", "{\"format\": \"divulge/1\"}"), None);
    let jani = recognise("-", "{\"jani-version\": 1}");
    assert!(matches!(jani, Some(Recognised::Refused(..))));
    let cassandra = recognise("tiger.POMDP", "discount: 0.9\nvalues: reward\nstates: a b\nactions: c\n");
    assert!(matches!(cassandra, Some(Recognised::Refused(..))));
}

#[test]
fn events_are_actions_before_an_observation_that_nobody_sees() {
    let mut problem = machine("vault.fsm", VAULT).problem().expect("a world");
    let world = &problem.world;
    assert_eq!((world.graph.len(), world.graph.arc_count()), (6, 7));
    let way = world.vertex("to vault").expect("it is there");
    assert_eq!(world.graph.kind(way), Kind::Observation);
    assert_eq!(world.props.of(way).count(), 2, "it has the properties of the state");
    let map = problem.observer.map.as_ref().expect("a map");
    let hidden: Vec<&str> = map.unseen().map(|l| problem.alphabet.name(l)).collect();
    assert_eq!(hidden, ["slip", "then"]);
    let secret = divulge::Stipulation::new("secret", divulge::Scope::Always, "!knows(state = vault)")
        .expect("a formula");
    problem.observer.stipulations.push(secret);
    let answer = ask(&problem).audit().within(&Unlimited).expect("an answer");
    let Verdict::Violated { violation, .. } = &answer.verdict else { panic!("{:?}", answer.verdict) };
    let events: Vec<&str> = violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
    assert_eq!(events, ["open", "then", "open"]);
}

#[test]
fn an_event_may_have_the_name_of_the_dummy() {
    let problem = machine("x.aut", "des (0, 1, 2)\n(0, then, 1)\n").problem().expect("a world");
    let names: Vec<&str> = problem.alphabet.labels().map(|l| problem.alphabet.name(l)).collect();
    assert_eq!(names, ["then", "then'"]);
}

#[test]
fn mistakes_are_placed_and_several_are_found() {
    let text = "2\n\na\t0\t2\ngo\tc\tc\to\nstay\td\n\nb\t1\t0\n";
    let found = faults("x.fsm", text);
    let shown: Vec<(&str, &str)> = found
        .iter()
        .map(|f| (f.message.as_str(), &text[f.place.unwrap().start..f.place.unwrap().end]))
        .collect();
    assert_eq!(shown, [("there is no state called `c`", "c"), ("there is no state called `d`", "d")]);
    assert_eq!(found[0].kind, FaultKind::Name);
    for (name, text, part) in [
        ("x.fsm", "", "empty"),
        ("x.fsm", "0\n", "at least one state"),
        ("x.fsm", "2 3\na 0 0\nb 0 0\n", "3 initial states of 2"),
        ("x.fsm", "2\na 0 0\n", "there are 1"),
        ("x.fsm", "1\na 0 2\ngo a\n", "1 transition more"),
        ("x.fsm", "1\na b 0 0\n", "3 columns, not 4"),
        ("x.fsm", "1\na 0 1\ngo a c c\n", "cannot stand here"),
        ("x.fsm", "1\na 0 2\ngo a o\ngo a uo\n", "observable in one place"),
        ("x.fsm", "2\na 0 0\na 0 0\n", "two states"),
        ("x.fsm", "1\n(a, b)\t0\t0\n", "the name `(a, b)` has blanks in it"),
        ("x.fsm", "1\na\t0\t1\ngo on\ta\tc\to\n", "the name `go on` has blanks in it"),
        ("x.fsm", "99999999999999999999\n", "is not a number of states"),
        ("x.fsm", "1\na 0 99999999999999999999\n", "is not a number of transitions"),
        ("x.fsm", "1 1 1\n", "more than two numbers"),
        ("x.fsm", "\u{feff}", "empty"),
        ("x.aut", "", "not the header"),
        ("x.aut", "des (0, 1, 2)\n(0, , 1)\n", "not a transition"),
        ("x.aut", "des (0, 99999999999999999999, 2)\n", "not a number"),
        ("x.gen", "", "starts with `<Generator>`"),
        (
            "x.gen",
            "<Generator> <States> <Consecutive> 1 99999999999 </Consecutive> </States> </Generator>",
            "no range",
        ),
        ("x.aut", "des (0, 1, 2)\n", "there are 0"),
        ("x.aut", "des (0, 1, 2)\n(0, a, 2)\n", "no state 2"),
        ("x.aut", "des (2, 0, 2)\n", "no state 2"),
        ("x.aut", "des (0, 1)\n", "three numbers"),
        ("x.aut", "des (0, 1, 2)\n(0, a)\n", "not a transition"),
        ("x.aut", "des (0, 1, 2)\n(0, a, 0 1/2 1)\n", "probabilistic"),
        ("x.aut", "des (0, 1, 4000000000)\n", "too many"),
        ("x.gen", "<Generator>\n<States>\n1\n", "does not end"),
        ("x.gen", "<Generator>\n\"x", "quotes"),
        ("x.gen", "<Generator> <States> 1 </States> </Generator>", "InitStates"),
        ("x.gen", "<Generator> <Alphabet> a a </Alphabet> </Generator>", "listed twice"),
        ("x.gen", "<Generator> <States> <Consecutive> 3 1 </Consecutive> </States> </Generator>", "no range"),
    ] {
        let found = faults(name, text);
        assert!(found[0].message.contains(part), "{text:?}: {}", found[0].message);
    }
}

/// What editors and other systems do to a file changes nothing.
#[test]
fn line_ends_tabs_and_marks_at_the_start_do_not_matter() {
    for (name, text) in [("vault.fsm", VAULT), ("relay.aut", RELAY), ("plant.gen", PLANT)] {
        let plain = by_names(&machine(name, text).problem().expect("a world"));
        for (what, other) in [
            ("CRLF", text.replace("\r\n", "\n").replace('\n', "\r\n")),
            ("a mark at the start", format!("\u{feff}{text}")),
            ("blanks at the ends", text.replace('\n', "\t \n")),
            ("no end of line", text.trim_end().to_owned()),
        ] {
            let read = machine(name, &other);
            assert_eq!(by_names(&read.problem().expect("a world")), plain, "{name}: {what}");
            assert_eq!(known("<standard input>", &other), known(name, text), "{name}: {what}");
        }
    }
}

#[test]
fn names_with_blanks_are_told_a_few_times() {
    let states: String = (0..9).map(|i| format!("\n(a, {i})\t0\t0\n")).collect();
    let found = faults("x.fsm", &format!("9\n{states}"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|fault| fault.help.is_some()));
}

#[test]
fn what_other_tools_export_is_refused_with_a_word() {
    for (name, text, part) in [
        ("maze.tra", "12 21 30\n0 0 1 0.5\n", "state by state"),
        ("-", "# Transitions (POMDP)\n12 21 30 8\n", "state by state"),
        ("maze.drn", "@type: POMDP\n@parameters\n", "state by state"),
        ("-", "// Exported\n@type: POMDP\n", "state by state"),
        ("act-toks.dat", "(MOVE AT_A place_0 place_1)\n", "no world"),
        ("x.gen", "<?xml version=\"1.0\"?>\n<Generator/>", "XML"),
    ] {
        let Some(Recognised::Refused(what, help)) = recognise(name, text) else {
            panic!("{name}: {:?}", recognise(name, text))
        };
        assert!(what.contains(part) && !help.is_empty(), "{what}");
    }
}

/// What a world is, by names alone.
fn by_names(problem: &divulge::problem::Problem) -> (Vec<String>, Vec<String>, Vec<String>) {
    let world = &problem.world;
    let sorted = |mut all: Vec<String>| {
        all.sort_unstable();
        all
    };
    let props = |v| {
        let own: Vec<String> = world.props.of(v).map(|(name, value)| format!("{name}={value}")).collect();
        sorted(own).join(" ")
    };
    let vertices = world.graph.vertices();
    let each = |v| {
        format!(
            "{} {:?} {} {}",
            world.name(v),
            world.graph.kind(v),
            world.graph.initial().contains(&v),
            props(v)
        )
    };
    let map = problem.observer.map.as_ref().expect("a map");
    let arc = |(v, arc): (_, divulge::problem::Arc)| {
        format!("{} {} {}", world.name(v), problem.alphabet.name(arc.label), world.name(arc.to))
    };
    let looks = |l| format!("{} {}", problem.alphabet.name(l), map.shown(l));
    (
        sorted(vertices.map(each).collect()),
        sorted(world.graph.all_arcs().map(arc).collect()),
        sorted(problem.alphabet.labels().map(looks).collect()),
    )
}

#[test]
fn what_is_written_reads_back_as_the_same_world() {
    use divulge_formats::{Automaton, aut, faudes, fsm};
    for (name, text) in [("vault.fsm", VAULT), ("plant.gen", PLANT)] {
        let problem = machine(name, text).problem().expect("a world");
        let automaton = Automaton::of(&problem).expect("an automaton");
        let written = fsm::write(&automaton).expect("a file");
        assert_eq!(
            by_names(&machine("x.fsm", &written).problem().expect("a world")),
            by_names(&problem),
            "{written}"
        );
        let written = faudes::write(&automaton).expect("a file");
        assert_eq!(
            by_names(&machine("x.gen", &written).problem().expect("a world")),
            by_names(&problem),
            "{written}"
        );
    }
    let problem = machine("relay.aut", RELAY).problem().expect("a world");
    let automaton = Automaton::of(&problem).expect("an automaton");
    let written = aut::write(&automaton).expect("a file");
    assert_eq!(
        by_names(&machine("x.aut", &written).problem().expect("a world")),
        by_names(&problem),
        "{written}"
    );
    let spaced = fsm::write(&automaton).expect_err("`send(a, b)` has a blank");
    assert!(spaced.reason.contains("blanks"), "{spaced:?}");
    let vault =
        Automaton::of(&machine("vault.fsm", VAULT).problem().expect("a world")).expect("an automaton");
    assert!(aut::write(&vault).is_err(), "two states are initial");
}

#[test]
fn a_world_with_observations_is_no_automaton() {
    let text = include_str!("files/dice.pddl");
    let problem = machine("dice.pddl", text).problem().expect("a world");
    let refused = divulge_formats::Automaton::of(&problem).expect_err("the robot observes");
    assert!(refused.reason.contains("observes something"), "{refused:?}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// An automaton at random; where `odd`, with names that some formats cannot have.
fn random(random: &mut Random, odd: bool) -> Machine {
    const PLAIN: [&str; 14] =
        ["a", "é", "x,y", "-1", "uo", "c", "then", "to", "%", "<States>", "+o+", "i", "tau", "(b)"];
    const ODD: [&str; 7] = ["b c", "", "\"q\"", "tab\tname", "line\nbreak", " a", "\u{2003}"];
    let name = |random: &mut Random, number: usize| match random.below(4) {
        0 if odd => format!("{}{number}", ODD[random.below(ODD.len())]),
        0 | 1 => number.to_string(),
        2 => format!("{}{number}", PLAIN[random.below(PLAIN.len())]),
        _ => format!("s{number}"),
    };
    let mut machine = Machine::new(Format::Fsm);
    let (states, events) = (1 + random.below(6), 1 + random.below(4));
    for number in 0..states {
        let name = name(random, number);
        machine.states.intern(&name);
    }
    for number in 0..events {
        let name = if random.below(8) == 0 { "i".to_owned() } else { name(random, 10 + number) };
        if machine.events.intern(&name).1 {
            machine.unseen.push(if name == "i" { random.below(8) > 0 } else { random.below(5) == 0 });
        }
    }
    let (states, events) = (machine.states.len(), machine.events.len());
    for _ in 0..random.below(12) {
        let [from, event, to] = [states, events, states].map(|bound| random.below(bound) as u32);
        machine.steps.push(divulge_formats::Step { from, event, to, seen: 0 });
    }
    machine.initial = (0..1 + random.below(states).min(1) as u32).collect();
    let marked: Vec<bool> = (0..states).map(|_| random.below(3) == 0).collect();
    machine.properties = vec![
        divulge_formats::Property::names("state", &machine.states),
        divulge_formats::Property::flag("marked", marked.into_iter()),
    ];
    machine
}

/// Whatever is written reads back as the same world; whatever is refused has something that the format cannot say.
#[test]
fn random_automata_are_written_and_read_back() {
    use divulge_formats::{Automaton, aut, faudes, fsm};
    let mut numbers = Random(11);
    let (mut written, mut refused) = ([0; 3], [0; 3]);
    for round in 0..2000 {
        let problem = random(&mut numbers, round % 2 == 0).problem().expect("a world");
        let automaton = Automaton::of(&problem).expect("an automaton");
        let names: Vec<&str> =
            automaton.states.iter().chain(&automaton.events).map(|(name, _)| name.as_str()).collect();
        let has = |test: &dyn Fn(&&&str) -> bool| names.iter().any(|name| test(&name));
        let internal = |name: &str| matches!(name, "i" | "tau");
        let cannot = [
            has(&|name| name.is_empty() || name.contains(char::is_whitespace)),
            has(&|name| name.contains(['"', '\n', '\r'])),
            automaton.initial != 1
                || automaton.events.iter().any(|(name, seen)| *seen == internal(name))
                || automaton.steps.iter().any(|step| automaton.events[step.1].0.contains(['\n', '\r'])),
        ];
        let tried = [fsm::write(&automaton), faudes::write(&automaton), aut::write(&automaton)];
        for (i, (text, file)) in tried.into_iter().zip(["x.fsm", "x.gen", "x.aut"]).enumerate() {
            assert_eq!(text.is_err(), cannot[i], "{file}: {text:?} of {automaton:?}");
            let Ok(text) = text else {
                refused[i] += 1;
                continue;
            };
            written[i] += 1;
            let read = machine(file, &text).problem().expect("a world");
            let (mut again, mut before) = (by_names(&read), by_names(&problem));
            if file == "x.aut" {
                // States are numbered, so what remains is how large it is, and what may happen and be seen.
                let word = |read: &divulge::problem::Problem| Automaton::of(read).expect("an automaton");
                let (one, two) = (word(&read), word(&problem));
                let steps = |all: &Automaton| {
                    let event = |step: &(usize, usize, usize)| all.events[step.1].clone();
                    let mut steps: Vec<_> =
                        all.steps.iter().map(|step| (step.0, event(step), step.2)).collect();
                    steps.sort();
                    steps
                };
                assert_eq!((one.states.len(), steps(&one)), (two.states.len(), steps(&two)), "{text}");
                continue;
            }
            // Neither format lists what no transition bears but .gen, and the name of a file is not part of its world.
            if file == "x.fsm" {
                let used: Vec<String> = again.2.clone();
                before.2.retain(|look| used.contains(look));
            }
            again.2.sort();
            assert_eq!(again, before, "{file}: {text}");
        }
    }
    assert!(written.iter().all(|&n| n > 200) && refused.iter().all(|&n| n > 50), "{written:?} {refused:?}");
}

#[test]
fn slips_and_files_of_the_same_name_are_not_misread() {
    let found = faults("x.fsm", "2\n\na 0 1\ngo b c 0\n\nb 0 0\n");
    assert!(found[0].message.contains("`0` stands where"), "a digit in place of the letter: {found:?}");
    assert!(
        machine("x.fsm", "2\n\na 0 1\ngo b c o 0.5\n\nb 0 0\n").notes.iter().any(|n| n.contains("dropped"))
    );
    let mcrl2 = recognise("x.fsm", "b(2) Bool \"F\" \"T\"\n---\n0\n1\n---\n1 2 \"a\"\n");
    assert!(matches!(mcrl2, Some(Recognised::Refused(what, _)) if what.contains("mCRL2")), "{mcrl2:?}");
    let both = machine("x.aut", "des (0, 2, 2)\n(0, \"i\", 1)\n(1, tau, 0)\n");
    assert_eq!(both.unseen, [true, true]);
    assert!(both.notes.iter().any(|note| note.contains("`i` or `tau`, the internal action, is not")));
    let tokens =
        divulge_formats::tokens::read("(MOVE anvil x)\n(MOVE lignil y)\n(MOVE nil z)").expect("a list");
    assert_eq!(tokens.iter().filter(|token| token.token.is_none()).count(), 1, "{tokens:?}");
}

#[test]
fn a_state_that_is_not_there_comes_with_a_remedy() {
    let found = faults("x.fsm", "2\n\na 0 1\ngo nowhere\n\nb 0 0\n");
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("a line of its own")), "{found:?}");
}
