//! Every way to give each member of a set one action.
//!
//! *Background.* Members are given their actions one after the other. What follows an image then lies between what it is for those that have one and what it
//! is if all the others could take everything; if no set between the two wins, the choice so far is in vain. Whatever wins between the
//! two is within one of the maximal winning subsets of the larger, so that is easily told.

use std::rc::Rc;

use super::{Estimates, Move, posts};
use crate::{problem::Kind, seek::self_divulged::game::Stop};

/// Looks at choices.
pub(super) trait Visitor<G: Estimates> {
    /// Whether a set that wins is of no use nevertheless.
    fn is_lost(&self, key: G::Key) -> bool;
    /// Is shown a choice after which all that follows wins; tells whether that was enough.
    fn visit(&mut self, game: &mut G, key: G::Key, moves: Vec<Move>) -> Result<bool, Stop>;
}

/// Shows all choices for a set, but for those known to be in vain, until one is enough or so many were tried in part. Tells whether
/// one was.
pub(super) fn assign<G: Estimates>(
    game: &mut G,
    key: G::Key,
    options: &[Vec<Move>],
    mut tries: usize,
    visitor: &mut impl Visitor<G>,
) -> Result<bool, Stop> {
    // Those with the fewest options first.
    let mut order: Vec<usize> = (0..options.len()).collect();
    order.sort_by_key(|&i| options[i].len());
    // The option that is being tried for each of the first members in that order.
    let mut tried: Vec<usize> = vec![0];
    while let Some(&option) = tried.last() {
        if option == options[order[tried.len() - 1]].len() {
            tried.pop();
            tried.last_mut().into_iter().for_each(|last| *last += 1);
            continue;
        }
        if tries == 0 {
            return Ok(false);
        }
        tries -= 1;
        game.count()?;
        let chosen: Vec<Move> =
            order.iter().zip(&tried).map(|(&i, &option)| options[i][option].clone()).collect();
        let open: Vec<Move> = order[tried.len()..].iter().flat_map(|&i| options[i].iter().cloned()).collect();
        if may_hold(game, key, &chosen, &open, visitor)? {
            if tried.len() < options.len() {
                tried.push(0);
                continue;
            }
            let mut moves = chosen.clone();
            order.iter().zip(chosen).for_each(|(&i, own)| moves[i] = own);
            if visitor.visit(game, key, moves)? {
                return Ok(true);
            }
        }
        tried.last_mut().into_iter().for_each(|last| *last += 1);
    }
    Ok(false)
}

/// Whether a choice for some members could be one that holds, as far as the game tells; the others may do some of what is open.
fn may_hold<G: Estimates>(
    game: &mut G,
    key: G::Key,
    chosen: &[Move],
    open: &[Move],
    visitor: &impl Visitor<G>,
) -> Result<bool, Stop> {
    let (least, most) = (posts(chosen), posts(&[chosen, open].concat()));
    let mut wide = most.iter();
    for (image, some) in &least {
        let (_, all) = wide.find(|(other, _)| other == image).expect("the more has all of the less");
        let next = game.after(key, all);
        let lost = some.len() == all.len() && visitor.is_lost(next);
        if lost || !game.may_win(next, some)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What each member may do if it takes one action: the nearest to the goal first, and stopping before all.
pub(super) fn options<G: Estimates>(game: &mut G, key: G::Key) -> Vec<Vec<Move>> {
    let mut all = Vec::new();
    for v in game.members(key) {
        let mut own: Vec<Move> = Vec::new();
        if game.may_stop(key, v) {
            own.push(Rc::from([]));
        }
        let mut steps = game.steps(key, v);
        match game.kind(v) {
            Kind::Action => {
                steps.sort_by_key(|step| (game.distance(step.to), step.label));
                own.extend(steps.into_iter().map(|step| Rc::from([step])));
            }
            Kind::Observation if steps.is_empty() => {}
            Kind::Observation => own.push(steps.into()),
        }
        all.push(own);
    }
    all
}
