//! The strategy behind a set that wins within a budget.
//!
//! *Background.* Every node has its own budget, so moments do not recur: what the nodes of a moment do is settled before what follows is looked at, and nodes are
//! numbered from the last moments to the first. Nodes at the same expanded vertex that do the same for ever after get one number, whatever may
//! still be spent there: there are a hundred times as many nodes in all moments.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{
    field::Step,
    game::Game,
    search::{Bounded, Key, POLL, look},
    sparing::{Offered, Places, spare},
};
use crate::{
    game::{Strategy, StrategyNode},
    limit::Monitor,
    problem::{Image, Label, Vertex},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// The strategy from a set that wins, which must have one member. Until there has been so much effort, choices that are not needed are left out.
pub(super) fn strategy(
    bounded: &mut Bounded<'_>,
    game: &mut Game<'_>,
    start: SetId,
    until: Option<u64>,
) -> Result<Strategy, Stop> {
    let mut moments = Moments::default();
    moments.enter(game, bounded, (start, 0), until)?;
    while let Some((runs, follows)) = moments.follows.get(moments.next.len()).cloned() {
        let mut next = Vec::with_capacity(follows.len());
        for (image, to) in follows {
            next.push((image, moments.enter(game, bounded, (to, runs), until)?));
        }
        moments.next.push(next);
    }
    moments.strategy(game, bounded.monitor)
}

/// All moments that a strategy leads to, the first one where it starts.
#[derive(Default)]
struct Moments {
    number: FxHashMap<Key, usize>,
    /// What the runs have become after each moment, and the sets that follow.
    follows: Vec<(u32, Vec<(Image, SetId)>)>,
    /// The moments that follow, by image.
    next: Vec<Vec<(Image, usize)>>,
    /// Where the nodes of each moment end.
    ends: Vec<usize>,
    /// The nodes of all moments, each with where its steps end.
    nodes: Vec<(u32, usize)>,
    steps: Vec<Step>,
    places: Places,
}

impl Moments {
    /// The number of the moment that begins with a set; what its nodes do is found out if it is new.
    fn enter(
        &mut self,
        game: &mut Game<'_>,
        bounded: &mut Bounded<'_>,
        key: Key,
        until: Option<u64>,
    ) -> Result<usize, Stop> {
        if let Some(&known) = self.number.get(&key) {
            return Ok(known);
        }
        if (self.ends.len() as u64).is_multiple_of(POLL) {
            look(game, bounded.monitor)?;
        }
        let win = game.win(key.0, key.1, &mut |game, post, runs| bounded.family(game, post, runs))?;
        let win = win.expect("the set was found to win");
        let mut offered = Offered::all(game, key.0, &win);
        if let Some(until) = until {
            offered = spare(game, bounded, key, offered, &mut self.places, until)?;
        }
        for (v, own) in offered.moves {
            self.steps.extend_from_slice(&own);
            self.nodes.push((v, self.steps.len()));
        }
        self.ends.push(self.nodes.len());
        self.follows.push((offered.runs, offered.next));
        self.number.insert(key, self.ends.len() - 1);
        Ok(self.ends.len() - 1)
    }

    /// The moments, each after all that follow it.
    fn backwards(&self) -> Vec<usize> {
        let mut met = vec![false; self.ends.len()];
        let (mut order, mut path) = (Vec::with_capacity(self.ends.len()), vec![(0, 0)]);
        while let Some((moment, tried)) = path.last_mut() {
            let next = self.next[*moment].get(*tried);
            *tried += 1;
            match next {
                Some(&(_, next)) if std::mem::replace(&mut met[next], true) => {}
                Some(&(_, next)) => path.push((next, 0)),
                None => {
                    order.push(*moment);
                    path.pop();
                }
            }
        }
        order
    }

    fn strategy(&self, game: &Game<'_>, monitor: &dyn Monitor) -> Result<Strategy, Stop> {
        let mut like = Like::default();
        // The nodes of each moment with their numbers, ascending.
        let mut numbers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.ends.len()];
        let mut start = 0;
        let mut arcs: Vec<(Label, u32)> = Vec::new();
        for (done, moment) in (0_u64..).zip(self.backwards()) {
            if done.is_multiple_of(POLL) {
                look(game, monitor)?;
            }
            let first = if moment == 0 { 0 } else { self.ends[moment - 1] };
            let mut order: Vec<usize> = (first..self.ends[moment]).collect();
            // Unseen events are spent: they lead to nodes with less.
            order.sort_by_key(|&i| game.at(self.nodes[i].0).events);
            let mut own: Vec<(u32, u32)> = order.iter().map(|&i| (self.nodes[i].0, u32::MAX)).collect();
            own.sort_unstable();
            let number = |own: &[(u32, u32)], v: u32| {
                let place = own.binary_search_by_key(&v, |&(v, _)| v);
                place.expect("what is done leads to nodes of moments that follow")
            };
            for i in order {
                let (v, end) = self.nodes[i];
                let begin = if i == 0 { 0 } else { self.nodes[i - 1].1 };
                arcs.clear();
                arcs.extend(self.steps[begin..end].iter().map(|step| {
                    let next = || self.next[moment].iter().find(|(image, _)| *image == step.image);
                    let of = match step.image {
                        Image::UNSEEN => &own,
                        _ => &numbers[next().expect("a moment follows each image").1],
                    };
                    (step.label, of[number(of, step.to)].1)
                }));
                start = like.number(game.field.at[game.at(v).node as usize], &arcs);
                let place = number(&own, v);
                own[place].1 = start;
            }
            numbers[moment] = own;
        }
        Ok(like.strategy(start))
    }
}

/// An expanded vertex, and where each label leads.
type Node = (Vertex, Box<[(Label, u32)]>);

/// Nodes, of those that are at the same expanded vertex and lead to the same by the same labels one.
#[derive(Default)]
struct Like {
    nodes: Vec<Node>,
    /// Their numbers, with their hashes.
    table: HashTable<(u32, u64)>,
}

impl Like {
    fn number(&mut self, at: Vertex, arcs: &[(Label, u32)]) -> u32 {
        let Self { nodes, table } = self;
        let hash = FxBuildHasher.hash_one((at, arcs));
        let same = |&(node, other): &(u32, u64)| {
            let (place, own) = &nodes[node as usize];
            other == hash && *place == at && **own == *arcs
        };
        if let Some(&(known, _)) = table.find(hash, same) {
            return known;
        }
        let number = nodes.len() as u32;
        nodes.push((at, arcs.into()));
        table.insert_unique(hash, (number, hash), |&(_, hash)| hash);
        number
    }

    /// The strategy from a node: one that leads nowhere stops.
    fn strategy(self, start: u32) -> Strategy {
        let mut strategy = Strategy::new();
        // Executions start at the first node.
        let last = self.nodes.len() as u32 - 1;
        let number = |node: u32| if node == start { 0 } else { last - node + u32::from(node > start) };
        let (before, after) = self.nodes.split_at(start as usize);
        let order = after[..1].iter().chain(after[1..].iter().rev()).chain(before.iter().rev());
        for (at, arcs) in order {
            let arcs: Vec<(Label, u32)> = arcs.iter().map(|&(label, to)| (label, number(to))).collect();
            strategy.push(StrategyNode { at: *at, terminal: arcs.is_empty(), arcs });
        }
        strategy
    }
}
