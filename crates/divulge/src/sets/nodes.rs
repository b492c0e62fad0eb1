//! Sets of vertices, one for each state of an observer, that grow while both are explored together, sixty-four vertices at a time.
//!
//! *Practical.* [`NodeSet::insert`] or [`NodeSet::insert_word`] while exploring, [`NodeSet::take_fresh`] for what is new since the last
//! call. Vertices of a world that is made of rows, steps or rooms come in neighbourhoods, so most of what is done to sixty-four
//! of them is done at once.
//!
//! A set begins as a list; then it holds all words from its first to its last. Where few of these have members, it holds only those that do, in a table.

use smallvec::SmallVec;

use super::bits::ones;

/// Lists up to this length are searched from end to end.
const FEW: usize = 16;

/// All words from the first to the last are held if there are at most so many times as many as have members, and so many more; and again, where they were
/// not, if there are at most so many times as many.
const SPARSE: usize = 3;
const SOME: usize = 32;
const DENSE: usize = 2;

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

/// A set of numbers.
#[derive(Clone, Debug)]
pub(crate) enum NodeSet {
    /// Members in the order in which they came, and how many of them were taken. Most sets have one or two, and take no room of their own.
    Few(SmallVec<[u32; 4]>, u32),
    Many(Box<Many>),
}

/// Words, most of which have members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Many {
    /// The number of the first word, if all that follow have a place.
    first: u32,
    bits: Vec<u64>,
    /// For each word where its news may stand in `fresh`.
    news: Vec<u32>,
    /// What is new.
    fresh: Vec<Word>,
    /// How many words have members.
    words: u32,
    /// The numbers of the words, if only those have a place that have members; else empty.
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
    /// Adds a number.
    pub fn insert(&mut self, n: u32) {
        match self {
            NodeSet::Few(members, _) if members.contains(&n) => {}
            NodeSet::Few(members, _) if members.len() < FEW => members.push(n),
            _ => self.many(0).insert(Word::of(n)),
        }
    }

    /// Adds numbers.
    pub fn insert_word(&mut self, word: Word) {
        self.insert_one_of(word, 0);
    }

    /// Adds numbers, of which about so many words may well come.
    pub fn insert_one_of(&mut self, word: Word, words: usize) {
        match self {
            NodeSet::Many(many) => many.insert(word),
            NodeSet::Few(members, _) if members.len() + word.bits.count_ones() as usize <= FEW => {
                word.members().for_each(|n| self.insert(n));
            }
            NodeSet::Few(..) => self.many(words).insert(word),
        }
    }

    /// Turns a list into words, of which so many may well come.
    fn many(&mut self, words: usize) -> &mut Many {
        if let NodeSet::Few(members, taken) = self {
            let mut many = Box::<Many>::default();
            many.bits.reserve(words);
            many.news.reserve(words);
            many.fresh.reserve(words);
            let (old, new) = members.split_at(*taken as usize);
            old.iter().for_each(|&n| many.insert(Word::of(n)));
            many.fresh.clear();
            new.iter().for_each(|&n| many.insert(Word::of(n)));
            *self = NodeSet::Many(many);
        }
        match self {
            NodeSet::Many(many) => many,
            NodeSet::Few(..) => unreachable!("it was turned into words"),
        }
    }

    /// Whether a number was added.
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
                out.extend_from_slice(&many.fresh);
                // Most sets get nearly all that they ever have at once.
                if many.fresh.len() > FEW {
                    many.fresh = Vec::new();
                }
                many.fresh.clear();
            }
        }
    }

    /// Has members that were taken count as new once more.
    pub fn renew(&mut self, word: Word) {
        match self {
            NodeSet::Few(members, taken) => {
                for n in word.members() {
                    if let Some(at) = members[..*taken as usize].iter().position(|&member| member == n) {
                        *taken -= 1;
                        members.swap(at, *taken as usize);
                    }
                }
            }
            NodeSet::Many(many) => {
                if let Ok(place) = many.find(word.number) {
                    many.news[place] = many.fresh.len() as u32;
                    many.fresh.push(word);
                }
            }
        }
    }

    /// How many words have members that were not taken yet, at most.
    pub fn fresh_words(&self) -> usize {
        match self {
            NodeSet::Few(members, taken) => members.len() - *taken as usize,
            NodeSet::Many(many) => many.fresh.len(),
        }
    }

    /// Adds the words that have members to a list, by number.
    pub fn words(&self, words: &mut Vec<Word>) {
        let begin = words.len();
        match self {
            NodeSet::Few(members, _) => {
                let mut members = members.clone();
                members.sort_unstable();
                for word in members.into_iter().map(Word::of) {
                    match words[begin..].last_mut() {
                        Some(last) if last.number == word.number => last.bits |= word.bits,
                        _ => words.push(word),
                    }
                }
            }
            NodeSet::Many(many) => {
                words.extend(many.all());
                if !many.numbers.is_empty() {
                    words[begin..].sort_unstable();
                }
            }
        }
    }
}

