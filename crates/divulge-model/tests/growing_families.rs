//! The families that are there for their structure: solvable where they should be, and answers that hold.

use divulge::{
    audit::{AuditOptions, Ends},
    limit::Unlimited,
    problem::{Knows, LabelMap, Problem, Scope},
    seek::SeekOptions,
};
use divulge_model::{
    document,
    families::{Automaton, automaton, corridor, ice, keypad, parcels, relays, rooms, tunnels, wards},
};
use divulge_naive::{
    put::{audit, audit_with, check_with, seek_plan},
    random::effort,
};

fn events(problem: Problem) -> Option<u64> {
    let found = seek_plan(&problem, &SeekOptions::default(), &Unlimited).expect("an answer")?;
    let map = problem.observer.map.as_ref().expect("a map");
    assert_eq!(check_with(&problem, &found.plan, map, &Unlimited), Ok(None));
    Some(found.worst_case.events)
}

#[test]
fn keypads_are_typed_in_digit_by_digit() {
    assert_eq!(events(keypad(4, 1).expect("a keypad")), Some(5));
    assert_eq!(events(keypad(9, 3).expect("a keypad")), Some(9));
}

#[test]
fn corridors_are_walked_from_end_to_end() {
    for length in [2, 3, 10, 41] {
        let found = events(corridor(length).expect("a corridor")).expect("a plan");
        assert!(found == 2 * length as u64 + 2, "{found} events for {length} steps");
    }
}

#[test]
fn a_robot_on_ice_gets_to_the_corner() {
    for (rows, cols) in [(2, 2), (3, 4)] {
        assert!(events(ice(rows, cols).expect("a rink")).is_some());
    }
}

#[test]
fn parcels_are_brought_to_their_docks_by_way_of_the_desk() {
    // The farthest dock decides, for any way that goes straight may hide what is carried.
    for (size, kinds, farthest) in [(3, 2, 4), (5, 3, 8), (30, 3, 59)] {
        assert_eq!(events(parcels(size, kinds).expect("a floor")), Some(2 * farthest));
    }
    assert!(parcels(2, 2).is_err() && parcels(5, 1).is_err() && parcels(5, 6).is_err());
}

#[test]
fn mazes_have_ways_to_the_vault() {
    let found = (0..10).filter_map(|seed| events(rooms(12, 3, 2, seed).expect("a maze"))).count();
    assert!(found > 2, "{found} of 10");
}

const DENSE: Automaton =
    Automaton { states: 1000, events: 4, images: 2, arcs: 100, secrets: 20, starts: 1, seed: 1 };

#[test]
fn automata_are_audited_the_same_from_either_end() {
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..40 {
        let wanted = Automaton { states: 12, events: 3, secrets: 1 + seed as usize % 4, seed, ..DENSE };
        let problem = automaton(&wanted).expect("an automaton");
        let lengths = [Ends::Start, Ends::Violation, Ends::Both].map(|ends| {
            let options = AuditOptions { ends, head_start: Some(0) };
            audit_with(&problem, &options, &Unlimited).expect("an answer").map(|v| v.execution.len())
        });
        assert!(lengths[0] == lengths[1] && lengths[1] == lengths[2], "{lengths:?} for {wanted:?}");
        *if lengths[0].is_some() { &mut violated } else { &mut holds } += 1;
    }
    assert!(holds > 4 && violated > 4, "{holds} hold, {violated} do not");
}

/// An automaton, audited in hindsight or not, with a third of its events unseen or none, and with steps of time that are seen or not.
fn beyond(wanted: &Automaton, scope: Scope, third: bool, time: bool) -> Problem {
    let mut problem = automaton(wanted).expect("an automaton");
    let (alphabet, map) = (&problem.alphabet, problem.observer.map.as_ref().expect("a map"));
    let hidden = |name: &str| if name == "time" { time } else { third && name == "event 2" };
    let map = LabelMap::seen_from_fn(alphabet, |l| {
        map.look(l).filter(|_| !hidden(alphabet.name(l))).map(str::to_owned)
    });
    problem.observer.map = Some(map);
    problem.observer.stipulations.iter_mut().for_each(|stipulation| stipulation.scope = scope);
    problem
}

#[test]
fn unseen_events_and_hindsight_are_audited_the_same_from_either_end() {
    let scopes = [Scope::Always, Scope::Hindsight { within: Some(3) }, Scope::Hindsight { within: None }];
    for scope in scopes {
        let (mut holds, mut violated) = (0, 0);
        for (seed, hidden) in (0..36 * effort() as u64)
            .zip([(true, true), (true, false), (false, true), (false, false)].iter().cycle())
        {
            let arcs = [60, 80, 100][seed as usize % 3];
            let starts = [1, 2, 12][seed as usize / 3 % 3];
            let secrets = 1 + seed as usize % 4;
            let wanted = Automaton { states: 12, events: 3, arcs, secrets, starts, seed, ..DENSE };
            let problem = beyond(&wanted, scope, hidden.0, hidden.1);
            let lengths = [Ends::Start, Ends::Violation, Ends::Both].map(|ends| {
                let options = AuditOptions { ends, head_start: Some(0) };
                audit_with(&problem, &options, &Unlimited).expect("an answer").map(|v| v.execution.len())
            });
            assert!(
                lengths[0] == lengths[1] && lengths[1] == lengths[2],
                "{lengths:?} for {wanted:?} {scope:?}, {hidden:?}"
            );
            *if lengths[0].is_some() { &mut violated } else { &mut holds } += 1;
        }
        assert!(holds > 4 && violated > 4, "{scope:?}: {holds} hold, {violated} do not");
    }
}

