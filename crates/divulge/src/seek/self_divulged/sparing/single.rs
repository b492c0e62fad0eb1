//! One action for each member of a set.
//!
//! *Background.* A choice of one action for each member leads to one set for each image, and all of these must win: with some strategy, or with
//! one that itself never chooses.

use std::{cmp::Reverse, hash::Hash, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    Chooser, Estimates, Move, Step, Widest,
    assign::{Visitor, assign, options},
    leave_out::leave_out,
    posts, wins, within,
};
use crate::{game::deep, seek::self_divulged::game::Stop};

/// How many partial choices are tried at a set where it is enough that what follows wins; for each of its members more.
const TRIES: usize = 32;

/// What must hold of the sets that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// They win.
    Wins,
    /// They win without ever choosing.
    Single,
}

/// What is known of sets that win without ever choosing: how they do, or nothing if they do not.
pub struct Single<K> {
    known: FxHashMap<K, Option<Rc<[Move]>>>,
}

impl<K> Default for Single<K> {
    fn default() -> Self {
        Self { known: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> Single<K> {
    /// Whether a set that wins does so with one action for each member, all the way down.
    pub fn solve<G: Estimates<Key = K>>(&mut self, game: &mut G, key: K) -> Result<bool, Stop> {
        if let Some(known) = self.known.get(&key) {
            return Ok(known.is_some());
        }
        let near = game.nearer(key)?;
        if near != key && self.solve(game, near)? {
            return Ok(true);
        }
        let found = deep(|| self.find(game, key, Test::Single))?;
        let won = found.is_some();
        self.known.insert(key, found.map(Rc::from));
        Ok(won)
    }

    /// What the members of a set do that is known to win without ever choosing.
    pub fn known(&self, key: K) -> Option<Vec<Move>> {
        self.known.get(&key)?.as_ref().map(|known| known.to_vec())
    }

    /// A set that wins, with as little to spend as single members need if it wins then, and as well.
    pub fn nearer<G: Estimates<Key = K>>(&self, game: &mut G, key: K) -> Result<K, Stop> {
        let near = game.nearer(key)?;
        let single = |key| matches!(self.known.get(&key), Some(Some(_)));
        Ok(if single(near) || !single(key) { near } else { key })
    }

    fn find<G: Estimates<Key = K>>(
        &mut self,
        game: &mut G,
        key: K,
        test: Test,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let options = options(game, key);
        for guess in guesses(&options) {
            game.count()?;
            if self.holds(game, key, &guess, test)? {
                return Ok(Some(guess));
            }
        }
        let tries = if test == Test::Wins { TRIES + 4 * options.len() } else { usize::MAX };
        let mut deciding = Deciding { single: self, test, found: None };
        assign(game, key, &options, tries, &mut deciding)?;
        Ok(deciding.found)
    }

    /// Whether all that follows a choice holds out.
    fn holds<G: Estimates<Key = K>>(
        &mut self,
        game: &mut G,
        key: K,
        moves: &[Move],
        test: Test,
    ) -> Result<bool, Stop> {
        let mut sets = Vec::new();
        for (_, post) in posts(moves) {
            let next = game.after(key, &post);
            if self.is_lost(next, test) || !wins(game, next)? {
                return Ok(false);
            }
            sets.push(next);
        }
        for next in sets {
            if test == Test::Single && !self.solve(game, next)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_lost(&self, key: K, test: Test) -> bool {
        test == Test::Single && matches!(self.known.get(&key), Some(None))
    }
}

/// Has members of a set that wins take one action each, all the way down, if that is known to win; else one action each now, if that is
/// easily found; else what cannot be left out; and when there has been so much effort, all that they may.
pub struct Sparingly<'s, K> {
    pub single: &'s mut Single<K>,
    pub until: u64,
}

impl<G: Widest> Chooser<G> for Sparingly<'_, G::Key> {
    fn nearer(&mut self, game: &mut G, key: G::Key) -> Result<G::Key, Stop> {
        Ok(within(game, self.until, |game| self.single.nearer(game, key))?.unwrap_or(key))
    }

    fn choose(&mut self, game: &mut G, key: G::Key) -> Result<Vec<Move>, Stop> {
        if let Some(known) = self.single.known(key) {
            return Ok(known);
        }
        let chosen = within(game, self.until, |game| match self.single.find(game, key, Test::Wins)? {
            Some(found) => Ok(found),
            None => leave_out(game, key),
        })?;
        chosen.map_or_else(|| game.widest(key), Ok)
    }
}

/// Looks for a choice after which everything holds out.
struct Deciding<'s, K> {
    single: &'s mut Single<K>,
    test: Test,
    found: Option<Vec<Move>>,
}

impl<G: Estimates> Visitor<G> for Deciding<'_, G::Key> {
    fn is_lost(&self, key: G::Key) -> bool {
        self.single.is_lost(key, self.test)
    }

    fn visit(&mut self, game: &mut G, key: G::Key, moves: Vec<Move>) -> Result<bool, Stop> {
        let holds = self.single.holds(game, key, &moves, self.test)?;
        self.found = holds.then_some(moves);
        Ok(holds)
    }
}

/// Choices that are worth a try: as many as possible look alike.
fn guesses(options: &[Vec<Move>]) -> Vec<Vec<Move>> {
    // How many members may show each image, and how far the goal is then at best.
    let mut shown: FxHashMap<u32, usize> = FxHashMap::default();
    for own in options {
        let mut images: Vec<u32> = own.iter().flat_map(|m| m.iter()).map(|step: &Step| step.image).collect();
        images.sort_unstable();
        images.dedup();
        images.into_iter().for_each(|image| *shown.entry(image).or_default() += 1);
    }
    let mut images: Vec<u32> = shown.keys().copied().collect();
    images.sort_by_key(|image| (Reverse(shown[image]), *image));
    let stops = options.iter().any(|own| own.iter().any(|m| m.is_empty()));
    let mut guesses = Vec::new();
    for stopping in [true, false] {
        if !stopping && !stops {
            break;
        }
        for first in 0..images.len().max(1) {
            let mut order = images.clone();
            order.get_mut(..=first).into_iter().for_each(|front| front.rotate_right(1));
            guesses.extend(guess(options, &order, stopping));
        }
    }
    guesses.dedup();
    guesses
}

/// Whoever can shows the first of these images, others the next, and so on.
fn guess(options: &[Vec<Move>], order: &[u32], stopping: bool) -> Option<Vec<Move>> {
    let rank = |m: &Move| match m.first() {
        None if stopping => 0,
        None => usize::MAX,
        Some(step) => 1 + order.iter().position(|&image| image == step.image).unwrap_or(order.len()),
    };
    options.iter().map(|own| own.iter().min_by_key(|m| rank(m)).cloned()).collect()
}
