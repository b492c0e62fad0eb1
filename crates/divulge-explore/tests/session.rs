//! What the session shows against the replayer, which works straight from the definitions, on random problems.

use std::collections::BTreeSet;

use divulge::{
    explain::{Moment, Standing},
    limit::Unlimited,
    problem::{Filter, Label, Problem, Vertex},
    sets::BitSet,
};
use divulge_explore::{Situation, Snapshot, What, facts, look_alike, route, snapshot, verdict};
use divulge_naive::{
    put::{audit, check, replay},
    random::{Profile, Rng, problem},
};

fn situations(seed: u64, count: usize) -> impl Iterator<Item = Situation> {
    let mut rng = Rng::new(seed);
    (0..count).filter_map(move |i| {
        let mut problem = problem(&mut rng, &Profile::default());
        if i % 4 == 0 {
            problem.plan = None;
        }
        Situation::new(&problem, &What::default(), &Unlimited).ok()
    })
}

fn labels(problem: &Problem, names: &[String]) -> Vec<Label> {
    names.iter().filter_map(|name| problem.alphabet.get(name)).collect()
}

/// Walks at random along the outcomes that the session offers, and gives every moment.
fn walk(rng: &mut Rng, situation: &Situation, longest: usize) -> Option<(Vec<Label>, Vec<Snapshot>)> {
    let (mut events, mut moments) = (Vec::new(), vec![snapshot(situation, &[], &Unlimited).ok()?]);
    for _ in 0..longest {
        let last = &moments[moments.len() - 1];
        if last.outcomes.is_empty() {
            break;
        }
        let names = [rng.pick(&last.outcomes).label.clone()];
        events.extend(labels(&situation.problem, &names));
        moments.push(snapshot(situation, &events, &Unlimited).ok()?);
    }
    Some((events, moments))
}

fn numbers(set: &[Vertex]) -> Vec<u32> {
    set.iter().map(|v| v.0).collect()
}

fn agrees(shown: &Snapshot, replayed: &Moment) {
    assert_eq!(shown.robot, numbers(&replayed.world));
    assert_eq!(shown.plan, numbers(&replayed.plan));
    assert_eq!(shown.sides[0].estimate, replayed.estimate.as_deref().map(numbers));
    assert_eq!(shown.stops, replayed.terminates);
    let standings = replayed.stipulations.iter().map(|standing| match standing {
        Standing::Holds => "holds",
        Standing::Broken(_) => "broken",
        Standing::NotAsked | Standing::Run(_) => "later",
    });
    assert!(shown.sides[0].stipulations.iter().map(|s| s.state).eq(standings));
    assert!(shown.sides[0].stipulations.iter().all(|s| !s.why.is_empty()));
}

#[test]
fn every_moment_is_as_the_definitions_say() {
    let (mut rng, mut compared, mut broken, mut branches) = (Rng::new(5), 0, 0, 0);
    for situation in situations(1, 3000) {
        let Some((events, moments)) = walk(&mut rng, &situation, 6) else { continue };
        let problem = &situation.problem;
        let Ok(replayed) = replay(problem, situation.map(0), problem.plan.as_ref(), &events) else {
            continue;
        };
        assert_eq!(replayed.moments.len(), moments.len(), "{events:?} in {problem:#?}");
        for (shown, replayed) in moments.iter().zip(&replayed.moments) {
            agrees(shown, replayed);
            // The stream tells of every event before, as it was told of then.
            assert_eq!(shown.events.len(), shown.events.iter().filter(|e| !e.label.is_empty()).count());
            let now = shown.sides[0].stipulations.iter().any(|s| s.state == "broken");
            assert_eq!(
                shown.events.last().is_some_and(|e| e.seen[0].broken),
                now && !shown.events.is_empty()
            );
            compared += 1;
            broken += usize::from(now);
            branches += usize::from(shown.outcomes.len() > 1);
        }
    }
    assert!(compared > 3_000 && broken > 300 && branches > 300, "{compared}, {broken}, {branches}");
}

#[test]
fn what_is_offered_is_what_can_happen() {
    let (mut rng, mut offered) = (Rng::new(6), 0);
    for situation in situations(2, 3000) {
        let longest = rng.below(4);
        let Some((events, moments)) = walk(&mut rng, &situation, longest) else { continue };
        let problem = &situation.problem;
        let shown: BTreeSet<&str> =
            moments[moments.len() - 1].outcomes.iter().map(|outcome| outcome.label.as_str()).collect();
        for label in problem.alphabet.labels() {
            let next = [&events[..], &[label]].concat();
            let Ok(replayed) = replay(problem, situation.map(0), problem.plan.as_ref(), &next) else {
                continue;
            };
            let last = replayed.last();
            let possible = match problem.plan {
                Some(_) => !last.world.is_empty() && !last.plan.is_empty(),
                None => !last.world.is_empty() && replayed.admitted,
            };
            assert_eq!(shown.contains(problem.alphabet.name(label)), possible, "{next:?} in {problem:#?}");
            offered += usize::from(possible);
        }
    }
    assert!(offered > 1_000, "only {offered} outcomes were offered");
}

