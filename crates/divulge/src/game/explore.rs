//! The part of the game that plans of a budget of events may visit.

use crate::{
    game::arena::{Arena, Product, Turn},
    limit::Limit,
    sets::NodeSet,
};

/// The search for all nodes that a plan of at most so many events may visit, which may pause.
pub(crate) struct Exploration {
    groups: Vec<NodeSet>,
    /// The observer's states with nodes that are new, those of this wave and those of the next one.
    wave: Vec<u32>,
    next_wave: Vec<u32>,
    /// How far this wave was followed.
    at: usize,
    /// How many events the nodes of the next wave are from the start.
    depth: u32,
    explored: usize,
    /// Whether the robot may stop at any of them.
    stops: bool,
    fresh: Vec<u32>,
    beyond: Beyond,
}

impl Exploration {
    /// A search within a budget of events, at its start.
    pub fn new(game: &Arena<'_>, budget: u32) -> Self {
        let (observer, robot) = game.first();
        let mut groups = Vec::new();
        groups.resize_with(observer as usize + 1, NodeSet::default);
        groups[observer as usize].insert(robot, game.robot.graph.len());
        let beyond = Beyond { budget, counts: Vec::new() };
        let (next_wave, fresh) = (Vec::new(), Vec::new());
        let (wave, at, explored) = (vec![observer], 0, 0);
        Self { groups, wave, next_wave, at, depth: 1, explored, stops: false, fresh, beyond }
    }

    /// How many nodes were looked at.
    pub fn explored(&self) -> usize {
        self.explored
    }

    /// Goes on until that many nodes were looked at or there are no more; tells whether there are no more.
    pub fn go_on(&mut self, game: &mut Arena<'_>, most: usize) -> Result<bool, Limit> {
        while !self.wave.is_empty() {
            while let Some(&observer) = self.wave.get(self.at) {
                if self.explored >= most {
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
            self.depth += 1;
        }
        Ok(true)
    }

    /// Looks at the new nodes with one of the observer's states.
    fn look(&mut self, game: &mut Arena<'_>, observer: u32) -> Result<(), Limit> {
        let (bound, depth) = (game.robot.graph.len(), self.depth);
        let Self { groups, next_wave, fresh, beyond, .. } = self;
        groups[observer as usize].take_fresh(fresh);
        game.look_at(observer, fresh.len());
        self.explored += fresh.len();
        groups.resize_with(groups.len().max(game.tracker().len()), NodeSet::default);
        let mut steps = 64;
        for &robot in fresh.iter() {
            match game.turn(robot) {
                Turn::Stop => {
                    self.stops = true;
                    continue;
                }
                Turn::Lost => continue,
                Turn::Choose => {}
                // What a goal vertex that must go on leads to may be out of reach.
                Turn::Suffer if beyond.any(game, robot, depth) => continue,
                Turn::Suffer => {}
            }
            for (_, to_observer, to) in game.arcs(robot) {
                steps += 1;
                let needs = game.robot.rank[to as usize].saturating_add(depth);
                if needs > beyond.budget {
                    beyond.note(needs);
                    continue;
                }
                let group = &mut groups[to_observer as usize];
                if !group.has_fresh() {
                    next_wave.push(to_observer);
                }
                group.insert(to, bound);
            }
        }
        game.poll("exploring the game", steps, self.explored)
    }

    /// Whether the robot may stop at some node that was looked at.
    pub fn may_stop(&self) -> bool {
        self.stops
    }

    /// The nodes found, and what lies beyond the budget.
    pub fn finish(self, game: &Arena<'_>) -> Result<(Product, Beyond), Limit> {
        let product = Product::number(self.groups, game.first())?;
        game.report("exploring the game", product.len())?;
        Ok((product, self.beyond))
    }
}

/// What a budget kept out.
pub(crate) struct Beyond {
    budget: u32,
    /// How many arcs led to nodes that need this much more than the budget, plus one.
    counts: Vec<u64>,
}

impl Beyond {
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

    /// Whether some arc of an observation node leads beyond the budget.
    fn any(&mut self, game: &Arena<'_>, robot: u32, depth: u32) -> bool {
        let mut found = false;
        for (_, _, to) in game.arcs(robot) {
            let needs = game.robot.rank[to as usize].saturating_add(depth);
            if needs > self.budget {
                self.note(needs);
                found = true;
            }
        }
        found
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
