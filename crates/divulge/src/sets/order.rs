//! Members in ascending order, each once: what sets are made of.

use super::bits::ones;

/// Puts members in ascending order, each once.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Empty but while sorting.
    bits: Vec<u64>,
}

impl Order {
    /// Many members are marked and read off in order; few are sorted.
    pub fn sort(&mut self, members: &mut Vec<u32>) {
        if members.is_sorted_by(|a, b| a < b) {
            return;
        }
        let (least, most) = members.iter().fold((u32::MAX, 0), |(l, m), &v| (l.min(v), m.max(v)));
        let (first, last) = (least as usize / 64, most as usize / 64);
        if (last - first) / 4 > members.len() {
            members.sort_unstable();
            members.dedup();
            return;
        }
        self.bits.resize(self.bits.len().max(last - first + 1), 0);
        for v in members.drain(..) {
            self.bits[v as usize / 64 - first] |= 1 << (v % 64);
        }
        for (i, word) in self.bits[..=last - first].iter_mut().enumerate() {
            members.extend(ones(std::mem::take(word)).map(|bit| ((first + i) * 64 + bit) as u32));
        }
    }
}
