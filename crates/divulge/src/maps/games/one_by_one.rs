//! The sought map's game where only whole maps can be judged: under the filter h⟨W⟩ an estimate depends on all executions at once; and
//! nothing is learnt yet from maps that fail several observers, or one who remembers moments or does not see everything.

use rustc_hash::FxHashMap;

use crate::{
    check::check,
    limit::Limit,
    maps::{
        games::{Decided, MapGame},
        space::{Pairs, PartialMap, named},
    },
    seek::{Offers, SeekOptions, seek_plan, self_divulged::Stop},
    setting::Setting,
    verdict::QuestionError,
};

/// Each map is judged by the engine for given maps.
pub struct OneByOne<'p> {
    setting: Setting<'p>,
    options: SeekOptions,
    /// By the pairs merged: the worst case of the plan, if there is one.
    judged: FxHashMap<Pairs, Option<u64>>,
    /// About how much work it is to judge a map.
    each: u64,
}

impl<'p> OneByOne<'p> {
    /// Judges the setting's plan, or seeks one for each map.
    pub fn new(setting: Setting<'p>, deterministic: bool) -> Self {
        // Only how long plans get matters, so they may offer what they like.
        let offers = if deterministic { Offers::Deterministic } else { Offers::Permissive };
        let options = SeekOptions { offers, ..SeekOptions::default() };
        let each = 1 + setting.world().graph.arc_count() as u64 / 4;
        Self { setting, options, judged: FxHashMap::default(), each }
    }
}

impl MapGame for OneByOne<'_> {
    fn least(&self) -> Option<u32> {
        Some(0)
    }

    fn decide(&mut self, map: &PartialMap, within: Option<u32>, _: u64) -> Result<Decided, Stop> {
        if let Some(open) = map.first_open() {
            return Err(open.into());
        }
        let events = match self.judged.get(map.merged()) {
            Some(&known) => known,
            None => {
                let events = self.judge(map)?;
                self.judged.insert(map.merged().clone(), events);
                events
            }
        };
        let feasible = events.is_some_and(|events| within.is_none_or(|within| events <= u64::from(within)));
        Ok(Decided { feasible, looked: map.decided().clone() })
    }

    fn effort(&self) -> u64 {
        self.judged.len() as u64 * self.each
    }
}

impl OneByOne<'_> {
    /// The events of a shortest plan under a whole map; 0 for the plan given.
    fn judge(&self, map: &PartialMap) -> Result<Option<u64>, Limit> {
        let image = named(&self.setting.problem().alphabet, &self.setting.observer().constraints, map);
        let judged = match self.setting.plan() {
            Some(_) => check(&self.setting, &image).map(|broken| broken.is_none().then_some(0)),
            None => seek_plan(&self.setting, &image, &self.options)
                .map(|found| found.map(|found| found.worst_case.events)),
        };
        match judged {
            Ok(events) => Ok(events),
            Err(QuestionError::Limit(limit)) => Err(limit),
            // The question was found askable before the search began, and no map makes it less so.
            Err(_) => Ok(None),
        }
    }
}