impl Many {
    /// The words that have members.
    fn all(&self) -> impl Iterator<Item = Word> + '_ {
        let number = |place: usize| match self.numbers.get(place) {
            Some(&number) => number,
            None => self.first + place as u32,
        };
        let words = self.bits.iter().enumerate().filter(|&(_, &bits)| bits != 0);
        words.map(move |(place, &bits)| Word { number: number(place), bits })
    }

    fn insert(&mut self, word: Word) {
        let place = self.find(word.number).unwrap_or_else(|slot| self.add(word.number, slot));
        let bits = &mut self.bits[place];
        let new = word.bits & !*bits;
        if new == 0 {
            return;
        }
        self.words += u32::from(*bits == 0);
        *bits |= new;
        self.len += new.count_ones();
        match self.fresh.get_mut(self.news[place] as usize) {
            Some(other) if other.number == word.number => other.bits |= new,
            _ => {
                self.news[place] = self.fresh.len() as u32;
                self.fresh.push(Word { bits: new, ..word });
            }
        }
    }

    /// The place of a word; or the slot for it in the table, if there is none.
    fn find(&self, number: u32) -> Result<usize, usize> {
        if self.numbers.is_empty() {
            let place = number.wrapping_sub(self.first) as usize;
            return if place < self.bits.len() { Ok(place) } else { Err(0) };
        }
        if self.table.is_empty() {
            return self.numbers.iter().position(|&other| other == number).ok_or(0);
        }
        slot(&self.table, &self.numbers, number).map(|slot| self.table[slot] as usize - 1)
    }

    /// A place for a word that has none.
    fn add(&mut self, number: u32, slot: usize) -> usize {
        if self.numbers.is_empty() {
            let end = self.first + self.bits.len() as u32;
            let (first, last) = if self.bits.is_empty() {
                (number, number)
            } else {
                (self.first.min(number), number.max(end - 1))
            };
            if (last - first) as usize <= SPARSE * self.words as usize + SOME {
                self.reach(number);
                return (number - self.first) as usize;
            }
            self.scatter();
            let slot = self.find(number).err().unwrap_or(0);
            return self.add(number, slot);
        }
        let place = self.numbers.len();
        self.numbers.push(number);
        self.bits.push(0);
        self.news.push(0);
        match self.table.len() {
            0 if place < FEW => {}
            len if (place + 1) * 4 > len * 3 => {
                if self.gather() {
                    return (number - self.first) as usize;
                }
                self.table = table(&self.numbers);
            }
            _ => self.table[slot] = place as u32 + 1,
        }
        place
    }

    /// Makes room at either end up to a word.
    fn reach(&mut self, number: u32) {
        if self.bits.is_empty() {
            self.first = number;
        }
        let len = self.bits.len();
        if number >= self.first {
            let len = len.max((number - self.first) as usize + 1);
            self.bits.resize(len, 0);
            self.news.resize(len, 0);
            return;
        }
        let first = number.saturating_sub(len as u32 / 2);
        let added = (self.first - first) as usize;
        let room = (added + len).max(self.bits.capacity());
        let (mut bits, mut news) = (Vec::with_capacity(room), Vec::with_capacity(room));
        bits.resize(added, 0);
        news.resize(added, 0);
        bits.extend_from_slice(&self.bits);
        news.extend_from_slice(&self.news);
        (self.first, self.bits, self.news) = (first, bits, news);
    }

    /// Goes over to a place for those words only that have members.
    fn scatter(&mut self) {
        let all: Vec<(Word, u32)> =
            self.all().map(|word| (word, self.news[(word.number - self.first) as usize])).collect();
        self.numbers = all.iter().map(|(word, _)| word.number).collect();
        self.bits = all.iter().map(|(word, _)| word.bits).collect();
        self.news = all.iter().map(|&(_, news)| news).collect();
        if self.numbers.len() > FEW {
            self.table = table(&self.numbers);
        }
    }

    /// Goes over to a place for every word from the first to the last, unless too few of them would have members; tells whether it did.
    fn gather(&mut self) -> bool {
        let (Some(&first), Some(&last)) = (self.numbers.iter().min(), self.numbers.iter().max()) else {
            return false;
        };
        let all = (last - first) as usize + 1;
        if all > DENSE * self.numbers.len() {
            return false;
        }
        let (mut bits, mut news) = (vec![0; all], vec![0; all]);
        for (place, &number) in self.numbers.iter().enumerate() {
            let at = (number - first) as usize;
            (bits[at], news[at]) = (self.bits[place], self.news[place]);
        }
        (self.first, self.bits, self.news) = (first, bits, news);
        (self.numbers, self.table) = (Vec::new(), Vec::new());
        true
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

    /// Numbers of sequences in more or less order, alone and by words, at densities that go through all forms, and back.
    #[test]
    fn members_and_news_are_right_whatever_the_form() {
        for (bound, count) in [(10, 10), (100_000, 12), (100_000, 500), (100_000, 5_000), (700, 300)] {
            let scattered = |i: u64| (i * i * 7919 % bound) as u32;
            compare(bound as u32, (0..count).map(scattered));
            // What is close together is added to at either end, with something far away at last.
            let near = |i: u64| (bound / 2 + i / 2).wrapping_sub(if i.is_multiple_of(2) { i } else { 0 });
            let near = move |i: u64| (near(i) % bound) as u32;
            let far = |i: u64| if i > count * 3 / 4 { scattered(i) } else { near(i) };
            compare(bound as u32, (0..count).map(far).chain((0..count * 4).map(near)));
        }
    }

    fn compare(bound: u32, numbers: impl Iterator<Item = u32>) {
        let mut set = NodeSet::default();
        let (mut model, mut got, mut fresh) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for (i, n) in numbers.enumerate() {
            let mut word = Word::of(n);
            if i % 3 == 0 {
                word.bits |= word.bits >> 1 | word.bits >> 5;
                set.insert_word(word);
            } else {
                set.insert(n);
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
        assert!((0..bound).all(|n| set.contains(n) == model.contains(&n)));
        // What is renewed is new once more, and nothing else.
        let some = |word: &Word| Word { bits: word.bits & 0xf0f0_3333_5555_ffff, ..*word };
        let again: Vec<Word> = words.iter().step_by(3).map(some).filter(|word| word.bits != 0).collect();
        again.iter().for_each(|&word| set.renew(word));
        assert_eq!(set.has_fresh(), !again.is_empty());
        fresh.clear();
        set.take_fresh(&mut fresh);
        fresh.sort_unstable();
        assert_eq!((fresh, set.len()), (again, model.len()));
        assert!(!set.has_fresh());
    }
}
