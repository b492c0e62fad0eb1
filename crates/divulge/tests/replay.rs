//! The replayer and the twin runs against the definitions, on random problems.

use std::collections::BTreeSet;

use divulge::{
    explain::{Breach, Met, Missed, Standing, Twin, Why},
    formula::resolve,
    limit::Unlimited,
    problem::{Filter, Kind, Label, LabelMap, Plan, Problem, Scope, Vertex},
    verdict::{QuestionError, Reason, Violation},
};
use divulge_naive::{
    graph::{Graph, plain, trimmed},
    observer::Observer,
    put::{audit, check, confirms, explain, replay},
    random::{self, Profile, Rng, problem},
    witness::estimate_after,
};

fn problems(seed: u64, count: usize) -> impl Iterator<Item = Problem> {
    let mut rng = Rng::new(random::seed(seed));
    (0..count * random::effort()).map(move |_| problem(&mut rng, &Profile::default()))
}

/// The problem's map, the observer by the definitions, and the world as a plain graph, for problems that are good input.
fn parts(problem: &Problem) -> Option<(&LabelMap, Observer, Graph<Label>)> {
    let same_kind = |g: &divulge::problem::PGraph| g.initial_kind() == problem.world.graph.initial_kind();
    if let Filter::Graph(filter) = &problem.observer.filter
        && !same_kind(&filter.graph.graph)
    {
        return None;
    }
    Some((problem.observer.map.as_ref()?, Observer::new(problem).ok()?, plain(&problem.world.graph)))
}

/// Walks at random through what two graphs have in common.
fn wander(rng: &mut Rng, graphs: &[&Graph<Label>], longest: usize) -> Vec<Label> {
    let mut at: Vec<BTreeSet<usize>> = graphs.iter().map(|g| g.initial.clone()).collect();
    let mut execution = Vec::new();
    for _ in 0..longest {
        let labels = graphs
            .iter()
            .zip(&at)
            .map(|(g, at)| -> BTreeSet<Label> { at.iter().flat_map(|&v| g.labels(v)).collect() });
        let common: Vec<Label> = labels.reduce(|a, b| &a & &b).unwrap_or_default().into_iter().collect();
        if common.is_empty() {
            break;
        }
        let label = *rng.pick(&common);
        execution.push(label);
        for (at, graph) in at.iter_mut().zip(graphs) {
            *at = graph.after(at, &label);
        }
    }
    execution
}

#[test]
fn estimates_are_those_of_the_definitions() {
    let (mut compared, mut rng) = (0, Rng::new(11));
    for problem in problems(1, 4000) {
        let Some((map, observer, world)) = parts(&problem) else { continue };
        let execution = wander(&mut rng, &[&world, &observer.divulged], 6);
        let Ok(replayed) = replay(&problem, map, None, &execution) else { continue };
        assert_eq!(replayed.moments.len(), execution.len() + 1);
        assert_eq!(replayed.admitted, !observer.divulged.reached(&execution).is_empty(), "{problem:#?}");
        for (n, moment) in replayed.moments.iter().enumerate() {
            let expected = estimate_after(&observer, &execution[..n]);
            let estimate: BTreeSet<usize> =
                moment.estimate.iter().flatten().map(|v: &Vertex| v.index()).collect();
            assert_eq!(estimate, expected, "after {n} events of {execution:?} in {problem:#?}");
            let reached: BTreeSet<usize> = moment.world.iter().map(|v| v.index()).collect();
            assert_eq!(reached, world.reached(&execution[..n]));
            compared += 1;
        }
    }
    assert!(compared > 10_000, "only {compared} estimates were compared");
}

#[test]
fn what_check_finds_the_replayer_confirms() {
    let mut tally = std::collections::BTreeMap::new();
    let mut rng = Rng::new(12);
    for problem in problems(2, 4000) {
        let Ok(found) = check(&problem, &Unlimited) else { continue };
        let (map, plan) = (problem.observer.map.as_ref().unwrap(), problem.plan.as_ref().unwrap());
        match found {
            Some(violation) => {
                *tally.entry(violation.reason.word()).or_insert(0) += 1;
                assert_eq!(confirms(&problem, map, Some(plan), &violation), Ok(true), "{violation:?}");
                explained(&problem, map, Some(plan), &violation);
                refuses_nonsense(&problem, map, plan, &violation);
            }
            None => {
                *tally.entry("holds").or_insert(0) += 1;
                let joint = [&trimmed(plan), &plain(&problem.world.graph)];
                for _ in 0..5 {
                    let execution = wander(&mut rng, &joint, 12);
                    unbroken(&problem, map, Some(plan), &execution);
                }
            }
        }
    }
    for (what, least) in [
        ("holds", 500),
        ("unsafe-action", 100),
        ("unforeseen-observation", 100),
        ("terminates-off-goal", 100),
        ("stuck", 50),
        ("unbounded", 20),
        ("outside-divulged", 20),
        ("stipulation", 200),
    ] {
        assert!(tally.get(what).is_some_and(|&n| n >= least), "{what}: {tally:?}");
    }
}

