//! Who looks after which nodes, where several explore.
//!
//! *Practical.* Large groups are cut: each part has the words between two cuts, since what a word leads to is near it, most often. Small groups are whole, and
//! belong to the parts in turns: to the first half of them where the others have enough to do with looking ahead. Whoever has a part is the only one to write there: what is
//! found for others is handed over when all are done.

use super::beyond::Beyond;
use crate::sets::{NodeSet, Word};

/// A group that is not cut.
const WHOLE: u32 = u32::MAX;

/// How nodes are dealt out to parts.
pub(super) struct Deal {
    parts: u32,
    /// How many parts have whole groups.
    homes: u32,
    /// For each way to cut groups, where the words of each part begin but for those of the first one.
    cuts: Vec<u32>,
    /// By the observer's state: the number of its group among those that are cut, or `WHOLE`; there may be fewer.
    large: Vec<u32>,
    /// For each group that is cut, where its cuts are.
    cuts_of: Vec<u32>,
}

/// The nodes with one of the observer's states that belong to a part.
#[derive(Default)]
struct Group {
    nodes: NodeSet,
    /// How many events the first of them is from the start.
    depth: u32,
}

/// What one of several looks after.
#[derive(Default)]
pub(super) struct Part {
    number: u32,
    small: Vec<Group>,
    large: Vec<Group>,
    /// How many words were new in the group that was looked at last.
    usual: usize,
    /// What was found for each of the others, and what the others found for this one.
    found: Vec<Vec<(u32, Word)>>,
    handed: Vec<Vec<(u32, Word)>>,
}

impl Deal {
    /// All nodes in one part.
    pub fn one() -> Self {
        Self::out(1, 1)
    }

    /// Groups in so many parts, of which none is cut yet; the first so many have whole groups.
    pub fn out(parts: usize, homes: usize) -> Self {
        let (parts, homes) = (parts as u32, homes.clamp(1, parts) as u32);
        Self { parts, homes, cuts: Vec::new(), large: Vec::new(), cuts_of: Vec::new() }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts as usize
    }

    /// The number of a group among those that are cut.
    fn large(&self, observer: u32) -> Option<usize> {
        self.large.get(observer as usize).filter(|&&large| large != WHOLE).map(|&large| large as usize)
    }

    /// Whether a group is cut.
    pub fn is_cut(&self, observer: u32) -> bool {
        self.large(observer).is_some()
    }

    /// The part that a word of a group belongs to.
    fn part(&self, observer: u32, number: u32) -> u32 {
        if self.parts == 1 {
            return 0;
        }
        let Some(large) = self.large(observer) else { return observer % self.homes };
        let cuts = self.cuts_of[large] as usize;
        let cuts = &self.cuts[cuts..cuts + self.parts as usize - 1];
        cuts.iter().map(|&cut| u32::from(cut <= number)).sum()
    }

    /// The place of a whole group in the part that has it.
    fn place(&self, observer: u32) -> usize {
        (observer / self.homes) as usize
    }

    /// Takes note of where groups may be cut, and gives the name of that: where the words of each part begin but for those of the first.
    pub fn cuts(&mut self, cuts: &[u32]) -> u32 {
        let last = self.cuts.len().saturating_sub(cuts.len());
        if self.cuts.is_empty() || &self.cuts[last..] != cuts {
            self.cuts.extend_from_slice(cuts);
        }
        (self.cuts.len() - cuts.len()) as u32
    }

    /// Cuts a group there, for which nothing is on its way from one part to another.
    pub fn cut(&mut self, observer: u32, cuts: u32, parts: &mut [&mut Part]) {
        let (home, place) = ((observer % self.homes) as usize, self.place(observer));
        let Group { mut nodes, depth } =
            parts[home].small.get_mut(place).map(std::mem::take).unwrap_or_default();
        self.large.resize(self.large.len().max(observer as usize + 1), WHOLE);
        self.large[observer as usize] = self.cuts_of.len() as u32;
        self.cuts_of.push(cuts);
        for part in &mut *parts {
            part.large.push(Group { depth, ..Group::default() });
        }
        let (mut fresh, mut words) = (Vec::new(), Vec::new());
        nodes.take_fresh(&mut fresh);
        nodes.words(&mut words);
        fresh.sort_unstable();
        for Word { number, bits } in &mut words {
            let new = fresh.binary_search_by_key(number, |new| new.number);
            *bits &= !new.map_or(0, |at| fresh[at].bits);
        }
        // What was taken before is not new.
        for (words, taken) in [(words, true), (fresh, false)] {
            for word in words.into_iter().filter(|word| word.bits != 0) {
                parts[self.part(observer, word.number) as usize].newest().insert_word(word);
            }
            parts.iter_mut().filter(|_| taken).for_each(|part| part.newest().take_fresh(&mut Vec::new()));
        }
    }
}

