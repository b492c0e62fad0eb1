//! Winning within any number of events: the proof that there is no plan at all.
//!
//! The winning families are the least that satisfy the rules of the game. Each set that is asked about starts with no winning subset and is
//! evaluated again whenever what follows it has gained some, until nothing changes. What was found to win once rests on what had been
//! found before, so it is never taken back.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::game::{Candidate, Family, Game, Lookup, Stop, Verdict, maximal};
use crate::{
    expansion::SetId,
    question::{Monitor, Progress, seek::deep},
};

#[derive(Debug)]
struct Node {
    set: SetId,
    family: Family,
    /// The nodes that were evaluated with this one's family.
    users: Vec<u32>,
    waiting: bool,
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
    pub game: Game<'g>,
    monitor: &'m dyn Monitor,
    nodes: Vec<Node>,
    index: FxHashMap<SetId, u32>,
    noted: FxHashMap<Candidate, Noted>,
    todo: Vec<u32>,
    current: u32,
}

impl<'g, 'm> Fixpoint<'g, 'm> {
    /// The question whether `start` wins.
    pub fn new(mut game: Game<'g>, start: u32, monitor: &'m dyn Monitor) -> Self {
        let start = game.table.intern(&[start]);
        let mut fixpoint = Self {
            game,
            monitor,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            noted: FxHashMap::default(),
            todo: Vec::new(),
            current: 0,
        };
        fixpoint.node(start);
        fixpoint.wait(0);
        fixpoint
    }

    /// Goes on for about `effort` evaluations. `Some(true)`: the start wins; `Some(false)`: it does not, and nothing can change that;
    /// `None`: not known yet.
    pub fn run(&mut self, effort: u64) -> Result<Option<bool>, Stop> {
        let until = self.game.effort.saturating_add(effort);
        while self.nodes[0].family.is_empty() {
            if self.game.effort >= until {
                return Ok(None);
            }
            let Some(at) = self.todo.pop() else { return Ok(Some(false)) };
            self.nodes[at as usize].waiting = false;
            self.evaluate(at)?;
        }
        Ok(Some(true))
    }

    /// Evaluates a node with what is known of its successors, and has its users wait if it gained something.
    fn evaluate(&mut self, at: u32) -> Result<(), Stop> {
        let (explored, stored) = (self.game.effort, self.nodes.len() as u64);
        self.monitor.poll(&Progress {
            doing: "proving there is none",
            explored,
            stored,
            ..Progress::default()
        })?;
        let outer = std::mem::replace(&mut self.current, at);
        let winners = deep(|| maximal(self, self.nodes[at as usize].set));
        self.current = outer;
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

    /// The node of a set; tells whether it is new.
    fn node(&mut self, set: SetId) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let node = *self.index.entry(set).or_insert(next);
        if node == next {
            self.nodes.push(Node { set, family: Rc::from([]), users: Vec::new(), waiting: false });
        }
        (node, node == next)
    }
}

impl<'g> Lookup<'g> for Fixpoint<'g, '_> {
    fn game(&mut self) -> &mut Game<'g> {
        &mut self.game
    }

    fn may_go_on(&self) -> bool {
        true
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
