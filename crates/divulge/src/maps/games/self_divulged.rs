//! The sought map's game where the observer knows the sought plan.

use crate::{
    limit::Monitor,
    maps::{
        games::{Decided, MapGame},
        space::{Pairs, PartialMap, Undecided},
    },
    seek::self_divulged::{Bounded, EstimateGame, Fixpoint, START, Settled, Stop, Usable},
};

/// The work that looking for a plan of some length gets at first, before the proof that there is none has its turn.
const FIRST_SHARE: u64 = 200;

/// How much longer than its share looking for a plan of one length may take.
const LONGER: u64 = 4;

/// How many times as much work the proof gets.
const PROOF_SHARE: u64 = 10;

/// The work that goes into refuting many maps at once.
const EASIER: u64 = 2_000;

/// The work before that in which to find a plan that is easier to have, so that there is nothing to refute.
const USUAL_SHARE: u64 = 300;

/// How much more work goes into making a reason smaller than into finding it.
const FEWER: u64 = 4;

/// Plan and map are both sought, and the observer knows the plan.
pub struct SelfDivulgedGame<'g, 'm> {
    usable: &'g Usable<'g>,
    bounded: Bounded<'g, 'm>,
    /// The game of the proofs, whose table of sets serves one after the other.
    proofs: Option<(EstimateGame<'g>, Settled)>,
    monitor: &'m dyn Monitor,
    proving: u64,
    /// The length at which a plan was last found.
    usual: u32,
}

impl<'g, 'm> SelfDivulgedGame<'g, 'm> {
    /// The game on `usable`; `open` is any partial map of the labels in question.
    pub fn new(usable: &'g Usable<'g>, open: PartialMap, monitor: &'m dyn Monitor) -> Self {
        let proofs = Some((EstimateGame::new(usable, open.clone()), Settled::default()));
        Self {
            usable,
            bounded: Bounded::new(EstimateGame::new(usable, open), monitor),
            proofs,
            monitor,
            proving: 0,
            usual: 0,
        }
    }

    /// What is remembered of bounded games.
    pub fn bounded(&mut self) -> &mut Bounded<'g, 'm> {
        &mut self.bounded
    }

    fn within(&mut self, map: &PartialMap, events: u32) -> Result<Decided, Stop> {
        self.bounded.set_map(map.clone());
        let start = self.bounded.game.table.intern(&[START]);
        let feasible = !self.bounded.family(start, events)?.is_empty();
        Ok(Decided { feasible, looked: self.bounded.game.looked[0].clone() })
    }

    /// The same, given up after so much effort.
    fn within_effort(&mut self, map: &PartialMap, events: u32, effort: u64) -> Result<Decided, Stop> {
        self.bounded.until = self.bounded.game.effort.saturating_add(effort);
        let decided = self.within(map, events);
        self.bounded.until = u64::MAX;
        decided
    }

    /// Looks for a plan of growing length, and for the proof that there is none, in turns.
    fn take_turns(
        &mut self,
        map: &PartialMap,
        proof: &mut Fixpoint<'g, 'm>,
        effort: u64,
    ) -> Result<Decided, Stop> {
        let Some(least) = self.least() else {
            return Ok(Decided { feasible: false, looked: Pairs::new(map.index().len()) });
        };
        let mut events = least.max(self.usual);
        let begin = self.effort();
        let mut share = FIRST_SHARE;
        while self.effort() - begin <= effort {
            let turn = self.bounded.game.effort;
            while self.bounded.game.effort - turn < share {
                // What is found out before it is given up stays known.
                let decided = match self.within_effort(map, events, LONGER * share) {
                    Err(Stop::Effort) => break,
                    decided => decided?,
                };
                if decided.feasible {
                    self.usual = events;
                    return Ok(decided);
                }
                events += 1;
            }
            let before = proof.game.effort;
            let verdict = proof.run(share * PROOF_SHARE);
            self.proving += proof.game.effort - before;
            if let Some(feasible) = verdict? {
                let looked = proof.settle();
                if !feasible {
                    return Ok(Decided { feasible, looked: looked.and(map.decided()) });
                }
                // What wins if every estimate may have a map of its own wins if nothing had to be chosen.
                let open = looked.iter().find(|&pair| !map.decided().contains(pair));
                return match open {
                    None => Ok(Decided { feasible, looked }),
                    Some(pair) => {
                        let (a, b) = map.index().pair(pair);
                        Err(Undecided(a, b).into())
                    }
                };
            }
            share *= 2;
        }
        proof.settle();
        Err(Stop::Effort)
    }

