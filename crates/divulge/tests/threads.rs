//! The same answer for any number of threads, where even the least work is shared out to them.

use divulge::{
    ask::{Question, What, ask},
    audit::{AuditOptions, Ends},
    limit::{Unlimited, share_out_the_least},
    maps::Sharing,
    problem::{Knows, Label, LabelMap, Problem, Scope},
    seek::{Minimize, Offers},
};
use divulge_model::families::{Automaton, Nuclear, automaton, ice, nuclear, parcels, rooms, wards};
use divulge_naive::random::{self, Features, Profile, Rng};

/// All that an answer says, and how much work it was.
fn told(problem: &Problem, question: &Question) -> Option<String> {
    let answer = ask(problem).question(question.clone()).within(&Unlimited).ok()?;
    Some(format!("{:?} {:?}", answer.verdict, answer.work))
}

fn compare(profile: &Profile, seed: u64, count: usize, questions: &[Question]) {
    compare_beyond(profile, Features::default(), seed, count, questions);
}

fn compare_beyond(profile: &Profile, features: Features, seed: u64, count: usize, questions: &[Question]) {
    share_out_the_least();
    let mut rng = Rng::new(random::seed(seed));
    let mut answers = 0;
    for turn in 0..count * random::effort() {
        let mut problem = random::beyond(&mut rng, profile, features);
        if problem.plan.is_none() && turn.is_multiple_of(2) {
            problem.plan = Some(random::plan(&mut rng, &problem, profile));
        }
        answers += same(&problem, questions);
    }
    assert!(answers >= count, "{answers}");
}

/// Whether answers are the same; how many there are.
fn same(problem: &Problem, questions: &[Question]) -> usize {
    let mut answers = 0;
    for question in questions {
        let Some(expected) = told(problem, question) else { continue };
        answers += 1;
        for threads in [2, 3, 8] {
            let threads = Question { threads, ..question.clone() };
            assert_eq!(told(problem, &threads).as_ref(), Some(&expected), "{question:?} {problem:?}");
        }
    }
    answers
}

/// From either end, from both as usual, and from both at once.
fn audits() -> [Question; 4] {
    [(Ends::Both, None), (Ends::Start, None), (Ends::Violation, None), (Ends::Both, Some(0))].map(
        |(ends, head_start)| Question {
            audit: AuditOptions { ends, head_start },
            ..Question::new(What::Audit)
        },
    )
}

#[test]
fn plans_where_the_divulged_plan_is_given() {
    let plan = Question::new(What::Plan);
    let questions = [
        plan.clone(),
        Question { minimize: Minimize::Cost, offers: Offers::Permissive, ..plan.clone() },
        // Nothing is sought ahead, so everything is explored and induced backwards.
        Question { look_ahead: usize::MAX, ..plan.clone() },
        Question { look_ahead: usize::MAX, minimize: Minimize::Cost, ..plan },
    ];
    compare(&Profile::seek_fixed(), 71, 150, &questions);
}

#[test]
fn plans_that_several_watch() {
    let plan = Question { look_ahead: 0, ..Question::new(What::Plan) };
    let questions = [Question::new(What::Plan), Question { look_ahead: usize::MAX, ..plan.clone() }, plan];
    let observers = Features { observers: true, unseen: true, ..Features::default() };
    compare_beyond(&Profile::seek_fixed(), observers, 74, 150, &questions);
    let all = Features { runs: true, hindsight: true, ..observers };
    compare_beyond(&Profile::seek_fixed(), all, 75, 150, &questions);
}

#[test]
fn plans_that_are_divulged_themselves() {
    compare(&Profile::seek_divulged(), 72, 300, &[Question::new(What::Plan)]);
}

/// Every map with its plan, and one map found by jobs from the start.
#[test]
fn maps_and_their_plans() {
    let sharing = Sharing { alone: 1, budget: 1, ahead: 3 };
    let asked = |what| Question { any_map: true, any_plan: true, sharing, ..Question::new(what) };
    let questions = [
        Question { sharing: Sharing::default(), ..asked(What::Maps) },
        asked(What::Maps),
        asked(What::Both),
        Question { shortest: true, ..asked(What::Both) },
    ];
    compare(&Profile::seek_fixed(), 76, 40, &questions);
    compare(&Profile::seek_divulged(), 77, 40, &questions);
}

/// Several observers, unseen events, runs, hindsight and the past.
#[test]
fn audits_beyond() {
    share_out_the_least();
    let mut rng = Rng::new(random::seed(74));
    let profile = Profile { vertices: 5..=9, stipulations: 1..=2, plan: false, ..Profile::default() };
    for (name, features) in Features::each() {
        let mut answers = 0;
        for _ in 0..60 * random::effort() {
            answers += same(&random::beyond(&mut rng, &profile, features), &audits());
        }
        assert!(answers >= 60, "{name}: {answers}");
    }
}

/// Automata with more demands of one length than there are threads, as they are, with unseen events and in hindsight.
#[test]
fn audits_of_automata() {
    share_out_the_least();
    let [both, .., at_once] = audits();
    let mut violated = 0;
    for seed in 0..12 {
        let (arcs, starts) = ([90, 130, 100, 60][seed as usize % 4], [1, 40][seed as usize / 4 % 2]);
        let made = Automaton { states: 40, events: 4, images: 2, arcs, secrets: 8, starts, seed };
        let plain = automaton(&made).expect("an automaton");
        for (unseen, scope) in [
            (false, Scope::Always),
            (true, Scope::Always),
            (false, Scope::Hindsight { within: Some(3) }),
            (true, Scope::Hindsight { within: None }),
        ] {
            let mut problem = plain.clone();
            if unseen {
                let map = problem.observer.map.take().expect("a map");
                let seen = |label: Label| map.look(label).filter(|_| label.index() > 0);
                problem.observer.map = Some(LabelMap::seen_from_fn(&problem.alphabet, seen));
            }
            problem.observer.stipulations.iter_mut().for_each(|stipulation| stipulation.scope = scope);
            assert_eq!(same(&problem, &[both.clone(), at_once.clone()]), 2);
            violated += usize::from(told(&problem, &both).is_some_and(|told| told.starts_with("Violated")));
        }
    }
    assert!((5..43).contains(&violated), "{violated}");
}

/// Worlds of many states, whose groups of nodes are cut between threads.
#[test]
fn plans_in_large_worlds() {
    share_out_the_least();
    let plan = Question::new(What::Plan);
    let questions = [
        Question { look_ahead: usize::MAX, ..plan.clone() },
        Question { look_ahead: 64, minimize: Minimize::Cost, ..plan },
    ];
    let inspected = |rows, cols, knows| nuclear(&Nuclear { knows, ..Nuclear::new(rows, cols) });
    let all = [
        inspected(13, 15, Knows::World),
        inspected(12, 12, Knows::World),
        inspected(9, 11, Knows::GoalDirected),
        ice(9, 9),
        parcels(7, 2),
        rooms(40, 3, 2, 2),
        wards(12, 3, Knows::World),
    ];
    for problem in all {
        assert_eq!(same(&problem.expect("a problem"), &questions), 2);
    }
}

#[test]
fn checks_and_audits() {
    compare(&Profile::seek_fixed(), 73, 500, &[&[Question::new(What::Check)], &audits()[..]].concat());
}
