//! The nodes of the arena that were found, numbered.

use crate::{
    game::arena::Node,
    limit::Limit,
    sets::{Word, nodes},
};

/// Nodes are numbered below this: the induction needs a bit for itself.
const MOST: u32 = 1 << 31;

/// Words up to this many are searched from end to end.
const FEW: usize = 16;

/// The nodes found, grouped by the observer's state, as words of the robot's states. Words of a group stand next to each other, by number, and
/// nodes are numbered in that order.
pub(crate) struct Product {
    numbers: Vec<u32>,
    bits: Vec<u64>,
    /// How many nodes come before each word, and how many there are.
    before: Vec<u32>,
    /// The groups, and one more that is empty.
    groups: Vec<Group>,
    tables: Vec<u32>,
    start: usize,
}

/// The nodes with one of the observer's states.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Where its words begin: they end where those of the next group begin.
    start: u32,
    /// The number of the first of them.
    number: u32,
    /// Where its table begins, if it is not searched otherwise: its length is that of `nodes::table`.
    table: u32,
    /// How many events it is from the start at least, as far as that is known.
    depth: u32,
}

impl Product {
    /// Numbers the nodes found. `give` adds the words of those with one of so many states of the observer to a list, by number, and tells how many events
    /// they are from the start at least, as far as that is known.
    pub fn number(
        groups: usize,
        (observer, start): Node,
        mut give: impl FnMut(u32, &mut Vec<Word>) -> u32,
    ) -> Result<Self, Limit> {
        let mut product = Self {
            numbers: Vec::new(),
            bits: Vec::new(),
            before: Vec::new(),
            groups: Vec::with_capacity(groups + 1),
            tables: Vec::new(),
            start: 0,
        };
        let (mut sum, mut words) = (0_u32, Vec::new());
        for group in 0..groups as u32 {
            words.clear();
            let depth = give(group, &mut words);
            let count: u64 = words.iter().map(|word| u64::from(word.bits.count_ones())).sum();
            // As many nodes as this would not fit into memory either.
            let most = u32::try_from(count).ok().and_then(|count| sum.checked_add(count));
            most.filter(|&sum| sum < MOST).ok_or(Limit::Memory)?;
            let first = product.numbers.len();
            for &Word { number, bits } in &words {
                product.numbers.push(number);
                product.bits.push(bits);
                product.before.push(sum);
                sum += bits.count_ones();
            }
            let own = &product.numbers[first..];
            product.groups.push(Group {
                start: first as u32,
                number: own.first().copied().unwrap_or(0),
                table: product.tables.len() as u32,
                depth,
            });
            if own.len() > FEW && !is_gapless(own) {
                product.tables.extend(nodes::table(own));
            }
        }
        product.groups.push(Group { start: product.numbers.len() as u32, ..Group::default() });
        product.before.push(sum);
        product.start = product.node(observer, start).unwrap_or_default() as usize;
        Ok(product)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.before[self.numbers.len()] as usize
    }

    /// How many of the observer's states there are.
    pub fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// How many events the nodes of a group are from the start at least.
    pub fn depth(&self, observer: u32) -> u32 {
        self.groups[observer as usize].depth
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.numbers.len()
    }

    /// The node where executions start.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The places of the words of a group.
    pub fn places(&self, observer: u32) -> std::ops::Range<usize> {
        self.groups[observer as usize].start as usize..self.groups[observer as usize + 1].start as usize
    }

    /// The place of a word of a group, if it has nodes.
    pub fn place(&self, observer: u32, number: u32) -> Option<usize> {
        let Group { start, number: least, table, .. } = self.groups[observer as usize];
        let first = start as usize;
        let numbers = &self.numbers[first..self.groups[observer as usize + 1].start as usize];
        // Most groups are without gaps there.
        let at = number.wrapping_sub(least) as usize;
        if numbers.get(at) == Some(&number) {
            return Some(first + at);
        }
        if numbers.len() <= FEW {
            return numbers.iter().position(|&other| other == number).map(|at| first + at);
        }
        if is_gapless(numbers) {
            return None;
        }
        let table = &self.tables[table as usize..table as usize + nodes::table_len(numbers.len())];
        nodes::slot(table, numbers, number).ok().map(|slot| first + table[slot] as usize - 1)
    }

    /// The word at a place.
    pub fn word(&self, place: usize) -> Word {
        Word { number: self.numbers[place], bits: self.bits[place] }
    }

    /// Every word of every group.
    pub fn each_word(&self) -> impl Iterator<Item = Word> {
        (0..self.words()).map(|place| self.word(place))
    }

    /// The number of the node of the word at a place that has this bit.
    pub fn at(&self, place: usize, bit: u32) -> u32 {
        self.before[place] + (self.bits[place] & ((1 << bit) - 1)).count_ones()
    }

    /// The number of a node, if it was found.
    pub fn node(&self, observer: u32, robot: u32) -> Option<u32> {
        if observer as usize >= self.groups() {
            return None;
        }
        let place = self.place(observer, robot / 64)?;
        (self.bits[place] >> (robot % 64) & 1 == 1).then(|| self.at(place, robot % 64))
    }

    /// The observer's states in so many shares of about as many nodes each, in order.
    pub fn shares(&self, count: usize) -> Vec<std::ops::Range<u32>> {
        let (groups, nodes) = (self.groups() as u32, self.len());
        let first = |group: u32| self.before[self.groups[group as usize].start as usize] as usize;
        let mut ends: Vec<u32> = (1..count)
            .map(|i| (0..groups).find(|&group| first(group) >= nodes * i / count).unwrap_or(groups))
            .collect();
        ends.push(groups);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends.iter().copied()).map(|(start, end)| start..end).collect()
    }

    /// How many nodes have one of these observer's states.
    pub fn nodes(&self, observers: &std::ops::Range<u32>) -> usize {
        let first = |group: u32| self.before[self.groups[group as usize].start as usize];
        (first(observers.end) - first(observers.start)) as usize
    }

    /// Lists the robot's states with which an observer's state occurs, by node; gives the first node.
    pub fn list(&self, observer: u32, robots: &mut Vec<u32>) -> u32 {
        robots.clear();
        let places = self.places(observer);
        let first = self.before[places.start];
        robots.extend(places.flat_map(|place| self.word(place).members()));
        first
    }
}

/// Whether ascending numbers are next to each other.
fn is_gapless(numbers: &[u32]) -> bool {
    match numbers {
        [first, .., last] => (last - first) as usize == numbers.len() - 1,
        _ => true,
    }
}
