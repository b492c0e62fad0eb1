//! Goals that no bounded plan reaches for sure, but that are reached almost surely by going on trying.
//!
//! # Background
//! Let every outcome and every observation that is possible keep a chance that is bounded from below. A robot that remembers can then reach the goal with
//! probability 1 if and only if it can do so by choosing at random among the actions that keep its set S of possible vertices within a certain family of sets.
//! A set belongs to the family if it consists of goals, or if some action (every observation) leads to sets of the family, and if from *each* of its
//! members w, not just from one of them, chance may lead the pair (w, S) to a set that consists of goals. (That S itself may get there is not
//! enough: the way may be one that only some other member has.) The largest such family is found by leaving out what does not belong, again and again. Where
//! the robot sees the state, this is strong-cyclic planning.

use crate::{
    expansion::{Actions, Expansion, expand},
    limit::{Limit, Monitor, Progress},
    problem::{Kind, Vertex, World},
    sets::BitSet,
};

/// Whether the goal can be reached with probability 1, however the chances are distributed, as long as whatever is possible has one.
///
/// # Errors
/// The limit that was hit.
pub fn almost_surely(world: &World, monitor: &dyn Monitor) -> Result<bool, Limit> {
    let expansion = expand(world, Actions::Safe, 1, monitor)?;
    let mut search = Search::new(world, &expansion, monitor)?;
    let first = expansion.initial().index();
    loop {
        search.prune();
        if !search.family.contains(first) {
            return Ok(false);
        }
        if !search.leave_out()? {
            return Ok(true);
        }
    }
}

struct Search<'a> {
    world: &'a World,
    expansion: &'a Expansion,
    family: BitSet,
    /// Pairs of a set and one of its members are numbered one after the other: where those of each set start.
    starts: Vec<u32>,
    /// The sets that lead to each set, by which events is looked up.
    before: Vec<Vec<u32>>,
    monitor: &'a dyn Monitor,
}

impl<'a> Search<'a> {
    fn new(world: &'a World, expansion: &'a Expansion, monitor: &'a dyn Monitor) -> Result<Self, Limit> {
        let graph = &expansion.graph;
        let mut starts = Vec::with_capacity(graph.len() + 1);
        let mut pairs = 0_u32;
        for s in graph.vertices() {
            starts.push(pairs);
            pairs = u32::try_from(expansion.members(s).count())
                .ok()
                .and_then(|n| pairs.checked_add(n))
                .ok_or(Limit::Memory)?;
        }
        starts.push(pairs);
        let mut before = vec![Vec::new(); graph.len()];
        for (from, arc) in graph.all_arcs() {
            if before[arc.to.index()].last() != Some(&from.0) {
                before[arc.to.index()].push(from.0);
            }
        }
        Ok(Self { world, expansion, family: BitSet::full(graph.len()), starts, before, monitor })
    }

    /// Whether a set can go on within the family, or need not.
    fn goes_on(&self, s: Vertex) -> bool {
        let Expansion { graph, goal, stuck, .. } = self.expansion;
        let mut stays = graph.arcs(s).iter().map(|arc| self.family.contains(arc.to.index()));
        goal.contains(s.index())
            || match graph.kind(s) {
                Kind::Action => stays.any(|stays| stays),
                Kind::Observation => !stuck.contains(s.index()) && stays.all(|stays| stays),
            }
    }

    /// Leaves out sets that cannot go on within the family.
    fn prune(&mut self) {
        let mut open: Vec<u32> = self.family.iter().map(|s| s as u32).collect();
        while let Some(s) = open.pop() {
            if self.family.contains(s as usize) && !self.goes_on(Vertex(s)) {
                self.family.remove(s as usize);
                open.extend(&self.before[s as usize]);
            }
        }
    }

