//! Vertices by name, for many lookups at once.
//!
//! In a large world every lookup waits for memory. This index holds short names themselves, so that a lookup waits once, and
//! looks a batch of names up in stages, so that the waits of a batch overlap.

use std::hash::{BuildHasher, Hasher};

use divulge::{limit::together, problem::Vertex};
use rustc_hash::FxBuildHasher;

use super::json::{Reader, Token};

/// Names of so many bytes are held in the index.
const SHORT: usize = 16;

/// A name as it is compared first: its length in bytes and its beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Head {
    bytes: [u64; 2],
    len: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    head: Head,
    /// The vertex, or [`FREE`].
    id: u32,
}

const FREE: u32 = u32::MAX;
const NOTHING: Entry = Entry { head: Head { bytes: [0; 2], len: 0 }, id: FREE };

/// A name's head and its hash.
#[derive(Clone, Copy)]
pub struct Hashed(Head, u64);

/// The vertices of one graph by name. Open addressing; at most half of the places are taken.
pub struct Index {
    /// Where the vertex with each id is named.
    keys: Vec<Token>,
    places: Places,
    /// The entries, in parts that do not run over into one another.
    parts: Vec<Vec<Entry>>,
}

/// Where names belong by their hashes.
#[derive(Clone, Copy)]
struct Places {
    /// The upper bits of a hash number the place, of all that there are.
    shift: u32,
    /// How many places a part has: two to the power of this.
    part: u32,
}

/// Room for looking up many names at once, and the vertices that were found.
#[derive(Default)]
pub struct Lookup {
    batch: Vec<(Head, u64, Entry)>,
    pub found: Vec<Option<Vertex>>,
}

impl Index {
    /// `keys[id]` is where the vertex with that id is named; all names differ.
    pub fn new(r: &Reader<'_>, keys: Vec<Token>) -> Self {
        let (places, _) = Places::of(keys.len(), 1);
        let mut part = places.empty();
        for (id, &key) in (0..).zip(&keys) {
            let Hashed(head, hash) = Hashed::of(&r.say(key));
            let (_, mut at) = places.home(hash);
            while part[at].id != FREE {
                at = places.after(at);
            }
            part[at] = Entry { head, id };
        }
        Self { keys, places, parts: vec![part] }
    }

    /// The same, made by as many threads as there are shares of names, of which nobody knows yet that they differ; `None` if they do not.
    pub fn distinct(r: &Reader<'_>, keys: Vec<Token>, hashed: &[Vec<Hashed>]) -> Option<Self> {
        let (places, count) = Places::of(keys.len(), hashed.len());
        let mut parts: Vec<(usize, Vec<Entry>)> = (0..count).map(|number| (number, Vec::new())).collect();
        let done = together(&mut parts, |(number, entries)| {
            *entries = places.empty();
            let mut taken = 0;
            for (id, &Hashed(head, hash)) in (0..).zip(hashed.iter().flatten()) {
                let (part, mut at) = places.home(hash);
                if part != *number {
                    continue;
                }
                taken += 1;
                while entries[at].id != FREE {
                    let same = |other: u32| r.same(keys[other as usize], keys[id as usize]);
                    if entries[at].head == head && (head.len as usize <= SHORT || same(entries[at].id)) {
                        return Err(());
                    }
                    at = places.after(at);
                }
                if taken == entries.len() {
                    return Err(());
                }
                entries[at] = Entry { head, id };
            }
            Ok(())
        });
        let parts = parts.into_iter().map(|(_, entries)| entries).collect();
        done.ok().map(|()| Self { keys, places, parts })
    }

    /// What is at the place where names of this hash begin.
    fn first(&self, hash: u64) -> Entry {
        let (part, at) = self.places.home(hash);
        self.parts[part][at]
    }

    /// Finds the vertex that a token names.
    pub fn get(&self, r: &Reader<'_>, token: Token) -> Option<Vertex> {
        let Hashed(head, hash) = Hashed::of(&r.say(token));
        self.confirm(r, (head, hash), self.first(hash), token)
    }

    /// Finds the vertices that the tokens name.
    pub fn find(&self, r: &Reader<'_>, wanted: &[Token], lookup: &mut Lookup) {
        let Lookup { batch, found } = lookup;
        found.clear();
        batch.clear();
        for &token in wanted {
            let Hashed(head, hash) = Hashed::of(&r.say(token));
            batch.push((head, hash, NOTHING));
        }
        for (_, hash, entry) in &mut *batch {
            *entry = self.first(*hash);
        }
        for (&(head, hash, first), &token) in batch.iter().zip(wanted) {
            found.push(self.confirm(r, (head, hash), first, token));
        }
    }

    fn confirm(
        &self,
        r: &Reader<'_>,
        (head, hash): (Head, u64),
        first: Entry,
        wanted: Token,
    ) -> Option<Vertex> {
        let (part, mut at) = self.places.home(hash);
        let mut entry = first;
        while entry.id != FREE {
            if entry.head == head
                && (head.len as usize <= SHORT || r.same(self.keys[entry.id as usize], wanted))
            {
                return Some(Vertex(entry.id));
            }
            at = self.places.after(at);
            entry = self.parts[part][at];
        }
        None
    }
}

impl Places {
    /// For so many names in so many parts, or fewer; tells in how many.
    fn of(names: usize, parts: usize) -> (Self, usize) {
        let all = (2 * names).next_power_of_two().max(2).trailing_zeros();
        let parts = parts.ilog2().min(all);
        (Self { shift: 64 - all, part: all - parts }, 1 << parts)
    }

    /// A part without entries.
    fn empty(self) -> Vec<Entry> {
        vec![NOTHING; 1 << self.part]
    }

    /// The part in which names of this hash belong, and their first place there.
    fn home(self, hash: u64) -> (usize, usize) {
        let at = (hash >> self.shift) as usize;
        (at >> self.part, at & ((1 << self.part) - 1))
    }

    /// The place of a part that comes after this one.
    fn after(self, at: usize) -> usize {
        (at + 1) & ((1 << self.part) - 1)
    }
}

impl Hashed {
    /// Of this name.
    pub fn of(name: &str) -> Self {
        let name = name.as_bytes();
        let mut bytes = [0; SHORT];
        let n = name.len().min(SHORT);
        bytes[..n].copy_from_slice(&name[..n]);
        let (low, high) = bytes.split_at(8);
        let word = |half: &[u8]| half.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
        // Names of four thousand million bytes and more are compared in full anyway.
        let len = u32::try_from(name.len()).unwrap_or(u32::MAX);
        let head = Head { bytes: [word(low), word(high)], len };
        let mut hasher = FxBuildHasher.build_hasher();
        if name.len() <= SHORT {
            hasher.write_u64(head.bytes[0]);
            hasher.write_u64(head.bytes[1]);
        } else {
            hasher.write(name);
        }
        // The places are numbered by the upper bits, into which all others must have been mixed.
        Self(head, (hasher.finish() ^ u64::from(head.len)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}
