//! A question about maps, ready to be searched, and what turns maps into answers.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::{
    game::{strategy::countable, worst_case},
    limit::{Limit, Milestone, Monitor, Progress, Tally, threads, together},
    maps::{
        games::{Field, MapGame},
        questions::MapOptions,
        search::{Search, Visit},
        space::{Counter, ImageCount, PartialMap, Symmetries, coarsest, finest, merge_cost, named},
        tasks::{Crew, Region, Shared, Sharing, Watched},
    },
    problem::{Kind, LabelMap},
    seek::{Offers, SeekOptions, seek_plan, self_divulged::Stop},
    setting::Setting,
    verdict::{Choices, Classified, FoundMap, FoundPlan, Frontier, QuestionError, SoFar},
};

/// A question about maps, ready to be searched.
pub struct MapQuestion<'a, 'p> {
    /// The setting.
    pub setting: &'a Setting<'p>,
    /// What the constraints decide; nothing if they contradict each other.
    pub start: Option<PartialMap>,
    /// The same labels, with nothing decided.
    pub open: &'a PartialMap,
    /// What games are played on.
    pub field: &'a Field<'a, 'p>,
    /// What depends on the map.
    pub game: Box<dyn MapGame + 'a>,
    /// Labels that can be exchanged.
    pub symmetries: &'a Symmetries,
    /// Which actions plans offer that are found with maps.
    pub offers: Offers,
    /// Who carries out the tasks of a long search.
    pub crew: &'a dyn Crew,
    /// What they tell of it.
    pub watched: &'a Watched<'a>,
    /// How much is shared out at a time.
    pub sharing: Sharing,
    /// How many threads there may be; 0 for as many as there are processors.
    pub threads: usize,
}

impl<'a, 'p> MapQuestion<'a, 'p> {
    /// Every map that would do: how many, the finest and the coarsest.
    pub fn all(&mut self, options: &MapOptions) -> Result<Frontier, QuestionError> {
        let open = self.open;
        let too_many = || QuestionError::Refused(too_many(open));
        let images = ImageCount::of(&self.setting.observer().constraints);
        let mut counter = Counter::default();
        let Some(start) = self.start.clone() else { return Ok(Frontier::default()) };
        let maps = counter.completions(&start, images).ok_or_else(too_many)?;
        let (mut fine, mut coarse): (Vec<PartialMap>, Vec<PartialMap>) = (Vec::new(), Vec::new());
        let mut counts = Some([0u128; 2]);
        self.setting.report(SoFar::Maps(Classified { maps, ..Classified::default() }));
        let setting = self.setting;
        let (regions, _) = self.classify(&start, None, u64::MAX, &mut |region, feasible| {
            // Counting takes time, and what is infeasible is only counted for those who stop the search.
            if !feasible && !Counter::is_quick(region) {
                return Ok(());
            }
            let more = counter.completions(region, images);
            counts = counts.zip(more).and_then(|(mut counts, more)| {
                let count = &mut counts[usize::from(feasible)];
                *count = count.checked_add(more)?;
                Some(counts)
            });
            if feasible {
                fine.push(finest(region));
                coarse.extend(coarsest(region));
            }
            if let Some([infeasible, feasible]) = counts {
                setting.report(SoFar::Maps(Classified { feasible, infeasible, maps }));
            }
            Ok(())
        })?;
        let feasible = counts.map(|[_, feasible]| feasible);
        let below =
            |a: &PartialMap, b: &PartialMap| a.merged() != b.merged() && a.merged().is_subset(b.merged());
        let least = fine.iter().filter(|m| !fine.iter().any(|n| below(n, m)));
        let most = coarse.iter().filter(|m| !coarse.iter().any(|n| below(m, n)));
        let (mut least, mut most): (Vec<PartialMap>, Vec<PartialMap>) =
            (least.cloned().collect(), most.cloned().collect());
        for list in [&mut least, &mut most] {
            list.sort_by(|a, b| a.merged().cmp(b.merged()));
            list.dedup_by(|a, b| a.merged() == b.merged());
        }
        let feasible = feasible.ok_or_else(too_many)?;
        let many = least.len();
        least.append(&mut most);
        let mut finest = self.answering().each(&least, &options.plan, self.threads)?;
        let coarsest = finest.split_off(many);
        Ok(Frontier { feasible, maps, finest, coarsest, regions })
    }

    /// Visits regions that together are all the maps in `start`, no two of which overlap, each with whether there is a solution under its
    /// maps, of at most `within` events if that is given. Tells how many were decided one by one, and whether about `most` work was enough.
    pub fn classify(
        &mut self,
        start: &PartialMap,
        within: Option<u32>,
        most: u64,
        visit: &mut Visit<'_>,
    ) -> Result<(u64, bool), QuestionError> {
        let images = ImageCount::of(&self.setting.observer().constraints);
        let before = self.game.effort();
        let counting = self.watched.counting(before);
        let mut search = Search::new(&mut *self.game, within, images, self.symmetries, &counting);
        search.give_up_after(most.min(self.sharing.alone));
        search.classify(start, visit)?;
        let in_vain: Vec<Region> = search.in_vain().iter().map(Region::of).collect();
        let Search { left, learnt, statistics, .. } = search;
        let alone = self.game.effort() - before;
        if left.is_empty() || alone >= most {
            return Ok((statistics.decided, left.is_empty()));
        }
        let mut shared = Shared::new(self.crew, self.open, self.symmetries, self.watched, self.sharing);
        shared.learn(&learnt, in_vain, self.game.usual());
        let all = shared.classify(left, within, most - alone, visit)?;
        Ok((statistics.decided + shared.regions, all))
    }

