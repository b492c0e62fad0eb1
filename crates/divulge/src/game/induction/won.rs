//! The nodes that have a value, and which.
//!
//! *Practical.* Most nodes of a word get their values at few times, so what is noted is not the value of each node, but which nodes of a word got one when. Several
//! threads may note that of different words.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use super::waves::{Some64, words};

/// Nodes with a value, as words.
#[derive(Default)]
pub(super) struct Won {
    words: Vec<AtomicU64>,
    /// What was noted of each word last, from 1 on.
    last: Vec<AtomicU32>,
    /// What each share has noted: note n is with share n modulo how many there are.
    notes: Vec<Mutex<Notes>>,
}

/// So many notes stand next to each other.
const BLOCK: usize = 1 << 12;

/// Notes, which are not moved when there are more.
#[derive(Default)]
struct Notes {
    blocks: Vec<Vec<Note>>,
    len: usize,
}

impl Notes {
    fn push(&mut self, note: Note) {
        if self.len.is_multiple_of(BLOCK) {
            // Where there are few, they take little room.
            self.blocks.push(Vec::with_capacity(BLOCK.min(self.len)));
        }
        self.blocks[self.len / BLOCK].push(note);
        self.len += 1;
    }

    fn get(&self, at: usize) -> &Note {
        &self.blocks[at / BLOCK][at % BLOCK]
    }
}

/// Nodes of a word that got their value at the same time.
struct Note {
    bits: u64,
    value: u32,
    /// What was noted of the word before, if it is not 0.
    before: u32,
}

impl Won {
    /// No nodes of so many words, with room for the notes of so many shares.
    pub fn none(count: usize, shares: usize) -> Self {
        let last = vec![0; count].into_iter().map(AtomicU32::new).collect();
        Self { words: words(count), last, notes: (0..shares).map(|_| Mutex::default()).collect() }
    }

    /// The nodes of the word at a place that have a value.
    pub fn word(&self, place: usize) -> u64 {
        self.words[place].load(Relaxed)
    }

    /// Whether so many words more can be noted.
    pub fn fits(&self, more: usize) -> bool {
        let longest =
            self.notes.iter().map(|own| own.lock().unwrap_or_else(PoisonError::into_inner).len).max();
        let last = longest.unwrap_or(0).saturating_add(more).saturating_mul(self.notes.len());
        last < u32::MAX as usize
    }

    /// Has a share give nodes their value. Nobody else does so with nodes of the same words at the same time.
    pub fn settle(&self, share: usize, nodes: &[Some64], value: u32) {
        let notes = &mut *self.notes[share].lock().unwrap_or_else(PoisonError::into_inner);
        for &Some64 { place, bits, .. } in nodes {
            let (word, last) = (&self.words[place as usize], &self.last[place as usize]);
            word.store(word.load(Relaxed) | bits, Relaxed);
            let before = last.load(Relaxed);
            last.store((notes.len * self.notes.len() + share + 1) as u32, Relaxed);
            notes.push(Note { bits, value, before });
        }
    }

    /// The value of the node of the word at a place that has this bit.
    pub fn value(&self, place: usize, bit: u32) -> Option<u32> {
        let mut last = self.last[place].load(Relaxed);
        while let Some(number) = (last as usize).checked_sub(1) {
            let own = self.notes[number % self.notes.len()].lock().unwrap_or_else(PoisonError::into_inner);
            let &Note { bits, value, before } = own.get(number / self.notes.len());
            if bits >> bit & 1 == 1 {
                return Some(value);
            }
            last = before;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_the_value_that_they_were_given() {
        for shares in [1, 3] {
            let won = Won::none(4, shares);
            let some = |place, bits| Some64 { observer: 0, place, bits };
            won.settle(0, &[some(1, 0b101), some(3, 1 << 63)], 0);
            won.settle(shares - 1, &[some(1, 0b010)], 4);
            won.settle(0, &[some(1, 0b1000), some(0, 1)], 5);
            let value = |place, bit| won.value(place, bit);
            assert_eq!([0, 1, 2, 3, 4].map(|bit| value(1, bit)), [Some(0), Some(4), Some(0), Some(5), None]);
            assert_eq!(
                [value(0, 0), value(2, 0), value(3, 63), value(3, 62)],
                [Some(5), None, Some(0), None]
            );
            assert_eq!([0, 1, 2, 3].map(|place| won.word(place)), [1, 0b1111, 0, 1 << 63]);
            assert!(won.fits(1000) && !won.fits(u32::MAX as usize));
        }
    }
}
