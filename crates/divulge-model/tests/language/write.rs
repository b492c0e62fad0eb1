//! Problems as models: what is written reads back as the same problem, in canonical layout.

use divulge::problem::{Knows, LabelMap, Observer, Problem};
use divulge_model::document::{Document, read, to_string};
use divulge_model::language::{NoIncludes, format, load_all, write};
use divulge_naive::random::{self, Features, Profile, Rng, beyond, odd};

/// The model of a problem, read again and found to be the same.
fn same_again(problem: &Problem) -> String {
    let text = write(problem).unwrap_or_else(|e| panic!("{e}\n{}", to_string(problem)));
    let (read, found) = load_all("written.divulge", &text, &NoIncludes, &[]);
    let read = read.unwrap_or_else(|| panic!("{}\n{text}", found.render(false)));
    assert_eq!(to_string(&read), to_string(problem), "{text}");
    assert_eq!(format("written.divulge", &text).ok().as_ref(), Some(&text));
    text
}

#[test]
fn random_problems_are_the_same_again() {
    let mut rng = Rng::new(random::seed(61));
    let (mut quoted, mut plans, mut graphs, mut sought) = (0, 0, 0, 0);
    for profile in [Profile::default(), Profile::maps(true), Profile::maps(false)] {
        for _ in 0..200 * random::effort() {
            // A problem may have labels that nothing bears and nothing lists; it then has no document, and no model.
            let document = read("random.json", &to_string(&random::problem(&mut rng, &profile)));
            let Ok(Document { problem, .. }) = document else { continue };
            let text = same_again(&problem);
            quoted += usize::from(text.contains(": always \"") || text.contains(": at end \""));
            plans += usize::from(matches!(problem.observer.knows, Knows::Plans(_)));
            graphs += usize::from(text.contains("filter graph"));
            sought += usize::from(!problem.observer.constraints.is_empty());
        }
    }
    assert!(quoted > 10 && plans > 10 && graphs > 10 && sought > 10, "{quoted} {plans} {graphs} {sought}");
}

#[test]
fn several_observers_unseen_events_runs_hindsight_and_the_past_are_the_same_again() {
    let mut rng = Rng::new(random::seed(67));
    for (name, features) in Features::each() {
        let mut written = 0;
        for _ in 0..60 * random::effort() {
            let problem = beyond(&mut rng, &Profile::default(), features);
            let Ok(Document { problem, .. }) = read("random.json", &to_string(&problem)) else { continue };
            same_again(&problem);
            written += 1;
        }
        assert!(written > 20, "{name}: {written}");
    }
}

#[test]
fn odd_names_and_values_are_the_same_again() {
    let (mut written, mut large, mut scopes) = (0, 0, [0; 4]);
    for seed in 0..1500 {
        let mut problem = odd(&mut Rng::new(seed));
        let limit = i64::MAX as u64;
        let costs = problem.costs.iter().map(|(_, cost)| *cost);
        let merges = problem.observer.constraints.merge_cost.iter().map(|(_, _, cost)| *cost);
        if costs.chain(merges).any(|cost| cost > limit) {
            let refused = write(&problem).expect_err("too large a number").to_string();
            assert!(refused.contains("the language counts up to 9223372036854775807"), "{refused}");
            large += 1;
            problem.costs.iter_mut().for_each(|(_, cost)| *cost %= limit);
            problem.observer.constraints.merge_cost.iter_mut().for_each(|(_, _, cost)| *cost %= limit);
        }
        if seed % 3 == 0 {
            problem.observer.name = Some("first one".to_owned());
            let map = Some(LabelMap::identity(&problem.alphabet));
            problem.others =
                vec![Observer { name: Some("second".to_owned()), map, ..Observer::new(Knows::World) }];
        }
        let text = same_again(&problem);
        for (word, often) in
            [": run ", ": eventually ", ": hindsight ", " not at all"].iter().zip(&mut scopes)
        {
            *often += usize::from(text.contains(word));
        }
        written += 1;
    }
    assert!(scopes.iter().all(|&often| often > 20), "{scopes:?}");
    assert!(written > 1000 && large > 100, "{written} written, {large} too large");
}

#[test]
fn examples_are_the_same_again() {
    for (name, text) in crate::examples() {
        same_again(&crate::problem(&name, &text, &[]));
    }
}

#[test]
fn what_cannot_be_said_is_refused_with_a_reason() {
    let mut problem = odd(&mut Rng::new(1));
    problem.costs.clear();
    problem.observer.constraints.merge_cost.clear();
    let twice = divulge::problem::Stipulation::new("s", Default::default(), "true").unwrap();
    problem.observer.stipulations = vec![twice.clone(), twice];
    let refused = write(&problem).expect_err("two of one name").to_string();
    assert!(refused.contains("`s` is defined twice"), "{refused}");
}
