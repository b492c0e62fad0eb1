//! Audits where some events are unseen or something is asked in hindsight.
//!
//! *Background.* What is asked in hindsight is one more kind of demand (`looking_back`), so that both ends meet as they do otherwise. With unseen events the fewest
//! images need not be the fewest events: if there is a violation at all, which both ends find out image by image, the shortest one is looked for event by event (`by_events`).
//!
//! Small problems are better followed from the start, which finds the first of the shortest violations as people would list them.

use crate::{
    audit::{
        AuditOptions, Ends, by_events, demand,
        demands::Demands,
        halfway::SMALL,
        looking_back,
        search::{Asked, search},
        violation,
    },
    formula::{Clause, Stipulations},
    limit::{Limit, Monitor},
    observer::{self, Outcome, Tracked, Tracker, Walk},
    problem::{Image, Label, LabelMap, Scope},
    verdict::Violation,
};

/// With more vertices for each of the images than this, it is not looked into how few events so many images take.
const MOST_PAIRS: usize = 1 << 20;

/// Following what is made of earlier moments, too, takes about so many times as long as following beliefs alone.
const NEAR: u64 = 4;

/// Excluding everything at once may take so many times as much work as preparing for it: it is over soon, or it takes a fraction of the work that it saves.
const TOGETHER: u64 = 32;

/// So may looking for violations near the start, halfway from either end.
const HALFWAY: u64 = 64;

/// What is audited: an observer with perfect recall, and the clauses of its stipulations.
pub(crate) struct Beyond<'a> {
    tracked: &'a Tracked<'a>,
    map: &'a LabelMap,
    stipulations: &'a Stipulations,
    always: Vec<&'a Clause>,
    hindsight: Vec<(&'a Clause, Option<u32>)>,
}

impl<'a> Beyond<'a> {
    /// Nothing if a stipulation is about runs, or has no clausal form of reasonable size.
    pub fn new(tracked: &'a Tracked<'a>, map: &'a LabelMap, stipulations: &'a Stipulations) -> Option<Self> {
        if stipulations.all().iter().any(|s| s.scope == Scope::Run) {
            return None;
        }
        let (always, hindsight) = (demand::clauses(stipulations)?, looking_back::clauses(stipulations)?);
        Some(Self { tracked, map, stipulations, always, hindsight })
    }

    /// A shortest execution that breaks a stipulation, if there is one.
    pub fn audit(
        &self,
        options: &AuditOptions,
        limits: (usize, &dyn Monitor),
    ) -> Result<Option<Violation>, Limit> {
        let (_, monitor) = limits;
        let head_start = match options.ends {
            Ends::Violation => 0,
            Ends::Both if options.head_start.is_none() && self.starts_large() => 0,
            Ends::Start | Ends::Both => {
                options.head_start.unwrap_or_else(|| (self.preparation() / NEAR).max(demand::LITTLE))
            }
        };
        let mut near = None;
        if head_start > 0 {
            let tracker = near.insert(self.recalling());
            if let Some(decided) = self.near_the_start(tracker, head_start, monitor)? {
                return Ok(decided);
            }
        }
        let Some(images) = self.fewest_images(near, options, limits)? else { return Ok(None) };
        let mut tracker = self.forgetting();
        if !self.map.hides() {
            let found = violation(&mut tracker, self.tracked, self.map, &images);
            return Ok(Some(self.looked_back_at(&mut tracker, found)));
        }
        let execution = self.fewest_events(&images, monitor)?;
        let mut state = tracker.initial();
        for &label in &execution {
            state = tracker.step(state, self.map.image(label)).expect("the observer expects every execution");
        }
        let found = observer::violation(&mut tracker, self.map, state, false, execution);
        Ok(Some(self.looked_back_at(&mut tracker, found)))
    }

    /// A violation of which a tracker that forgets has told what is broken at once: with what is broken in hindsight, if that comes first.
    fn looked_back_at(&self, tracker: &mut Tracker<'_>, found: Violation) -> Violation {
        let before = 0..found.stipulation.unwrap_or(self.stipulations.all().len());
        for stipulation in before {
            let looked = tracker.in_hindsight(stipulation, self.map, &found.execution);
            if let Some((moment, estimate)) = looked {
                let (moment, estimate) = (Some(moment), Some(estimate));
                return Violation { stipulation: Some(stipulation), moment, estimate, ..found };
            }
        }
        found
    }

