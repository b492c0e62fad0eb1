//! The pictures that belong to an answer.

use divulge::{
    Limit, Monitor,
    ask::{Answer, Verdict, What},
    problem::{LabelMap, Problem},
};
use divulge_picture::{self as picture, Panel, Style};

/// What an answer shows, a panel each: the world or the plan, the maps, what observers believe step by step; of all maps, the extremes.
/// `problem` has what was found filled in. What cannot be drawn is left out.
///
/// # Errors
/// The limit that `monitor` says was hit.
pub fn panels(
    problem: &Problem,
    answer: Option<&Answer>,
    style: &Style,
    monitor: &dyn Monitor,
) -> Result<Vec<Panel>, Limit> {
    if let Some(Answer { verdict: Verdict::Frontier { frontier, .. }, .. }) = answer {
        return Ok(vec![picture::maps(problem, frontier, style, monitor)?]);
    }
    let plan = problem.plan.as_ref().filter(|_| has_plan(answer));
    let mut panels = match plan {
        Some(plan) => picture::plan(problem, plan, style, monitor)?,
        None => vec![picture::world(problem, style, monitor)?],
    };
    for observer in problem.observers() {
        if let Some(map) = &observer.map {
            panels.push(picture::map_of(problem, observer, map, style, monitor)?);
        }
    }
    if let (Some(plan), Some(map)) = (plan, map(problem)) {
        let shown = answer.and_then(Answer::violation).map(|violation| violation.execution.as_slice());
        match picture::estimates(problem, plan, map, shown, style, monitor) {
            Ok(panel) => panels.push(panel),
            Err(divulge::verdict::QuestionError::Limit(limit)) => return Err(limit),
            // The answer has said what does not fit together.
            Err(_) => {}
        }
    }
    Ok(panels)
}

/// Whether the answer is about the problem's plan.
pub fn has_plan(answer: Option<&Answer>) -> bool {
    let Some(answer) = answer else { return true };
    match answer.question.what {
        What::Check | What::Map => true,
        What::Audit | What::Maps => false,
        // A plan that goes on after some events is none of the problem's.
        What::Plan | What::Both => answer.found().is_some() && answer.question.after.is_empty(),
    }
}

/// The map of the observer whose map is sought, or of the first, if everybody has one.
fn map(problem: &Problem) -> Option<&LabelMap> {
    let all = problem.observers().all(|observer| observer.map.is_some());
    problem.observers().nth(problem.sought()).filter(|_| all)?.map.as_ref()
}
