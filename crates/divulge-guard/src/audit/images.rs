//! A log of what one observer saw.

use divulge::{
    graph::Joint,
    limit::Progress,
    observer::{StateId, Tracker},
    problem::{Image, Label, LabelMap, Vertex},
    setting::Setting,
    verdict::QuestionError,
};

use super::{
    Audit, Finding, Known, POLL, base,
    broken::{Broken, several},
};
use crate::{
    held::{Held, Reason},
    table::Refusal,
};

/// What a log of images shows, all that one observer saw: whether anything that the plan does looks like that, and what it knew. `ended`: the
/// robot stopped where the log ends.
///
/// # Errors
/// As [`Guard::new`](crate::Guard::new).
pub fn audit_images(
    setting: &Setting<'_>,
    observer: usize,
    names: &[String],
    ended: bool,
) -> Result<Audit, QuestionError> {
    let posed = &setting.observers()[observer].observer;
    let map = posed.map.as_ref().ok_or(QuestionError::NeedsMap)?;
    let several = several(setting)?;
    let tracker = setting.tracker_of(observer, map)?;
    let mut seeing = Seeing {
        setting,
        observer,
        map,
        pairs: closed(setting.joint()?, setting.joint()?.graph.initial().to_vec(), map),
        state: tracker.as_ref().map(Tracker::initial),
        tracker,
        broken: Broken::new(setting, observer, map, &several)?,
        told: vec![false; posed.stipulations.len()],
        lost: false,
        left: false,
        findings: Vec::new(),
    };
    let mut moments = Vec::with_capacity(names.len() + 1);
    seeing.look(0, None, false);
    moments.push(seeing.known(0, None));
    for (after, name) in (1..).zip(names) {
        if after % POLL == 0 {
            let doing = "following the log";
            setting.poll(&Progress { doing, explored: after as u64, ..Progress::default() })?;
        }
        let image = seeing.see(after, name)?;
        seeing.look(after, Some(name), false);
        moments.push(seeing.known(after, image));
    }
    if ended {
        seeing.end(names.len())?;
    }
    let (findings, observers) = (seeing.findings, vec![(observer, moments)]);
    Ok(Audit { events: names.len(), ended, findings, observers })
}

/// An observer, and where the plan and the world may be for all that it saw.
struct Seeing<'s, 'p> {
    setting: &'s Setting<'p>,
    observer: usize,
    map: &'s LabelMap,
    pairs: Vec<Vertex>,
    tracker: Option<Tracker<'s>>,
    state: Option<StateId>,
    broken: Broken<'s>,
    /// For each stipulation, whether it was told that it is broken; whether it was told that the observer is lost, and that the plan was left.
    told: Vec<bool>,
    lost: bool,
    left: bool,
    findings: Vec<Finding>,
}

impl Seeing<'_, '_> {
    fn find(&mut self, after: usize, stipulation: Option<usize>, held: Held) {
        self.findings.push(Finding { after, held, observer: Some(self.observer), stipulation });
    }

    /// Goes on with the image of this name.
    fn see(&mut self, after: usize, name: &str) -> Result<Option<Image>, QuestionError> {
        let (event, map) = (Some(name.to_owned()), self.map);
        let Some(image) = map.get(name) else {
            let message = format!("nothing looks like `{name}`");
            self.find(after, None, Held { event, reason: Reason::UnknownEvent, message });
            return Ok(None);
        };
        let joint = self.setting.joint()?;
        let next = self.pairs.iter().flat_map(|&pair| joint.graph.arcs(pair));
        let next = next.filter(|arc| map.image(arc.label) == Some(image)).map(|arc| arc.to);
        self.pairs = closed(joint, next.collect(), map);
        self.broken.see(Some(image));
        let tracker = self.tracker.as_mut();
        self.state = tracker.zip(self.state).and_then(|(tracker, at)| tracker.step(at, Some(image)));
        if self.pairs.is_empty() && !std::mem::replace(&mut self.left, true) {
            let message = format!("nothing that the plan does here looks like `{name}`");
            self.find(after, None, Held { event, reason: Reason::UnforeseenEvent, message });
        }
        Ok(Some(image))
    }

    /// What is broken now and was not told.
    fn look(&mut self, after: usize, name: Option<&str>, ends: bool) {
        let problem = self.setting.problem();
        let event = name.map(str::to_owned);
        let what = match (name, ends) {
            (Some(name), _) => format!("`{name}`"),
            (None, true) => "the end".to_owned(),
            (None, false) => "the start".to_owned(),
        };
        let Some((tracker, state)) = self.tracker.as_ref().zip(self.state) else {
            if !std::mem::replace(&mut self.lost, true) {
                let message = format!("what {} expects never looks like this", problem.called(self.observer));
                self.find(after, None, Held { event, reason: Reason::OutsideDivulged, message });
            }
            return;
        };
        for number in self.broken.all(tracker, state, ends) {
            if !std::mem::replace(&mut self.told[number], true) {
                let refusal = Refusal::Broken { observer: self.observer as u32, stipulation: number as u32 };
                let held = Held::against(problem, (&what, "breaks"), refusal, &[]);
                self.find(after, Some(number), Held { event: event.clone(), ..held });
            }
        }
    }

    /// The robot has stopped.
    fn end(&mut self, after: usize) -> Result<(), QuestionError> {
        let (joint, plan) = (self.setting.joint()?, self.setting.plan());
        let stops = |&pair: &Vertex| plan.is_some_and(|plan| plan.is_terminal(joint.pairs[pair.index()].0));
        if !self.left && !self.pairs.iter().any(stops) {
            let message = "nothing that the plan does looks like this and stops here".to_owned();
            self.find(after, None, Held::new(Reason::EarlyEnd, message));
        }
        self.look(after, None, true);
        Ok(())
    }

    fn known(&self, after: usize, image: Option<Image>) -> Known {
        let estimate = self.tracker.as_ref().zip(self.state);
        let estimate = estimate.map(|(tracker, state)| base(self.setting.problem(), tracker.estimate(state)));
        Known { after, label: None, image, estimate }
    }
}

/// With all that unseen events lead to.
fn closed(joint: &Joint, mut from: Vec<Vertex>, map: &LabelMap) -> Vec<Vertex> {
    from.sort_unstable();
    from.dedup();
    let mut met: rustc_hash::FxHashSet<Vertex> = from.iter().copied().collect();
    let unseen = |label: Label| map.image(label).is_none();
    let mut at = 0;
    while let Some(&v) = from.get(at) {
        let next = joint.graph.arcs(v).iter().filter(|arc| unseen(arc.label)).map(|arc| arc.to);
        from.extend(next.filter(|to| met.insert(*to)));
        at += 1;
    }
    from
}
