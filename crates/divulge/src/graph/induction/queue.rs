//! A queue of nodes by cost, then events, for values that never become less while it is emptied.
//!
//! *Background.* A radix heap: what differs from the least key taken so far in its i-th highest bit only waits in a bucket of its own
//! and is looked at again when the least key gets there. An entry moves to lower buckets alone, so each is moved a few times whatever
//! the number of entries, and costs may be of any size.

/// How many buckets there are: one for equal keys, one for each bit of the events, one for each of the cost.
const BUCKETS: usize = 1 + 32 + 64;

/// A node with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub cost: u64,
    pub events: u32,
    pub node: u32,
}

impl Entry {
    fn key(&self) -> (u64, u32) {
        (self.cost, self.events)
    }
}

/// Nodes by cost, then events.
#[derive(Debug)]
pub(crate) struct Queue {
    least: (u64, u32),
    buckets: Vec<Vec<Entry>>,
}

impl Queue {
    pub fn new() -> Self {
        Self { least: (0, 0), buckets: vec![Vec::new(); BUCKETS] }
    }

    /// Adds an entry, which must not come before one that was taken.
    pub fn push(&mut self, entry: Entry) {
        debug_assert!(entry.key() >= self.least, "keys never become less");
        self.buckets[bucket(self.least, entry.key())].push(entry);
    }

    /// Takes a least entry.
    pub fn pop(&mut self) -> Option<Entry> {
        if self.buckets[0].is_empty() {
            let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let mut moved = std::mem::take(&mut self.buckets[first]);
            self.least = moved.iter().map(Entry::key).min().unwrap_or(self.least);
            for entry in moved.drain(..) {
                self.buckets[bucket(self.least, entry.key())].push(entry);
            }
            // Its room is used again.
            self.buckets[first] = moved;
        }
        self.buckets[0].pop()
    }
}

/// The bucket of a key that does not come before the least one.
fn bucket(least: (u64, u32), key: (u64, u32)) -> usize {
    let (cost, events) = (least.0 ^ key.0, least.1 ^ key.1);
    if cost == 0 { 32 - events.leading_zeros() as usize } else { BUCKETS - 1 - cost.leading_zeros() as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_the_order_of_their_keys() {
        for largest in [3, 1000, u64::MAX] {
            let (mut queue, mut model) = (Queue::new(), std::collections::BTreeMap::new());
            let (mut rng, mut taken) = (divulge_naive::random::Rng::new(7), (0, 0));
            for node in 0..5000 {
                if rng.bits() % 3 > 0 {
                    let cost: u64 = taken.0 + (largest - taken.0).min(rng.bits() % largest);
                    let events = if cost == taken.0 {
                        taken.1 + rng.bits() as u32 % 5
                    } else {
                        rng.bits() as u32 % 100
                    };
                    queue.push(Entry { cost, events, node });
                    *model.entry((cost, events)).or_insert(0) += 1;
                } else if let Some(entry) = queue.pop() {
                    assert_eq!(model.first_key_value().map(|(key, _)| *key), Some(entry.key()));
                    taken = entry.key();
                    let count = model.get_mut(&taken).expect("it is the first");
                    *count -= 1;
                    if *count == 0 {
                        model.remove(&taken);
                    }
                } else {
                    assert!(model.is_empty());
                }
            }
        }
    }
}