#[test]
fn what_audit_finds_the_replayer_confirms() {
    let (mut holds, mut broken, mut rng) = (0, 0, Rng::new(13));
    for problem in problems(3, 4000) {
        let Ok(found) = audit(&problem, &Unlimited) else { continue };
        let map = problem.observer.map.as_ref().unwrap();
        if let Some(violation) = found {
            assert_eq!(confirms(&problem, map, None, &violation), Ok(true), "{violation:?}");
            explained(&problem, map, None, &violation);
            broken += 1;
        } else if let Some((_, observer, world)) = parts(&problem) {
            for _ in 0..5 {
                let execution = wander(&mut rng, &[&world, &observer.divulged], 8);
                unbroken(&problem, map, None, &execution);
            }
            holds += 1;
        }
    }
    assert!(holds > 500 && broken > 500, "{holds} hold, {broken} are broken");
}

/// Where the verdict is `holds`, no replay may find anything broken.
fn unbroken(problem: &Problem, map: &LabelMap, plan: Option<&Plan>, execution: &[Label]) {
    let replayed = replay(problem, map, plan, execution).unwrap();
    for moment in &replayed.moments {
        for (standing, stipulation) in moment.stipulations.iter().zip(&problem.observer.stipulations) {
            let asked = plan.is_some() || stipulation.scope == Scope::Always;
            assert!(!asked || !matches!(standing, Standing::Broken(_)), "{execution:?} in {problem:#?}");
        }
    }
}

/// A witness that has been tampered with must not be confirmed.
fn refuses_nonsense(problem: &Problem, map: &LabelMap, plan: &Plan, violation: &Violation) {
    let confirmed = |v: &Violation| confirms(problem, map, Some(plan), v) == Ok(true);
    if violation.reason == Reason::Stipulation {
        let empty = Some(Vec::new());
        assert!(!confirmed(&Violation { estimate: empty, ..violation.clone() }));
        assert!(!confirmed(&Violation { reason: Reason::OutsideDivulged, ..violation.clone() }));
    }
    if violation.event.is_some() {
        assert!(!confirmed(&Violation { event: None, ..violation.clone() }));
    }
    if violation.cycle.is_some() {
        assert!(!confirmed(&Violation { cycle: Some(Vec::new()), ..violation.clone() }));
    }
    assert!(
        !confirmed(&Violation { at: None, stipulation: None, cycle: None, ..violation.clone() })
            || violation.reason == Reason::OutsideDivulged
    );
}

fn explained(problem: &Problem, map: &LabelMap, plan: Option<&Plan>, violation: &Violation) {
    let explanation = explain(problem, map, plan, violation).unwrap();
    assert_eq!(explanation.breach.is_some(), violation.reason == Reason::Stipulation);
    let Some(Breach { clause, missed, met, .. }) = &explanation.breach else { return };
    assert_eq!((missed.len(), met.len()), (clause.positive.len(), clause.negative.len()));
    let Some((_, observer, world)) = parts(problem) else { return };
    let look = |run: &[Label]| -> Vec<_> { run.iter().map(|&l| map.image(l)).collect() };
    let judge = Judge { problem, map, observer, world };
    for Met { predicate, twin, itself, same_image } in met {
        judge.real(twin);
        let mask = resolve::vertices(&problem.world, predicate).unwrap();
        assert!(mask.contains(twin.end().index()));
        assert_eq!(*itself, twin.execution == violation.execution);
        assert_eq!(*same_image, look(&twin.execution) == look(&violation.execution));
        assert!(*same_image || problem.observer.filter != Filter::Strongest);
        let same = judge.memory(&twin.execution) == judge.memory(&violation.execution);
        assert!(same, "the observer can tell {twin:?} from {violation:?}");
    }
    for missed in missed {
        judge.missed(missed, &violation.execution, violation.estimate.as_deref().unwrap());
    }
}

struct Judge<'a> {
    problem: &'a Problem,
    map: &'a LabelMap,
    observer: Observer,
    world: Graph<Label>,
}

