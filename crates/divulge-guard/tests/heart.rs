//! The heart beside the definitions: on random problems, after random events, it refuses what they say is to be refused.

use std::collections::BTreeSet;

use divulge::{
    Unlimited,
    problem::{Label, Problem},
    setting::{Setting, unfold},
};
use divulge_guard::{Guard, Refusal};
use divulge_naive::{
    beyond::{
        follow::{End, Follow, Follower, Moments},
        watcher::Watcher,
    },
    graph::{Graph, Set, plain},
    random::{self, Features, Profile, Rng, effort, seed},
};

/// Where the definitions say that everything is.
struct Naive<'p> {
    problem: &'p Problem,
    plan: Graph<Label>,
    world: Graph<Label>,
    followers: Vec<Follower<'p>>,
    at: At,
}

#[derive(Clone)]
struct At {
    plan: Set,
    world: Set,
    follows: Vec<Follow>,
}

/// What the definitions have against something.
#[derive(Debug, PartialEq, Eq)]
enum Against {
    Nothing,
    Unforeseen,
    Impossible,
    Observers(BTreeSet<u32>),
    EarlyEnd,
    OffGoal,
}

impl<'p> Naive<'p> {
    fn new(problem: &'p Problem) -> Option<Self> {
        let plan = plain(&problem.plan.as_ref()?.effective());
        let world = plain(&problem.world.graph);
        let number = problem.observers().count();
        let followers: Option<Vec<_>> =
            (0..number).map(|n| Follower::new(Watcher::new(problem, n).ok()?).ok()).collect();
        let followers = followers?;
        let follows = followers.iter().map(|f| f.start(&all(f))).collect();
        let at = At { plan: plan.initial.clone(), world: world.initial.clone(), follows };
        Some(Self { problem, plan, world, followers, at })
    }

    fn after(&self, label: Label) -> At {
        let each = self.followers.iter().zip(&self.at.follows);
        At {
            plan: self.plan.after(&self.at.plan, &label),
            world: self.world.after(&self.at.world, &label),
            follows: each.map(|(f, at)| f.after(&all(f), at, label, Moments::All)).collect(),
        }
    }

    fn observers(&self, at: &At, end: End) -> Against {
        let each = self.followers.iter().zip(&at.follows).enumerate();
        let broken: BTreeSet<u32> =
            each.filter(|(_, (f, at))| !f.kept(&all(f), at, end)).map(|(n, _)| n as u32).collect();
        if broken.is_empty() { Against::Nothing } else { Against::Observers(broken) }
    }

    fn against(&self, label: Label) -> Against {
        let after = self.after(label);
        match (after.plan.is_empty(), after.world.is_empty()) {
            (true, _) => Against::Unforeseen,
            (_, true) => Against::Impossible,
            _ => self.observers(&after, End::Hope),
        }
    }

    fn against_ending(&self) -> Against {
        let plan = self.problem.plan.as_ref().expect("there is a plan");
        if !self.at.plan.iter().any(|&v| plan.terminal.contains(v)) {
            return Against::EarlyEnd;
        }
        if !self.at.world.iter().all(|&w| self.problem.world.goal.contains(w)) {
            return Against::OffGoal;
        }
        self.observers(&self.at, End::Plan)
    }
}

fn all(follower: &Follower<'_>) -> Vec<usize> {
    (0..follower.stipulations().len()).collect()
}

fn agree(guard: Option<Refusal>, naive: &Against) -> bool {
    match (guard, naive) {
        (None, Against::Nothing)
        | (Some(Refusal::Unforeseen), Against::Unforeseen)
        | (Some(Refusal::Impossible), Against::Impossible)
        | (Some(Refusal::EarlyEnd), Against::EarlyEnd)
        | (Some(Refusal::OffGoal), Against::OffGoal) => true,
        (
            Some(Refusal::Outside { observer } | Refusal::Broken { observer, .. }),
            Against::Observers(broken),
        ) => broken.first() == Some(&observer),
        _ => false,
    }
}

/// Walks at random, sometimes off the plan, and compares at every step what is against every event and against ending.
#[test]
fn the_heart_refuses_what_the_definitions_do() {
    let mut rng = Rng::new(seed(41));
    let profile = Profile { bad_filters: false, odd_kinds: false, ..Profile::default() };
    let (mut compared, mut refused) = (0, 0);
    for (name, features) in Features::each() {
        for round in 0..120 * effort() {
            let problem = random::beyond(&mut rng, &profile, features);
            let Some(mut naive) = Naive::new(&problem) else { continue };
            let Ok(unfolded) = unfold(&problem, &Unlimited) else { continue };
            let posed = unfolded.as_ref().unwrap_or(&problem);
            let Ok(setting) = Setting::pose(posed, problem.plan.as_ref(), &Unlimited) else { continue };
            // Hardly anything is kept, so that forgetting is tried at every step of every other walk.
            let most = if round % 2 == 0 { 0 } else { usize::MAX };
            let Ok(mut guard) = Guard::keeping(&setting, most) else { continue };
            for _ in 0..12 {
                for label in problem.alphabet.labels() {
                    let (is, should) = (guard.refusal(label), naive.against(label));
                    assert!(
                        agree(is, &should),
                        "{name}: {is:?}, not {should:?}, of {label:?} in {problem:?}"
                    );
                    compared += 1;
                    refused += usize::from(is.is_some());
                }
                let (is, should) = (guard.end_refusal(), naive.against_ending());
                assert!(agree(is, &should), "{name}: {is:?}, not {should:?}, at the end, in {problem:?}");
                let possible: Vec<Label> = problem
                    .alphabet
                    .labels()
                    .filter(|&l| !matches!(naive.against(l), Against::Unforeseen | Against::Impossible))
                    .collect();
                let Some(&label) = possible.get(rng.below(possible.len().max(1))) else { break };
                guard.advance(label);
                naive.at = naive.after(label);
            }
        }
    }
    assert!(
        compared > 3000 && refused > compared / 10 && refused < compared * 95 / 100,
        "{refused} of {compared}"
    );
}

/// Preparing changes no answer.
#[test]
fn prepared_places_say_the_same() {
    let mut rng = Rng::new(seed(42));
    let profile = Profile { bad_filters: false, odd_kinds: false, ..Profile::default() };
    for _ in 0..60 * effort() {
        let problem = random::beyond(&mut rng, &profile, Features::default());
        let Ok(setting) = Setting::pose(&problem, problem.plan.as_ref(), &Unlimited) else { continue };
        let (Ok(mut plain), Ok(mut prepared)) = (Guard::new(&setting), Guard::new(&setting)) else {
            continue;
        };
        assert_eq!(prepared.prepare(&setting), Ok(true));
        for _ in 0..10 {
            let offered: Vec<Label> =
                problem.alphabet.labels().filter(|&l| plain.refusal(l).is_none()).collect();
            for label in problem.alphabet.labels() {
                assert_eq!(plain.refusal(label), prepared.refusal(label));
            }
            let Some(&label) = offered.get(rng.below(offered.len().max(1))) else { break };
            plain.advance(label);
            prepared.advance(label);
            assert_eq!(plain.offers(), prepared.offers());
        }
    }
}
