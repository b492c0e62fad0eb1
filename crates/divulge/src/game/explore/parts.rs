//! Who looks after which nodes, where several explore.
//!
//! *Practical.* Words of nodes lie in stripes, which belong to parts in turns, for each of the observer's states in other turns; where the robot has few
//! states, whole groups do. Whoever has a part is the only one to write there: what is found for others is handed over when all are done.

use super::beyond::Beyond;
use crate::sets::{NodeSet, Word};

/// A stripe has no more words than this.
const STRIPE: u32 = 32;

/// There are at least so many stripes for each part, or else parts have whole groups.
const STRIPES: u32 = 4;

/// How nodes are dealt out to parts.
#[derive(Clone, Copy)]
pub(super) struct Deal {
    parts: u32,
    /// How many words a stripe has; 0 where parts have whole groups.
    stripe: u32,
    /// Above the number that any node has in its part.
    bound: usize,
}

/// The nodes with one of the observer's states that belong to a part.
#[derive(Default)]
pub(super) struct Group {
    pub nodes: NodeSet,
    /// How many events the first of them is from the start.
    pub depth: u32,
}

/// What one of several looks after.
#[derive(Default)]
pub(super) struct Part {
    number: u32,
    groups: Vec<Group>,
    /// What was found for each of the others, and what the others found for this one.
    found: Vec<Vec<(u32, Word)>>,
    handed: Vec<Vec<(u32, Word)>>,
}

impl Deal {
    /// All nodes in one part, of a robot with so many states.
    pub fn one(states: usize) -> Self {
        Self { parts: 1, stripe: 0, bound: states }
    }

    /// Nodes in so many parts, of a robot with so many states.
    pub fn out(parts: usize, states: usize) -> Self {
        let (parts, words) = (parts as u32, states.div_ceil(64) as u32);
        let stripe = (words / (STRIPES * parts)).min(STRIPE);
        if stripe == 0 {
            return Self { parts, ..Self::one(states) };
        }
        let own = words.div_ceil(stripe).div_ceil(parts) * stripe;
        Self { parts, stripe, bound: own as usize * 64 }
    }

    /// How many parts there are.
    pub fn parts(self) -> usize {
        self.parts as usize
    }

    /// The part that a word of a group belongs to.
    fn part(self, observer: u32, number: u32) -> u32 {
        if self.parts == 1 {
            return 0;
        }
        let stripe = number.checked_div(self.stripe).unwrap_or(0);
        (observer % self.parts + stripe % self.parts) % self.parts
    }

    /// The number of a word in its part.
    fn within(self, number: u32) -> u32 {
        if self.stripe == 0 {
            return number;
        }
        number / self.stripe / self.parts * self.stripe + number % self.stripe
    }

    /// The word of a group that has this number in a part.
    fn number(self, part: u32, observer: u32, within: u32) -> u32 {
        if self.stripe == 0 {
            return within;
        }
        let turn = (part + self.parts - observer % self.parts) % self.parts;
        (within / self.stripe * self.parts + turn) * self.stripe + within % self.stripe
    }

    /// The place of a group in a part that has any of it.
    fn place(self, observer: u32) -> usize {
        if self.stripe == 0 { (observer / self.parts) as usize } else { observer as usize }
    }
}

impl Part {
    fn new(number: u32, deal: Deal) -> Self {
        let none = || (0..deal.parts).map(|_| Vec::new()).collect();
        Self { number, groups: Vec::new(), found: none(), handed: none() }
    }

    /// One part that has everything: a node where executions start.
    pub fn beginning(deal: Deal, observer: u32, robot: u32) -> Self {
        let mut part = Self::new(0, deal);
        part.make_room(deal, observer as usize + 1);
        part.groups[deal.place(observer)].nodes.insert(robot, deal.bound);
        part
    }

    /// Makes room for so many of the observer's states.
    pub fn make_room(&mut self, deal: Deal, observers: usize) {
        let groups = observers.checked_sub(1).map_or(0, |last| deal.place(last as u32) + 1);
        self.groups.resize_with(self.groups.len().max(groups), Group::default);
    }

