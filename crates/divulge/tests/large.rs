//! What pays for large problems alone gives the same answers as what small ones do.

use divulge::{
    ask::{Question, What, ask},
    limit::{Unlimited, share_out_the_least},
    problem::{Knows, Problem},
};
use divulge_model::families::{Nuclear, corridor, nuclear};

/// All that an answer says.
fn told(problem: &Problem, question: &Question) -> String {
    let answer = ask(problem).question(question.clone()).within(&Unlimited).expect("an answer");
    format!("{:?}", answer.verdict)
}

#[test]
fn values_within_a_tighter_budget_are_the_same() {
    let mut problems = vec![corridor(30).expect("a corridor")];
    for (rows, cols) in [(3, 4), (6, 8), (6, 9), (9, 12), (12, 16), (14, 14)] {
        for knows in [Knows::World, Knows::GoalDirected] {
            problems.push(nuclear(&Nuclear { knows, ..Nuclear::new(rows, cols) }).expect("an inspection"));
        }
    }
    // Nothing is sought ahead, so everything is explored and induced backwards.
    let question = Question { look_ahead: usize::MAX, ..Question::new(What::Plan) };
    let before: Vec<String> = problems.iter().map(|problem| told(problem, &question)).collect();
    share_out_the_least();
    for (problem, before) in problems.iter().zip(&before) {
        assert_eq!(&told(problem, &question), before);
    }
}
