//! The engines held against their twins, on random problems.

use divulge::{
    audit::{AuditOptions, Ends},
    limit::{Unlimited, share_out_the_least},
    problem::Problem,
    seek::{Minimize, SeekOptions},
    verdict::{QuestionError, Violation},
};
use divulge_naive::{
    Refusal, audit,
    check::{self, verify_plan},
    graph::Set,
    joint::Reason,
    put,
    random::{self, FilterKind, KnowsKind, Profile, Rng, Shape, effort, seed},
    seek_plan::{seek_plan, stipulations_matter},
    witness::{Witness, shows, shows_in_audit},
};

/// Input that the engines refuse and the definitions do not: plans and graphs that begin unlike the world.
fn fits(problem: &Problem) -> bool {
    let first = problem.world.graph.initial_kind();
    problem.plan.as_ref().is_none_or(|p| p.graph.initial_kind() == first) && random::fits(problem)
}

fn problems(seed: u64, count: usize, profile: &Profile) -> impl Iterator<Item = Problem> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |_| random::problem(&mut rng, profile)).filter(fits)
}

/// The engine refuses the filter as the definitions do, with an image string as short.
fn refused(error: QuestionError, refusal: Refusal) -> bool {
    match (error, refusal) {
        (QuestionError::FilterCannotTrace(said), Refusal::Untraceable(shortest)) => {
            said.len() == shortest.len()
        }
        _ => false,
    }
}

fn witness(violation: &Violation) -> Witness {
    let reason =
        Reason::ALL.into_iter().find(|r| r.word() == violation.reason.word()).expect("a known reason");
    Witness {
        reason,
        execution: violation.execution.clone(),
        event: violation.event,
        cycle: violation.cycle.clone().unwrap_or_default(),
        stipulation: violation.stipulation,
        estimate: estimate(violation),
    }
}

fn estimate(violation: &Violation) -> Option<Set> {
    Some(violation.estimate.as_ref()?.iter().map(|v| v.index()).collect())
}

#[test]
fn check() {
    for p in problems(seed(1), 4000 * effort(), &Profile::default()) {
        match (put::check(&p, &Unlimited), check::check(&p)) {
            (Ok(None), Ok(faults)) => assert!(faults.holds(), "{faults:?} {p:?}"),
            (Ok(Some(violation)), Ok(faults)) => {
                let witness = witness(&violation);
                let shortest = faults.reportable().get(&witness.reason).copied();
                assert_eq!(shortest, Some(witness.execution.len()), "{violation:?} {faults:?} {p:?}");
                assert_eq!(shows(&p, &witness), Ok(true), "{violation:?} {p:?}");
            }
            (Err(error), Err(refusal)) => assert!(refused(error, refusal), "{p:?}"),
            (ours, theirs) => panic!("{ours:?} but {theirs:?} of {p:?}"),
        }
    }
}

/// Every way of auditing: from either end, from both as usual, and from both at once, so that they meet in the middle.
const WAYS: [AuditOptions; 4] = [
    AuditOptions { ends: Ends::Both, head_start: None },
    AuditOptions { ends: Ends::Start, head_start: None },
    AuditOptions { ends: Ends::Violation, head_start: None },
    AuditOptions { ends: Ends::Both, head_start: Some(0) },
];

fn same_audits(p: &Problem) {
    let shortest = audit::audit(p);
    for way in WAYS {
        match (put::audit_with(p, &way, &Unlimited), shortest.clone()) {
            (Ok(None), Ok(broken)) => assert!(broken.is_empty(), "{way:?} {broken:?} {p:?}"),
            (Ok(Some(v)), Ok(broken)) => {
                let shortest = broken.values().min().copied();
                assert_eq!(shortest, Some(v.execution.len()), "{way:?} {v:?} {broken:?} {p:?}");
                assert_eq!(shows_in_audit(p, &v.execution, v.stipulation), Ok(true), "{way:?} {v:?} {p:?}");
            }
            (Err(error), Err(refusal)) => assert!(refused(error, refusal), "{p:?}"),
            (ours, theirs) => panic!("{way:?} {ours:?} but {theirs:?} of {p:?}"),
        }
    }
}

#[test]
fn audit() {
    for p in problems(seed(2), 4000 * effort(), &Profile::default()) {
        same_audits(&p);
    }
}

