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
    /// The sets' ids with their hashes, so that the table grows and most comparisons are made without looking at members.
    table: HashTable<(u32, u32)>,
}

impl SetStore {
    /// A store without sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of the set with these members, which must be ascending; stored if it is new.
    pub fn intern(&mut self, set: &[u32]) -> SetId {
        self.intern_hashed(set, hash(set))
    }

    /// The same, of a set with this hash.
    pub(crate) fn intern_hashed(&mut self, set: &[u32], hash: u32) -> SetId {
        debug_assert!(set.windows(2).all(|w| w[0] < w[1]), "members must be ascending");
        if let Ok(id) = self.look_up(set, hash) {
            return id;
        }
        let Self { members, ends, table } = self;
        let id = u32::try_from(ends.len()).expect("more than four thousand million sets");
        members.extend_from_slice(set);
        ends.push(members.len());
        table.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        SetId(id)
    }

    /// The id of the set with these ascending members, if it is stored.
    pub fn find(&self, set: &[u32]) -> Option<SetId> {
        self.find_or_hash(set).ok()
    }

    /// The same, or the hash that it is to be stored with.
    pub(crate) fn find_or_hash(&self, set: &[u32]) -> Result<SetId, u32> {
        self.look_up(set, hash(set))
    }

    fn look_up(&self, set: &[u32], hash: u32) -> Result<SetId, u32> {
        let same = |&(id, other): &(u32, u32)| other == hash && slice(&self.members, &self.ends, id) == set;
        self.table.find(spread(hash), same).map(|&(id, _)| SetId(id)).ok_or(hash)
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
        4 * self.members.capacity() + 8 * self.ends.capacity() + 9 * self.table.capacity()
    }
}

fn slice<'a>(members: &'a [u32], ends: &[usize], id: u32) -> &'a [u32] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &members[start..ends[id]]
}

pub(super) fn hash(set: &[u32]) -> u32 {
    let mut hasher = FxHasher::default();
    let pairs = set.chunks_exact(2);
    if let [odd] = pairs.remainder() {
        hasher.write_u32(*odd);
    }
    for pair in pairs {
        hasher.write_u64(u64::from(pair[0]) << 32 | u64::from(pair[1]));
    }
    hasher.write_usize(set.len());
    short(hasher.finish())
}

/// As much of a hash as tables keep beside numbers, so that they grow, and make most comparisons, without looking at what is numbered.
pub(crate) fn short(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// What a table takes for such a hash: it looks at bits at both ends.
pub(crate) fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
