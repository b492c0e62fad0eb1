//! Why stipulations break where some events are unseen or the past counts, on random problems: the runs that are told of are real, and look
//! as they are said to look.

use divulge::{
    Question, Verdict, ask,
    ask::What,
    explain::{Twin, Uneven},
    formula::resolve,
    limit::Unlimited,
    problem::{Image, Label, LabelMap, Problem, Scope},
    verdict::{Reason, Violation},
};
use divulge_naive::random::{self, Features, Profile, Rng, beyond};

struct Told<'a> {
    problem: &'a Problem,
    map: &'a LabelMap,
    violation: &'a Violation,
}

impl Told<'_> {
    fn look(&self, events: &[Label]) -> Vec<Image> {
        events.iter().filter_map(|&label| self.map.image(label)).collect()
    }

    /// The run is one of the world's, and looks like so many events of the execution.
    fn real(&self, twin: &Twin, events: usize) {
        let graph = &self.problem.world.graph;
        assert!(graph.initial().contains(&twin.path[0]), "{twin:?}");
        assert_eq!(twin.path.len(), twin.execution.len() + 1);
        for (&label, ends) in twin.execution.iter().zip(twin.path.windows(2)) {
            assert!(graph.step(ends[0], label).iter().any(|arc| arc.to == ends[1]), "{twin:?}");
        }
        assert_eq!(self.look(&twin.execution), self.look(&self.violation.execution[..events]));
    }

    fn explained(&self, uneven: &Uneven, past: bool) {
        let (all, clause) = (self.violation.execution.len(), &uneven.clause);
        if self.violation.moment.is_some_and(|moment| moment < all) {
            return;
        }
        assert_eq!(uneven.gone.len(), clause.positive.len());
        let ends_in = |twin: &Twin, predicate| {
            // What the past was is not written on the vertices of the world.
            past || resolve::vertices(&self.problem.world, predicate).unwrap().contains(twin.end().index())
        };
        for gone in &uneven.gone {
            assert_ne!(gone.last_possible, Some(all), "it is ruled out in the end");
            // What was given away was given away by an event that is seen.
            if let Some(before) = gone.last_possible {
                assert!(self.map.image(self.violation.execution[before]).is_some());
            }
            if let Some(twin) = &gone.twin {
                self.real(twin, gone.last_possible.unwrap());
                assert!(ends_in(twin, &gone.predicate));
            }
        }
        for (predicate, twin) in &uneven.left {
            self.real(twin, all);
            assert!(ends_in(twin, predicate));
        }
    }
}

fn compared(features: Features) -> usize {
    let mut rng = Rng::new(random::seed(71));
    let mut told = 0;
    for _ in 0..1500 * random::effort() {
        let problem = beyond(&mut rng, &Profile::default(), features);
        let question = Question::new(What::Audit);
        let Ok(answer) = ask(&problem).question(question).explained(&Unlimited).within(&Unlimited) else {
            continue;
        };
        let Verdict::Violated { violation, explanation: Some(explanation) } = &answer.verdict else {
            continue;
        };
        let Some(observer) = problem.observers().nth(violation.observer) else { continue };
        let stipulation = violation.stipulation.map(|i| &observer.stipulations[i]);
        let Some(map) = &observer.map else { continue };
        if let Some(uneven) = &explanation.uneven {
            assert!(explanation.breach.is_none());
            Told { problem: &problem, map, violation }.explained(uneven, features.past);
            told += 1;
        } else if violation.reason == Reason::Stipulation && explanation.breach.is_none() {
            // Runs are told of in another way; of a moment with a past there is nothing to say.
            let scope = stipulation.map(|s| s.scope);
            assert!(
                scope == Some(Scope::Run) || features.past && violation.moment.is_some(),
                "{scope:?} {features:?}"
            );
        }
    }
    told
}

#[test]
fn runs_that_are_told_of_are_real() {
    for (name, features) in Features::each() {
        let told = compared(features);
        let uneven = features.unseen || features.past || features.hindsight;
        assert!(!uneven || told > 20, "{name}: only {told} were told of");
    }
}
