//! Every way to go through a moment in which each node does one thing.
//!
//! *Background.* A plan that does the same whenever the robot knows the same and the same was seen gives each node of a moment one action. Unseen events
//! may lead to a node in several ways, after more or less was spent; it does the same after each, so what counts is the least that is left. Such a
//! moment must not lead round in a circle, since it would do so for ever.

use std::{collections::BTreeMap, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    field::Step,
    game::{Game, Spot},
    recall::NOTHING,
    search::poll,
};
use crate::{
    limit::Monitor,
    problem::{Image, Kind},
    seek::self_divulged::Stop,
    sets::SetId,
};

/// What is done at a node: one action, or whatever is observed; without steps it stops.
pub(super) type Move = Rc<[Step]>;

/// What a moment begins with, what the runs were before, and what is recalled of earlier moments.
pub(super) type Key = (SetId, u32, u32);

/// One way to go through a moment.
pub(super) struct Way {
    /// The nodes of the field that are reached, ascending, and what they do.
    pub moves: Vec<(u32, Move)>,
    /// What follows each image that may be seen.
    pub next: Vec<(Image, Key)>,
}

/// How much may be done.
#[derive(Clone, Copy)]
pub(super) struct Meter<'m> {
    pub monitor: &'m dyn Monitor,
    pub until: u64,
}

impl Meter<'_> {
    fn count(self, game: &mut Game<'_>) -> Result<(), Stop> {
        game.effort += 1;
        poll(game, self.monitor)?;
        if game.effort >= self.until { Err(Stop::Effort) } else { Ok(()) }
    }
}

/// A node with what it may do, and which of that is being tried.
struct Tried {
    node: u32,
    options: Vec<Move>,
    option: usize,
}

/// What is left at each node of the field that was reached: events and cost.
type Left = BTreeMap<u32, (u32, u64)>;