    /// The pairs because of which there is no plan even if every estimate may have a map of its own, if that is found out soon.
    fn easier(&mut self, map: &PartialMap, within: Option<u32>) -> Result<Option<Pairs>, Stop> {
        let until = self.bounded.game.effort + EASIER;
        let bounded = |game: &mut Self, events: u32, until: u64| {
            (game.bounded.relaxed, game.bounded.until) = (true, until);
            let decided = game.within(map, events);
            (game.bounded.relaxed, game.bounded.until) = (false, u64::MAX);
            match decided {
                Ok(Decided { feasible: false, looked }) => Ok(Some(looked.and(map.decided()))),
                Ok(_) | Err(Stop::Effort) => Ok(None),
                Err(stop) => Err(stop),
            }
        };
        if let Some(events) = within {
            return bounded(self, events, until);
        }
        let Some(least) = self.least() else { return Ok(Some(Pairs::new(map.index().len()))) };
        // A plan that is easier to have is most often found at a length at which others were.
        let events = least.max(self.usual);
        let until = self.bounded.game.effort + USUAL_SHARE;
        if bounded(self, events, until)?.is_none() && self.bounded.game.effort < until {
            return Ok(None);
        }
        self.prove(map, |game, proof| {
            let before = proof.game.effort;
            let verdict = proof.run(EASIER);
            game.proving += proof.game.effort - before;
            let lost = verdict? == Some(false);
            let seen = proof.settle();
            Ok(lost.then(|| seen.and(map.decided())))
        })
    }

    /// Does something with the game of the proofs under `map`.
    fn prove<T>(
        &mut self,
        map: &PartialMap,
        work: impl FnOnce(&mut Self, &mut Fixpoint<'g, 'm>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (mut game, settled) = self
            .proofs
            .take()
            .unwrap_or_else(|| (EstimateGame::new(self.usable, map.clone()), Settled::default()));
        game.set_map(map.clone());
        let mut proof = Fixpoint::relaxed(game, settled, START, self.monitor);
        let done = work(self, &mut proof);
        self.proofs = Some((proof.game, proof.settled));
        done
    }
}

impl MapGame for SelfDivulgedGame<'_, '_> {
    fn least(&self) -> Option<u32> {
        Some(self.usable.rank[START as usize]).filter(|&rank| rank != u32::MAX)
    }

    fn decide(&mut self, map: &PartialMap, within: Option<u32>, effort: u64) -> Result<Decided, Stop> {
        if let Some(events) = within {
            return self.within_effort(map, events, effort);
        }
        self.prove(map, |game, proof| game.take_turns(map, proof, effort))
    }

    fn refute(&mut self, map: &PartialMap, within: Option<u32>) -> Result<Option<Pairs>, Stop> {
        self.easier(map, within)
    }

    fn explain(
        &mut self,
        whole: &PartialMap,
        within: Option<u32>,
        effort: u64,
    ) -> Result<Option<Pairs>, Stop> {
        let begin = self.effort();
        let Decided { feasible, looked } = self.decide(whole, within, effort)?;
        if feasible {
            return Ok(None);
        }
        let fewer = FEWER * (self.effort() - begin) + EASIER;
        let until = self.effort().saturating_add(effort.min(fewer));
        let fewer = looked.fewer(|kept, looked| {
            if self.effort() > until {
                return Ok(None);
            }
            let fewer = whole.only(kept.iter());
            // What follows from the rest need not be said.
            if looked.is_subset(fewer.decided()) {
                return Ok(Some(kept));
            }
            let easier = self.easier(&fewer, within)?;
            Ok(easier.map(|less| if less.len() < kept.len() { less } else { kept }))
        });
        fewer.map(Some)
    }

    fn effort(&self) -> u64 {
        self.bounded.game.effort + self.proving
    }
    fn stored(&self) -> usize {
        let proofs = self.proofs.as_ref().map_or(0, |(game, _)| game.table.len());
        self.bounded.game.table.len() + proofs
    }

    fn usual(&self) -> u32 {
        self.usual
    }

    fn expect(&mut self, usual: u32) {
        self.usual = usual;
    }
}
