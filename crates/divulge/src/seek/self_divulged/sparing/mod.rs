//! Strategies that offer no choice without need.
//!
//! *Background.* A set of nodes that wins may go on with every action into the largest winning sets that follow, or with fewer: whatever its
//! members do, it is enough that each set that follows wins again. So an action may be left out at a set if what then follows still
//! wins, however it goes on; nothing else of the strategy needs to be looked at. First one action for each member is tried, all the way down
//! (`single`); where that fails, actions are left out one by one until none can be (`leave_out`). `deterministic` decides whether one action for each
//! member is enough.
//!
//! *Practical.* [`strategy`] plays on [`Estimates`]: what the game on estimates and the game on moments have in common where every
//! event is seen.

mod assign;
mod deterministic;
mod leave_out;
mod plain;
mod single;

use std::{hash::Hash, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    game::{Strategy, StrategyNode},
    maps::space::PartialMap,
    problem::{Kind, Label, Vertex},
    seek::self_divulged::game::Stop,
};
pub(super) use deterministic::deterministic;
pub(super) use plain::Plain;
use single::{Single, Sparingly};

/// What may happen at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub label: Label,
    /// What those who know the plan see of it.
    pub image: u32,
    pub to: u32,
}

/// What is done at a node: one of these steps, or nothing more.
pub(super) type Move = Rc<[Step]>;

/// Sets of nodes, each of which may win, where every event is seen.
pub(super) trait Estimates {
    /// A set that an image has led to, with what belongs to all of it: what may still be spent, what runs have become.
    type Key: Copy + Eq + Hash;

    /// The members of a set, ascending.
    fn members(&self, key: Self::Key) -> Vec<u32>;
    /// The expanded vertex that the robot is at.
    fn at(&self, v: u32) -> Vertex;
    fn kind(&self, v: u32) -> Kind;
    /// How far it is to the goal, at least.
    fn distance(&self, v: u32) -> u32;
    /// Whether a member of a set that wins may stop.
    fn may_stop(&mut self, key: Self::Key, v: u32) -> bool;
    /// What may happen at a member of a set.
    fn steps(&mut self, key: Self::Key, v: u32) -> Vec<Step>;
    /// The set of these nodes, ascending, where it follows another.
    fn after(&mut self, key: Self::Key, members: &[u32]) -> Self::Key;
    /// Whether some set wins that contains `some` and is contained in this one.
    fn may_win(&mut self, key: Self::Key, some: &[u32]) -> Result<bool, Stop>;
    /// The same set with as little to spend as single members need, if it wins then.
    fn nearer(&mut self, key: Self::Key) -> Result<Self::Key, Stop>;
    /// How much has been done so far.
    fn effort(&self) -> u64;
    /// Has [`Stop::Effort`] end whatever is done beyond this.
    fn within(&mut self, effort: u64);
    /// Counts one more step.
    fn count(&mut self) -> Result<(), Stop>;
}

/// Where all that wins can be told.
pub(super) trait Widest: Estimates {
    /// All that members of a set that wins may do if what follows is as large as can be.
    fn widest(&mut self, key: Self::Key) -> Result<Vec<Move>, Stop>;
}

/// Decides what members of sets do.
pub(super) trait Chooser<G: Estimates> {
    /// The same set, with as little to spend as is known to be enough.
    fn nearer(&mut self, game: &mut G, key: G::Key) -> Result<G::Key, Stop>;
    /// What each member of a set does.
    fn choose(&mut self, game: &mut G, key: G::Key) -> Result<Vec<Move>, Stop>;
}

/// For each label the first that looks like it under a whole map.
pub(super) fn images(map: &PartialMap) -> Vec<u32> {
    let mut images: Vec<u32> = (0..map.alphabet_len() as u32).collect();
    for class in [Kind::Action, Kind::Observation].into_iter().flat_map(|kind| map.classes(kind)) {
        class.iter().for_each(|l| images[l.index()] = class[0].0);
    }
    images
}

