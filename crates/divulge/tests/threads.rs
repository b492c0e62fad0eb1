//! The same answer for any number of threads, where even the least work is shared out to them.

use divulge::{
    ask::{Question, What, ask},
    limit::{Unlimited, share_out_the_least},
    problem::Problem,
    seek::{Minimize, Offers},
};
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
        for question in questions {
            let Some(expected) = told(&problem, question) else { continue };
            answers += 1;
            for threads in [2, 3, 8] {
                let threads = Question { threads, ..question.clone() };
                assert_eq!(told(&problem, &threads).as_ref(), Some(&expected), "{question:?} {problem:?}");
            }
        }
    }
    assert!(answers >= count, "{answers}");
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

#[test]
fn checks_and_audits() {
    compare(&Profile::seek_fixed(), 73, 500, &[Question::new(What::Check), Question::new(What::Audit)]);
}