impl Part {
    fn new(number: u32, deal: &Deal) -> Self {
        let none = || (0..deal.parts).map(|_| Vec::new()).collect();
        Self { number, small: Vec::new(), large: Vec::new(), usual: 0, found: none(), handed: none() }
    }

    /// One part that has everything: a node where executions start.
    pub fn beginning(deal: &Deal, observer: u32, robot: u32) -> Self {
        let mut part = Self::new(0, deal);
        part.make_room(deal, observer as usize + 1);
        part.small[deal.place(observer)].nodes.insert(robot);
        part
    }

    /// Makes room for so many of the observer's states.
    pub fn make_room(&mut self, deal: &Deal, observers: usize) {
        if self.number < deal.homes {
            let groups = observers.checked_sub(1).map_or(0, |last| deal.place(last as u32) + 1);
            self.small.resize_with(self.small.len().max(groups), Group::default);
        }
    }

    /// The nodes of the group that was cut last.
    fn newest(&mut self) -> &mut NodeSet {
        &mut self.large.last_mut().expect("a group was cut").nodes
    }

    /// What it has of a group, if anything.
    fn group(&mut self, deal: &Deal, observer: u32) -> Option<&mut Group> {
        match deal.large(observer) {
            Some(large) => self.large.get_mut(large),
            None if observer % deal.homes == self.number => self.small.get_mut(deal.place(observer)),
            None => None,
        }
    }

    /// Whether there is anything new in a group.
    pub fn has_fresh(&mut self, deal: &Deal, observer: u32) -> bool {
        self.group(deal, observer).is_some_and(|group| group.nodes.has_fresh())
    }

    /// Whether it has no node of a group.
    pub fn has_none(&mut self, deal: &Deal, observer: u32) -> bool {
        self.group(deal, observer).is_none_or(|group| group.nodes.is_empty())
    }

    /// How many words of a group are new, about.
    pub fn fresh_words(&mut self, deal: &Deal, observer: u32) -> usize {
        self.group(deal, observer).map_or(0, |group| group.nodes.fresh_words())
    }

    /// Takes out what is new in a group.
    pub fn take_fresh(&mut self, deal: &Deal, observer: u32, words: &mut Vec<Word>) {
        if let Some(group) = self.group(deal, observer) {
            group.nodes.take_fresh(words);
        }
    }

    /// Has nodes of a group count as new once more, if it has them.
    pub fn renew(&mut self, deal: &Deal, observer: u32, word: Word) {
        if deal.part(observer, word.number) == self.number
            && let Some(group) = self.group(deal, observer)
        {
            group.nodes.renew(word);
        }
    }

    /// Turns to a group in which so many words are new.
    pub fn turn_to(&mut self, words: usize) {
        self.usual = words;
    }

    /// Adds a word of a group to what is known: here, or for another part to be handed over. Whose state has something new is noted.
    pub fn add(&mut self, deal: &Deal, beyond: &Beyond, observer: u32, word: Word, fresh: &mut Vec<u32>) {
        let part = deal.part(observer, word.number);
        if part == self.number {
            self.keep(deal, beyond, observer, word, fresh);
        } else {
            self.found[part as usize].push((observer, word));
        }
    }

    fn keep(&mut self, deal: &Deal, beyond: &Beyond, observer: u32, word: Word, fresh: &mut Vec<u32>) {
        let group = match deal.large(observer) {
            Some(large) => &mut self.large[large],
            None => &mut self.small[deal.place(observer)],
        };
        if !group.nodes.has_fresh() {
            fresh.push(observer);
        }
        if group.nodes.is_empty() {
            group.depth = beyond.depth();
        }
        group.nodes.insert_one_of(word, self.usual);
    }

    /// How much was handed over to this part.
    pub fn handed(&self) -> usize {
        self.handed.iter().map(Vec::len).sum()
    }

