//! Vertices by name, for many lookups at once.
//!
//! In a large world every lookup waits for memory. This index holds short names themselves, so that a lookup waits once, and
//! looks a batch of names up in stages, so that the waits of a batch overlap.

use std::hash::{BuildHasher, Hasher};

use divulge::problem::Vertex;
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

/// The vertices of one graph by name. Open addressing; at most half of the places are taken.
pub struct Index<'k> {
    keys: &'k [Token],
    entries: Vec<Entry>,
    shift: u32,
}

/// Room for looking up many names at once, and the vertices that were found.
#[derive(Default)]
pub struct Lookup {
    batch: Vec<(Head, u64, Entry)>,
    pub found: Vec<Option<Vertex>>,
}

impl<'k> Index<'k> {
    /// `keys[id]` is where the vertex with that id is named; all names differ.
    pub fn new(r: &Reader<'_>, keys: &'k [Token]) -> Self {
        let places = (2 * keys.len()).next_power_of_two().max(2);
        let shift = 64 - places.trailing_zeros();
        let mut entries = vec![NOTHING; places];
        for (id, &key) in keys.iter().enumerate() {
            let (head, hash) = head(r, key);
            let mut at = (hash >> shift) as usize;
            while entries[at].id != FREE {
                at = (at + 1) & (places - 1);
            }
            entries[at] = Entry { head, id: id as u32 };
        }
        Self { keys, entries, shift }
    }

    /// Finds the vertices that the tokens name.
    pub fn find(&self, r: &Reader<'_>, wanted: &[Token], lookup: &mut Lookup) {
        let Lookup { batch, found } = lookup;
        found.clear();
        batch.clear();
        for &token in wanted {
            let (head, hash) = head(r, token);
            batch.push((head, hash, NOTHING));
        }
        for (_, hash, entry) in &mut *batch {
            *entry = self.entries[(*hash >> self.shift) as usize];
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
        let mut at = (hash >> self.shift) as usize;
        let mut entry = first;
        while entry.id != FREE {
            if entry.head == head
                && (head.len as usize <= SHORT || r.same(self.keys[entry.id as usize], wanted))
            {
                return Some(Vertex(entry.id));
            }
            at = (at + 1) & (self.entries.len() - 1);
            entry = self.entries[at];
        }
        None
    }
}

/// The head and the hash of what a token says.
fn head(r: &Reader<'_>, token: Token) -> (Head, u64) {
    let name = r.say(token);
    let name = name.as_bytes();
    let mut bytes = [0; SHORT];
    let n = name.len().min(SHORT);
    bytes[..n].copy_from_slice(&name[..n]);
    let (low, high) = bytes.split_at(8);
    let word = |half: &[u8]| half.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
    // Names of four thousand million bytes and more are compared in full anyway.
    let head = Head { bytes: [word(low), word(high)], len: u32::try_from(name.len()).unwrap_or(u32::MAX) };
    let mut hasher = FxBuildHasher.build_hasher();
    if name.len() <= SHORT {
        hasher.write_u64(head.bytes[0]);
        hasher.write_u64(head.bytes[1]);
    } else {
        hasher.write(name);
    }
    // The places are numbered by the upper bits, into which all others must have been mixed.
    (head, (hasher.finish() ^ u64::from(head.len)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}
