//! Audits of logs find everything that is broken, not the first thing alone.

use std::collections::BTreeSet;

use divulge::{
    Unlimited,
    problem::{Label, Problem},
    setting::{Setting, unfold},
};
use divulge_guard::{Audit, Reason, audit, audit_images};
use divulge_naive::random::{self, Features, Profile, Rng, effort, seed};

/// What is broken when: after how many events or images, whose stipulation, and its name.
type Broken = BTreeSet<(usize, usize, String)>;

fn broken(problem: &Problem, found: &Audit) -> Broken {
    let of = |finding: &divulge_guard::Finding| {
        let (observer, stipulation) = (finding.observer?, finding.stipulation?);
        assert_eq!(finding.held.reason, Reason::Stipulation);
        let observers: Vec<_> = problem.observers().collect();
        Some((finding.after, observer, observers[observer].stipulations[stipulation].name.clone()))
    };
    found.findings.iter().filter_map(of).collect()
}

/// What a log of events shows, and what each observer's own images do; nothing where it cannot be asked.
fn audits(problem: &Problem, events: &[Label]) -> Option<(Audit, Vec<Audit>)> {
    let unfolded = unfold(problem, &Unlimited).ok()?;
    let posed = unfolded.as_ref().unwrap_or(problem);
    let setting = Setting::pose(posed, problem.plan.as_ref(), &Unlimited).ok()?;
    let names: Vec<String> = events.iter().map(|&label| problem.alphabet.name(label).to_owned()).collect();
    let found = audit(&setting, &names, true).ok()?;
    let by_images = problem.observers().enumerate().map(|(number, observer)| {
        let map = observer.map.as_ref()?;
        let seen: Vec<String> = events.iter().filter_map(|&l| map.look(l)).map(str::to_owned).collect();
        audit_images(&setting, number, &seen, true).ok()
    });
    Some((found, by_images.collect::<Option<_>>()?))
}

/// A log that the world allows for the most part.
fn log(problem: &Problem, rng: &mut Rng) -> Vec<Label> {
    let graph = &problem.world.graph;
    let mut at = *rng.pick(graph.initial());
    let mut events = Vec::new();
    for _ in 0..rng.below(9) {
        let labels: Vec<Label> = graph.labels(at).collect();
        if labels.is_empty() {
            break;
        }
        let label = *rng.pick(&labels);
        at = rng.pick(graph.step(at, label)).to;
        events.push(label);
    }
    events
}

/// With all of an observer's stipulations the same is found as with each of them alone.
#[test]
fn every_broken_stipulation_is_found() {
    let profile = Profile { stipulations: 2..=4, lenience: 1, bad_filters: false, ..Profile::default() };
    let mut rng = Rng::new(seed(71));
    let (mut together, mut at_once) = (0, 0);
    for (_, features) in Features::each().into_iter().cycle().take(450 * effort()) {
        let problem = random::beyond(&mut rng, &profile, features);
        let events = log(&problem, &mut rng);
        let Some((found, by_images)) = audits(&problem, &events) else { continue };
        let all = broken(&problem, &found);
        let mut each = Broken::new();
        for observer in 0..problem.observers().count() {
            let number = problem.observers().nth(observer).map_or(0, |o| o.stipulations.len());
            let mut images = Broken::new();
            for one in 0..number {
                let mut alone = problem.clone();
                for (at, other) in alone.observers_mut().enumerate() {
                    let kept = other.stipulations.get(one).cloned().filter(|_| at == observer);
                    other.stipulations = kept.into_iter().collect();
                }
                let (events, seen) = audits(&alone, &events).expect("with fewer stipulations, too");
                each.extend(broken(&alone, &events));
                images.extend(broken(&alone, &seen[observer]));
            }
            assert_eq!(broken(&problem, &by_images[observer]), images, "{problem:?}");
        }
        assert_eq!(all, each, "{events:?} {problem:?}");
        together += usize::from(all.len() > 1);
        let mut places: Vec<(usize, usize)> = all.iter().map(|(after, of, _)| (*after, *of)).collect();
        places.dedup();
        at_once += usize::from(places.len() < all.len());
    }
    assert!(together > 60 && at_once > 30, "{together} with several, {at_once} with several at once");
}