/// Whether a whole set wins.
fn wins<G: Estimates>(game: &mut G, key: G::Key) -> Result<bool, Stop> {
    let members = game.members(key);
    game.may_win(key, &members)
}

/// What follows if members do this, image by image.
fn posts(moves: &[Move]) -> Vec<(u32, Vec<u32>)> {
    let mut all: Vec<(u32, u32)> =
        moves.iter().flat_map(|steps| steps.iter()).map(|step| (step.image, step.to)).collect();
    all.sort_unstable();
    all.dedup();
    let group = |group: &[(u32, u32)]| (group[0].0, group.iter().map(|&(_, to)| to).collect());
    all.chunk_by(|a, b| a.0 == b.0).map(group).collect()
}

/// How much effort goes into leaving choices out, beside what the search took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// For a plan that never chooses.
    pub single: u64,
    /// For all.
    pub all: u64,
}

/// A strategy from a set that wins, which must have one member. It offers no choice without need as far as the effort goes.
pub(super) fn strategy<G: Widest>(game: &mut G, start: G::Key, effort: Effort) -> Result<Strategy, Stop> {
    let begun = game.effort();
    let mut single = Single::default();
    within(game, begun.saturating_add(effort.single), |game| single.solve(game, start))?;
    read_off(game, start, &mut Sparingly { single: &mut single, until: begun.saturating_add(effort.all) })
}

/// The strategy that does what is chosen.
fn read_off<G: Estimates>(
    game: &mut G,
    start: G::Key,
    chooser: &mut impl Chooser<G>,
) -> Result<Strategy, Stop> {
    let mut strategy = Strategy::new();
    let mut sets = Sets { first: FxHashMap::default(), todo: Vec::new() };
    let start = chooser.nearer(game, start)?;
    sets.enter(game, start, &mut strategy);
    while let Some(key) = sets.todo.pop() {
        let moves = chooser.choose(game, key)?;
        let mut follows: FxHashMap<u32, (u32, Vec<u32>)> = FxHashMap::default();
        for (image, members) in posts(&moves) {
            let next = game.after(key, &members);
            let next = chooser.nearer(game, next)?;
            follows.insert(image, (sets.enter(game, next, &mut strategy), members));
        }
        let first = sets.first[&key];
        for (node, steps) in (first..).zip(&moves) {
            let arc = |step: &Step| {
                let (next, members) = &follows[&step.image];
                let place = members.binary_search(&step.to).expect("what follows has all that is led to");
                (step.label, next + place as u32)
            };
            let node = strategy.node_mut(node);
            node.terminal = steps.is_empty();
            node.arcs = steps.iter().map(arc).collect();
            node.arcs.sort_unstable();
        }
    }
    Ok(strategy)
}

/// What comes of `f`, unless the effort ends it.
fn within<G: Estimates, T>(
    game: &mut G,
    until: u64,
    f: impl FnOnce(&mut G) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    game.within(until);
    let done = f(game);
    game.within(u64::MAX);
    match done {
        Err(Stop::Effort) => Ok(None),
        done => done.map(Some),
    }
}

/// The sets that a strategy leads to.
struct Sets<K> {
    /// The node of the first member; the others follow.
    first: FxHashMap<K, u32>,
    todo: Vec<K>,
}

impl<K: Copy + Eq + Hash> Sets<K> {
    fn enter<G: Estimates<Key = K>>(&mut self, game: &G, key: K, strategy: &mut Strategy) -> u32 {
        if let Some(&first) = self.first.get(&key) {
            return first;
        }
        let first = strategy.nodes().len() as u32;
        for v in game.members(key) {
            strategy.push(StrategyNode { at: game.at(v), terminal: false, arcs: Vec::new() });
        }
        self.first.insert(key, first);
        self.todo.push(key);
        first
    }
}
