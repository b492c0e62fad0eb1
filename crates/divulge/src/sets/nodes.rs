//! Sets of vertices, one for each state of an observer, that grow while both are explored together, sixty-four vertices at a time.
//!
//! *Practical.* [`NodeSet::insert`] or [`NodeSet::insert_word`] while exploring, [`NodeSet::take_fresh`] for what is new since the last
//! call. Vertices of a world that is made of rows, steps or rooms come in neighbourhoods, so most of what is done to sixty-four
//! of them is done at once.
//!
//! A set begins as a list; then it holds the words that have members, in a table; then all words, when that is smaller.

use smallvec::SmallVec;

use super::bits::ones;

/// Lists up to this length are searched from end to end.
const FEW: usize = 16;

/// Some of the sixty-four numbers from `64 * number` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word {
    pub number: u32,
    pub bits: u64,
}

impl Word {
    /// The word of one number.
    pub fn of(n: u32) -> Self {
        Self { number: n / 64, bits: 1 << (n % 64) }
    }

    /// The numbers, ascending.
    pub fn members(self) -> impl Iterator<Item = u32> {
        ones(self.bits).map(move |bit| self.number * 64 + bit as u32)
    }
}

/// A set of numbers below a bound that the caller keeps.
#[derive(Clone, Debug)]
pub(crate) enum NodeSet {
    /// Members in the order in which they came, and how many of them were taken. Most sets have one or two, and take no room of their own.
    Few(SmallVec<[u32; 4]>, u32),
    Many(Box<Many>),
}

/// Words that have members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Many {
    bits: Vec<u64>,
    /// For each word where its news may stand in `fresh`.
    news: Vec<u32>,
    /// What is new: the place of a word, and bits of it.
    fresh: Vec<(u32, u64)>,
    /// The numbers of the words; empty if there is one for every number.
    numbers: Vec<u32>,
    /// Places by number: see [`slot`].
    table: Vec<u32>,
    len: u32,
}

impl Default for NodeSet {
    fn default() -> Self {
        NodeSet::Few(SmallVec::new(), 0)
    }
}

impl NodeSet {
    /// Adds a number below `bound`, which must be the same at each call.
    pub fn insert(&mut self, n: u32, bound: usize) {
        match self {
            NodeSet::Few(members, _) if members.contains(&n) => {}
            NodeSet::Few(members, _) if members.len() < FEW => members.push(n),
            _ => self.many(bound).insert(Word::of(n), bound),
        }
    }

    /// Adds numbers below `bound`, which must be the same at each call.
    pub fn insert_word(&mut self, word: Word, bound: usize) {
        match self {
            NodeSet::Few(members, _) if members.len() + word.bits.count_ones() as usize <= FEW => {
                word.members().for_each(|n| self.insert(n, bound));
            }
            _ => self.many(bound).insert(word, bound),
        }
    }

    /// Turns a list into words.
    fn many(&mut self, bound: usize) -> &mut Many {
        if let NodeSet::Few(members, taken) = self {
            let mut many = Box::<Many>::default();
            let (old, new) = members.split_at(*taken as usize);
            old.iter().for_each(|&n| many.insert(Word::of(n), bound));
            many.forget_news();
            new.iter().for_each(|&n| many.insert(Word::of(n), bound));
            *self = NodeSet::Many(many);
        }
        match self {
            NodeSet::Many(many) => many,
            NodeSet::Few(..) => unreachable!("it was turned into words"),
        }
    }

