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
