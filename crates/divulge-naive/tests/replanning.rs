//! Plans that go on after what has happened, held against the definitions.

use divulge::{
    limit::Unlimited,
    problem::{Kind, Label, Problem},
    verdict::QuestionError,
};
use divulge_naive::{
    Refusal,
    expansion::Robot,
    put,
    random::{self, Profile, Rng, effort, seed},
    seek_plan::least_events_after,
};

/// Some events that can happen.
fn happened(rng: &mut Rng, p: &Problem, most: usize) -> Vec<Label> {
    let robot = Robot::new(p);
    let (mut known, mut events) = (robot.start(), Vec::new());
    for _ in 0..rng.within(&(0..=most)) {
        let next: Vec<Label> = robot.events(&known).into_iter().collect();
        if next.is_empty() {
            break;
        }
        let event = next[rng.within(&(0..=next.len() - 1))];
        known = robot.after(&known, event);
        events.push(event);
    }
    events
}

#[test]
fn plans_go_on_after_what_has_happened() {
    let (mut found, mut none, mut later) = (0, 0, 0);
    let mut rng = Rng::new(seed(51));
    let profile = Profile { odd_kinds: false, ..Profile::seek_fixed() };
    for _ in 0..2500 * effort() {
        let p = random::problem(&mut rng, &profile);
        let after = happened(&mut rng, &p, 5);
        let least = match least_events_after(&p, &after) {
            Err(Refusal::TooLarge) => continue,
            least => least.unwrap_or_else(|refusal| panic!("{refusal} {p:?}")),
        };
        let plan =
            put::seek_plan_after(&p, &after, &Unlimited).unwrap_or_else(|e| panic!("{e} {after:?} {p:?}"));
        assert_eq!(plan.as_ref().map(|plan| plan.worst_case.events), least, "{after:?} {p:?}");
        *(if plan.is_some() { &mut found } else { &mut none }) += 1;
        later += usize::from(plan.is_some() && !after.is_empty());
    }
    println!("{found} found, {later} of them later, {none} none");
    assert!(found > 300 && later > 100 && none > 300, "{found} found, {later} later, {none} none");
}

#[test]
fn what_cannot_happen_is_refused() {
    let mut rng = Rng::new(seed(52));
    let profile = Profile { odd_kinds: false, ..Profile::seek_fixed() };
    let mut refused = 0;
    for _ in 0..200 * effort() {
        let p = random::problem(&mut rng, &profile);
        let robot = Robot::new(&p);
        let events = robot.events(&robot.start());
        for label in p.alphabet.labels().filter(|l| !events.contains(l)) {
            let answer = put::seek_plan_after(&p, &[label], &Unlimited);
            let Err(QuestionError::Refused(why)) = answer else { panic!("{answer:?} {label:?} {p:?}") };
            assert!(why.contains("event 1") && why.contains(p.alphabet.name(label)), "{why}");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn whoever_knows_the_plan_sought_is_no_longer_where_it_began() {
    let mut rng = Rng::new(seed(53));
    let p = random::problem(&mut rng, &Profile::seek_divulged());
    let events = Robot::new(&p).events(&Robot::new(&p).start());
    let first = events.into_iter().next().expect("something can happen");
    assert!(matches!(p.alphabet.kind(first), Kind::Action | Kind::Observation));
    assert!(matches!(put::seek_plan_after(&p, &[first], &Unlimited), Err(QuestionError::Refused(_))));
}
