//! The sought map's game where the observer knows the sought plan.

use super::{
    pairs::Pairs,
    partial::PartialMap,
    search::{Decided, MapGame},
};
use crate::question::{
    Monitor,
    seek::divulged::{Bounded, Fixpoint, Game, Ground, START, Stop},
};

/// The work that looking for a plan of some length gets at first, before the proof that there is none has its turn.
const FIRST_SHARE: u64 = 60;

/// How many times as much work the proof gets.
const PROOF_SHARE: u64 = 10;

/// Plan and map are both sought, and the observer knows the plan.
pub struct Divulged<'g, 'm> {
    ground: &'g Ground<'g>,
    bounded: Bounded<'g, 'm>,
    /// The game of the proofs, whose table of sets serves one after the other.
    proofs: Option<Game<'g>>,
    monitor: &'m dyn Monitor,
    proving: u64,
}

impl<'g, 'm> Divulged<'g, 'm> {
    /// The game on `ground`; `open` is any partial map of the labels in question.
    pub fn new(ground: &'g Ground<'g>, open: PartialMap, monitor: &'m dyn Monitor) -> Self {
        let proofs = Some(Game::new(ground, open.clone()));
        Self { ground, bounded: Bounded::new(Game::new(ground, open), monitor), proofs, monitor, proving: 0 }
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

    /// Looks for a plan of growing length, and for the proof that there is none, in turns.
    fn take_turns(
        &mut self,
        map: &PartialMap,
        proof: &mut Fixpoint<'g, 'm>,
        effort: u64,
    ) -> Result<Decided, Stop> {
        let Some(mut events) = self.least() else {
            return Ok(Decided { feasible: false, looked: Pairs::new(map.index().len()) });
        };
        let begin = self.effort();
        let mut share = FIRST_SHARE;
        while self.effort() - begin <= effort {
            let turn = self.bounded.game.effort;
            while self.bounded.game.effort - turn < share {
                let decided = self.within(map, events)?;
                if decided.feasible {
                    return Ok(decided);
                }
                events += 1;
            }
            let before = proof.game.effort;
            let verdict = proof.run(share * PROOF_SHARE);
            self.proving += proof.game.effort - before;
            if let Some(feasible) = verdict? {
                return Ok(Decided { feasible, looked: proof.game.looked[0].clone() });
            }
            share *= 2;
        }
        Err(Stop::Effort)
    }
}

impl MapGame for Divulged<'_, '_> {
    fn least(&self) -> Option<u32> {
        Some(self.ground.rank[START as usize]).filter(|&rank| rank != u32::MAX)
    }

    fn decide(&mut self, map: &PartialMap, within: Option<u32>, effort: u64) -> Result<Decided, Stop> {
        if let Some(events) = within {
            return self.within(map, events);
        }
        let mut game = self.proofs.take().unwrap_or_else(|| Game::new(self.ground, map.clone()));
        game.set_map(map.clone());
        let mut fixpoint = Fixpoint::new(game, START, self.monitor);
        let decided = self.take_turns(map, &mut fixpoint, effort);
        self.proofs = Some(fixpoint.game);
        decided
    }

    fn effort(&self) -> u64 {
        self.bounded.game.effort + self.proving
    }
}