/// Neither could be followed from the start alone, and the shortest execution is known from where every event is seen: one of the two events is a step of time.
#[test]
fn automata_of_a_thousand_states_are_audited_in_hindsight_and_with_unseen_events() {
    let violated = Automaton { events: 3, secrets: 5, ..DENSE };
    for scope in [Scope::Always, Scope::Hindsight { within: Some(5) }, Scope::Hindsight { within: None }] {
        for (third, time, length) in [(false, false, Some(39)), (false, true, Some(39)), (true, true, None)] {
            let found = audit(&beyond(&violated, scope, third, time), &Unlimited).expect("an answer");
            assert_eq!(found.map(|v| v.execution.len()), length, "{scope:?} {third} {time}");
        }
    }
}

/// Each has far more beliefs than could be visited here.
#[test]
fn dense_automata_of_a_thousand_states_are_audited() {
    let all_start = Automaton { starts: 1000, ..DENSE };
    for (wanted, holds) in [
        (DENSE, true),
        (Automaton { arcs: 150, secrets: 100, ..DENSE }, true),
        (Automaton { events: 10, images: 5, secrets: 100, ..DENSE }, true),
        (Automaton { events: 5, images: 3, secrets: 50, ..all_start }, true),
        (Automaton { events: 8, images: 6, arcs: 50, secrets: 50, ..all_start }, false),
    ] {
        let found = audit(&automaton(&wanted).expect("an automaton"), &Unlimited).expect("an answer");
        assert_eq!(found.is_none(), holds, "{wanted:?}");
    }
}

/// What is in question where there are several observers, unseen events and runs, and that it can be written.
#[test]
fn wards_tunnels_and_relays_are_what_they_say() {
    let written = |problem: Problem| {
        let text = document::to_string(&problem);
        let again = document::read("family.json", &text).expect("a document").problem;
        assert_eq!(document::to_string(&again), text);
        again
    };
    let ward = written(wards(7, 3, Knows::Plan).expect("a ward"));
    assert_eq!(ward.observers().count(), 4);
    let knows: Vec<&Knows> = ward.observers().map(|o| &o.knows).collect();
    assert_eq!(knows, [&Knows::World, &Knows::Plan, &Knows::World, &Knows::World]);
    assert!(ward.others.iter().all(|o| o.map != ward.observer.map));
    assert!(ward.observers().all(|o| o.map.as_ref().is_some_and(LabelMap::hides)));
    let tunnel = written(tunnels(5, 3, Knows::World).expect("tunnels"));
    let unseen: Vec<&str> = match &tunnel.observer.map {
        Some(map) => map.unseen().map(|l| tunnel.alphabet.name(l)).collect(),
        None => Vec::new(),
    };
    assert_eq!(unseen.len(), 4, "{unseen:?}");
    let relay = written(relays(3, Knows::GoalDirected).expect("a relay"));
    assert_eq!(relay.observer.stipulations.iter().filter(|s| s.scope == Scope::Run).count(), 5);
    assert_eq!(relay.world.graph.initial().len(), 8);
    // The robot of the ward has to walk round, past beds that it might have been at.
    for problem in [
        wards(4, 1, Knows::World),
        wards(4, 2, Knows::Plan),
        tunnels(3, 3, Knows::World),
        relays(3, Knows::World),
    ] {
        assert!(
            seek_plan(&problem.expect("a member"), &SeekOptions::default(), &Unlimited)
                .expect("an answer")
                .is_some()
        );
    }
    assert!(wards(3, 1, Knows::World).is_err() && wards(6, 6, Knows::World).is_err());
    assert!(tunnels(0, 3, Knows::World).is_err() && tunnels(3, 0, Knows::World).is_err());
    assert!(relays(0, Knows::World).is_err() && relays(17, Knows::World).is_err());
}

/// A robot that walks round a ward comes back to where it was: looking ahead must not take that for getting on.
#[test]
fn looking_ahead_does_not_walk_in_circles() {
    for (rooms, visitors) in [(6, 1), (9, 2), (14, 3), (20, 2), (24, 4)] {
        let ward = wards(rooms, visitors, Knows::World).expect("a ward");
        let [ahead, all] = [0, usize::MAX].map(|look_ahead| {
            let options = SeekOptions { look_ahead, ..SeekOptions::default() };
            let found = seek_plan(&ward, &options, &Unlimited).expect("an answer");
            found.map(|found| found.worst_case.events)
        });
        assert_eq!(ahead, all, "{rooms} rooms, {visitors} visitors");
    }
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    assert!(
        keypad(3, 1).is_err() && corridor(1).is_err() && ice(1, 5).is_err() && rooms(3, 2, 1, 0).is_err()
    );
    for wrong in [
        Automaton { states: 0, ..DENSE },
        Automaton { images: 5, ..DENSE },
        Automaton { secrets: 1001, ..DENSE },
        Automaton { starts: 0, ..DENSE },
        Automaton { states: usize::MAX, ..DENSE },
    ] {
        assert!(automaton(&wrong).is_err(), "{wrong:?}");
    }
}