    /// Whether a number below that bound was added.
    #[cfg(test)]
    pub fn contains(&self, n: u32) -> bool {
        match self {
            NodeSet::Few(members, _) => members.contains(&n),
            NodeSet::Many(many) => many.find(n / 64).is_ok_and(|place| many.bits[place] >> (n % 64) & 1 == 1),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        match self {
            NodeSet::Few(members, _) => members.len(),
            NodeSet::Many(many) => many.len as usize,
        }
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there are members that were not taken yet.
    pub fn has_fresh(&self) -> bool {
        match self {
            NodeSet::Few(members, taken) => (*taken as usize) < members.len(),
            NodeSet::Many(many) => !many.fresh.is_empty(),
        }
    }

    /// Adds what is new since the last call to `out`, each word once.
    pub fn take_fresh(&mut self, out: &mut Vec<Word>) {
        let first = out.len();
        match self {
            NodeSet::Few(members, taken) => {
                for &n in &members[*taken as usize..] {
                    let word = Word::of(n);
                    match out[first..].iter_mut().rev().find(|other| other.number == word.number) {
                        Some(other) => other.bits |= word.bits,
                        None => out.push(word),
                    }
                }
                *taken = members.len() as u32;
            }
            NodeSet::Many(many) => {
                out.extend(many.fresh.iter().map(|&(place, bits)| Word { number: many.number(place), bits }));
                many.forget_news();
            }
        }
    }

    /// Lists the words that have members, by number.
    pub fn words(&self, words: &mut Vec<Word>) {
        words.clear();
        match self {
            NodeSet::Few(members, _) => words.extend(members.iter().map(|&n| Word::of(n))),
            NodeSet::Many(many) => {
                let all = (0..).zip(&many.bits);
                let all = all.map(|(place, &bits)| Word { number: many.number(place), bits });
                words.extend(all.filter(|word| word.bits != 0));
            }
        }
        words.sort_unstable();
        words.dedup_by(|word, kept| {
            let same = word.number == kept.number;
            kept.bits |= if same { word.bits } else { 0 };
            same
        });
    }
}

impl Many {
    fn number(&self, place: u32) -> u32 {
        self.numbers.get(place as usize).copied().unwrap_or(place)
    }

    fn insert(&mut self, word: Word, bound: usize) {
        let place = self.find(word.number).unwrap_or_else(|slot| self.add(word.number, slot, bound));
        let bits = &mut self.bits[place];
        let new = word.bits & !*bits;
        if new == 0 {
            return;
        }
        *bits |= new;
        self.len += new.count_ones();
        match self.fresh.get_mut(self.news[place] as usize) {
            Some((other, bits)) if *other == place as u32 => *bits |= new,
            _ => {
                self.news[place] = self.fresh.len() as u32;
                self.fresh.push((place as u32, new));
            }
        }
    }

    fn forget_news(&mut self) {
        self.fresh.clear();
    }

    /// The place of a word; or the slot for it in the table, if there is none.
    fn find(&self, number: u32) -> Result<usize, usize> {
        if self.numbers.is_empty() {
            return if self.bits.is_empty() { Err(0) } else { Ok(number as usize) };
        }
        if self.table.is_empty() {
            return self.numbers.iter().position(|&other| other == number).ok_or(0);
        }
        slot(&self.table, &self.numbers, number).map(|slot| self.table[slot] as usize - 1)
    }

    /// A place for a word that has none.
    fn add(&mut self, number: u32, slot: usize, bound: usize) -> usize {
        let (place, all) = (self.numbers.len(), bound.div_ceil(64));
        // Besides its bits, a word takes room here and in the table.
        if (place + 1) * 2 > all {
            self.spread(all);
            return number as usize;
        }
        self.numbers.push(number);
        self.bits.push(0);
        self.news.push(0);
        match self.table.len() {
            0 if place < FEW => {}
            0 => self.table = table(&self.numbers),
            len if (place + 1) * 4 > len * 3 => self.table = table(&self.numbers),
            _ => self.table[slot] = place as u32 + 1,
        }
        place
    }

    /// Goes over to a place for every word.
    fn spread(&mut self, all: usize) {
        let (mut bits, mut news) = (vec![0; all], vec![0; all]);
        for (place, &number) in self.numbers.iter().enumerate() {
            (bits[number as usize], news[number as usize]) = (self.bits[place], self.news[place]);
        }
        for (place, _) in &mut self.fresh {
            *place = self.numbers[*place as usize];
        }
        (self.bits, self.news) = (bits, news);
        (self.numbers, self.table) = (Vec::new(), Vec::new());
    }
}

/// An open-addressed table of the places of these numbers, at most three quarters full: 0, or one more than a place.
pub(crate) fn table(numbers: &[u32]) -> Vec<u32> {
    let mut table = vec![0; table_len(numbers.len())];
    for (place, &number) in (1..).zip(numbers) {
        if let Err(slot) = slot(&table, numbers, number) {
            table[slot] = place;
        }
    }
    table
}

/// How long a table of so many places is.
pub(crate) fn table_len(places: usize) -> usize {
    (places * 2).next_power_of_two()
}

/// The slot of a table of places that holds the place of a number, or the empty one where it belongs.
pub(crate) fn slot(table: &[u32], numbers: &[u32], number: u32) -> Result<usize, usize> {
    let mask = table.len() - 1;
    let mut slot = (u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
    loop {
        match table[slot] {
            0 => return Err(slot),
            place if numbers[place as usize - 1] == number => return Ok(slot),
            _ => slot = (slot + 1) & mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Numbers of a sequence without much order, alone and by words, at densities that go through all three forms.
    #[test]
    fn members_and_news_are_right_whatever_the_form() {
        for (bound, count) in [(10, 10), (100_000, 12), (100_000, 500), (100_000, 5_000), (700, 300)] {
            let mut set = NodeSet::default();
            let (mut model, mut got, mut fresh) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
            for i in 0..count as u64 {
                let n = (i * i * 7919 % bound as u64) as u32;
                let mut word = Word::of(n);
                if i % 3 == 0 {
                    word.bits |= word.bits >> 1 | word.bits >> 5;
                    set.insert_word(word, bound);
                } else {
                    set.insert(n, bound);
                }
                model.extend(word.members());
                if i % 7 == 0 {
                    fresh.clear();
                    set.take_fresh(&mut fresh);
                    assert!(fresh.iter().flat_map(|word| word.members()).all(|n| got.insert(n)));
                }
            }
            assert_eq!(set.has_fresh(), got.len() < model.len());
            fresh.clear();
            set.take_fresh(&mut fresh);
            assert!(fresh.iter().flat_map(|word| word.members()).all(|n| got.insert(n)));
            let numbers: BTreeSet<u32> = fresh.iter().map(|word| word.number).collect();
            assert_eq!(numbers.len(), fresh.len());
            assert!(!set.has_fresh());
            assert_eq!((&got, set.len()), (&model, model.len()));
            let mut words = Vec::new();
            set.words(&mut words);
            assert!(words.windows(2).all(|pair| pair[0].number < pair[1].number));
            assert!(words.iter().flat_map(|word| word.members()).eq(model.iter().copied()));
            assert!((0..bound as u32).all(|n| set.contains(n) == model.contains(&n)));
        }
    }
}
