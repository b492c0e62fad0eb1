//! The nodes of the arena that were found, numbered.

use crate::{
    game::arena::Node,
    limit::Limit,
    sets::{NodeSet, Word, nodes},
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
    /// Where the words of each group begin, and where the last ones end.
    starts: Vec<u32>,
    /// Where the table of each group begins that is not searched otherwise: its length is that of `nodes::table`.
    table_starts: Vec<u32>,
    tables: Vec<u32>,
    /// How many events each group is from the start at least, as far as that is known.
    depths: Vec<u32>,
    /// How many words the robot's states make.
    all: usize,
    start: usize,
}

impl Product {
    /// Numbers the nodes found, of a robot with so many states; `depths` may tell how many events groups are from the start at least.
    pub fn number(
        groups: Vec<NodeSet>,
        depths: Vec<u32>,
        states: usize,
        (observer, start): Node,
    ) -> Result<Self, Limit> {
        let mut product = Self {
            numbers: Vec::new(),
            bits: Vec::new(),
            before: Vec::new(),
            starts: vec![0],
            table_starts: Vec::with_capacity(groups.len()),
            tables: Vec::new(),
            depths,
            all: states.div_ceil(64),
            start: 0,
        };
        let (mut sum, mut words) = (0_u32, Vec::new());
        for group in groups {
            // As many nodes as this would not fit into memory either.
            let most = u32::try_from(group.len()).ok().and_then(|len| sum.checked_add(len));
            most.filter(|&sum| sum < MOST).ok_or(Limit::Memory)?;
            let first = product.numbers.len();
            group.words(&mut words);
            for &Word { number, bits } in &words {
                product.numbers.push(number);
                product.bits.push(bits);
                product.before.push(sum);
                sum += bits.count_ones();
            }
            product.table_starts.push(product.tables.len() as u32);
            let own = &product.numbers[first..];
            if own.len() > FEW && own.len() < product.all {
                product.tables.extend(nodes::table(own));
            }
            product.starts.push(product.numbers.len() as u32);
        }
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
        self.starts.len() - 1
    }

    /// How many events the nodes of a group are from the start at least.
    pub fn depth(&self, observer: u32) -> u32 {
        self.depths.get(observer as usize).copied().unwrap_or(0)
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
        self.starts[observer as usize] as usize..self.starts[observer as usize + 1] as usize
    }

    /// The place of a word of a group, if it has nodes.
    pub fn place(&self, observer: u32, number: u32) -> Option<usize> {
        let places = self.places(observer);
        let (first, numbers) = (places.start, &self.numbers[places]);
        if numbers.len() == self.all {
            return Some(first + number as usize);
        }
        if numbers.len() <= FEW {
            return numbers.iter().position(|&other| other == number).map(|at| first + at);
        }
        let begin = self.table_starts[observer as usize] as usize;
        let table = &self.tables[begin..begin + nodes::table_len(numbers.len())];
        nodes::slot(table, numbers, number).ok().map(|slot| first + table[slot] as usize - 1)
    }

    /// The word at a place.
    pub fn word(&self, place: usize) -> Word {
        Word { number: self.numbers[place], bits: self.bits[place] }
    }

    /// The number of the first node of the word at a place.
    pub fn first(&self, place: usize) -> u32 {
        self.before[place]
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
        let first = |group: u32| self.before[self.starts[group as usize] as usize] as usize;
        let mut ends: Vec<u32> = (1..count)
            .map(|i| (0..groups).find(|&group| first(group) >= nodes * i / count).unwrap_or(groups))
            .collect();
        ends.push(groups);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends.iter().copied()).map(|(start, end)| start..end).collect()
    }

    /// How many nodes have one of these observer's states.
    pub fn nodes(&self, observers: &std::ops::Range<u32>) -> usize {
        let first = |group: u32| self.before[self.starts[group as usize] as usize];
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
