//! Numbers given to pairs in the order in which they are met.
//!
//! *Practical.* Pairs are kept by their first half, in a small table each. Searches that go from pair to pair meet the same first halves again soon, so what they
//! look up is near in memory; one table of all pairs would be somewhere else each time.

use smallvec::{SmallVec, smallvec};

/// Up to so many pairs of a group are searched from end to end.
const FEW: usize = 8;

/// No pair has this second half.
const FREE: (u32, u32) = (u32::MAX, 0);

/// Pairs of numbers, each with a number of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouped {
    groups: Vec<Group>,
    len: u32,
}

/// Second halves with their numbers: a list while they are few, then a table, half of which is free at least.
#[derive(Clone, Debug, Default)]
struct Group {
    slots: SmallVec<[(u32, u32); 2]>,
    len: u32,
}

impl Grouped {
    /// The number of a pair, and whether it is new. The second half is not the largest number there is.
    pub fn number(&mut self, first: u32, second: u32) -> (u32, bool) {
        if self.groups.len() <= first as usize {
            self.groups.resize(first as usize + 1, Group::default());
        }
        let number = self.groups[first as usize].enter(second, self.len);
        let new = number == self.len;
        if new {
            self.len = self.len.checked_add(1).expect("that many do not fit into memory");
        }
        (number, new)
    }

    /// The number of a pair, if it was given one.
    pub fn get(&self, first: u32, second: u32) -> Option<u32> {
        self.groups.get(first as usize)?.find(second).ok()
    }
}

impl Group {
    /// The number of a member, or the place where it would be.
    fn find(&self, member: u32) -> Result<u32, usize> {
        if self.slots.len() <= FEW {
            let known = self.slots.iter().find(|&&(other, _)| other == member);
            return known.map(|&(_, number)| number).ok_or(self.slots.len());
        }
        let last = self.slots.len() - 1;
        let mut at = (member.wrapping_mul(0x9e37_79b9) >> (last as u32).leading_zeros()) as usize;
        loop {
            match self.slots[at & last] {
                (other, number) if other == member => return Ok(number),
                FREE => return Err(at & last),
                _ => at += 1,
            }
        }
    }

    /// The number of a member, which is `next` if it has none yet.
    fn enter(&mut self, member: u32, next: u32) -> u32 {
        let place = match self.find(member) {
            Ok(number) => return number,
            Err(place) => place,
        };
        self.len += 1;
        if self.slots.len() < FEW {
            self.slots.push((member, next));
            return next;
        }
        if self.slots.len() == FEW || 2 * self.len as usize > self.slots.len() {
            let room = smallvec![FREE; 4 * self.slots.len()];
            let all = std::mem::replace(&mut self.slots, room);
            all.into_iter().filter(|&slot| slot != FREE).for_each(|slot| self.put(slot));
            self.put((member, next));
        } else {
            self.slots[place] = (member, next);
        }
        next
    }

    /// Puts a member that is not there into the table.
    fn put(&mut self, slot: (u32, u32)) {
        if let Err(place) = self.find(slot.0) {
            self.slots[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;

    #[test]
    fn pairs_are_numbered_as_they_are_met() {
        let (mut grouped, mut plain) = (Grouped::default(), FxHashMap::default());
        let mut random = 1_u32;
        for _ in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Some groups have few members, some have many.
            let first = (random >> 16) % 40;
            let second = (random >> 8) % (1 + first * first) * 64;
            let next = plain.len() as u32;
            let expected = *plain.entry((first, second)).or_insert(next);
            assert_eq!(grouped.get(first, second), (expected != next).then_some(expected));
            assert_eq!(grouped.number(first, second), (expected, expected == next));
        }
        assert_eq!(grouped.len as usize, plain.len());
        assert_eq!(grouped.get(99, 0), None);
    }
}