/// Worlds with many beliefs and violations further from the start, if there are any.
#[test]
fn audit_of_larger_worlds() {
    let shape = |arcs, deterministic, dead_ends| Shape { arcs, deterministic, dead_ends, marks: 35 };
    let (mut holds, mut violated, mut longest) = (0, 0, 0);
    for (i, shape) in [shape(2..=3, 0, 0), shape(1..=4, 50, 10), shape(1..=2, 0, 5)].into_iter().enumerate() {
        let profile = Profile {
            vertices: 8..=14,
            stipulations: 1..=2,
            world: shape,
            solvable: (0, 0),
            lenience: 4,
            plan: false,
            knows: vec![KnowsKind::World, KnowsKind::Graph, KnowsKind::Plans],
            filters: vec![FilterKind::Strongest, FilterKind::Strongest, FilterKind::Image],
            ..Profile::default()
        };
        for p in problems(seed(10 + i as u64), 500 * effort(), &profile) {
            same_audits(&p);
            match put::audit(&p, &Unlimited).expect("it was audited before") {
                None => holds += 1,
                Some(v) => {
                    violated += 1;
                    longest = longest.max(v.execution.len());
                }
            }
        }
    }
    assert!(
        holds > 200 && violated > 200 && longest >= 6,
        "{holds} hold, {violated} do not, {longest} events"
    );
}

fn same_plans(p: &Problem) {
    let least = match seek_plan(p) {
        Err(Refusal::TooLarge) => return,
        least => least.unwrap_or_else(|refusal| panic!("{refusal} {p:?}")),
    };
    let ways = [Minimize::Events, Minimize::Cost];
    // All explored, all that can be sought depth first, and something of both.
    for (minimize, look_ahead) in [usize::MAX, 0, 8].into_iter().flat_map(|n| ways.map(|way| (way, n))) {
        let options = SeekOptions { minimize, look_ahead, ..SeekOptions::default() };
        let found = put::seek_plan(p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"));
        let (Some(found), Some(least)) = (&found, least) else {
            assert!(found.is_none() && least.is_none(), "{found:?} but {least:?} of {p:?}");
            continue;
        };
        let worst = verify_plan(p, &found.plan).unwrap().unwrap_or_else(|| panic!("{found:?} fails {p:?}"));
        assert_eq!((worst.events, worst.cost), (found.worst_case.events, found.worst_case.cost), "{p:?}");
        match minimize {
            Minimize::Events => assert_eq!(worst.events, least.events, "{found:?} {p:?}"),
            Minimize::Cost => assert_eq!(worst.cost, least.cost, "{found:?} {p:?}"),
        }
    }
}

#[test]
fn seek_a_plan_that_is_divulged() {
    for p in problems(seed(3), 1500 * effort(), &Profile::seek_divulged()) {
        same_plans(&p);
    }
    let mut rng = Rng::new(seed(4));
    for _ in 0..10 * effort() {
        same_plans(&random::problem_where(&mut rng, &Profile::seek_divulged(), 300, stipulations_matter));
    }
}

#[test]
fn seek_a_plan_when_something_fixed_is_divulged() {
    for p in problems(seed(5), 1500 * effort(), &Profile::seek_fixed()) {
        same_plans(&p);
    }
    let mut rng = Rng::new(seed(6));
    for _ in 0..10 * effort() {
        let p = random::problem_where(&mut rng, &Profile::seek_fixed(), 300, stipulations_matter);
        if fits(&p) {
            same_plans(&p);
        }
    }
}

/// Values within a tighter budget first, strategies made smaller before they are told: what is not worth it for small problems.
#[test]
fn seek_a_plan_as_if_it_were_large() {
    share_out_the_least();
    for (number, profile) in [(14, Profile::seek_fixed()), (15, Profile::seek_divulged())] {
        for p in problems(seed(number), 1500 * effort(), &profile) {
            same_plans(&p);
        }
    }
}

#[test]
fn a_divulged_plan_may_remember_what_it_spent() {
    same_plans(&divulge_naive::examples::spending());
}

#[test]
fn what_won_once_is_not_forgotten() {
    same_plans(&divulge_naive::examples::lanes());
}
