//! What cannot be asked, whatever the question.

use crate::{
    problem::{Filter, Observer, Problem, Scope},
    verdict::QuestionError,
};

/// Refuses what has no meaning, or no known way to an answer.
pub(super) fn askable(problem: &Problem) -> Result<(), QuestionError> {
    let refused = |why: String| Err(QuestionError::Refused(why));
    let several = !problem.others.is_empty();
    for (number, observer) in problem.observers().enumerate() {
        let who = problem.called(number);
        if several && problem.observers().take(number).any(|other| other.name == observer.name) {
            return refused(match &observer.name {
                Some(name) => format!("two observers are called `{name}`: give them different names"),
                None => "several observers need names, all different".to_owned(),
            });
        }
        if matches!(observer.filter, Filter::Graph(_)) && hides(observer) {
            return refused(format!(
                "{who} has a filter that is a graph, which alternates actions and observations as what is seen does not \
                 where some events are unseen: use the filter `strongest` or `image`, or let every event be seen"
            ));
        }
        if observer.filter != Filter::Strongest && observer.stipulations.iter().any(looks_back) {
            return refused(format!(
                "{who} has a stipulation in hindsight, and a filter with which it forgets: use the filter `strongest`"
            ));
        }
    }
    if problem.observers().filter(|observer| observer.map.is_none()).count() > 1 {
        return refused(
            "several observers have no map, and only one can be sought: give the others theirs".to_owned(),
        );
    }
    Ok(())
}

fn hides(observer: &Observer) -> bool {
    observer.map.as_ref().is_some_and(|map| map.hides()) || !observer.constraints.unseen.is_empty()
}

fn looks_back(stipulation: &crate::problem::Stipulation) -> bool {
    matches!(stipulation.scope, Scope::Hindsight { .. })
}
