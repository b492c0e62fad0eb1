//! AUDIT: do the stipulations of scope `always` hold whatever the robot does?
//!
//! *Background.* With perfect recall, a violation is a string of images after which the belief breaks a clause. It can be looked
//! for from both ends. Forwards, beliefs are followed breadth first: there may be exponentially many, but a violation near the
//! start is found at once. Backwards, one follows *demands*: what a belief must be like for a given string to break a clause
//! afterwards. Demands become unmeetable within few steps where events look alike, and then nothing is left: a proof.
//! Neither end is the better one for all problems, so the work is shared out evenly, and where the two ends meet in the
//! middle there is a shortest violation.
//!
//! *Practical.* `Forward` and `Demands` each advance step by step and count their work; `search` has them take turns, and has threads help.

mod abreast;
mod beyond;
mod by_events;
mod cover;
mod demand;
mod demands;
mod forward;
mod halfway;
mod looking_back;
mod pool;
mod precede;
mod reversed;
mod search;
mod sooner;
mod step;
mod together;
mod unseen;

use crate::{
    audit::{
        beyond::Beyond,
        search::{Asked, search},
    },
    check::shorter,
    observer::{self, Tracked, Tracker, broken},
    problem::{Image, LabelMap},
    setting::{PosedObserver, Setting},
    verdict::{QuestionError, Violation},
};

/// From where an audit looks for violations. The answer is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// From the initial belief onwards.
    Start,
    /// From the broken clause backwards; forwards if a stipulation has no clausal form of reasonable size.
    Violation,
    /// From both, in turn.
    #[default]
    Both,
}

/// How to audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AuditOptions {
    /// From where to look.
    pub ends: Ends,
    /// How much work is done from the start before the other end is taken up too: if nothing is said, as much as it costs to
    /// prepare for that.
    pub head_start: Option<u64>,
}

/// Audits a setting, seen through a map: `None` if every stipulation of scope `always` holds after every execution in L(W) ∩ L(D), else a
/// shortest execution after which one does not.
///
/// # Errors
/// If the observer knows a plan that is not given, if the input is bad, or if the monitor stops.
pub fn audit(
    setting: &Setting<'_>,
    map: &LabelMap,
    options: &AuditOptions,
) -> Result<Option<Violation>, QuestionError> {
    let maps = setting.maps(map)?;
    let mut worst = None;
    for (observer, map) in maps.into_iter().enumerate() {
        let found = audit_one(setting, observer, map, options)?;
        shorter(&mut worst, found.map(|violation| Violation { observer, ..violation }));
    }
    Ok(worst)
}

/// Audits one of the observers.
fn audit_one(
    setting: &Setting<'_>,
    observer: usize,
    map: &LabelMap,
    options: &AuditOptions,
) -> Result<Option<Violation>, QuestionError> {
    let Some(tracked) = &setting.divulged_to(observer)?.tracked else {
        return setting.tracker_of(observer, map).map(|_| None);
    };
    let (PosedObserver { observer: whose, stipulations, .. }, limits) =
        (&setting.observers()[observer], setting.limits());
    let mut known = None;
    if tracked.recalled_by(&whose.filter, &setting.world().base().graph) {
        let beyond = map.hides() || !stipulations.are_momentary();
        if beyond
            && options.ends != Ends::Start
            && let Some(beyond) = Beyond::new(tracked, map, stipulations)
        {
            return Ok(beyond.audit(options, limits)?);
        }
        let mut tracker = Tracker::recalling(map, tracked, stipulations);
        // What other moments matter to is followed from the start alone.
        let ends = if stipulations.are_momentary() { options.ends } else { Ends::Start };
        let options = AuditOptions { ends, ..*options };
        match search(&mut tracker, Asked { tracked, map, stipulations }, None, &options, limits)? {
            None => return Ok(None),
            Some(images) if !map.hides() => {
                return Ok(Some(violation(&mut tracker, tracked, map, &images)));
            }
            // The fewest images need not be the fewest events.
            Some(_) => known = Some(tracker),
        }
    }
    // A filter's state may be reached by executions of many lengths, and so may a belief if some events are unseen: executions are
    // followed together with it.
    let tracker = match known {
        Some(tracker) => Some(tracker),
        None => setting.tracker_of(observer, map)?,
    };
    let Some(mut tracker) = tracker else { return Ok(None) };
    let broken = broken(&tracked.graph, &mut tracker, map, |_| false, limits)?;
    Ok(broken.map(|(_, violation)| violation))
}

/// The violation after these images, which some execution looks like.
fn violation(
    tracker: &mut Tracker<'_>,
    tracked: &Tracked<'_>,
    map: &LabelMap,
    images: &[Image],
) -> Violation {
    let mut states = vec![tracker.initial()];
    let mut state = tracker.initial();
    for &image in images {
        state = tracker.step(state, Some(image)).expect("some execution looks like this");
        states.push(state);
    }
    let execution = forward::some_execution(tracker, tracked, map, images, &states);
    observer::violation(tracker, map, state, false, execution)
}
