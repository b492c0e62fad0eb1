//! AUDIT: do the stipulations of scope `always` hold whatever the robot does?
//!
//! *Background.* With perfect recall, a violation is a string of images after which the belief breaks a clause. It can be looked
//! for from both ends. Forwards, beliefs are followed breadth first: there may be exponentially many, but a violation near the
//! start is found at once. Backwards, one follows *demands*: what a belief must be like for a given string to break a clause
//! afterwards. Demands become unmeetable within few steps where events look alike, and then nothing is left: a proof.
//! Neither end is the better one for all problems, so the work is shared out evenly, and where the two ends meet in the
//! middle there is a shortest violation.
//!
//! *Practical.* `Forward` and `Demands` each advance by one step at a time and count their work.

mod beyond;
mod by_events;
mod cover;
mod demands;
mod forward;
mod looking_back;
mod precede;
mod reversed;
mod unseen;

use crate::{
    audit::{
        beyond::Beyond,
        demands::{Advance, Demands},
        forward::{Forward, Seen},
    },
    check::shorter,
    formula::Stipulations,
    limit::{Limit, Monitor, Progress},
    observer::{self, Tracked, Tracker, broken},
    problem::{Image, LabelMap},
    setting::{PosedObserver, Setting},
    verdict::{QuestionError, Violation},
};

/// How many steps are made between two looks at the monitor.
const POLL: usize = 256;

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
    let (PosedObserver { observer: whose, stipulations, .. }, monitor) =
        (&setting.observers()[observer], setting.monitor());
    let mut known = None;
    if tracked.recalled_by(&whose.filter, &setting.world().base().graph) {
        let beyond = map.hides() || !stipulations.are_momentary();
        if beyond
            && options.ends != Ends::Start
            && let Some(beyond) = Beyond::new(tracked, map, stipulations)
        {
            return Ok(beyond.audit(options, monitor)?);
        }
        let mut tracker = Tracker::recalling(map, tracked, stipulations);
        // What other moments matter to is followed from the start alone.
        let ends = if stipulations.are_momentary() { options.ends } else { Ends::Start };
        let options = AuditOptions { ends, ..*options };
        match search(&mut tracker, tracked, map, (stipulations, None), &options, monitor)? {
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
    let broken = broken(&tracked.graph, &mut tracker, map, |_| false, (1, monitor))?;
    Ok(broken.map(|(_, violation)| violation))
}

/// A shortest string of images after which a stipulation is broken.
fn search<'a>(
    tracker: &mut Tracker<'a>,
    tracked: &'a Tracked<'a>,
    map: &LabelMap,
    (stipulations, prepared): (&'a Stipulations, Option<Demands>),
    options: &AuditOptions,
    monitor: &dyn Monitor,
) -> Result<Option<Vec<Image>>, Limit> {
    let mut forward = Forward::new(tracker);
    let clauses = match options.ends {
        Ends::Start => None,
        Ends::Violation | Ends::Both => demands::clauses(stipulations),
    };
    let alone = clauses.is_some() && options.ends == Ends::Violation;
    let head_start = match (&clauses, options.head_start) {
        (_, Some(work)) => work,
        (Some(clauses), None) => demands::preparation(tracked, map, clauses),
        (None, None) => 0,
    };
    let mut backward = prepared;
    let mut recalling = false;
    for steps in 0_usize.. {
        if steps.is_multiple_of(POLL) {
            let (beliefs, demands) = (tracker.len(), backward.as_ref().map_or(0, Demands::len));
            let (explored, stored) = (steps as u64, (beliefs + demands) as u64);
            monitor.poll(&Progress { doing: "auditing", explored, stored, ..Progress::default() })?;
        }
        match (&mut backward, &clauses) {
            (None, Some(clauses)) if alone || forward.work() >= head_start => {
                let demands = Demands::new(tracked, map, tracker, (clauses, &[]), false);
                if demands.met_at_once() {
                    return Ok(Some(Vec::new()));
                }
                backward = Some(demands);
            }
            (Some(demands), _)
                if alone || demands.work() <= forward.work() - head_start.min(forward.work()) =>
            {
                match demands.advance() {
                    Advance::Met(images) => return Ok(Some(images)),
                    Advance::Exhausted => return Ok(None),
                    Advance::On => {}
                }
            }
            _ => match forward.advance(tracker, backward.as_ref().filter(|_| !recalling)) {
                Seen::Broken(images) => {
                    let looking_back = backward.as_mut().filter(|demands| !recalling && demands.looks_back());
                    return Ok(Some(match looking_back {
                        Some(demands) => forward.sooner(tracker, demands, images, monitor)?,
                        None => images,
                    }));
                }
                Seen::Everything if !recalling && backward.as_ref().is_some_and(Demands::looks_back) => {
                    // All beliefs are known, but not all that may be seen after them.
                    *tracker = Tracker::recalling(map, tracked, stipulations);
                    forward = forward.again(tracker);
                    recalling = true;
                }
                Seen::Everything => return Ok(None),
                Seen::More => {}
            },
        }
    }
    Ok(None)
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
