//! Least worst-case cost: Dijkstra's algorithm with choices (Knuth's generalisation), because costs differ and may be zero.
//!
//! Nodes are settled in the order of (cost, events), so a strategy that follows settled values makes progress even where
//! events cost nothing.

use super::{
    Before, OPEN,
    queue::{Entry, Queue},
};
use crate::limit::Limit;

/// The worst case of the best strategy at every node.
pub(crate) struct Costs(Vec<Value>);

/// What is known of a node, all in one place: whoever asks for one part needs the others.
#[derive(Clone, Copy)]
struct Value {
    cost: u64,
    events: u32,
    /// How many successors it waits for, as `open` tells; `SETTLED` once its value is known.
    waits: u32,
}

/// Nothing more is waited for, and nothing less will be found.
const SETTLED: u32 = 0;

impl Costs {
    /// Values of nodes that `open` tells the missing successors of, complete as far as `start` needs them.
    pub fn new(
        before: &Before,
        open: &[u32],
        stops: &[u32],
        costs: &[u64],
        start: Option<usize>,
        mut poll: impl FnMut(usize) -> Result<(), Limit>,
    ) -> Result<Self, Limit> {
        let mut values = Self(open.iter().map(|&waits| Value { cost: 0, events: 0, waits }).collect());
        let mut queue = Queue::new();
        for &node in stops {
            values.0[node as usize].waits = OPEN;
            queue.push(Entry { cost: 0, events: 0, node });
        }
        while let Some(Entry { cost, events, node }) = queue.pop() {
            let own = &mut values.0[node as usize];
            // Something less may have been found since this was added.
            if own.waits == SETTLED || (cost, events) != (own.cost, own.events) {
                continue;
            }
            own.waits = SETTLED;
            if Some(node as usize) == start {
                break;
            }
            poll(1 + before.of(node).len())?;
            for (&from, &label) in before.of(node).iter().zip(before.labels(node)) {
                let through = (cost.saturating_add(costs[label.index()]), events + 1);
                if values.0[from as usize].reach(through) {
                    let Value { cost, events, .. } = values.0[from as usize];
                    queue.push(Entry { cost, events, node: from });
                }
            }
        }
        Ok(values)
    }

    /// The cost of the best strategy at a node and, of these, the events; `None` if stopping cannot be forced there, or the start was settled before.
    pub fn of(&self, node: usize) -> Option<(u64, u32)> {
        let Value { cost, events, waits } = self.0[node];
        (waits == SETTLED).then_some((cost, events))
    }
}

impl Value {
    /// One more successor is settled, and `through` it is so much; tells whether that is what it takes, as far as is known.
    fn reach(&mut self, through: (u64, u32)) -> bool {
        if self.waits > OPEN {
            // Any successor of an action node will do, so it waits for one; the values of an observation node are the worst
            // of all its successors', cost and events apart.
            (self.cost, self.events) = (self.cost.max(through.0), self.events.max(through.1));
            self.waits -= 1;
            return self.waits == OPEN;
        }
        let less = self.waits != SETTLED && through < (self.cost, self.events);
        if less {
            (self.cost, self.events) = through;
        }
        less
    }
}
