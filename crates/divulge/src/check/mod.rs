//! CHECK: does this plan with this map solve the world and keep everybody's stipulations?

mod solves;

pub use solves::solves;
use solves::solves_on;

use crate::{
    game::worst_case,
    graph::{Joint, separating_execution},
    limit::{Limit, both},
    observer::{Admits, Tracker, broken},
    problem::{LabelMap, Plan, Vertex},
    setting::Setting,
    verdict::{QuestionError, Reason, Violation, WorstCase},
};

/// Checks the setting's plan with a map, that of the observer that is looked at.
///
/// `None` means that everything holds. Else the first violation in the order of [`Reason`] (solving first, then what the
/// divulged plans admit, then the stipulations), with a shortest execution that shows it, whoever the observer is.
///
/// # Errors
/// If there is no plan, if the input is bad, or if the monitor stops the check.
pub fn check(setting: &Setting<'_>, map: &LabelMap) -> Result<Option<Violation>, QuestionError> {
    let mut checking = Checking::new(setting, map)?;
    let joint = checking.joint()?;
    checking.violation(joint)
}

/// The same, with how bad it can get if everything holds: `None` if that has no bound.
///
/// # Errors
/// As [`check`].
pub(crate) fn check_worst_case(
    setting: &Setting<'_>,
    map: &LabelMap,
) -> Result<(Option<Violation>, Option<WorstCase>), QuestionError> {
    let mut checking = Checking::new(setting, map)?;
    let (joint, costs) = (checking.joint()?, setting.problem().all_costs());
    let worst_case = || worst_case(joint, &costs);
    // What does not hold is often found soon.
    if joint.threads(setting.limits().0) == 1 {
        let violation = checking.violation(joint)?;
        let worst = if violation.is_none() { worst_case() } else { None };
        return Ok((violation, worst));
    }
    let (violation, worst) = both(|| checking.violation(joint), worst_case);
    Ok((violation?, worst))
}

/// What is checked: the plan, and everybody with the map that they see through.
struct Checking<'c, 'p> {
    setting: &'c Setting<'p>,
    plan: &'c Plan,
    maps: Vec<&'c LabelMap>,
    trackers: Vec<Option<Tracker<'c>>>,
}

impl<'c, 'p> Checking<'c, 'p> {
    fn new(setting: &'c Setting<'p>, map: &'c LabelMap) -> Result<Self, QuestionError> {
        let plan = setting.plan().ok_or(QuestionError::NeedsPlan("`check` needs one"))?;
        let maps = setting.maps(map)?;
        let mut trackers = Vec::with_capacity(maps.len());
        for (number, map) in maps.iter().enumerate() {
            setting.divulged_to(number)?;
            // Bad input is bad whatever the plan does, so filters are looked at first.
            trackers.push(setting.tracker_of(number, map)?);
        }
        Ok(Self { setting, plan, maps, trackers })
    }

    /// All joint executions of the plan and the world.
    fn joint(&mut self) -> Result<&'c Joint, Limit> {
        let Self { setting, plan, trackers, .. } = self;
        let observers = trackers.iter_mut().flatten().collect();
        Tracker::beside(observers, plan.graph.len(), setting.limits().0, || setting.joint())
    }

    /// The first violation.
    fn violation(self, joint: &Joint) -> Result<Option<Violation>, QuestionError> {
        let Self { setting, plan, maps, trackers } = self;
        if let Some(unsolved) = unsolved(setting, plan)? {
            return Ok(Some(unsolved));
        }
        let mut worst: Option<Violation> = None;
        for number in 0..maps.len() {
            let outside = match &setting.divulged_to(number)?.admits {
                Admits::Everything => None,
                Admits::Graph(graph) => separating_execution(&joint.graph, graph, setting.monitor())?,
                Admits::Nothing => Some(Vec::new()),
            };
            let outside = outside.map(|execution| Violation::new(Reason::OutsideDivulged, execution));
            shorter(&mut worst, outside.map(|violation| Violation { observer: number, ..violation }));
        }
        if worst.is_some() {
            return Ok(worst);
        }
        let ends = |pair: Vertex| plan.is_terminal(joint.pairs[pair.index()].0);
        for (number, (tracker, map)) in trackers.into_iter().zip(maps).enumerate() {
            let Some(mut tracker) = tracker else { continue };
            let broken = broken(&joint.graph, &mut tracker, map, ends, setting.limits())?;
            let at = broken.map(|(pair, violation)| {
                let at = Some(joint.pairs[pair.index()]);
                Violation { at, observer: number, ..violation }
            });
            shorter(&mut worst, at);
        }
        Ok(worst)
    }
}

/// Why the setting's plan does not solve the world, if it does not; told of the world whose vertices people named.
///
/// # Errors
/// The limit that was hit.
pub fn unsolved(setting: &Setting<'_>, plan: &Plan) -> Result<Option<Violation>, Limit> {
    let (threads, _) = setting.limits();
    // It has nothing to do with what the way was like: pairs recur, whatever their past.
    Ok(match &setting.world().past {
        None => solves_on(setting.joint()?, plan, setting.world(), threads),
        Some(past) => solves_on(&Joint::new(plan, &past.base, setting.monitor())?, plan, &past.base, threads),
    })
}

/// Keeps the violation with the shorter execution, of equal ones the first.
pub(crate) fn shorter(worst: &mut Option<Violation>, other: Option<Violation>) {
    let length = |violation: &Option<Violation>| violation.as_ref().map_or(usize::MAX, |v| v.execution.len());
    if length(&other) < length(worst) {
        *worst = other;
    }
}
