//! The engines held against their twins, on random problems.

use divulge::{
    answer::Violation,
    problem::{Knows, Problem},
    question::{
        self, QuestionError, Unlimited,
        seek::{Minimize, SeekOptions},
    },
};
use divulge_naive::{
    Refusal, audit,
    check::{self, verify_plan},
    graph::Set,
    joint::Reason,
    random::{self, Profile, Rng},
    seek_plan::{seek_plan, stipulations_matter},
    witness::{Witness, shows, shows_in_audit},
};

/// How many times as many problems to try as in an ordinary run.
fn effort() -> usize {
    std::env::var("DIVULGE_EFFORT").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn seed(default: u64) -> u64 {
    std::env::var("DIVULGE_SEED").ok().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0).wrapping_mul(1000)
        + default
}

/// Input that the engines refuse and the definitions do not: plans and graphs that begin unlike the world.
fn fits(problem: &Problem) -> bool {
    let first = problem.world.graph.initial_kind();
    let plan = problem.plan.as_ref().is_none_or(|p| p.graph.initial_kind() == first);
    plan && match &problem.observer.knows {
        Knows::Plans(plans) => plans.iter().all(|p| p.graph.initial_kind() == first),
        Knows::Graph(graph) => graph.graph.initial_kind() == first,
        _ => true,
    }
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
        match (question::check(&p, &Unlimited), check::check(&p)) {
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

#[test]
fn audit() {
    for p in problems(seed(2), 4000 * effort(), &Profile::default()) {
        match (question::audit(&p, &Unlimited), audit::audit(&p)) {
            (Ok(None), Ok(broken)) => assert!(broken.is_empty(), "{broken:?} {p:?}"),
            (Ok(Some(v)), Ok(broken)) => {
                let shortest = broken.values().min().copied();
                assert_eq!(shortest, Some(v.execution.len()), "{v:?} {broken:?} {p:?}");
                assert_eq!(shows_in_audit(&p, &v.execution, v.stipulation), Ok(true), "{v:?} {p:?}");
            }
            (Err(error), Err(refusal)) => assert!(refused(error, refusal), "{p:?}"),
            (ours, theirs) => panic!("{ours:?} but {theirs:?} of {p:?}"),
        }
    }
}

fn same_plans(p: &Problem) {
    let least = match seek_plan(p) {
        Err(Refusal::TooLarge) => return,
        least => least.unwrap_or_else(|refusal| panic!("{refusal} {p:?}")),
    };
    for minimize in [Minimize::Events, Minimize::Cost] {
        let options = SeekOptions { minimize, ..SeekOptions::default() };
        let found =
            question::seek::seek_plan(p, &options, &Unlimited).unwrap_or_else(|e| panic!("{e} {p:?}"));
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

#[test]
fn a_divulged_plan_may_remember_what_it_spent() {
    same_plans(&divulge_naive::examples::spending());
}

#[test]
fn what_won_once_is_not_forgotten() {
    same_plans(&divulge_naive::examples::lanes());
}
