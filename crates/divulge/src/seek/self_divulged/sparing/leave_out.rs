//! Leaving actions out one by one.
//!
//! *Background.* What is left cannot do without any of its actions: without one of them, what follows some image is a set that does not win, whatever
//! the strategy does from there on. Whether an action that had to stay can go after others went is tried again.

use std::rc::Rc;

use super::{Estimates, Move, Widest, posts};
use crate::{problem::Kind, seek::self_divulged::game::Stop};

/// What members of a set that wins do, of which nothing can be left out.
pub(super) fn leave_out<G: Widest>(game: &mut G, key: G::Key) -> Result<Vec<Move>, Stop> {
    let moves = game.widest(key)?;
    let mut leaving = Leaving { game, key, follows: posts(&moves), moves };
    loop {
        let stopped = leaving.stops()?;
        let unseen = leaving.images()?;
        let left = leaving.actions()?;
        if !(stopped || unseen || left) {
            return Ok(leaving.moves);
        }
    }
}

struct Leaving<'a, G: Estimates> {
    game: &'a mut G,
    key: G::Key,
    moves: Vec<Move>,
    /// What follows, image by image.
    follows: Vec<(u32, Vec<u32>)>,
}

impl<G: Estimates> Leaving<'_, G> {
    /// Does this instead if all that then follows wins; what follows now does.
    fn instead(&mut self, moves: Vec<Move>) -> Result<bool, Stop> {
        self.game.count()?;
        let follows = posts(&moves);
        for post in &follows {
            if !self.follows.contains(post) {
                let next = self.game.after(self.key, &post.1);
                if !self.game.may_win(next, &post.1)? {
                    return Ok(false);
                }
            }
        }
        (self.moves, self.follows) = (moves, follows);
        Ok(true)
    }

    /// Has members stop that may.
    fn stops(&mut self) -> Result<bool, Stop> {
        let mut any = false;
        for (i, v) in self.game.members(self.key).into_iter().enumerate() {
            if !self.moves[i].is_empty() && self.game.may_stop(self.key, v) {
                let mut moves = self.moves.clone();
                moves[i] = Rc::from([]);
                any |= self.instead(moves)?;
            }
        }
        Ok(any)
    }

    fn acts(&self) -> bool {
        self.game.members(self.key).first().is_some_and(|&v| self.game.kind(v) == Kind::Action)
    }

    /// Leaves out all actions that look alike.
    fn images(&mut self) -> Result<bool, Stop> {
        let mut any = false;
        if !self.acts() {
            return Ok(false);
        }
        let mut images: Vec<(usize, u32)> =
            self.follows.iter().map(|(image, post)| (post.len(), *image)).collect();
        images.sort_unstable();
        for (_, image) in images {
            let others =
                |steps: &Move| -> Move { steps.iter().copied().filter(|s| s.image != image).collect() };
            let moves: Vec<Move> = self.moves.iter().map(others).collect();
            let stuck = moves.iter().zip(&self.moves).any(|(new, old)| new.is_empty() && !old.is_empty());
            any |= !stuck && self.instead(moves)?;
        }
        Ok(any)
    }

    /// Leaves out single actions, those that lead far from the goal first.
    fn actions(&mut self) -> Result<bool, Stop> {
        let mut any = false;
        if !self.acts() {
            return Ok(false);
        }
        for i in 0..self.moves.len() {
            let mut steps = self.moves[i].to_vec();
            steps.sort_by_key(|step| std::cmp::Reverse((self.game.distance(step.to), step.label)));
            for step in steps {
                if self.moves[i].len() > 1 {
                    let mut moves = self.moves.clone();
                    moves[i] = moves[i].iter().copied().filter(|&other| other != step).collect();
                    any |= self.instead(moves)?;
                }
            }
        }
        Ok(any)
    }
}
