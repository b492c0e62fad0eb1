//! Long lists and objects, read by several threads, a share each.
//!
//! *Background.* From the middle of a text nobody can tell where an item of a list begins: what looks like it may stand inside quotes. So the
//! beginnings of shares are guesses, and a share counts if the one before it ended just where it begins.
//!
//! *Practical.* Nothing is reported here. A share in which anything is wrong does not count either, and is read again by one who says what it is.

pub mod edges;
pub mod vertices;

use divulge::limit::threads;

use super::json::Reader;

/// So many bytes are worth a thread; in tests few are.
const MUCH: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };

/// Where threads may begin to read what stands between two places; the first is right, the others are guesses.
fn starts(
    r: &Reader<'_>,
    first: usize,
    end: usize,
    item_after: impl Fn(usize) -> Option<usize>,
) -> Vec<usize> {
    let shares = threads(r.threads, end - first, MUCH);
    let mut starts = vec![first];
    for i in 1..shares {
        let guess = item_after(first + (end - first) / shares * i);
        starts.extend(guess.filter(|&guess| starts.last().is_none_or(|&last| last < guess)));
    }
    starts
}

/// Each share's beginning, and its end: the next one's beginning, or nowhere.
fn ranges(starts: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let ends = starts[1..].iter().copied().chain([usize::MAX]);
    starts.iter().copied().zip(ends)
}

/// Where an item probably begins, with this sign, that comes after another one that ends with a brace; it is looked for between these places.
fn item_after(bytes: &[u8], from: usize, until: usize, sign: u8) -> Option<usize> {
    let end = bytes.len().min(until);
    let after_blanks = |from: usize| (from..end).find(|&at| !bytes[at].is_ascii_whitespace());
    (from..end).filter(|&at| bytes[at] == b'}').find_map(|at| {
        let comma = after_blanks(at + 1).filter(|&at| bytes[at] == b',')?;
        after_blanks(comma + 1).filter(|&at| bytes[at] == sign)
    })
}