#[test]
fn an_event_that_cannot_happen_ends_the_walk() {
    let mut cut = 0;
    for situation in situations(3, 400) {
        let all: Vec<Label> = situation.problem.alphabet.labels().collect();
        let Ok(shown) = snapshot(&situation, &all, &Unlimited) else { continue };
        assert!(shown.events.len() <= all.len());
        cut += usize::from(shown.events.len() < all.len());
    }
    assert!(cut > 100);
}

#[test]
fn verdicts_are_those_of_check_and_audit() {
    let (mut holds, mut violated, mut twins) = (0, 0, 0);
    for situation in situations(4, 2000) {
        let problem = &situation.problem;
        let answer = match problem.plan {
            Some(_) => check(problem, &Unlimited),
            None => audit(problem, &Unlimited),
        };
        let shown = verdict(&situation, &Unlimited);
        match answer {
            Ok(None) => {
                assert_eq!(shown.verdict, "holds");
                holds += 1;
            }
            Ok(Some(violation)) => {
                assert_eq!(shown.verdict, "violated");
                let names: Vec<&str> =
                    violation.execution.iter().map(|&l| problem.alphabet.name(l)).collect();
                assert_eq!(shown.execution, names);
                assert_eq!(shown.stipulation, violation.stipulation);
                violated += 1;
                twins += shown.twins.len();
            }
            Err(_) => assert_eq!(shown.verdict, "unknown"),
        }
        assert!(!shown.short.is_empty() && !shown.words.is_empty());
    }
    assert!(holds > 50 && violated > 500 && twins > 50, "{holds}, {violated}, {twins}");
}

#[test]
fn look_alikes_look_alike_and_end_where_they_should() {
    let (mut rng, mut found) = (Rng::new(8), 0);
    for situation in situations(5, 1500) {
        let Some((events, moments)) = walk(&mut rng, &situation, 5) else { continue };
        let Some(estimate) = &moments[moments.len() - 1].sides[0].estimate else { continue };
        let problem = &situation.problem;
        for &v in estimate {
            let places = BitSet::from_fn(problem.world.graph.len(), |w| w == v as usize);
            let run = look_alike(&situation, 0, &events, &places).unwrap();
            let Some(run) = run else {
                // A filter that forgets takes other runs for this one.
                assert_ne!(problem.observer.filter, Filter::Strongest);
                continue;
            };
            assert_eq!(run.run.images, run.other.images);
            assert_eq!(run.other.places.last(), Some(&vec![v]));
            assert_eq!(run.other.places.len(), events.len() + 1);
            let other = labels(problem, &run.other.events);
            let replayed = replay(problem, situation.map(0), None, &other).unwrap();
            assert!(replayed.admitted && numbers(&replayed.last().world).contains(&v));
            found += 1;
        }
    }
    assert!(found > 1_000, "only {found} runs were found");
}

#[test]
fn what_can_never_be_found_out_never_is() {
    let (mut rng, mut told) = (Rng::new(9), 0);
    for situation in situations(6, 1200) {
        let Ok(facts) = facts(&situation, 0, &Unlimited) else { continue };
        if facts.is_empty() {
            continue;
        }
        for _ in 0..3 {
            let Some((_, moments)) = walk(&mut rng, &situation, 8) else { continue };
            for (fact, shown) in facts.iter().flat_map(|f| moments.iter().map(move |m| (f, m))) {
                let column = situation.problem.world.props.column(&fact.name).unwrap();
                let estimate = shown.sides[0].estimate.as_ref().expect("what the plan does is expected");
                let held: BTreeSet<_> = estimate.iter().map(|&v| column.get(Vertex(v)).cloned()).collect();
                assert!(fact.known_once || held.len() > 1);
                assert!(!fact.known_at_end || !shown.stops || held.len() == 1);
                assert!(fact.always_possible.iter().all(|value| held.contains(&Some(value.clone()))));
                told += usize::from(!fact.known_once) + usize::from(fact.known_at_end && shown.stops);
            }
        }
    }
    assert!(told > 200, "only {told} moments bore a fact out");
}

#[test]
fn ways_lead_to_the_vertex_that_was_asked_for() {
    let mut led = 0;
    for situation in situations(7, 600) {
        let problem = &situation.problem;
        let Some(plan) = &problem.plan else { continue };
        for v in plan.graph.vertices() {
            let Some(events) = route(problem, v) else { continue };
            let Ok(shown) = snapshot(&situation, &events, &Unlimited) else { continue };
            assert_eq!(shown.events.len(), events.len());
            assert!(shown.plan.contains(&v.0));
            led += 1;
        }
    }
    assert!(led > 500);
}
