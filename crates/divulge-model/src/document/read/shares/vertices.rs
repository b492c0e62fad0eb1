//! A long object of vertices.

use divulge::{
    limit::{both, together},
    problem::{Names, Vertex},
};

use super::{
    super::{
        index::{Hashed, Index},
        json::Reader,
        vertices::{Role, Vertices},
    },
    MUCH, item_after, ranges,
};

/// No vertex is described in more bytes than this, or it is not found from the middle of the text.
const ITEM: usize = 1 << 14;

/// All vertices, whose names differ.
pub struct Named {
    pub vertices: Vertices,
    pub names: Names,
    pub index: Index,
    /// Where the object ended.
    pub end: usize,
}

/// What one thread has read.
struct Share {
    vertices: Vertices,
    /// The names one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    hashed: Vec<Hashed>,
    /// Where it ended: before an entry of the object, or after the object.
    end: usize,
    over: bool,
}

/// Reads the object of vertices that the reader stands before on several threads; `None` if it is not for them, or if anything in it needs a
/// word.
pub fn read(r: &mut Reader<'_>, role: Role) -> Option<Named> {
    if r.peek() != b'{' {
        return None;
    }
    let starts = starts(r);
    if starts.len() < 2 {
        return None;
    }
    let mut shares: Vec<_> = ranges(&starts).map(|range| (range, None)).collect();
    let done: Result<(), ()> = together(&mut shares, |((start, end), share)| {
        *share = Share::read(r.beside(*start), *end, role);
        Ok(())
    });
    debug_assert!(done.is_ok());
    let shares: Option<Vec<Share>> = shares.into_iter().map(|(_, share)| share).collect();
    join(r, &starts, shares?, role)
}

/// Where threads may begin to read the object that the reader stands before; the first is right, the others are guesses.
pub(super) fn starts(r: &Reader<'_>) -> Vec<usize> {
    let (first, length) = (r.at + 1, r.text.len());
    let vertex_after = |from: usize| {
        let at = item_after(r.text.as_bytes(), from, from + ITEM, b'"')?;
        // Other things come after commas as well, but they are no objects.
        let mut beside = r.beside(at);
        (beside.key().is_ok() && beside.peek() == b'{').then_some(at)
    };
    // What comes after the vertices looks otherwise, so this is about where they end.
    let (mut last, mut end) = (first, length);
    while end - last > MUCH {
        let middle = last.midpoint(end);
        match vertex_after(middle) {
            Some(at) if at < end => last = at,
            _ => end = middle,
        }
    }
    super::starts(r, first, last, vertex_after)
}

impl Share {
    /// Reads up to there, or to the end of the object.
    fn read(mut r: Reader<'_>, end: usize, role: Role) -> Option<Self> {
        let (vertices, text) = (Vertices::new(role), String::new());
        let mut share = Self { vertices, text, ends: Vec::new(), hashed: Vec::new(), end: r.at, over: false };
        loop {
            let key = r.key().ok()?;
            let name = r.say(key);
            share.text.push_str(&name);
            share.ends.push(share.text.len());
            share.hashed.push(Hashed::of(&name));
            share.vertices.vertex(&mut r, key).ok()?;
            share.over = !r.goes_on(b'}', "`,` or `}`").ok()?;
            if !share.over {
                r.peek();
            }
            if !r.found.is_empty() {
                return None;
            }
            share.end = r.at;
            if share.over || r.at >= end {
                return Some(share);
            }
        }
    }
}

/// All shares as one, if each began where the one before it ended, and if no name is there twice.
fn join(r: &Reader<'_>, starts: &[usize], mut shares: Vec<Share>, role: Role) -> Option<Named> {
    let (mut at, mut over) = (starts[0], false);
    for (share, &start) in shares.iter().zip(starts) {
        if over || at != start {
            return None;
        }
        (at, over) = (share.end, share.over);
    }
    if !over {
        return None;
    }
    let (mut keys, mut hashed) = (Vec::new(), Vec::new());
    for share in &mut shares {
        keys.append(&mut share.vertices.keys);
        hashed.push(std::mem::take(&mut share.hashed));
    }
    let whole = || {
        let (mut vertices, mut text, mut ends) = (Vertices::new(role), String::new(), Vec::new());
        for share in shares {
            let before = text.len();
            text.push_str(&share.text);
            ends.extend(share.ends.iter().map(|end| before + end));
            vertices.append(share.vertices);
        }
        (vertices, Names::distinct(text, ends))
    };
    let (index, (vertices, names)) = both(|| Index::distinct(r, keys, &hashed), whole);
    Some(Named { vertices, names, index: index?, end: at })
}

impl Vertices {
    /// Adds vertices that come after these, but for where they are named.
    fn append(&mut self, other: Self) {
        let before = self.kinds.len() as u32;
        let later = |v: Vertex| Vertex(before + v.0);
        self.kinds.extend(other.kinds);
        self.marked.extend(other.marked.into_iter().map(later));
        self.bearers.extend(other.bearers.into_iter().map(|(v, key)| (later(v), key)));
        self.props.append(other.props, before as usize);
        self.kinds_known &= other.kinds_known;
    }
}