impl Judge<'_> {
    fn memory(&self, run: &[Label]) -> divulge_naive::observer::Memory {
        run.iter().fold(self.observer.start(), |memory, &l| self.observer.after(&memory, l))
    }

    fn expected(&self, run: &[Label]) -> bool {
        !self.world.reached(run).is_empty() && !self.observer.divulged.reached(run).is_empty()
    }

    /// A twin is an execution in L(W) ∩ L(D), and its path is one of that execution's.
    fn real(&self, twin: &Twin) {
        assert!(self.expected(&twin.execution));
        assert_eq!(twin.path.len(), twin.execution.len() + 1);
        assert!(self.world.initial.contains(&twin.path[0].index()));
        for (i, label) in twin.execution.iter().enumerate() {
            assert!(self.world.step(twin.path[i].index(), label).contains(&twin.path[i + 1].index()));
        }
    }

    fn missed(&self, missed: &Missed, execution: &[Label], estimate: &[Vertex]) {
        let mask = resolve::vertices(&self.problem.world, &missed.predicate).unwrap();
        assert!(estimate.iter().all(|w| !mask.contains(w.index())));
        let mut ruled = Vec::new();
        for out in &missed.ruled_out {
            ruled.push(out.event);
            let seen = self.map.image(execution[out.event - 1]);
            self.real(&out.twin);
            let before = &execution[..out.event - 1];
            assert_eq!(out.twin.execution.len(), before.len());
            assert!(
                out.twin.execution.iter().zip(before).all(|(&a, &b)| self.map.image(a) == self.map.image(b))
            );
            assert!(out.vertices.contains(&out.twin.end()));
            let end = out.twin.end().index();
            let goes = |label: Label| self.expected(&[&out.twin.execution[..], &[label]].concat());
            let bears = |&label: &Label| self.world.labels(end).contains(&label);
            if let Some(whole) = &out.whole {
                self.real(whole);
                assert!(whole.execution.len() == execution.len() && mask.contains(whole.end().index()));
                assert!(whole.execution.starts_with(&out.twin.execution));
            }
            match &out.why {
                Why::LooksDifferent(labels) => {
                    assert!(!labels.is_empty());
                    assert!(labels.iter().all(|&l| bears(&l) && goes(l) && self.map.image(l) != seen));
                }
                Why::NotDivulged(labels) => assert!(!labels.is_empty() && labels.iter().all(bears)),
                Why::PlanStops => assert!(!self.world.labels(end).is_empty()),
                Why::WorldStops => assert!(self.world.labels(end).is_empty()),
            }
        }
        assert!(ruled.is_sorted());
        self.complete(missed, execution, &mask);
    }

    /// If some expected run of that many events ends in the mask, then some event must have ruled it out.
    fn complete(&self, missed: &Missed, execution: &[Label], mask: &divulge::sets::BitSet) {
        let mut pairs = divulge_naive::observer::pairs(&self.world.initial, &self.observer.divulged.initial);
        for _ in execution {
            pairs = pairs
                .iter()
                .flat_map(|&(w, d)| self.world.labels(w).into_iter().map(move |l| (w, d, l)))
                .flat_map(|(w, d, l)| {
                    divulge_naive::observer::pairs(
                        &self.world.step(w, &l),
                        &self.observer.divulged.step(d, &l),
                    )
                })
                .collect();
        }
        let possible = pairs.iter().any(|&(w, _)| mask.contains(w));
        assert!(!possible || !missed.ruled_out.is_empty(), "nothing ruled {missed:?} out of {execution:?}");
        // Runs outside the divulged plan are spoken of only if there is no other.
        let undivulged = |why: &Why| matches!(why, Why::NotDivulged(_));
        assert!(!possible || !missed.ruled_out.iter().any(|out| undivulged(&out.why)));
    }
}

#[test]
fn a_plan_that_starts_otherwise_is_refused() {
    let mut seen = 0;
    for problem in problems(4, 400) {
        let (map, plan) = (problem.observer.map.as_ref().unwrap(), problem.plan.as_ref().unwrap());
        if plan.graph.initial_kind() != problem.world.graph.initial_kind() {
            let refused = Err(QuestionError::OtherKind("the plan"));
            assert_eq!(replay(&problem, map, Some(plan), &[]).map(|_| ()), refused);
            seen += 1;
        }
    }
    // The generator makes few of them, so one is made here as well.
    let mut alphabet = divulge::problem::Alphabet::new();
    let mut b = divulge::problem::Builder::new(&mut alphabet);
    b.observations(["q"]).initial("q");
    let plan = b.plan().unwrap();
    let problem = problems(5, 50).find(|p| p.world.graph.initial_kind() == Kind::Action);
    let problem = problem.expect("worlds that start with actions are common");
    let map = problem.observer.map.as_ref().unwrap();
    assert!(replay(&problem, map, Some(&plan), &[]).is_err(), "after {seen} of the generator's");
}
