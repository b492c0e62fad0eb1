//! The part of the game that plans of a budget of events may visit.

use crate::{
    game::{
        arena::{Arena, BARRED},
        moves::Moves,
        product::Product,
    },
    limit::Limit,
    sets::{NodeSet, Word},
};

/// A word of nodes takes as long to follow as this many nodes by themselves.
const WORD: usize = 4;

/// The search for all nodes that a plan of at most so many events may visit, which may pause.
pub(crate) struct Exploration {
    groups: Vec<NodeSet>,
    /// How many events the first node of each group is from the start.
    depths: Vec<u32>,
    /// The observer's states with nodes that are new, those of this wave and those of the next one.
    wave: Vec<u32>,
    next_wave: Vec<u32>,
    /// How far this wave was followed.
    at: usize,
    explored: usize,
    /// How much that took: as many nodes, if they are followed one by one.
    looked: usize,
    /// Whether the robot may stop at any of them.
    stops: bool,
    fresh: Vec<Word>,
    beyond: Beyond,
}

impl Exploration {
    /// A search within a budget of events, at its start.
    pub fn new(game: &Arena<'_>, budget: u32) -> Self {
        let (observer, robot) = game.first();
        let mut groups = Vec::new();
        groups.resize_with(observer as usize + 1, NodeSet::default);
        groups[observer as usize].insert(robot, game.robot.graph.len());
        Self {
            depths: vec![0; groups.len()],
            groups,
            wave: vec![observer],
            next_wave: Vec::new(),
            at: 0,
            explored: 0,
            looked: 0,
            stops: false,
            fresh: Vec::new(),
            beyond: Beyond::new(game, budget),
        }
    }

    /// How many nodes were looked at.
    pub fn explored(&self) -> usize {
        self.explored
    }

    /// How much that took: the nodes, or less where many of them are followed together.
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// Goes on until it took that much or there are no more; tells whether there are no more.
    pub fn go_on(&mut self, game: &mut Arena<'_>, most: usize) -> Result<bool, Limit> {
        while !self.wave.is_empty() {
            while let Some(&observer) = self.wave.get(self.at) {
                if self.looked >= most {
                    return Ok(false);
                }
                self.at += 1;
                self.look(game, observer)?;
            }
            // What was added to a group that was looked at is new for the wave to come. If that was still to be looked at, it was
            // taken for one event nearer, which lets in more than it should, never less. A group may be noted more than once, or in vain.
            self.next_wave.sort_unstable();
            self.next_wave.dedup();
            self.next_wave.retain(|&observer| self.groups[observer as usize].has_fresh());
            std::mem::swap(&mut self.wave, &mut self.next_wave);
            self.next_wave.clear();
            self.at = 0;
            self.beyond.go_deeper(game);
        }
        Ok(true)
    }

    /// Looks at the new nodes with one of the observer's states.
    fn look(&mut self, game: &mut Arena<'_>, observer: u32) -> Result<(), Limit> {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.groups[observer as usize].take_fresh(&mut fresh);
        let count = fresh.iter().map(|word| word.bits.count_ones() as usize).sum();
        game.look_at(observer, count);
        self.explored += count;
        self.looked += count.min(WORD * fresh.len());
        self.groups.resize_with(self.groups.len().max(game.tracker().len()), NodeSet::default);
        self.depths.resize(self.groups.len(), 0);
        for &word in &fresh {
            game.forwards.prepare(word);
            let at = word.number as usize;
            let stops = if game.view().may_end() { word.bits & game.robot.goal.words()[at] } else { 0 };
            self.stops |= stops != 0;
            let goes_on = word.bits & !stops;
            let chooses = goes_on & game.choices[at];
            let suffers = goes_on & !chooses & !lost(game, at);
            if game.forwards.together(word) {
                self.go_together(game, Word { bits: chooses, ..word }, Word { bits: suffers, ..word });
                continue;
            }
            for robot in (Word { bits: chooses | suffers, ..word }).members() {
                self.go(game, robot, chooses >> (robot % 64) & 1 == 1);
            }
        }
        self.fresh = fresh;
        game.poll("exploring the game", 64 + 4 * count, self.explored)
    }

    /// Follows the arcs of one state.
    fn go(&mut self, game: &Arena<'_>, robot: u32, chooses: bool) {
        let (view, tracker) = (game.view(), game.tracker());
        let ends = game.forwards.ends(robot);
        if !chooses {
            if ends.iter().any(|&(image, _)| view.after(tracker, image) == BARRED) {
                return;
            }
            // What a goal vertex that must go on leads to may be out of reach.
            let mut beyond = false;
            for &(_, to) in ends {
                beyond |= self.beyond.within(Word::of(to), &game.robot.rank) == 0;
            }
            if beyond {
                return;
            }
        }
        for &(image, to) in ends {
            let observer = view.after(tracker, image);
            if observer != BARRED && (!chooses || self.beyond.within(Word::of(to), &game.robot.rank) != 0) {
                self.group(observer).insert(to, game.robot.graph.len());
            }
        }
    }

