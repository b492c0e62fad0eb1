//! Winning within any number of events: the proof that there is no plan at all.
//!
//! The winning families are the least that satisfy the rules of the game. Each set that is asked about starts with no winning subset and is
//! evaluated again whenever what follows it has gained some, until nothing changes. What was found to win once rests on what had been
//! found before, so it is never taken back.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    game::deep,
    limit::{Monitor, Progress},
    maps::space::Pairs,
    seek::self_divulged::{
        evaluate::maximal,
        game::{Candidate, EstimateGame, Family, Lookup, Stop, Verdict},
        settled::Settled,
    },
    sets::SetId,
};

#[derive(Debug)]
struct Node {
    set: SetId,
    family: Family,
    /// The nodes that were evaluated with this one's family.
    users: Vec<u32>,
    waiting: bool,
    /// Its evaluation is under way.
    busy: bool,
    /// The pairs of labels that its evaluations asked about.
    seen: Pairs,
}

/// What came of a candidate, and what had been known of its successors then.
#[derive(Debug)]
struct Noted {
    followed: Vec<(u32, Family)>,
    verdict: Verdict,
}

/// The state of the iteration, which can be continued.
pub struct Fixpoint<'g, 'm> {
    /// The game.
    pub game: EstimateGame<'g>,
    monitor: &'m dyn Monitor,
    nodes: Vec<Node>,
    index: FxHashMap<SetId, u32>,
    noted: FxHashMap<Candidate, Noted>,
    todo: Vec<u32>,
    current: u32,
    /// Whether what is undecided may be chosen anew at every estimate.
    relaxed: bool,
    /// Where an evaluation is broken off, to be continued another time.
    until: u64,
    /// What earlier games found.
    pub settled: Settled,
}

impl<'g, 'm> Fixpoint<'g, 'm> {
    /// The question whether `start` wins.
    pub fn new(mut game: EstimateGame<'g>, start: u32, monitor: &'m dyn Monitor) -> Self {
        let start = game.table.intern(&[start]);
        let mut fixpoint = Self {
            game,
            monitor,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            noted: FxHashMap::default(),
            todo: Vec::new(),
            current: 0,
            relaxed: false,
            until: u64::MAX,
            settled: Settled::default(),
        };
        fixpoint.node(start);
        fixpoint.wait(0);
        fixpoint
    }

    /// The question whether `start` wins if every estimate may choose anew what looks alike, as far as that is undecided. What loses
    /// then loses under every completion of the game's map.
    pub fn relaxed(game: EstimateGame<'g>, settled: Settled, start: u32, monitor: &'m dyn Monitor) -> Self {
        Self { relaxed: true, settled, ..Self::new(game, start, monitor) }
    }

    /// Goes on for about `effort` evaluations. `Some(true)`: the start wins; `Some(false)`: it does not, and nothing can change that;
    /// `None`: not known yet.
    pub fn run(&mut self, effort: u64) -> Result<Option<bool>, Stop> {
        self.until = self.game.effort.saturating_add(effort);
        while self.nodes[0].family.is_empty() {
            if self.game.effort >= self.until {
                return Ok(None);
            }
            let Some(at) = self.todo.pop() else { return Ok(Some(false)) };
            self.nodes[at as usize].waiting = false;
            match self.evaluate(at) {
                Err(Stop::Effort) => return Ok(None),
                evaluated => evaluated?,
            }
        }
        Ok(Some(true))
    }

    /// All maximal winning subsets of a set; effort beyond `until` ends it, to be continued another time.
    pub fn complete(&mut self, set: SetId, until: u64) -> Result<Family, Stop> {
        self.until = until;
        let (node, new) = self.node(set);
        if new {
            self.wait(node);
        }
        while let Some(at) = self.todo.pop() {
            self.nodes[at as usize].waiting = false;
            self.evaluate(at)?;
        }
        Ok(self.nodes[node as usize].family.clone())
    }

