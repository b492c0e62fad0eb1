//! Texts in quotes, as they are read and written.

/// How many bytes stand before the first that is not simply part of a text in quotes: a quote, a backslash or a control character.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    const TOP: u64 = EACH << 7;
    let mut at = 0;
    // Eight at a time. Subtracting borrows from later bytes only, so the first byte that is marked is one that was looked for.
    while let Some(&eight) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(eight);
        let below = |word: u64, limit: u8| word.wrapping_sub(EACH * u64::from(limit)) & !word & TOP;
        let equal = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
        let marked = below(word, 0x20) | equal(b'"') | equal(b'\\');
        if marked != 0 {
            return at + marked.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let special = |b: &u8| *b < 0x20 || *b == b'"' || *b == b'\\';
    bytes[at..].iter().position(special).map_or(bytes.len(), |more| at + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte, at every place among eight and more, after bytes that borrow or carry.
    #[test]
    fn texts_end_at_the_first_byte_that_is_not_plain() {
        for around in [b' ', b'!', b'#', b'[', b']', b'a', 0x7F, 0x80, 0xA2, 0xDC, 0xFF] {
            for len in 0..20 {
                assert_eq!(plain(&vec![around; len]), len);
                for (at, byte) in (0..len).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
                    let mut text = vec![around; len];
                    text[at] = byte;
                    let ends = byte < 0x20 || byte == b'"' || byte == b'\\';
                    assert_eq!(plain(&text), if ends { at } else { len }, "{text:?}");
                    text[at + 1..].fill(b'"');
                    let first = if ends { at } else { len.min(at + 1) };
                    assert_eq!(plain(&text), first, "{text:?}");
                }
            }
        }
    }
}