    /// Follows the arcs of sixty-four states at once: some where the robot chooses and some where all arcs must do.
    fn go_together(&mut self, game: &Arena<'_>, chooses: Word, mut suffers: Word) {
        let (moves, rank) = (&game.forwards, &game.robot.rank);
        let after = |image| game.view().after(game.tracker(), image);
        if suffers.bits != 0 {
            let mut barred = 0;
            moves.follow(suffers, |piece| {
                if after(piece.image) == BARRED {
                    barred |= piece.from(piece.to.bits);
                }
            });
            suffers.bits &= !barred;
            suffers.bits &= !self.beyond.any(moves, suffers, rank);
        }
        moves.follow(Word { bits: chooses.bits | suffers.bits, ..chooses }, |piece| {
            let to = after(piece.image);
            if to == BARRED {
                return;
            }
            let bits = self.beyond.within(piece.to, rank);
            if bits != 0 {
                self.group(to).insert_word(Word { bits, ..piece.to }, game.robot.graph.len());
            }
        });
    }

    /// The group of one of the observer's states, which gets nodes.
    fn group(&mut self, observer: u32) -> &mut NodeSet {
        let group = &mut self.groups[observer as usize];
        if !group.has_fresh() {
            self.next_wave.push(observer);
        }
        if group.is_empty() {
            self.depths[observer as usize] = self.beyond.depth;
        }
        group
    }

    /// What lies beyond the budget, and the nodes found if the robot may stop at any of them.
    pub fn finish(self, game: &Arena<'_>) -> Result<(Option<Product>, Beyond), Limit> {
        game.report("exploring the game", self.explored)?;
        let states = game.robot.graph.len();
        let number = |groups| Product::number(groups, self.depths, states, game.first());
        Ok((self.stops.then(|| number(self.groups)).transpose()?, self.beyond))
    }
}

/// Where the robot loses by going on, among sixty-four states.
fn lost(game: &Arena<'_>, at: usize) -> u64 {
    game.robot.lost.words().get(at).copied().unwrap_or(0)
}

/// What a budget kept out.
pub(crate) struct Beyond {
    budget: u32,
    /// How many events the nodes of the next wave are from the start.
    depth: u32,
    /// The robot's states from which the goal can be forced within what is left of the budget at that depth.
    within: Vec<u64>,
    /// How many states these are.
    count: usize,
    /// How many arcs led to nodes that need this much more than the budget, plus one.
    counts: Vec<u64>,
}

impl Beyond {
    fn new(game: &Arena<'_>, budget: u32) -> Self {
        let (rank, by_rank) = (&game.robot.rank, &game.by_rank);
        let count = by_rank.partition_point(|&v| rank[v as usize].saturating_add(1) <= budget);
        let mut within = vec![0; rank.len().div_ceil(64)];
        for &v in &by_rank[..count] {
            within[v as usize / 64] |= 1 << (v % 64);
        }
        Self { budget, depth: 1, within, count, counts: Vec::new() }
    }

    /// Goes on to the next wave.
    fn go_deeper(&mut self, game: &Arena<'_>) {
        self.depth += 1;
        while let Some(&v) = game.by_rank[..self.count].last()
            && game.robot.rank[v as usize].saturating_add(self.depth) > self.budget
        {
            self.within[v as usize / 64] &= !(1 << (v % 64));
            self.count -= 1;
        }
    }

    /// Those of some states that are within the budget; takes note of the others.
    fn within(&mut self, to: Word, rank: &[u32]) -> u64 {
        let within = self.within[to.number as usize];
        for state in (Word { bits: to.bits & !within, ..to }).members() {
            self.note(rank[state as usize].saturating_add(self.depth));
        }
        to.bits & within
    }

    fn note(&mut self, needs: u32) {
        // What cannot be forced at all stays out for ever.
        if needs == u32::MAX {
            return;
        }
        let more = (needs - self.budget - 1) as usize;
        if self.counts.len() <= more {
            self.counts.resize(more + 1, 0);
        }
        self.counts[more] += 1;
    }

    /// Those of some states that have an arc beyond the budget: what a goal vertex that must go on leads to may be out of reach.
    fn any(&mut self, moves: &Moves<'_>, from: Word, rank: &[u32]) -> u64 {
        let mut beyond = 0;
        moves.follow(from, |piece| {
            let within = self.within(piece.to, rank);
            beyond |= piece.from(piece.to.bits & !within);
        });
        beyond
    }

    /// What a strategy takes at least if none keeps to the budget.
    pub fn least(&self) -> u32 {
        let more = self.counts.iter().position(|&count| count > 0).unwrap_or(0) as u32;
        self.budget.saturating_add(more + 1)
    }

    /// The next budget: enough more that exploring again is made up for by what is new; `None` if nothing was kept out.
    pub fn next(&self, explored: usize) -> Option<u32> {
        let mut sum = 0;
        for (more, count) in self.counts.iter().enumerate() {
            sum += count;
            if sum >= explored as u64 || more + 1 == self.counts.len() {
                return Some(self.budget + more as u32 + 1);
            }
        }
        None
    }
}
