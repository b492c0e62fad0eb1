//! The game on estimates, bounded by events.

use super::{Estimates, Move, Step, Widest, images};
use crate::{
    problem::{Kind, Label, Vertex},
    seek::self_divulged::{
        bounded::Bounded,
        evaluate::choice,
        game::{Continuation, Family, Stop},
        usable::START,
    },
    sets::SetId,
};

/// How often the monitor is looked at.
const POLL: u64 = 256;

/// A bounded game under a whole map.
pub struct Plain<'b, 'g, 'm> {
    bounded: &'b mut Bounded<'g, 'm>,
    /// For each label the first that looks like it.
    images: Vec<u32>,
    /// What was done beside the game.
    tries: u64,
}

impl<'b, 'g, 'm> Plain<'b, 'g, 'm> {
    pub fn new(bounded: &'b mut Bounded<'g, 'm>) -> Self {
        let images = images(&bounded.game.map);
        Self { bounded, images, tries: 0 }
    }

    /// Where executions start, with so many events to come.
    pub fn start(&mut self, events: u32) -> (SetId, u32) {
        (self.bounded.game.table.intern(&[START]), events)
    }

    /// The maximal subsets that win.
    fn family(&mut self, (set, events): (SetId, u32)) -> Result<Family, Stop> {
        self.bounded.family(set, events)
    }
}

impl Estimates for Plain<'_, '_, '_> {
    /// A set, and how many events may follow.
    type Key = (SetId, u32);

    fn members(&self, (set, _): Self::Key) -> Vec<u32> {
        self.bounded.game.table.get(set).to_vec()
    }

    fn at(&self, v: u32) -> Vertex {
        self.bounded.game.usable.base[v as usize]
    }

    fn kind(&self, v: u32) -> Kind {
        self.bounded.game.usable.kind(v)
    }

    fn distance(&self, v: u32) -> u32 {
        self.bounded.game.usable.rank[v as usize]
    }

    fn may_stop(&mut self, (set, _): Self::Key, v: u32) -> bool {
        let game = &mut self.bounded.game;
        game.usable.goal.contains(v as usize) && game.table.broken(game.usable, set, true).is_none()
    }

    fn steps(&mut self, (_, events): Self::Key, v: u32) -> Vec<Step> {
        let usable = self.bounded.game.usable;
        let near = |to: u32| events > 0 && usable.rank[to as usize] < events;
        let all = usable.arcs(v);
        let step = |&(label, to): &(Label, u32)| Step { label, image: self.images[label.index()], to };
        let steps: Vec<Step> = all.iter().filter(|&&(_, to)| near(to)).map(step).collect();
        if usable.kind(v) == Kind::Observation && steps.len() < all.len() { Vec::new() } else { steps }
    }

    fn after(&mut self, (_, events): Self::Key, members: &[u32]) -> Self::Key {
        (self.bounded.game.table.intern(members), events - 1)
    }

    fn may_win(&mut self, key: Self::Key, some: &[u32]) -> Result<bool, Stop> {
        let family = self.family(key)?;
        let table = &mut self.bounded.game.table;
        let some = table.intern(some);
        Ok(family.iter().any(|&winner| table.is_subset(some, winner)))
    }

    fn nearer(&mut self, (set, events): Self::Key) -> Result<Self::Key, Stop> {
        let game = &self.bounded.game;
        let least = game.table.get(set).iter().map(|&v| game.usable.rank[v as usize]).max().unwrap_or(0);
        if least < events && *self.family((set, least))? == [set] {
            return Ok((set, least));
        }
        Ok((set, events))
    }

    fn effort(&self) -> u64 {
        self.bounded.game.effort + self.tries
    }

    fn within(&mut self, effort: u64) {
        self.bounded.until = effort.saturating_sub(self.tries);
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.tries += 1;
        self.bounded.until = self.bounded.until.saturating_sub(u64::from(self.bounded.until != u64::MAX));
        if self.tries.is_multiple_of(POLL) {
            self.bounded.poll("leaving choices out")?;
        }
        if self.bounded.game.effort >= self.bounded.until { Err(Stop::Effort) } else { Ok(()) }
    }
}

impl Widest for Plain<'_, '_, '_> {
    fn widest(&mut self, (set, events): Self::Key) -> Result<Vec<Move>, Stop> {
        self.bounded.allow(events);
        let Continuation { next, going } =
            choice(self.bounded, set)?.expect("the estimate wins within these events");
        let game = &self.bounded.game;
        let chosen = |step: &Step| {
            let of = next.iter().find(|(group, _)| group.labels.binary_search(&step.label).is_ok());
            of.and_then(|&(_, chosen)| chosen)
                .is_some_and(|to| game.table.get(to).binary_search(&step.to).is_ok())
        };
        let mut moves = Vec::new();
        for &v in game.table.get(set) {
            let goes = game.table.get(going).binary_search(&v).is_ok();
            let steps = game.usable.arcs(v).iter().filter(|_| goes);
            let steps = steps.map(|&(label, to)| Step { label, image: self.images[label.index()], to });
            moves.push(steps.filter(|step| chosen(step)).collect());
        }
        Ok(moves)
    }
}