/// Shows every way to go through the moment that begins with a set and keeps the stipulations, until one is enough; tells whether one was.
pub(super) fn each(
    game: &mut Game<'_>,
    key: Key,
    meter: Meter<'_>,
    mut enough: impl FnMut(&mut Game<'_>, Way) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    let begun: Left =
        game.sets.get(key.0).iter().map(|&v| game.at(v)).map(|s| (s.node, (s.events, s.cost))).collect();
    let mut tried: Vec<Tried> = Vec::new();
    loop {
        meter.count(game)?;
        match reached(game, &begun, &tried) {
            None => {}
            Some((left, seen)) => {
                let open = left.keys().copied().find(|node| tried.iter().all(|t| t.node != *node));
                if let Some(node) = open {
                    tried.push(Tried { node, options: options(game, node), option: 0 });
                    if !tried[tried.len() - 1].options.is_empty() {
                        continue;
                    }
                } else if let Some(way) = way(game, &tried, key, &left, seen)
                    && enough(game, way)?
                {
                    return Ok(true);
                }
            }
        }
        // The next option, of the last node that has one.
        while let Some(last) = tried.last_mut() {
            last.option += 1;
            if last.option < last.options.len() {
                break;
            }
            tried.pop();
        }
        if tried.is_empty() {
            return Ok(false);
        }
    }
}

/// What a node may do, the nearest to the goal first, and stopping before all.
fn options(game: &Game<'_>, node: u32) -> Vec<Move> {
    let field = game.field;
    let mut own: Vec<Move> = Vec::new();
    if field.goal.contains(node as usize) {
        own.push(Rc::from([]));
    }
    let mut steps = field.steps(node).to_vec();
    match field.kinds[node as usize] {
        Kind::Action => {
            steps.sort_by_key(|step| (field.rank[step.to as usize], step.label));
            own.extend(steps.into_iter().map(|step| Rc::from([step])));
        }
        Kind::Observation if steps.is_empty() => {}
        Kind::Observation => own.push(steps.into()),
    }
    own
}

/// What is reached within the moment and after each image, with the least that is left there; `None` if something cannot be afforded, or goes
/// round in a circle.
fn reached(game: &mut Game<'_>, begun: &Left, tried: &[Tried]) -> Option<(Left, BTreeMap<Image, Left>)> {
    let moves: FxHashMap<u32, &Move> = tried.iter().map(|t| (t.node, &t.options[t.option])).collect();
    if circles(&moves) {
        return None;
    }
    let mut left = begun.clone();
    let mut seen: BTreeMap<Image, Left> = BTreeMap::new();
    let mut todo: Vec<u32> = begun.keys().copied().collect();
    while let Some(node) = todo.pop() {
        let Some(steps) = moves.get(&node) else { continue };
        for step in steps.iter() {
            let after = game.spend(left[&node], step)?;
            match step.image {
                Image::UNSEEN if lower(&mut left, step.to, after) => todo.push(step.to),
                Image::UNSEEN => {}
                image => _ = lower(seen.entry(image).or_default(), step.to, after),
            }
        }
    }
    Some((left, seen))
}

/// Takes note of what is left at a node; tells whether it was reached for the first time, or with less.
fn lower(left: &mut Left, node: u32, (events, cost): (u32, u64)) -> bool {
    let before = left.get(&node).copied();
    let least = before.map_or((events, cost), |(e, c)| (e.min(events), c.min(cost)));
    left.insert(node, least);
    before != Some(least)
}

/// Whether unseen steps lead round in a circle.
fn circles(moves: &FxHashMap<u32, &Move>) -> bool {
    let unseen = |node: u32| {
        let steps = moves.get(&node).into_iter().flat_map(|steps| steps.iter());
        steps.filter(|step| step.image == Image::UNSEEN).map(|step| step.to)
    };
    let (mut done, mut open): (FxHashSet<u32>, FxHashSet<u32>) = Default::default();
    for &start in moves.keys() {
        let mut path = vec![(start, unseen(start).collect::<Vec<u32>>())];
        open.insert(start);
        while let Some((node, rest)) = path.last_mut() {
            match rest.pop() {
                Some(next) if open.contains(&next) => return true,
                Some(next) if done.contains(&next) => {}
                Some(next) => {
                    open.insert(next);
                    path.push((next, unseen(next).collect()));
                }
                None => {
                    open.remove(node);
                    done.insert(*node);
                    path.pop();
                }
            }
        }
    }
    false
}

/// The way through a moment in which everything is decided, if it keeps the stipulations.
fn way(
    game: &mut Game<'_>,
    tried: &[Tried],
    (first, runs, recalled): Key,
    left: &Left,
    seen: BTreeMap<Image, Left>,
) -> Option<Way> {
    let mut moves: Vec<(u32, Move)> = tried.iter().map(|t| (t.node, t.options[t.option].clone())).collect();
    // What was decided is what is reached: nodes are asked about when they are.
    moves.sort_unstable_by_key(|(node, _)| *node);
    let stops = moves.iter().any(|(_, steps)| steps.is_empty());
    let within = spots(game, left);
    let runs = game.keeps(within, runs, stops)?;
    let begun: Vec<u32> = game.sets.get(first).iter().map(|&v| game.at(v).node).collect();
    let recalled = match &mut game.recall {
        Some(recall) => Some(recall.after(recalled, &begun, &moves)?),
        None => None,
    };
    let mut next = Vec::with_capacity(seen.len());
    for (image, follows) in seen {
        let mut follows = spots(game, &follows);
        follows.sort_unstable();
        let recalled = recalled.as_ref().and_then(|all| all.get(&image)).copied().unwrap_or(NOTHING);
        next.push((image, (game.sets.intern(&follows), runs, recalled)));
    }
    Some(Way { moves, next })
}

fn spots(game: &mut Game<'_>, left: &Left) -> Vec<u32> {
    left.iter().map(|(&node, &(events, cost))| game.spot(Spot { node, events, cost })).collect()
}
