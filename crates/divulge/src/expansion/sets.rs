//! Sets of vertices, each stored once and referred to by id.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// The id of a set in a [`SetStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

impl SetId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Sets of vertex ids as ascending slices in one arena, numbered from 0 in order of first mention.
#[derive(Clone, Debug, Default)]
pub struct SetStore {
    members: Vec<u32>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl SetStore {
    /// A store without sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of the set with these members, which must be ascending; stored if it is new.
    pub fn intern(&mut self, set: &[u32]) -> SetId {
        debug_assert!(set.windows(2).all(|w| w[0] < w[1]), "members must be ascending");
        let Self { members, ends, table } = self;
        let hash = hash(set);
        if let Some(&id) = table.find(hash, |&id| slice(members, ends, id) == set) {
            return SetId(id);
        }
        let id = u32::try_from(ends.len()).expect("more than four thousand million sets");
        members.extend_from_slice(set);
        ends.push(members.len());
        table.insert_unique(hash, id, |&id| self::hash(slice(members, ends, id)));
        SetId(id)
    }

    /// The id of the set with these ascending members, if it is stored.
    pub fn find(&self, set: &[u32]) -> Option<SetId> {
        self.table.find(hash(set), |&id| slice(&self.members, &self.ends, id) == set).map(|&id| SetId(id))
    }

    /// The members of a set, ascending.
    pub fn get(&self, id: SetId) -> &[u32] {
        slice(&self.members, &self.ends, id.0)
    }

    /// How many sets are stored.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no set is stored.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// About how many bytes the store takes.
    pub fn bytes(&self) -> usize {
        4 * self.members.capacity() + 8 * self.ends.capacity() + 5 * self.table.capacity()
    }
}

fn slice<'a>(members: &'a [u32], ends: &[usize], id: u32) -> &'a [u32] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &members[start..ends[id]]
}

fn hash(set: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &v in set {
        hasher.write_u32(v);
    }
    hasher.write_usize(set.len());
    hasher.finish()
}
