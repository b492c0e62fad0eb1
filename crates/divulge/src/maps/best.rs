//! One map: the first that will do, or the best.

use crate::{
    maps::{
        posed::MapQuestion,
        questions::{MapOptions, Prefer},
        search::Guesses,
        space::{self, ImageCount, PartialMap, coarsest, finest, images, merge_cost},
    },
    seek::{SeekOptions, self_divulged::Stop},
    verdict::{FoundMap, QuestionError},
};

/// So many pairs of labels are few: there is not much to guess.
pub(super) const FEW_PAIRS: usize = 40;

/// How much more patience there is with visiting all regions than with looking for one, if there are few labels.
const VISITS: u64 = 1_000;

/// A game that remembers more sets than this is begun anew, or memory is used up long before time is.
const MOST_STORED: usize = 200_000;

/// The work after which it is looked at first whether a game remembers too much.
const MUCH: u64 = 1_000_000;

/// The work that goes into choosing among maps that are equally good.
const TIE_EFFORT: u64 = 50_000;

impl<'a> MapQuestion<'a, '_> {
    /// One map, as the options want it; `None` is a proof that there is none.
    pub fn one(&mut self, options: &MapOptions) -> Result<Option<FoundMap>, QuestionError> {
        let Some(start) = self.start.clone() else { return Ok(None) };
        let region = match options.prefer {
            Prefer::First => self.first(&start, options.shortest, options.patience)?,
            prefer => {
                let within =
                    if options.shortest { self.least_events(&start, options.patience)? } else { None };
                if options.shortest && within.is_none() {
                    return Ok(None);
                }
                match self.best(&start, prefer, within, options.patience)? {
                    None => self.best_guess(&start, prefer, within, options.patience)?,
                    Some(best) => best,
                }
            }
        };
        region.map(|region| self.found(&finest(&region), &options.plan)).transpose()
    }

    /// A whole map that keeps the rules and under which there is a solution, however much work that is.
    fn guessed(&mut self, guesses: &mut Guesses<'a>) -> Result<Option<PartialMap>, Stop> {
        let mut effort = MUCH;
        loop {
            match self.guess(guesses, effort) {
                Err(Stop::Effort) => effort = effort.saturating_mul(2),
                done => return done,
            }
            self.forget();
        }
    }

    /// Begins a new game where the one so far remembers too much.
    pub(super) fn forget(&mut self) {
        if self.game.stored() > MOST_STORED {
            let usual = self.game.usual();
            self.game = self.field.game(self.open, self.watched);
            self.game.expect(usual);
        }
    }

    /// The least number of events of any solution under any map; `None` if there is none.
    fn least_events(&mut self, start: &PartialMap, patience: u64) -> Result<Option<u32>, QuestionError> {
        let Some(region) = self.first(start, true, patience)? else { return Ok(None) };
        let found = self.found(&finest(&region), &SeekOptions::default())?;
        Ok(u32::try_from(found.worst_case.events).ok())
    }

    /// The region with the best map, all regions compared; `None` if that would be too much work.
    fn best(
        &mut self,
        start: &PartialMap,
        prefer: Prefer,
        within: Option<u32>,
        patience: u64,
    ) -> Result<Option<Option<PartialMap>>, QuestionError> {
        let constraints = &self.setting.observer().constraints;
        let asked = self.answering();
        let visits = if start.index().len() > FEW_PAIRS { 1 } else { VISITS };
        let mut best: Option<(u64, PartialMap)> = None;
        let most = patience.saturating_mul(visits);
        let (_, all) = self.classify(start, within, most, &mut |region, feasible| {
            if !feasible {
                return Ok(());
            }
            let candidates = if prefer == Prefer::Coarsest { coarsest(region) } else { vec![finest(region)] };
            for map in candidates {
                let images = images(&map) as u64;
                let score = match prefer {
                    Prefer::First | Prefer::Finest => u64::MAX - images,
                    Prefer::Coarsest => images,
                    Prefer::Cheapest => merge_cost(constraints, &map),
                };
                let least = best.as_ref().map(|(least, _)| *least);
                // Of those that are as good, one that hides least.
                let better = best.as_ref().is_none_or(|(least, other)| {
                    let key = |score: u64, map: &PartialMap| (score, u64::MAX - space::images(map) as u64);
                    (key(score, &map), map.merged()) < (key(*least, other), other.merged())
                });
                if better {
                    if least.is_none_or(|least| score < least) {
                        asked.report(&map)?;
                    }
                    best = Some((score, map));
                }
            }
            Ok(())
        })?;
        Ok(all.then(|| best.map(|(_, map)| map)))
    }

    /// A best map, found by guessing better ones until there is none.
    fn best_guess(
        &mut self,
        start: &PartialMap,
        prefer: Prefer,
        within: Option<u32>,
        patience: u64,
    ) -> Result<Option<PartialMap>, QuestionError> {
        let constraints = &self.setting.observer().constraints;
        let asked = self.answering();
        let coarse = prefer == Prefer::Coarsest;
        let mut guesses = Guesses::new(start, coarse, within, self.symmetries, self.watched);
        guesses.rules.so_many_images(ImageCount::of(constraints));
        // Some map is found soon, with a plan of any length; better ones are compared with it.
        let mut next = match within {
            Some(_) => self.guessed(&mut guesses)?,
            None => self.first(start, false, patience)?.map(|region| finest(&region)),
        };
        let mut best: Option<PartialMap> = None;
        while let Some(map) = next {
            asked.report(&map)?;
            match prefer {
                Prefer::First | Prefer::Finest => guesses.rules.more_images_than(images(&map)),
                Prefer::Coarsest => guesses.rules.fewer_images_than(images(&map)),
                Prefer::Cheapest => guesses.rules.cheaper_than(constraints, merge_cost(constraints, &map)),
            }
            best = Some(map);
            next = self.guessed(&mut guesses)?;
        }
        match best {
            Some(best) if prefer == Prefer::Cheapest => Ok(Some(self.finer(start, within, best)?)),
            best => Ok(best),
        }
    }

    /// A map that costs as little and hides less, as far as that is found soon.
    fn finer(
        &mut self,
        start: &PartialMap,
        within: Option<u32>,
        mut best: PartialMap,
    ) -> Result<PartialMap, Stop> {
        let constraints = &self.setting.observer().constraints;
        let Some(more) = merge_cost(constraints, &best).checked_add(1) else { return Ok(best) };
        let mut guesses = Guesses::new(start, false, within, self.symmetries, self.watched);
        guesses.rules.so_many_images(ImageCount::of(constraints));
        guesses.rules.cheaper_than(constraints, more);
        loop {
            guesses.rules.more_images_than(images(&best));
            match self.guess(&mut guesses, TIE_EFFORT) {
                Ok(Some(map)) => best = map,
                Ok(None) | Err(Stop::Effort) => return Ok(best),
                Err(stop) => return Err(stop),
            }
        }
    }
}