    /// A shortest execution that breaks a stipulation, where these are the fewest images after which one does.
    fn fewest_events(&self, images: &[Image], monitor: &dyn Monitor) -> Result<Vec<Label>, Limit> {
        let (graph, map) = (&self.tracked.graph, self.map);
        let known = by_events::fewest(graph, map, images.len(), |n, image| images[n] == image);
        // So many images may take as many events whatever they are.
        let pays = graph.len().saturating_mul(images.len()) <= MOST_PAIRS;
        if pays && by_events::fewest(graph, map, images.len(), |_, _| true).len() == known.len() {
            return Ok(known);
        }
        let tracker = self.forgetting();
        let demands = self.demands(&tracker, true);
        let shorter = by_events::shortest(self.tracked, map, tracker, demands, known.len(), monitor)?;
        Ok(shorter.unwrap_or(known))
    }

    /// Whether what is near the start is better looked at halfway from either end.
    fn starts_large(&self) -> bool {
        let graph = &self.tracked.graph;
        let large = graph.initial().len() * SMALL >= graph.len();
        large && graph.arc_count() as u64 > demand::LITTLE && !self.hindsight.is_empty()
    }

    /// About how much work it is to prepare the way back.
    fn preparation(&self) -> u64 {
        demand::preparation(self.tracked, self.map, &self.always)
    }

    fn recalling(&self) -> Tracker<'a> {
        Tracker::recalling(self.map, self.tracked, self.stipulations)
    }

    fn forgetting(&self) -> Tracker<'a> {
        Tracker::forgetting(self.map, self.tracked, self.stipulations)
    }

    fn demands(&self, tracker: &Tracker<'_>, whole: bool) -> Demands {
        Demands::new(self.tracked, self.map, tracker, (&self.always, &self.hindsight), whole)
    }

    /// Follows executions from the start, for so much work: the shortest violation, if it was decided whether there is one.
    fn near_the_start(
        &self,
        tracker: &mut Tracker<'_>,
        most: u64,
        monitor: &dyn Monitor,
    ) -> Result<Option<Option<Violation>>, Limit> {
        let broken = |tracker: &Tracker<'_>, state| !tracker.course(state).is_kept();
        let (walk, outcome) =
            Walk::until(&self.tracked.graph, tracker, self.map, (1, monitor), |tracker, met| {
                tracker.work() > most || broken(tracker, met.state)
            })?;
        let Outcome::Found(met) = outcome else { return Ok(Some(None)) };
        if !broken(tracker, met.state) {
            return Ok(None);
        }
        let execution = walk.execution(met);
        Ok(Some(Some(observer::violation(tracker, self.map, met.state, false, execution))))
    }

    /// A shortest string of images after which a stipulation is broken, if there is one. What was made for looking near the start serves to prepare this.
    fn fewest_images(
        &self,
        near: Option<Tracker<'a>>,
        options: &AuditOptions,
        limits: (usize, &dyn Monitor),
    ) -> Result<Option<Vec<Image>>, Limit> {
        let tracker = near.unwrap_or_else(|| self.forgetting());
        // Beliefs alone do not tell what is given away later, so the demands of that must be there from the beginning.
        let demands = self.demands(&tracker, false);
        let always = self.always.iter().map(|&clause| (clause, Some(0)));
        let always = demands.asked(&self.tracked.graph, &tracker, always);
        drop(tracker);
        if demands.met_at_once() {
            return Ok(Some(Vec::new()));
        }
        let most = TOGETHER * self.preparation();
        if options.ends != Ends::Start && demands.exclude_together(most, limits.1)? {
            return Ok(None);
        }
        let asked = Asked { tracked: self.tracked, map: self.map, stipulations: self.stipulations };
        if options.ends == Ends::Both
            && options.head_start != Some(0)
            && let Some(images) = demands.halfway(asked, always, HALFWAY * self.preparation(), limits.1)?
        {
            return Ok(Some(images));
        }
        let options = AuditOptions { head_start: Some(0), ..*options };
        search(&mut self.forgetting(), asked, Some(demands), &options, limits)
    }
}
