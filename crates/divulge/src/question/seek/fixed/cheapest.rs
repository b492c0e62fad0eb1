//! Least worst-case cost: Dijkstra's algorithm with choices (Knuth's generalisation), because costs differ and may be zero.
//!
//! Nodes are settled in the order of (cost, events), so a strategy that follows settled values makes progress even where
//! events cost nothing.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    induction::{Before, OPEN},
    product::{Game, NO_BUDGET, Product},
    strategy,
};
use crate::{answer::WorstCase, question::QuestionError, question::seek::Policy};

/// A strategy with the least worst-case cost; among actions that are equally cheap it takes the one with fewer events to come.
pub(super) fn strategy(game: &mut Game<'_>, costs: &[u64]) -> Result<Option<Policy>, QuestionError> {
    if game.least_budget().is_none() {
        return Ok(None);
    }
    let (product, _) = Product::explore(game, NO_BUDGET)?;
    let (mut open, mut stops) = (Vec::new(), Vec::new());
    let before = Before::new(game, &product, true, &mut open, &mut stops)?;
    let mut worst = vec![WorstCase::default(); product.len()];
    let mut queue: BinaryHeap<Reverse<(u64, u64, u32)>> = stops.iter().map(|&n| Reverse((0, 0, n))).collect();
    let mut settled = vec![false; product.len()];
    while let Some(Reverse((cost, events, node))) = queue.pop() {
        if std::mem::replace(&mut settled[node as usize], true) {
            continue;
        }
        worst[node as usize] = WorstCase { events, cost };
        if node as usize == product.start() {
            break;
        }
        game.poll("inducing backwards by cost", 1 + before.of(node).len(), product.len())?;
        for (&from, &label) in before.of(node).iter().zip(before.labels(node)) {
            if settled[from as usize] {
                continue;
            }
            let through = WorstCase { events: events + 1, cost: cost.saturating_add(costs[label.index()]) };
            let (waits, known) = (&mut open[from as usize], &mut worst[from as usize]);
            if *waits > OPEN + 1 {
                // An observation node waits for its last successor.
                *known = later(*known, through);
                *waits -= 1;
                continue;
            }
            // Its last successor, or any of an action node's, whose own `worst` stays nothing until it is settled.
            let whole = later(*known, through);
            queue.push(Reverse((whole.cost, whole.events, from)));
        }
    }
    if !settled[product.start()] {
        return Ok(None);
    }
    Ok(Some(strategy::follow(game, &product, |node, label, to| {
        let (here, there) = (worst[node as usize], worst[to as usize]);
        settled[to as usize]
            && there.events + 1 == here.events
            && there.cost.saturating_add(costs[label.index()]) == here.cost
    })))
}

/// The worse of two ways on, cost and events apart.
fn later(a: WorstCase, b: WorstCase) -> WorstCase {
    WorstCase { events: a.events.max(b.events), cost: a.cost.max(b.cost) }
}