    /// The pairs that the start's family depends on. What can change no more is kept in the settled, for other maps.
    pub fn settle(&mut self) -> Pairs {
        let n = self.nodes.len();
        let mut seen: Vec<Pairs> = self.nodes.iter().map(|node| node.seen.clone()).collect();
        let mut open: Vec<bool> = self.nodes.iter().map(|node| node.waiting || node.busy).collect();
        // Each node tells its users what it depends on, until nobody learns anything new.
        let mut told = vec![true; n];
        let mut todo: Vec<u32> = (0..n as u32).collect();
        while let Some(at) = todo.pop() {
            let at = at as usize;
            told[at] = false;
            for &user in &self.nodes[at].users {
                let user = user as usize;
                let news = !seen[at].is_subset(&seen[user]) || (open[at] && !open[user]);
                if news {
                    let more = seen[at].clone();
                    seen[user].add(&more);
                    open[user] |= open[at];
                    if !std::mem::replace(&mut told[user], true) {
                        todo.push(user as u32);
                    }
                }
            }
        }
        for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| !open[*at]) {
            self.settled.note(node.set, &self.game.map, &seen[at], &node.family);
        }
        seen.swap_remove(0)
    }

    /// Looks whether to go on after so much effort.
    pub fn poll(&self, explored: u64) -> Result<(), Stop> {
        let (doing, stored) = ("deciding whether there is a plan", self.nodes.len() as u64);
        self.monitor.poll(&Progress { doing, explored, stored, ..Progress::default() })?;
        Ok(())
    }

    /// Evaluates a node with what is known of its successors, and has its users wait if it gained something.
    fn evaluate(&mut self, at: u32) -> Result<(), Stop> {
        self.poll(self.game.effort)?;
        if self.game.effort >= self.until {
            self.wait(at);
            return Err(Stop::Effort);
        }
        let outer = std::mem::replace(&mut self.current, at);
        self.nodes[at as usize].busy = true;
        self.game.looked.push(self.game.no_pairs());
        let winners = deep(|| maximal(self, self.nodes[at as usize].set));
        self.current = outer;
        let seen = self.game.looked.pop().expect("pushed above");
        self.nodes[at as usize].seen.add(&seen);
        if let Err(stop) = winners {
            if stop == Stop::Effort {
                self.nodes[at as usize].busy = false;
                self.wait(at);
            }
            return Err(stop);
        }
        self.nodes[at as usize].busy = false;
        let family = self.joined(at, winners?);
        if family != self.nodes[at as usize].family {
            self.nodes[at as usize].family = family;
            for user in self.nodes[at as usize].users.clone() {
                self.wait(user);
            }
        }
        Ok(())
    }

    /// What was known to win in a node, and what is known now. While larger sets that may follow are still waiting to be
    /// evaluated, an evaluation can miss what an earlier one found.
    fn joined(&self, at: u32, mut winners: Vec<SetId>) -> Family {
        for &old in &*self.nodes[at as usize].family {
            if !winners.iter().any(|&w| self.game.table.is_subset(old, w)) {
                winners.push(old);
            }
        }
        winners.sort_unstable();
        winners.into()
    }

    fn uses(&mut self, node: u32, user: u32) {
        let users = &mut self.nodes[node as usize].users;
        if !users.contains(&user) {
            users.push(user);
        }
    }

    fn wait(&mut self, node: u32) {
        if !std::mem::replace(&mut self.nodes[node as usize].waiting, true) {
            self.todo.push(node);
        }
    }

    /// The node of a set; tells whether it is new and must be evaluated.
    fn node(&mut self, set: SetId) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let node = *self.index.entry(set).or_insert(next);
        if node == next {
            let final_family = if self.relaxed { self.settled.find(set, &self.game.map) } else { None };
            let (seen, family, new) = match final_family {
                Some((seen, family)) => (seen.clone(), family.clone(), false),
                None => (self.game.no_pairs(), Rc::from([]), true),
            };
            self.nodes.push(Node { set, family, users: Vec::new(), waiting: false, busy: false, seen });
            return (node, new);
        }
        (node, false)
    }
}

impl<'g> Lookup<'g> for Fixpoint<'g, '_> {
    fn game(&mut self) -> &mut EstimateGame<'g> {
        &mut self.game
    }

    fn may_go_on(&self) -> bool {
        true
    }

    fn relaxed(&self) -> bool {
        self.relaxed
    }

    fn follow(&mut self, set: SetId) -> Result<Family, Stop> {
        let (node, new) = self.node(set);
        let user = self.current;
        // Successors first: what leads back to a set that is still being evaluated is looked at again later.
        if new {
            self.evaluate(node)?;
        }
        self.uses(node, user);
        Ok(self.nodes[node as usize].family.clone())
    }

    fn recall(&mut self, candidate: &Candidate) -> Option<Verdict> {
        let Noted { followed, verdict } = self.noted.get(candidate)?;
        if followed.iter().any(|(node, family)| !Rc::ptr_eq(&self.nodes[*node as usize].family, family)) {
            return None;
        }
        let verdict = verdict.clone();
        let followed: Vec<u32> = followed.iter().map(|(node, _)| *node).collect();
        for node in followed {
            self.uses(node, self.current);
        }
        Some(verdict)
    }

    fn note(&mut self, candidate: &Candidate, followed: &[(SetId, Family)], verdict: &Verdict) {
        let followed = followed.iter().map(|(set, family)| (self.index[set], family.clone())).collect();
        self.noted.insert(*candidate, Noted { followed, verdict: verdict.clone() });
    }
}