    /// Keeps what was handed over.
    pub fn receive(&mut self, deal: &Deal, beyond: &Beyond, fresh: &mut Vec<u32>) {
        let mut handed = std::mem::take(&mut self.handed);
        for (observer, word) in handed.iter_mut().flat_map(|found| found.drain(..)) {
            self.keep(deal, beyond, observer, word, fresh);
        }
        self.handed = handed;
    }

    /// Gives the nodes of a group away, and adds them to a list, by number; tells how many events they are from the start.
    pub fn give(&mut self, deal: &Deal, observer: u32, words: &mut Vec<Word>) -> Option<u32> {
        let group = std::mem::take(self.group(deal, observer)?);
        group.nodes.words(words);
        (!group.nodes.is_empty()).then_some(group.depth)
    }

    /// Deals out what one part has.
    pub fn deal_out(self, deal: &Deal) -> Vec<Self> {
        let mut parts: Vec<Self> = (0..deal.parts).map(|number| Self::new(number, deal)).collect();
        for (observer, group) in (0..).zip(self.small) {
            parts[(observer % deal.homes) as usize].small.push(group);
        }
        parts
    }
}

/// Hands everybody what others have found for them.
pub(super) fn hand_over<'p>(parts: impl Iterator<Item = &'p mut Part>) {
    let mut parts: Vec<&mut Part> = parts.collect();
    for to in 0..parts.len() {
        for from in 0..parts.len() {
            if to != from {
                let found = std::mem::take(&mut parts[from].found[to]);
                let room = std::mem::replace(&mut parts[to].handed[from], found);
                parts[from].found[to] = room;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(numbers: &[u32], bits: u64) -> Vec<Word> {
        numbers.iter().map(|&number| Word { number, bits }).collect()
    }

    /// What was found before a group is cut is divided, and what is new of it stays new.
    #[test]
    fn nothing_is_lost_where_a_group_is_cut() {
        let one = Deal::one();
        let mut part = Part::beginning(&one, 3, 8);
        part.make_room(&one, 4);
        let old = words(&[0, 1, 2, 3, 4, 5, 40, 41, 42, 90], 0xff00);
        old.iter().for_each(|&word| part.small[3].nodes.insert_word(word));
        part.take_fresh(&one, 3, &mut Vec::new());
        let new = words(&[2, 41, 91], 0xff);
        new.iter().for_each(|&word| part.small[3].nodes.insert_word(word));

        let mut deal = Deal::out(3, 1);
        let mut parts = part.deal_out(&deal);
        let cuts = deal.cuts(&[3, 41]);
        assert_eq!(deal.cuts(&[3, 41]), cuts);
        assert!(!deal.is_cut(3) && parts.iter_mut().all(|part| part.has_none(&deal, 2)));
        deal.cut(3, cuts, &mut parts.iter_mut().collect::<Vec<_>>());
        deal.cut(2, cuts, &mut parts.iter_mut().collect::<Vec<_>>());
        assert!(deal.is_cut(3) && deal.is_cut(2) && !deal.is_cut(1));
        for (number, part) in parts.iter_mut().enumerate() {
            let mut fresh = Vec::new();
            part.take_fresh(&deal, 3, &mut fresh);
            assert_eq!(fresh, [&new[..1], &[], &new[1..]][number]);
        }
        let mut own = Vec::new();
        for part in &mut parts {
            let mut given = Vec::new();
            part.give(&deal, 3, &mut given);
            own.push(given.iter().map(|word| (word.number, word.bits)).collect::<Vec<_>>());
        }
        let (both, was, is) = (0xffff, 0xff00, 0xff);
        assert_eq!(own[0], [(0, was), (1, was), (2, both)]);
        assert_eq!(own[1], [(3, was), (4, was), (5, was), (40, was)]);
        assert_eq!(own[2], [(41, both), (42, was), (90, was), (91, is)]);
    }

    /// Every word belongs to one part, whether or not its group is cut.
    #[test]
    fn each_word_has_one_part() {
        let mut deal = Deal::out(5, 2);
        let cuts = deal.cuts(&[10, 10, 30, u32::MAX]);
        let mut parts = Part::beginning(&Deal::one(), 0, 0).deal_out(&deal);
        deal.cut(1, cuts, &mut parts.iter_mut().collect::<Vec<_>>());
        let of = |observer, number| deal.part(observer, number);
        assert_eq!([0, 9, 10, 29, 30, 1000].map(|number| of(1, number)), [0, 0, 2, 2, 3, 3]);
        assert_eq!([0, 2, 3].map(|observer| of(observer, 12)), [0, 0, 1]);
    }
}
