//! Sets of vertices, one for each state of an observer, that grow while both are explored together and then number their pairs.
//!
//! *Practical.* [`NodeSet::insert`] while exploring, [`NodeSet::take_fresh`] for what is new since the last call; then
//! [`NodeSet::finish`], after which [`NodeSet::position`] numbers the members from 0.
//!
//! A set begins as a list, gets a table of its own when that is worth it, and becomes one bit for each possible member when
//! that is smaller.

/// Lists up to this length are searched from end to end.
const FEW: usize = 16;

/// A set is dense if at least one in this many of all possible members is in it.
const DENSE: usize = 64;

/// A set of numbers below a bound that the caller keeps.
#[derive(Clone, Debug)]
pub(crate) enum NodeSet {
    Sparse(Sparse),
    Dense(Dense),
}

/// Members in the order in which they came, and an open-addressed table of places in that list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    members: Vec<u32>,
    /// 0, or one more than a place in `members`; empty, or a power of two in length and at most three quarters full.
    table: Vec<u32>,
    taken: u32,
}

/// One bit for each possible member.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    words: Vec<u64>,
    fresh: Vec<u32>,
    len: u32,
    /// How many members come before each word; filled in when the set is finished.
    before: Vec<u32>,
}

impl Default for NodeSet {
    fn default() -> Self {
        NodeSet::Sparse(Sparse::default())
    }
}

impl NodeSet {
    /// Adds a number below `bound`, which must be the same at each call.
    pub fn insert(&mut self, n: u32, bound: usize) {
        match self {
            NodeSet::Dense(set) => set.insert(n),
            NodeSet::Sparse(set) => {
                set.insert(n);
                if set.members.len() > FEW && set.members.len() * DENSE > bound {
                    *self = NodeSet::Dense(Dense::from(std::mem::take(set), bound));
                }
            }
        }
    }

    /// Whether a number below that bound was added.
    pub fn contains(&self, n: u32) -> bool {
        match self {
            NodeSet::Sparse(set) => set.find(n).is_some(),
            NodeSet::Dense(set) => set.words[n as usize / 64] >> (n % 64) & 1 == 1,
        }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        match self {
            NodeSet::Sparse(set) => set.members.len(),
            NodeSet::Dense(set) => set.len as usize,
        }
    }

    /// Whether there are members that were not taken yet.
    pub fn has_fresh(&self) -> bool {
        match self {
            NodeSet::Sparse(set) => (set.taken as usize) < set.members.len(),
            NodeSet::Dense(set) => !set.fresh.is_empty(),
        }
    }

    /// Moves the members that are new since the last call to `out`.
    pub fn take_fresh(&mut self, out: &mut Vec<u32>) {
        out.clear();
        match self {
            NodeSet::Sparse(set) => {
                out.extend_from_slice(&set.members[set.taken as usize..]);
                set.taken = set.members.len() as u32;
            }
            NodeSet::Dense(set) => std::mem::swap(out, &mut set.fresh),
        }
    }

    /// Nothing more is added: prepares for [`position`](Self::position).
    pub fn finish(&mut self) {
        match self {
            NodeSet::Sparse(set) => set.members.shrink_to_fit(),
            NodeSet::Dense(set) => {
                set.fresh = Vec::new();
                let mut sum = 0;
                set.before = set
                    .words
                    .iter()
                    .map(|word| {
                        sum += word.count_ones();
                        sum - word.count_ones()
                    })
                    .collect();
            }
        }
    }

    /// The place of a member among all members of a finished set.
    pub fn position(&self, n: u32) -> Option<u32> {
        match self {
            NodeSet::Sparse(set) => set.find(n),
            NodeSet::Dense(set) => {
                let (word, bit) = (n as usize / 64, n % 64);
                let bits = set.words[word];
                (bits >> bit & 1 == 1).then(|| set.before[word] + (bits & ((1 << bit) - 1)).count_ones())
            }
        }
    }

    /// Lists the members of a finished set, by place.
    pub fn list(&self, out: &mut Vec<u32>) {
        out.clear();
        match self {
            NodeSet::Sparse(set) => out.extend_from_slice(&set.members),
            NodeSet::Dense(set) => out.extend(set.iter()),
        }
    }
}

impl Sparse {
    fn insert(&mut self, n: u32) {
        if self.table.is_empty() {
            if self.members.contains(&n) {
                return;
            }
            self.members.push(n);
            if self.members.len() > FEW {
                self.rebuild(FEW * 4);
            }
            return;
        }
        let slot = match self.slot(n) {
            Ok(_) => return,
            Err(slot) => slot,
        };
        self.members.push(n);
        self.table[slot] = self.members.len() as u32;
        if self.members.len() * 4 > self.table.len() * 3 {
            self.rebuild(self.table.len() * 2);
        }
    }

    fn find(&self, n: u32) -> Option<u32> {
        if self.table.is_empty() {
            return self.members.iter().position(|&m| m == n).map(|at| at as u32);
        }
        self.slot(n).ok().map(|slot| self.table[slot] - 1)
    }

    /// The slot that holds `n`, or the empty one where it belongs.
    fn slot(&self, n: u32) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut slot = (u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.table[slot] {
                0 => return Err(slot),
                at if self.members[at as usize - 1] == n => return Ok(slot),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn rebuild(&mut self, size: usize) {
        self.table = vec![0; size];
        for at in 0..self.members.len() {
            if let Err(slot) = self.slot(self.members[at]) {
                self.table[slot] = at as u32 + 1;
            }
        }
    }
}

impl Dense {
    fn from(sparse: Sparse, bound: usize) -> Self {
        let mut words = vec![0; bound.div_ceil(64)];
        for &n in &sparse.members {
            words[n as usize / 64] |= 1 << (n % 64);
        }
        let fresh = sparse.members[sparse.taken as usize..].to_vec();
        Self { words, fresh, len: sparse.members.len() as u32, before: Vec::new() }
    }

    fn insert(&mut self, n: u32) {
        let word = &mut self.words[n as usize / 64];
        let bit = 1 << (n % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.len += 1;
            self.fresh.push(n);
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(i, &word)| crate::sets::bits::ones(word).map(move |bit| (i * 64 + bit) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every few numbers of a sequence without much order, at densities that go through all three forms.
    #[test]
    fn members_are_numbered_whatever_the_form() {
        for (bound, count) in [(10, 10), (100_000, 12), (100_000, 500), (100_000, 5_000), (700, 300)] {
            let mut set = NodeSet::default();
            let (mut model, mut fresh, mut got) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..count as u64 {
                let n = (i * i * 7919 % bound as u64) as u32;
                set.insert(n, bound);
                if !model.contains(&n) {
                    model.push(n);
                }
                if i % 7 == 0 {
                    set.take_fresh(&mut fresh);
                    got.extend_from_slice(&fresh);
                }
            }
            assert_eq!(set.has_fresh(), got.len() < model.len());
            set.take_fresh(&mut fresh);
            got.extend_from_slice(&fresh);
            assert!(!set.has_fresh());
            set.finish();
            assert_eq!((got, set.len()), (model.clone(), model.len()));
            let mut list = Vec::new();
            set.list(&mut list);
            for (at, &n) in list.iter().enumerate() {
                assert_eq!(set.position(n), Some(at as u32));
            }
            list.sort_unstable();
            model.sort_unstable();
            assert_eq!(list, model);
            let absent = (0..bound as u32).filter(|n| model.binary_search(n).is_err());
            assert!(absent.take(1000).all(|n| set.position(n).is_none()));
        }
    }
}