    /// A whole map as an answer, with a shortest plan for it.
    pub fn found(&self, map: &PartialMap, options: &SeekOptions) -> Result<FoundMap, QuestionError> {
        self.answering().found(map, options)
    }

    /// What turns maps into answers.
    pub fn answering(&self) -> Answering<'a, 'p> {
        Answering { setting: self.setting, offers: self.offers, watched: self.watched }
    }
}

/// That maps cannot be counted, and what to ask instead.
fn too_many(open: &PartialMap) -> String {
    let [actions, observations] = [Kind::Action, Kind::Observation].map(|kind| open.labels(kind).len());
    format!(
        "there are too many maps to count them: {actions} actions and {observations} observations can look alike or not. Say of more of \
         them that they look alike (`merge` or `fixed` in the map constraints), or seek one map instead of all (`seek both`, or \
         `seek map` for a given plan): `--prefer finest` and `--prefer coarsest` find the ends of what would do"
    )
}

/// So much of the world, looked at for so many maps, is worth a thread.
const MUCH: usize = 200;

/// The same monitor for several who work beside one another, and do not count what they do with it.
struct Beside<'a>(&'a dyn Monitor);

impl Monitor for Beside<'_> {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.0.poll(&Progress { again: true, ..*progress })
    }

    fn reached(&self, milestone: Milestone) {
        self.0.reached(milestone);
    }
}

/// What turns maps into answers.
pub struct Answering<'a, 'p> {
    setting: &'a Setting<'p>,
    offers: Offers,
    watched: &'a Watched<'a>,
}

impl Answering<'_, '_> {
    /// Tells of a map that will do while the search for a better one goes on.
    pub fn report(&self, map: &PartialMap) -> Result<(), Stop> {
        match self.found(map, &SeekOptions { offers: self.offers, ..SeekOptions::default() }) {
            Ok(found) => self.setting.report(SoFar::Map(found)),
            Err(QuestionError::Limit(limit)) => return Err(limit.into()),
            // The question was found askable before the search began.
            Err(_) => {}
        }
        Ok(())
    }

    /// Whole maps as answers, in their order, each with a shortest plan for it, on so many threads.
    fn each(
        &self,
        maps: &[PartialMap],
        options: &SeekOptions,
        allowed: usize,
    ) -> Result<Vec<FoundMap>, QuestionError> {
        let one_by_one = || maps.iter().map(|map| self.found(map, options)).collect();
        if self.setting.plan().is_some() {
            return one_by_one();
        }
        let work = self.setting.expansion()?.graph.len().saturating_mul(maps.len());
        let parts = threads(allowed, work, MUCH).min(maps.len());
        if parts < 2 {
            return one_by_one();
        }
        let monitor = self.setting.monitor();
        let beside = Beside(monitor);
        let tallies: Vec<Tally<'_>> = (0..parts).map(|_| Tally::new(&beside)).collect();
        let own = |tally| (self.setting.under(tally).on_threads(1), Watched::new(tally), Vec::new());
        let mut parts: Vec<_> = tallies.iter().map(|tally| own(tally)).collect();
        let (options, offers, next) =
            (&SeekOptions { threads: 1, ..*options }, self.offers, AtomicUsize::new(0));
        together(&mut parts, |(setting, watched, found)| {
            let answering = Answering { setting, offers, watched };
            while let number = next.fetch_add(1, Relaxed)
                && let Some(map) = maps.get(number)
            {
                found.push((number, answering.found(map, options)?));
            }
            Ok::<_, QuestionError>(())
        })?;
        let mut found: Vec<_> = parts.into_iter().flat_map(|(.., found)| found).collect();
        found.sort_unstable_by_key(|&(number, _)| number);
        // What they did counts as if one had done it.
        for tally in &tallies {
            self.watched.part();
            monitor.poll(&tally.sum())?;
        }
        self.watched.part();
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }

    /// A whole map as an answer, with a shortest plan for it.
    pub fn found(&self, map: &PartialMap, options: &SeekOptions) -> Result<FoundMap, QuestionError> {
        let constraints = &self.setting.observer().constraints;
        let merge_cost = merge_cost(constraints, map);
        let problem = self.setting.problem();
        let map: LabelMap = named(&problem.alphabet, constraints, map);
        let FoundPlan { plan, worst_case, choices } = match self.setting.plan() {
            Some(plan) => {
                let worst_case = worst_case(self.setting.joint()?, &problem.all_costs()).unwrap_or_default();
                countable(FoundPlan { plan: plan.clone(), worst_case, choices: Choices::of(plan) })?
            }
            None => {
                self.watched.part();
                let found = seek_plan(self.setting, &map, options);
                self.watched.part();
                found?.expect("the map is feasible")
            }
        };
        Ok(FoundMap { map, plan, worst_case, choices, merge_cost })
    }
}
