//! Answers in the formats of other tools.

use std::io;

use divulge::{
    Monitor,
    ask::{Answer, What},
    problem::{Plan, Problem},
};
use divulge_render::{
    bt::{BehaviorTree, NoTree},
    dot,
    itf::Trace,
};

use crate::{asked::Refused, pictures::has_plan};

/// What an answer is in the format `to`, and what there is to say of it. `problem` has what was found filled in.
///
/// # Errors
/// If there is nothing to write, it cannot be written so, or a limit is hit.
pub fn exported(
    to: &str,
    problem: &Problem,
    answer: Option<&Answer>,
    monitor: &dyn Monitor,
) -> Result<(String, Option<String>), Refused> {
    let plan = problem.plan.as_ref().filter(|_| has_plan(answer));
    match to {
        "bt" => tree(plan.ok_or_else(no_plan)?, problem, monitor),
        "itf" => trace(problem, answer, monitor),
        "dot-world" => text(|out| dot::world(out, problem)),
        "dot-plan" => {
            let plan = plan.ok_or_else(no_plan)?;
            text(|out| dot::plan(out, plan, &problem.alphabet))
        }
        _ => Err(Refused::new(
            format!("there is no format `{to}`"),
            "say one of `bt`, `itf`, `dot-world`, `dot-plan`",
        )),
    }
}

fn no_plan() -> Refused {
    Refused::new("there is no plan to write", "seek one first")
}

fn tree(plan: &Plan, problem: &Problem, monitor: &dyn Monitor) -> Result<(String, Option<String>), Refused> {
    let made = BehaviorTree::new(plan, &problem.alphabet, monitor).map_err(|e| match e {
        NoTree::Limit(limit) => Refused::Limit(limit),
        e => Refused::Message(e.to_string(), None),
    })?;
    let (text, _) = text(|out| made.write(out))?;
    let chooses = (made.choices() > 0).then(|| {
        format!(
            "The robot must choose unpredictably {} (ChooseAtRandom).",
            times(made.choices(), "in the plan")
        )
    });
    Ok((text, chooses))
}

fn times(count: usize, place: &str) -> String {
    if count == 1 { format!("at one place {place}") } else { format!("at {count} places {place}") }
}

fn trace(
    problem: &Problem,
    answer: Option<&Answer>,
    monitor: &dyn Monitor,
) -> Result<(String, Option<String>), Refused> {
    let violated = answer.and_then(|answer| Some((answer.violation()?, answer.question.what)));
    let Some((violation, what)) = violated else {
        return Err(Refused::new(
            "nothing is violated, so there is no trace",
            "check or audit what is violated",
        ));
    };
    let followed = Trace::new(problem, violation, what == What::Check, monitor)?;
    text(|out| followed.write(out))
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(String, Option<String>), Refused> {
    let mut out = Vec::new();
    // Memory takes whatever is written.
    write(&mut out).expect("a vector can be written to");
    Ok((String::from_utf8_lossy(&out).into_owned(), None))
}
