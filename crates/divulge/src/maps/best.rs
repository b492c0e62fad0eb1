//! One map: the first that will do, or the best.

use crate::{
    maps::{
        posed::MapQuestion,
        questions::{MapOptions, Prefer},
        search::{Existence, Guesses, Search},
        space::{self, ImageCount, PartialMap, coarsest, finest, images, merge_cost},
    },
    seek::{SeekOptions, self_divulged::Stop},
    verdict::{FoundMap, QuestionError, SoFar},
};

/// The work that looking for plans of some length gets before a proof that there is none is tried; both then double.
const FIRST_EFFORT: u64 = 10_000;

/// So many pairs of labels are few: there is not much to guess.
const FEW_PAIRS: usize = 40;

/// How much less work goes into the proof that there is no plan at all than into plans of some length, which are games of less depth.
const PROOF_SHARE: u64 = 4;

/// How much more patience there is with visiting all regions than with looking for one, if there are few labels.
const VISITS: u64 = 1_000;

/// A game that remembers more sets than this is begun anew, or memory is used up long before time is.
const MOST_STORED: usize = 200_000;

/// The work after which it is looked at first whether a game remembers too much.
const MUCH: u64 = 1_000_000;

/// The work that goes into choosing among maps that are equally good.
const TIE_EFFORT: u64 = 50_000;

/// A search that is taken up again and again.
struct Turns<'a> {
    /// The work that splitting regions may still take.
    patience: u64,
    /// Those that keep labels apart where nothing speaks against it, and those that merge them.
    guesses: Option<[Guesses<'a>; 2]>,
    /// Whether it is the turn of the latter, and whether they have turns at all.
    merge: bool,
    both: bool,
}

impl Turns<'_> {
    /// For a proof that there is none, one kind of guesses is enough: the other would only do it again.
    fn new(patience: u64, proof: bool) -> Self {
        Self { patience, guesses: None, merge: false, both: !proof }
    }
}

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

    /// Some region with a solution, with a shortest one if that is wanted.
    fn first(
        &mut self,
        start: &PartialMap,
        shortest: bool,
        patience: u64,
    ) -> Result<Option<PartialMap>, QuestionError> {
        let Some(mut events) = self.game.least() else { return Ok(None) };
        let (mut effort, mut exists) = (FIRST_EFFORT, false);
        let patience = if start.index().len() > FEW_PAIRS { patience } else { 10 * patience };
        let (mut any, mut short) =
            (Turns::new(patience / PROOF_SHARE, false), Turns::new(patience, shortest));
        loop {
            self.forget();
            let begin = self.game.effort();
            // A try counts as work too: one that is lost at the start costs the game nothing, whatever its length.
            let mut tries = 0;
            while exists || self.game.effort() - begin + tries < effort {
                match self.turn(start, Some(events), &mut short, effort) {
                    Ok(Some(region)) => return Ok(Some(region)),
                    Ok(None) => {
                        events += 1;
                        short = Turns::new(patience, shortest);
                    }
                    Err(Stop::Effort) if exists => {
                        effort *= 2;
                        self.forget();
                    }
                    Err(Stop::Effort) => break,
                    Err(stop) => return Err(stop.into()),
                }
                tries += 1;
            }
            match self.turn(start, None, &mut any, effort / PROOF_SHARE) {
                Ok(Some(region)) if !shortest => return Ok(Some(region)),
                Ok(Some(region)) => {
                    exists = true;
                    let found = self.found(&finest(&region), &SeekOptions::default())?;
                    self.setting.report(SoFar::Map(found));
                }
                Ok(None) => return Ok(None),
                Err(Stop::Effort) => {}
                Err(stop) => return Err(stop.into()),
            }
            effort *= 2;
        }
    }

    /// A region with a solution of at most `within` events, if that is given: regions are split for some time, then whole maps are guessed.
    fn turn(
        &mut self,
        start: &PartialMap,
        within: Option<u32>,
        turns: &mut Turns<'a>,
        effort: u64,
    ) -> Result<Option<PartialMap>, Stop> {
        let images = ImageCount::of(&self.setting.observer().constraints);
        let monitor = self.setting.monitor();
        if turns.patience > 0 {
            let mut search = Search::new(&mut *self.game, within, images, self.symmetries, monitor);
            search.give_up_after(turns.patience);
            // Regions are split anew each time, which is a waste where each is a large game.
            turns.patience = if within.is_some() { turns.patience.saturating_mul(2) } else { 0 };
            match search.exists(start)? {
                Existence::Found(region) => return Ok(Some(region)),
                Existence::Nowhere(_) => return Ok(None),
                Existence::Left => {}
            }
        }
        let [apart, alike] = turns.guesses.get_or_insert_with(|| {
            [false, true].map(|merge| {
                let mut guesses = Guesses::new(start, merge, within, self.symmetries, monitor);
                guesses.rules.so_many_images(images);
                guesses
            })
        });
        // Some questions are easy where much looks alike, others where little does.
        let merge = turns.merge;
        turns.merge = turns.both && !merge;
        let (guesses, others) = if merge { (alike, apart) } else { (apart, alike) };
        guesses.learn_from(others);
        guesses.exists(&mut *self.game, effort)
    }

    /// A whole map that keeps the rules and under which there is a solution, however much work that is.
    fn guessed(&mut self, guesses: &mut Guesses<'a>) -> Result<Option<PartialMap>, Stop> {
        let mut effort = MUCH;
        loop {
            match guesses.exists(&mut *self.game, effort) {
                Err(Stop::Effort) => effort = effort.saturating_mul(2),
                done => return done,
            }
            self.forget();
        }
    }

    /// Begins a new game where the one so far remembers too much.
    fn forget(&mut self) {
        if self.game.stored() > MOST_STORED {
            let usual = self.game.usual();
            self.game = self.field.game(self.open, self.setting.monitor());
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
        let mut guesses = Guesses::new(start, coarse, within, self.symmetries, self.setting.monitor());
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
        let mut guesses = Guesses::new(start, false, within, self.symmetries, self.setting.monitor());
        guesses.rules.so_many_images(ImageCount::of(constraints));
        guesses.rules.cheaper_than(constraints, more);
        loop {
            guesses.rules.more_images_than(images(&best));
            match guesses.exists(&mut *self.game, TIE_EFFORT) {
                Ok(Some(map)) => best = map,
                Ok(None) | Err(Stop::Effort) => return Ok(best),
                Err(stop) => return Err(stop),
            }
        }
    }
}
