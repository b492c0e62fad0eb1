//! Questions put to the engines the way everybody puts them, with answers in the form in which tests compare them: for tests only, and no
//! part of the definitions.

use divulge::{
    Answer, Question, Verdict, ask,
    ask::{Engine, What},
    audit::AuditOptions,
    explain::{self, Ending, Explanation, Replay},
    limit::{Monitor, Unlimited},
    maps::MapOptions,
    problem::{Label, LabelMap, Plan, Problem},
    seek::SeekOptions,
    setting::Setting,
    verdict::{FoundMap, FoundPlan, Frontier, NoMap, NoPlan, QuestionError, Violation},
};

fn put(problem: &Problem, question: Question, monitor: &dyn Monitor) -> Result<Answer, QuestionError> {
    let answer = ask(problem).question(question).within(monitor)?;
    match answer.verdict {
        Verdict::Unknown { limit, .. } => Err(limit.into()),
        _ => Ok(answer),
    }
}

fn violation(answer: Result<Answer, QuestionError>) -> Result<Option<Violation>, QuestionError> {
    answer.map(|answer| answer.violation().cloned())
}

fn found(answer: Result<Answer, QuestionError>) -> Result<Option<FoundMap>, QuestionError> {
    answer.map(|answer| answer.found().cloned())
}

fn plan(found: Option<FoundMap>) -> Option<FoundPlan> {
    found.map(|FoundMap { plan, worst_case, choices, .. }| FoundPlan { plan, worst_case, choices })
}

/// CHECK.
///
/// # Errors
/// If it cannot be asked, or the limit that was hit.
pub fn check(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Violation>, QuestionError> {
    violation(put(problem, Question::new(What::Check), monitor))
}

/// AUDIT.
///
/// # Errors
/// As [`check`].
pub fn audit(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<Violation>, QuestionError> {
    audit_with(problem, &AuditOptions::default(), monitor)
}

/// AUDIT in a way of one's choice.
///
/// # Errors
/// As [`check`].
pub fn audit_with(
    problem: &Problem,
    options: &AuditOptions,
    monitor: &dyn Monitor,
) -> Result<Option<Violation>, QuestionError> {
    violation(put(problem, Question { audit: *options, ..Question::new(What::Audit) }, monitor))
}

fn of_plan(what: What, options: &SeekOptions) -> Question {
    let &SeekOptions { minimize, offers, threads, look_ahead } = options;
    Question { minimize, offers, threads, look_ahead, ..Question::new(what) }
}

fn of_map(what: What, options: &MapOptions) -> Question {
    let &MapOptions { prefer, shortest, patience, sharing, plan } = options;
    Question { prefer, shortest, patience, sharing, any_map: true, ..of_plan(what, &plan) }
}

/// SEEK a plan.
///
/// # Errors
/// As [`check`].
pub fn seek_plan(
    problem: &Problem,
    options: &SeekOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundPlan>, QuestionError> {
    found(put(problem, of_plan(What::Plan, options), monitor)).map(plan)
}

/// SEEK a plan that goes on after some events.
///
/// # Errors
/// As [`check`].
pub fn seek_plan_after(
    problem: &Problem,
    after: &[Label],
    monitor: &dyn Monitor,
) -> Result<Option<FoundPlan>, QuestionError> {
    let question = Question { after: after.to_vec(), ..Question::new(What::Plan) };
    found(put(problem, question, monitor)).map(plan)
}

/// SEEK a map.
///
/// # Errors
/// As [`check`].
pub fn seek_map(
    problem: &Problem,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundMap>, QuestionError> {
    found(put(problem, of_map(What::Map, options), monitor))
}

/// SEEK both.
///
/// # Errors
/// As [`check`].
pub fn seek_both(
    problem: &Problem,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Option<FoundMap>, QuestionError> {
    found(put(problem, of_map(What::Both, options), monitor))
}

/// SEEK every map, for the problem's plan if `keep_plan`.
///
/// # Errors
/// As [`check`].
pub fn seek_maps(
    problem: &Problem,
    keep_plan: bool,
    options: &MapOptions,
    monitor: &dyn Monitor,
) -> Result<Frontier, QuestionError> {
    let question = Question { any_plan: !keep_plan, ..of_map(What::Maps, options) };
    Ok(match put(problem, question, monitor)?.verdict {
        Verdict::Frontier { frontier, .. } => *frontier,
        Verdict::None { maps, .. } => Frontier { maps: maps.unwrap_or(0), ..Frontier::default() },
        other => unreachable!("{other:?} is no answer to this"),
    })
}

/// SEEK a plan by the paper's search.
///
/// # Errors
/// As [`check`].
pub fn and_or_plan(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<FoundPlan>, QuestionError> {
    found(put(problem, Question { engine: Engine::AndOr, ..Question::new(What::Plan) }, monitor)).map(plan)
}

/// SEEK both by the paper's search.
///
/// # Errors
/// As [`check`].
pub fn and_or_both(problem: &Problem, monitor: &dyn Monitor) -> Result<Option<FoundMap>, QuestionError> {
    let question = Question { engine: Engine::AndOr, any_map: true, ..Question::new(What::Both) };
    found(put(problem, question, monitor))
}

/// CHECK of any plan with any map.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<Option<Violation>, QuestionError> {
    divulge::check::check(&Setting::pose(problem, Some(plan), monitor)?, map)
}

/// Follows an execution; an observer who knows the plan knows `plan`, or the problem's own.
///
/// # Errors
/// As [`check`].
pub fn replay(
    problem: &Problem,
    map: &LabelMap,
    plan: Option<&Plan>,
    execution: &[Label],
) -> Result<Replay, QuestionError> {
    let setting = Setting::pose(problem, plan.or(problem.plan.as_ref()), &Unlimited)?;
    explain::replay(&setting, map, plan, execution)
}

/// Whether a violation is what it says.
///
/// # Errors
/// As [`check`].
pub fn confirms(
    problem: &Problem,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: &Violation,
) -> Result<bool, QuestionError> {
    let setting = Setting::pose(problem, plan.or(problem.plan.as_ref()), &Unlimited)?;
    explain::confirms(&setting, map, plan, violation)
}

/// Why a violation is one.
///
/// # Errors
/// As [`check`].
pub fn explain(
    problem: &Problem,
    map: &LabelMap,
    plan: Option<&Plan>,
    violation: &Violation,
) -> Result<Explanation, QuestionError> {
    let setting = Setting::pose(problem, plan.or(problem.plan.as_ref()), &Unlimited)?;
    explain::explain(&setting, map, plan, violation)
}

/// What the observer can tell where a plan ends.
///
/// # Errors
/// As [`check`].
pub fn endings(
    problem: &Problem,
    plan: &Plan,
    map: &LabelMap,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Ending>>, QuestionError> {
    explain::endings(&Setting::pose(problem, Some(plan), monitor)?, map)
}

/// Why there is no plan.
///
/// # Errors
/// As [`check`].
pub fn why_no_plan(
    problem: &Problem,
    options: &SeekOptions,
    monitor: &dyn Monitor,
) -> Result<NoPlan, QuestionError> {
    let setting = Setting::pose(problem, None, monitor)?;
    explain::why_no_plan(&setting, setting.map()?, options)
}

/// Why there is no map.
///
/// # Errors
/// As [`check`].
pub fn why_no_map(
    problem: &Problem,
    plan: Option<&Plan>,
    options: &SeekOptions,
    monitor: &dyn Monitor,
) -> Result<NoMap, QuestionError> {
    explain::why_no_map(&Setting::pose(problem, plan, monitor)?, options)
}
