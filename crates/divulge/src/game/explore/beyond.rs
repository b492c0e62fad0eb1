//! What a budget of events keeps out of an exploration.

use crate::{game::arena::Arena, graph::Moves, sets::Word};

/// So many words of nodes are too many to go on from, whatever was explored.
const WIDE: usize = 1 << 18;

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
    edge: Edge,
}

/// How many arcs led to nodes that need this much more than the budget, plus one; and from where.
#[derive(Default)]
pub(super) struct KeptOut {
    arcs: Vec<u64>,
    /// Whether anything was noted since it was last asked.
    noted: bool,
    /// The words of nodes of which some arc was kept out.
    edge: Vec<(u32, Word)>,
}

/// Where a search may go on if the budget falls.
#[derive(Default)]
struct Edge {
    words: Vec<(u32, Word)>,
    /// Whether there were too many words to note.
    wide: bool,
}

impl KeptOut {
    fn note(&mut self, more: usize) {
        if self.arcs.len() <= more {
            self.arcs.resize(more + 1, 0);
        }
        self.arcs[more] += 1;
        self.noted = true;
    }
}

impl Beyond {
    pub(super) fn new(game: &Arena<'_>, budget: u32) -> Self {
        let count = game.by_rank.partition_point(|&(rank, _)| rank.saturating_add(1) <= budget);
        let mut within = vec![0; game.robot.rank.len().div_ceil(64)];
        for (_, word) in &game.by_rank[..count] {
            within[word.number as usize] |= word.bits;
        }
        Self { budget, depth: 1, within, count, kept_out: KeptOut::default(), edge: Edge::default() }
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
        let all = &mut self.kept_out.arcs;
        all.resize(all.len().max(more.arcs.len()), 0);
        all.iter_mut().zip(&more.arcs).for_each(|(sum, count)| *sum += count);
        more.arcs.clear();
        let Edge { words, wide } = &mut self.edge;
        words.append(&mut more.edge);
        if words.len() > WIDE {
            *wide = true;
        }
        if *wide {
            words.clear();
        }
    }

    /// Takes note of a word of nodes if any arc of theirs was kept out since somebody asked.
    pub(super) fn edge(&self, observer: u32, word: Word, kept_out: &mut KeptOut) {
        if std::mem::take(&mut kept_out.noted) && !self.edge.wide {
            kept_out.edge.push((observer, word));
        }
    }

    /// Lets in all from which the goal can be forced, if it is led to from no more than so many words of nodes; tells from which.
    pub(super) fn fall(&mut self, game: &Arena<'_>, most: usize) -> Option<Vec<(u32, Word)>> {
        let mut words = std::mem::take(&mut self.edge.words);
        if self.edge.wide || words.is_empty() || words.len() > most {
            return None;
        }
        // Nodes of a word may have been found one after the other.
        words.sort_unstable();
        words.dedup_by(|later, word| {
            let same = (later.0, later.1.number) == (word.0, word.1.number);
            word.1.bits |= if same { later.1.bits } else { 0 };
            same
        });
        for (_, word) in &game.by_rank {
            self.within[word.number as usize] |= word.bits;
        }
        self.count = 0;
        Some(words)
    }

    /// What a strategy takes at least if none keeps to the budget.
    pub fn least(&self) -> u32 {
        let more = self.kept_out.arcs.iter().position(|&count| count > 0).unwrap_or(0) as u32;
        self.budget.saturating_add(more + 1)
    }

    /// The next budget: enough more that exploring again is made up for by what is new; `None` if nothing was kept out.
    pub fn next(&self, explored: usize) -> Option<u32> {
        let mut sum = 0;
        for (more, count) in self.kept_out.arcs.iter().enumerate() {
            sum += count;
            if sum >= explored as u64 || more + 1 == self.kept_out.arcs.len() {
                return Some(self.budget + more as u32 + 1);
            }
        }
        None
    }
}