    /// A group, if there was room made for it.
    fn group(&mut self, deal: Deal, observer: u32) -> Option<&mut Group> {
        let own = deal.stripe > 0 || observer % deal.parts == self.number;
        self.groups.get_mut(deal.place(observer)).filter(|_| own)
    }

    /// Whether there is anything new in a group.
    pub fn has_fresh(&mut self, deal: Deal, observer: u32) -> bool {
        self.group(deal, observer).is_some_and(|group| group.nodes.has_fresh())
    }

    /// Takes out what is new in a group.
    pub fn take_fresh(&mut self, deal: Deal, observer: u32, words: &mut Vec<Word>) {
        let (first, number) = (words.len(), self.number);
        if let Some(group) = self.group(deal, observer) {
            group.nodes.take_fresh(words);
            for word in &mut words[first..] {
                word.number = deal.number(number, observer, word.number);
            }
        }
    }

    /// Adds a word of a group to what is known: here, or for another part to be handed over. Whose state has something new is noted.
    pub fn add(&mut self, deal: Deal, beyond: &Beyond, observer: u32, word: Word, fresh: &mut Vec<u32>) {
        let part = deal.part(observer, word.number);
        if part == self.number {
            self.keep(deal, beyond, observer, word, fresh);
        } else {
            self.found[part as usize].push((observer, word));
        }
    }

    fn keep(&mut self, deal: Deal, beyond: &Beyond, observer: u32, word: Word, fresh: &mut Vec<u32>) {
        let group = &mut self.groups[deal.place(observer)];
        if !group.nodes.has_fresh() {
            fresh.push(observer);
        }
        if group.nodes.is_empty() {
            group.depth = beyond.depth();
        }
        group.nodes.insert_word(Word { number: deal.within(word.number), ..word }, deal.bound);
    }

    /// How much was handed over to this part.
    pub fn handed(&self) -> usize {
        self.handed.iter().map(Vec::len).sum()
    }

    /// Keeps what was handed over.
    pub fn receive(&mut self, deal: Deal, beyond: &Beyond, fresh: &mut Vec<u32>) {
        let mut handed = std::mem::take(&mut self.handed);
        for (observer, word) in handed.iter_mut().flat_map(|found| found.drain(..)) {
            self.keep(deal, beyond, observer, word, fresh);
        }
        self.handed = handed;
    }

    /// Gives the nodes of a group away, and adds them to a list; tells how many events they are from the start.
    pub fn give(&mut self, deal: Deal, observer: u32, words: &mut Vec<Word>) -> Option<u32> {
        let number = self.number;
        let group = std::mem::take(self.group(deal, observer)?);
        if group.nodes.is_empty() {
            return None;
        }
        let mut own = Vec::new();
        group.nodes.words(&mut own);
        let number_of = |word: Word| deal.number(number, observer, word.number);
        words.extend(own.into_iter().map(|word| Word { number: number_of(word), ..word }));
        Some(group.depth)
    }

    /// Deals out what one part has.
    pub fn deal_out(mut self, old: Deal, deal: Deal) -> Vec<Self> {
        let mut parts: Vec<Self> = (0..deal.parts).map(|number| Self::new(number, deal)).collect();
        let observers = self.groups.len();
        parts.iter_mut().for_each(|part| part.make_room(deal, observers));
        let (mut fresh, mut words, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for observer in 0..observers as u32 {
            fresh.clear();
            words.clear();
            taken.clear();
            self.take_fresh(old, observer, &mut fresh);
            let Some(depth) = self.give(old, observer, &mut words) else { continue };
            fresh.sort_unstable();
            let add = |parts: &mut [Self], number: u32, bits: u64| {
                let group = &mut parts[deal.part(observer, number) as usize].groups[deal.place(observer)];
                group.depth = depth;
                group.nodes.insert_word(Word { number: deal.within(number), bits }, deal.bound);
            };
            for &Word { number, bits } in &words {
                let new = fresh.binary_search_by_key(&number, |new| new.number);
                let old = bits & !new.map_or(0, |at| fresh[at].bits);
                if old != 0 {
                    add(&mut parts, number, old);
                }
            }
            // What was taken from one part was taken from all.
            parts.iter_mut().for_each(|part| part.take_fresh(deal, observer, &mut taken));
            fresh.iter().for_each(|word| add(&mut parts, word.number, word.bits));
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
