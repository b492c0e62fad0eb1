//! Least worst-case cost: Dijkstra's algorithm with choices (Knuth's generalisation), because costs differ and may be zero.
//!
//! Nodes are settled in the order of (cost, events), so a strategy that follows settled values makes progress even where
//! events cost nothing.

use super::{
    Before, OPEN,
    queue::{Entry, Queue},
};
use crate::limit::Limit;

/// The worst case of the best strategy at every node: cost, then events.
pub(crate) struct Costs {
    /// The cost.
    pub cost: Vec<u64>,
    /// The events.
    pub events: Vec<u32>,
    /// Whether the value is known; else stopping cannot be forced, or the start was settled before.
    pub settled: Vec<bool>,
}

impl Costs {
    /// Values of nodes that `open` tells the missing successors of, complete as far as `start` needs them.
    pub fn new(
        before: &Before,
        mut open: Vec<u32>,
        stops: &[u32],
        costs: &[u64],
        start: Option<usize>,
        mut poll: impl FnMut(usize) -> Result<(), Limit>,
    ) -> Result<Self, Limit> {
        let n = open.len();
        let mut values = Self { cost: vec![0; n], events: vec![0; n], settled: vec![false; n] };
        let mut queue = Queue::new();
        for &node in stops {
            open[node as usize] = OPEN;
            queue.push(Entry { cost: 0, events: 0, node });
        }
        while let Some(Entry { cost, events, node }) = queue.pop() {
            let at = node as usize;
            // Something less may have been found since this was added.
            if (cost, events) != (values.cost[at], values.events[at])
                || std::mem::replace(&mut values.settled[at], true)
            {
                continue;
            }
            if Some(at) == start {
                break;
            }
            poll(1 + before.of(node).len())?;
            for (&from, &label) in before.of(node).iter().zip(before.labels(node)) {
                let through = (cost.saturating_add(costs[label.index()]), events + 1);
                values.reach(&mut open, from, through, &mut queue);
            }
        }
        Ok(values)
    }

    /// One more successor of a node is settled, and `through` it is so much.
    fn reach(&mut self, open: &mut [u32], node: u32, through: (u64, u32), queue: &mut Queue) {
        let at = node as usize;
        let (waits, cost, events) = (&mut open[at], &mut self.cost[at], &mut self.events[at]);
        if *waits > OPEN {
            // Any successor of an action node will do, so it waits for one; the values of an observation node are the worst
            // of all its successors', cost and events apart.
            (*cost, *events) = ((*cost).max(through.0), (*events).max(through.1));
            *waits -= 1;
            if *waits > OPEN {
                return;
            }
        } else if !self.settled[at] && through < (*cost, *events) {
            (*cost, *events) = through;
        } else {
            return;
        }
        queue.push(Entry { cost: *cost, events: *events, node });
    }
}
