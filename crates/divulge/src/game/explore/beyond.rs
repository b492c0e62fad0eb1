//! What a budget of events keeps out of an exploration.

use crate::{game::arena::Arena, graph::Moves, sets::Word};

/// What a budget kept out.
pub(crate) struct Beyond {
    budget: u32,
    /// How many events the nodes of the next wave are from the start.
    depth: u32,
    /// The robot's states from which the goal can be forced within what is left of the budget at that depth.
    within: Vec<u64>,
    /// How many words of states by rank these are.
    count: usize,
    kept_out: KeptOut,
}

/// How many arcs led to nodes that need this much more than the budget, plus one.
#[derive(Default)]
pub(super) struct KeptOut(Vec<u64>);

impl KeptOut {
    fn note(&mut self, more: usize) {
        if self.0.len() <= more {
            self.0.resize(more + 1, 0);
        }
        self.0[more] += 1;
    }
}

impl Beyond {
    pub(super) fn new(game: &Arena<'_>, budget: u32) -> Self {
        let count = game.by_rank.partition_point(|&(rank, _)| rank.saturating_add(1) <= budget);
        let mut within = vec![0; game.robot.rank.len().div_ceil(64)];
        for (_, word) in &game.by_rank[..count] {
            within[word.number as usize] |= word.bits;
        }
        Self { budget, depth: 1, within, count, kept_out: KeptOut::default() }
    }

    /// Goes on to the next wave.
    pub(super) fn go_deeper(&mut self, game: &Arena<'_>) {
        self.depth += 1;
        while let Some(&(rank, word)) = game.by_rank[..self.count].last()
            && rank.saturating_add(self.depth) > self.budget
        {
            self.within[word.number as usize] &= !word.bits;
            self.count -= 1;
        }
    }

    /// How many events the nodes of the next wave are from the start.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Those of some states that are within the budget; takes note of the others.
    pub(super) fn within(&self, to: Word, rank: &[u32], kept_out: &mut KeptOut) -> u64 {
        let within = self.within[to.number as usize];
        for state in (Word { bits: to.bits & !within, ..to }).members() {
            let needs = rank[state as usize].saturating_add(self.depth);
            // What cannot be forced at all stays out for ever.
            if needs != u32::MAX {
                kept_out.note((needs - self.budget - 1) as usize);
            }
        }
        to.bits & within
    }

    /// Those of some states that have an arc beyond the budget: what a goal vertex that must go on leads to may be out of reach.
    pub(super) fn any(&self, moves: &Moves<'_>, from: Word, rank: &[u32], kept_out: &mut KeptOut) -> u64 {
        let mut beyond = 0;
        moves.follow(from, |piece| {
            let within = self.within(piece.to, rank, kept_out);
            beyond |= piece.from(piece.to.bits & !within);
        });
        beyond
    }

    /// Takes note of what somebody found that it kept out, who forgets it.
    pub(super) fn keep_out(&mut self, more: &mut KeptOut) {
        let all = &mut self.kept_out.0;
        all.resize(all.len().max(more.0.len()), 0);
        all.iter_mut().zip(&more.0).for_each(|(sum, count)| *sum += count);
        more.0.clear();
    }

    /// What a strategy takes at least if none keeps to the budget.
    pub fn least(&self) -> u32 {
        let more = self.kept_out.0.iter().position(|&count| count > 0).unwrap_or(0) as u32;
        self.budget.saturating_add(more + 1)
    }

    /// The next budget: enough more that exploring again is made up for by what is new; `None` if nothing was kept out.
    pub fn next(&self, explored: usize) -> Option<u32> {
        let mut sum = 0;
        for (more, count) in self.kept_out.0.iter().enumerate() {
            sum += count;
            if sum >= explored as u64 || more + 1 == self.kept_out.0.len() {
                return Some(self.budget + more as u32 + 1);
            }
        }
        None
    }
}
