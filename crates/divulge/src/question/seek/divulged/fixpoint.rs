//! Winning within any number of events: the proof that there is no plan at all.
//!
//! The winning families are the least that satisfy the rules of the game. Each set that is asked about starts with no winning subset and is
//! evaluated again whenever what follows it has gained some, until nothing changes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::game::{Family, Game, Lookup, Stop, maximal};
use crate::{
    expansion::SetId,
    question::{Monitor, Progress},
};

#[derive(Debug)]
struct Node {
    set: SetId,
    family: Family,
    /// The nodes that were evaluated with this one's family.
    users: Vec<u32>,
    waiting: bool,
}

/// The state of the iteration, which can be continued.
pub struct Fixpoint<'g, 'm> {
    /// The game.
    pub game: Game<'g>,
    monitor: &'m dyn Monitor,
    nodes: Vec<Node>,
    index: FxHashMap<SetId, u32>,
    todo: Vec<u32>,
    current: u32,
}

impl<'g, 'm> Fixpoint<'g, 'm> {
    /// The question whether `start` wins.
    pub fn new(game: Game<'g>, start: &[u32], monitor: &'m dyn Monitor) -> Self {
        let mut fixpoint = Self {
            game,
            monitor,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            todo: Vec::new(),
            current: 0,
        };
        fixpoint.node(start);
        fixpoint
    }

    /// Goes on for about `effort` evaluations. `Some(true)`: the start wins; `Some(false)`: it does not, and nothing can change that;
    /// `None`: not known yet.
    pub fn run(&mut self, effort: u64) -> Result<Option<bool>, Stop> {
        let until = self.game.effort.saturating_add(effort);
        while self.nodes[0].family.is_empty() {
            let Some(at) = self.todo.pop() else { return Ok(Some(false)) };
            let (explored, stored) = (self.game.effort, self.nodes.len() as u64);
            self.monitor.poll(&Progress {
                doing: "proving there is none",
                explored,
                stored,
                ..Progress::default()
            })?;
            self.nodes[at as usize].waiting = false;
            self.current = at;
            let set = self.game.sets.get(self.nodes[at as usize].set).to_vec();
            let winners = maximal(self, set)?;
            let family = self.grown(at, winners);
            if family != self.nodes[at as usize].family {
                self.nodes[at as usize].family = family;
                for user in self.nodes[at as usize].users.clone() {
                    self.wait(user);
                }
            }
            if self.game.effort >= until && self.nodes[0].family.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(true))
    }

    /// A node's family with more winners. What won once is kept: a wider set that may follow can lead the search past it, to sets
    /// of which nothing is known yet, and families that shrank again could take turns for ever.
    fn grown(&mut self, node: u32, mut winners: Vec<Vec<u32>>) -> Family {
        let is_subset = |small: &[u32], large: &[u32]| small.iter().all(|v| large.binary_search(v).is_ok());
        for &old in self.nodes[node as usize].family.iter() {
            let old = self.game.sets.get(old);
            if !winners.iter().any(|w| is_subset(old, w)) {
                winners.retain(|w| !is_subset(w, old));
                winners.push(old.to_vec());
            }
        }
        winners.sort_unstable();
        winners.iter().map(|w| self.game.sets.intern(w)).collect()
    }

    fn wait(&mut self, node: u32) {
        if !std::mem::replace(&mut self.nodes[node as usize].waiting, true) {
            self.todo.push(node);
        }
    }

    fn node(&mut self, set: &[u32]) -> u32 {
        let set = self.game.sets.intern(set);
        if let Some(&node) = self.index.get(&set) {
            return node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { set, family: Rc::from([]), users: Vec::new(), waiting: false });
        self.index.insert(set, node);
        self.wait(node);
        node
    }
}

impl<'g> Lookup<'g> for Fixpoint<'g, '_> {
    fn game(&mut self) -> &mut Game<'g> {
        &mut self.game
    }

    fn may_go_on(&self) -> bool {
        true
    }

    fn follow(&mut self, set: &[u32]) -> Result<Family, Stop> {
        let node = self.node(set);
        let user = self.current;
        let node = &mut self.nodes[node as usize];
        if !node.users.contains(&user) {
            node.users.push(user);
        }
        Ok(node.family.clone())
    }
}