    /// Leaves out sets with a member that chance never leads to the goal; whether there were any.
    fn leave_out(&mut self) -> Result<bool, Limit> {
        let Expansion { graph, goal, .. } = self.expansion;
        let pairs = *self.starts.last().unwrap_or(&0) as usize;
        let mut reaches = BitSet::new(pairs);
        let mut open: Vec<u32> = Vec::new();
        for s in self.family.iter().filter(|&s| goal.contains(s)) {
            open.push(s as u32);
            for pair in self.starts[s]..self.starts[s + 1] {
                reaches.insert(pair as usize);
            }
        }
        let mut steps = 0_u64;
        // A set is looked at again when one of its members is newly known to get there.
        while let Some(to) = open.pop() {
            for &from in &self.before[to as usize] {
                let s = from as usize;
                if !self.family.contains(s) || goal.contains(s) {
                    continue;
                }
                steps += 1;
                if steps.is_multiple_of(1024) {
                    let doing = "looking for what is reached almost surely";
                    self.monitor.poll(&Progress { doing, explored: steps, ..Progress::default() })?;
                }
                let mut grown = false;
                for arc in graph.arcs(Vertex(from)).iter().filter(|arc| arc.to.0 == to) {
                    let there = self.expansion.members(arc.to);
                    for (i, w) in self.expansion.members(Vertex(from)).iter().enumerate() {
                        let pair = self.starts[s] as usize + i;
                        if reaches.contains(pair) {
                            continue;
                        }
                        let leads = self.world.graph.step(Vertex(w), arc.label).iter().any(|next| {
                            let place = there.place(next.to.0);
                            place.is_some_and(|place| {
                                reaches.contains(self.starts[to as usize] as usize + place)
                            })
                        });
                        if leads {
                            reaches.insert(pair);
                            grown = true;
                        }
                    }
                }
                if grown {
                    open.push(from);
                }
            }
        }
        let mut some = false;
        for s in self.family.clone().iter() {
            if (self.starts[s]..self.starts[s + 1]).any(|pair| !reaches.contains(pair as usize)) {
                self.family.remove(s);
                some = true;
            }
        }
        Ok(some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        limit::Unlimited,
        problem::{Alphabet, Builder},
    };

    fn reached(make: impl FnOnce(&mut Builder<'_>)) -> bool {
        let mut alphabet = Alphabet::new();
        let mut b = Builder::new(&mut alphabet);
        make(&mut b);
        almost_surely(&b.world().expect("a world"), &Unlimited).expect("no limit")
    }

    #[test]
    fn trying_again_gets_there() {
        assert!(reached(|b| {
            b.actions(["u", "end"]).observations(["y", "z"]).initial("u").mark("end");
            b.edge("u", ["try"], "y").edge("u", ["try"], "z");
            b.edge("y", ["no"], "u").edge("z", ["yes"], "end");
        }));
    }

    #[test]
    fn a_trap_is_kept_away_from() {
        let world = |b: &mut Builder<'_>, careful: bool| {
            b.actions(["u", "end", "trap"]).observations(["y", "z", "x"]).initial("u").mark("end");
            b.edge("u", ["leap"], "z").edge("u", ["leap"], "x").edge("z", ["yes"], "end").edge(
                "x",
                ["fell"],
                "trap",
            );
            if careful {
                b.edge("u", ["walk"], "y").edge("u", ["walk"], "z").edge("y", ["no"], "u");
            }
        };
        assert!(!reached(|b| world(b, false)));
        assert!(reached(|b| world(b, true)));
    }

    /// The set {a, b} may get to the goal by `yes`, but only if it is a: from b it never does.
    #[test]
    fn each_member_must_get_there() {
        assert!(!reached(|b| {
            b.actions(["a", "b", "end"])
                .observations(["ya", "yb", "za"])
                .initial("a")
                .initial("b")
                .mark("end");
            b.edge("a", ["try"], "ya").edge("a", ["try"], "za").edge("b", ["try"], "yb");
            b.edge("ya", ["no"], "a").edge("yb", ["no"], "b").edge("za", ["yes"], "end");
        }));
    }
}
