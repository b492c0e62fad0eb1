//! What the session shows of several observers, unseen events, runs, hindsight and the past, against the definitions, on random problems.

use std::collections::BTreeSet;

use divulge::{
    formula::Logic,
    limit::Unlimited,
    problem::{Filter, Label, Problem, Scope, Vertex},
    sets::BitSet,
    setting::unfold,
};
use divulge_explore::{Side, Situation, Snapshot, What, look_alike, snapshot};
use divulge_naive::{
    beyond::{
        follow::{End, Follow, Follower, Moments},
        past::{Estimate, vertices},
        runs::Run,
        watcher::Watcher,
    },
    random::{Features, Profile, Rng, beyond},
};

/// How often each thing was seen, so that the test means something.
#[derive(Debug, Default)]
struct Tally {
    moments: usize,
    observers: usize,
    unseen: usize,
    broken: usize,
    satisfied: usize,
    owed: usize,
    recalled: usize,
}

/// A random walk along the outcomes that the session offers, moment by moment.
fn walk(rng: &mut Rng, situation: &Situation, longest: usize) -> Option<(Vec<Label>, Vec<Snapshot>)> {
    let (mut events, mut moments) = (Vec::new(), vec![snapshot(situation, &[], &Unlimited).ok()?]);
    for _ in 0..longest {
        let last = &moments[moments.len() - 1];
        if last.outcomes.is_empty() {
            break;
        }
        let label = &rng.pick(&last.outcomes).label;
        events.push(situation.problem.alphabet.get(label).expect("an event"));
        moments.push(snapshot(situation, &events, &Unlimited).ok()?);
    }
    Some((events, moments))
}

/// What is shown of one observer along an execution, compared with what follows from the definitions.
struct Compared<'p> {
    problem: &'p Problem,
    situation: &'p Situation,
    number: usize,
    follower: Follower<'p>,
    opposites: Vec<Option<Run>>,
}

impl<'p> Compared<'p> {
    fn new(problem: &'p Problem, situation: &'p Situation, number: usize) -> Option<Self> {
        let follower = Follower::new(Watcher::new(problem, number).ok()?).ok()?;
        let opposite = |s: &divulge::problem::Stipulation| {
            let run = s.scope == Scope::Run;
            run.then(|| Run::new(&Logic::Not(Box::new(s.formula.clone()))).ok()).flatten()
        };
        let opposites = follower.stipulations().iter().map(opposite).collect();
        Some(Self { problem, situation, number, follower, opposites })
    }

    fn along(&self, events: &[Label], moments: &[Snapshot], tally: &mut Tally) {
        let which: Vec<usize> = (0..self.follower.stipulations().len()).collect();
        let mut follow = self.follower.start(&which);
        let mut against: Vec<Option<usize>> =
            self.opposites.iter().map(|run| run.as_ref().map(|run| self.after(run, 0, &follow))).collect();
        for (n, shown) in moments.iter().enumerate() {
            if n > 0 {
                let event = events[n - 1];
                follow = self.follower.after(&which, &follow, event, Moments::All);
                if self.follower.watcher.image(event).is_some() {
                    for (state, run) in against.iter_mut().zip(&self.opposites) {
                        *state = state.zip(run.as_ref()).map(|(state, run)| self.after(run, state, &follow));
                    }
                }
            }
            let side = &shown.sides[self.number];
            // What a filter makes of something unexpected is nobody's estimate.
            if follow.divulged.is_empty() {
                continue;
            }
            let estimate = self.follower.watcher.estimate(&follow.memory);
            let world = &self.situation.problem.world;
            let base = |v: &u32| world.base_vertex(Vertex(*v)).index();
            let told: Option<BTreeSet<usize>> = side.estimate.as_ref().map(|e| e.iter().map(base).collect());
            assert_eq!(told.unwrap_or_default(), vertices(&estimate), "{events:?} in {:#?}", self.problem);
            if side.estimate.is_none() {
                continue;
            }
            let unseen = n > 0 && self.follower.watcher.image(events[n - 1]).is_none();
            assert_eq!(side.unseen, unseen);
            tally.unseen += usize::from(unseen);
            self.stand(side, shown.stops, (&follow, &estimate), &against, tally);
            self.recalls(side, &events[..n], tally);
            let broken = side.stipulations.iter().any(|s| s.state == "broken");
            assert!(n == 0 || shown.events[n - 1].seen[self.number].broken == broken);
            tally.observers += 1;
        }
    }

    fn after(&self, run: &Run, state: usize, follow: &Follow) -> usize {
        let watcher = &self.follower.watcher;
        run.after(&watcher.asked, state, &watcher.estimate(&follow.memory))
    }

    /// Every stipulation stands as it should.
    fn stand(
        &self,
        side: &Side,
        stops: bool,
        (follow, estimate): (&Follow, &Estimate),
        against: &[Option<usize>],
        tally: &mut Tally,
    ) {
        for (i, (state, standing)) in side.stipulations.iter().zip(&follow.standing).enumerate() {
            let breaks = |end| self.follower.breaks(i, standing, estimate, end);
            let scope = self.follower.stipulations()[i].scope;
            let broken = breaks(End::Hope) || stops && breaks(End::Plan);
            assert_eq!(state.state == "broken", broken, "{state:?} in {:#?}", self.problem);
            tally.broken += usize::from(broken);
            assert!(!state.why.is_empty());
            assert_eq!(state.run.is_some(), scope == Scope::Run);
            if scope != Scope::Run || broken {
                continue;
            }
            assert_eq!(state.state == "later", breaks(End::Plan), "{state:?}");
            tally.owed += usize::from(state.now == "still owed");
            if let (Some(run), Some(opposite)) = (&self.opposites[i], against[i]) {
                let satisfied = run.is_bad(opposite);
                assert_eq!(state.now == "satisfied", satisfied, "{state:?} in {:#?}", self.problem);
                tally.satisfied += usize::from(satisfied);
            }
        }
    }

    /// The rows that are given away, and by which event, are those by the letter of the definition.
    fn recalls(&self, side: &Side, events: &[Label], tally: &mut Tally) {
        let watcher = &self.follower.watcher;
        let seen = |n: usize| n == 0 || watcher.image(events[n - 1]).is_some();
        let mut due: BTreeSet<(usize, usize, usize)> = BTreeSet::new();
        for (i, s) in self.follower.stipulations().iter().enumerate() {
            let Scope::Hindsight { within } = s.scope else { continue };
            for then in (0..=events.len()).filter(|&n| seen(n)) {
                let fails = |now: &usize| {
                    let images = (then + 1..=*now).filter(|&n| seen(n)).count();
                    within.is_none_or(|most| images <= most as usize)
                        && !watcher
                            .asked
                            .holds(&s.formula, &watcher.in_hindsight(&events[..then], &events[then..*now]))
                };
                let first = (then..=events.len()).filter(|&now| seen(now)).find(fails);
                due.extend(first.filter(|&now| now > then).map(|now| (i, then, now)));
            }
        }
        let shown: BTreeSet<_> = side.recalled.iter().map(|r| (r.stipulation, r.events, r.since)).collect();
        assert_eq!(shown, due, "{events:?} in {:#?}", self.problem);
        assert!(side.recalled.iter().all(|r| !r.words.is_empty() && !r.short.is_empty()));
        tally.recalled += due.len();
    }
}

#[test]
fn every_observer_is_shown_as_the_definitions_say() {
    let mut tally = Tally::default();
    for (seed, (name, features)) in Features::each().into_iter().enumerate() {
        let mut rng = Rng::new(40 + seed as u64);
        for i in 0..700 {
            let mut problem = beyond(&mut rng, &Profile::default(), features);
            if i % 4 == 0 {
                problem.plan = None;
            }
            let Ok(unfolded) = unfold(&problem, &Unlimited) else { continue };
            let given = unfolded.as_ref().unwrap_or(&problem);
            let Ok(situation) = Situation::new(given, &What::default(), &Unlimited) else { continue };
            // The definitions are followed in the world as it was given, with the same plans and maps.
            let plain = Problem { world: problem.world.clone(), ..situation.problem.clone() };
            let Some((events, moments)) = walk(&mut rng, &situation, 5) else { continue };
            for number in 0..situation.observers() {
                let Some(compared) = Compared::new(&plain, &situation, number) else { continue };
                compared.along(&events, &moments, &mut tally);
            }
            tally.moments += moments.len();
        }
        assert!(tally.moments > 200 * (seed + 1), "{name}: {tally:?}");
    }
    assert!(tally.unseen > 200 && tally.broken > 500 && tally.recalled > 40, "{tally:?}");
    assert!(tally.owed > 100 && tally.satisfied > 50 && tally.observers > tally.moments, "{tally:?}");
}

/// Runs that look alike have the same images, whatever happens unseen.
#[test]
fn look_alikes_look_alike_where_events_are_unseen() {
    let (mut rng, mut found, mut longer) = (Rng::new(60), 0, 0);
    let features = Features { observers: true, unseen: true, ..Features::default() };
    for _ in 0..700 {
        let problem = beyond(&mut rng, &Profile::default(), features);
        let Ok(situation) = Situation::new(&problem, &What::default(), &Unlimited) else { continue };
        let Some((events, moments)) = walk(&mut rng, &situation, 4) else { continue };
        let last = &moments[moments.len() - 1];
        for (number, side) in last.sides.iter().enumerate() {
            let map = situation.map(number);
            for &v in side.estimate.iter().flatten() {
                let places = BitSet::from_fn(problem.world.graph.len(), |w| w == v as usize);
                let Some(run) = look_alike(&situation, number, &events, &places).unwrap() else {
                    assert_ne!(situation.observer(number).filter, Filter::Strongest);
                    continue;
                };
                let seen = |images: &[Option<String>]| images.iter().flatten().cloned().collect::<Vec<_>>();
                assert_eq!(seen(&run.run.images), seen(&run.other.images));
                assert_eq!(run.other.places.last(), Some(&vec![v]));
                let labels: Vec<Label> =
                    run.other.events.iter().filter_map(|name| problem.alphabet.get(name)).collect();
                let watcher = Watcher::new(&situation.problem, number).unwrap();
                let mut divulged = watcher.divulged.initial.clone();
                labels.iter().for_each(|label| divulged = watcher.divulged.after(&divulged, label));
                assert!(!divulged.is_empty(), "the observer reckons with it");
                // Side by side stand events that look the same, and nothing stands alone that is seen.
                for &(one, other) in &run.rows {
                    let look =
                        |run: &divulge_explore::Run, n: Option<usize>| n.and_then(|n| run.images[n].clone());
                    assert_eq!(look(&run.run, one), look(&run.other, other));
                }
                found += 1;
                longer += usize::from(map.hides() && labels.len() != events.len());
            }
        }
    }
    assert!(found > 1_000 && longer > 100, "{found}, {longer}");
}
