//! Words of nodes that are collected by one or several.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::limit::Team;

/// So many arcs, or kinds of them where those of a word are followed together, are worth a thread.
const MUCH: usize = 1 << 10;

/// Nodes of one group in one word.
#[derive(Clone, Copy)]
pub(super) struct Some64 {
    pub observer: u32,
    /// The place of the word in the product.
    pub place: u32,
    /// None of them while they are collected.
    pub bits: u64,
}

/// So many words, all 0, which several may write. They take room when they are first written.
pub(super) fn words(count: usize) -> Vec<AtomicU64> {
    vec![0; count].into_iter().map(AtomicU64::new).collect()
}

/// Nodes that are collected, each once. Whoever is first to add a node of a word lists the word.
pub(super) struct Heap(Vec<AtomicU64>);

impl Heap {
    pub fn new(places: usize) -> Self {
        Self(words(places))
    }

    /// Adds nodes; `alone` tells whether nobody else does at the same time, which takes less.
    pub fn add(&self, observer: u32, place: usize, bits: u64, alone: bool, list: &mut Vec<Some64>) {
        let own = &self.0[place];
        let before = if alone {
            let before = own.load(Relaxed);
            own.store(before | bits, Relaxed);
            before
        } else {
            own.fetch_or(bits, Relaxed)
        };
        if before == 0 {
            list.push(Some64 { observer, place: place as u32, bits: 0 });
        }
    }

    /// Takes the nodes of a word out.
    pub fn take(&self, place: u32) -> u64 {
        let own = &self.0[place as usize];
        let bits = own.load(Relaxed);
        own.store(0, Relaxed);
        bits
    }
}

/// What is done with nodes.
#[derive(Clone, Copy, Default)]
pub(super) enum Task {
    /// They get a value.
    Settle { events: u32 },
    /// What comes before them is collected, unless it is later than this.
    Spread { latest: u32 },
    /// Those that were collected and have a value now are found.
    #[default]
    Decide,
}

/// A share of a wave, what is to be done with it, and what is found.
#[derive(Default)]
pub(super) struct Part {
    pub task: Task,
    pub nodes: Vec<Some64>,
    pub found: Vec<Some64>,
    /// Whether something comes too late.
    pub cut_short: bool,
    /// Which share it is, and whether it is the only one.
    pub number: usize,
    pub alone: bool,
}

/// Whoever works on a wave, and their shares of it.
pub(super) struct Shares<'t, 'w> {
    team: &'t Team<'w, Part>,
    parts: Vec<Part>,
    /// How many arcs lead to a word, or to a node where they are followed one by one, about.
    arcs: Arcs,
    /// How many nodes of a word there were in the last wave, about.
    nodes_of_a_word: usize,
}

/// How arcs are followed, and how many there are, on average.
#[derive(Clone, Copy)]
pub(super) enum Arcs {
    OfWord(usize),
    OfNode(usize),
}

impl<'t, 'w> Shares<'t, 'w> {
    pub fn new(team: &'t Team<'w, Part>, arcs: Arcs) -> Self {
        Self { team, parts: Vec::new(), arcs, nodes_of_a_word: 1 }
    }

    /// Deals nodes out.
    pub fn deal(&mut self, nodes: &[Some64]) {
        let each = match self.arcs {
            Arcs::OfWord(arcs) => arcs,
            Arcs::OfNode(arcs) => self.nodes_of_a_word * arcs,
        };
        let count = self.team.pieces(nodes.len() * each, MUCH).min(nodes.len().max(1));
        self.parts.resize_with(count, Part::default);
        let mut shares = nodes.chunks(nodes.len().div_ceil(count).max(1));
        for (number, part) in self.parts.iter_mut().enumerate() {
            (part.number, part.alone) = (number, count == 1);
            part.nodes.clear();
            part.nodes.extend_from_slice(shares.next().unwrap_or_default());
        }
    }

    /// Does something with the nodes that were dealt out.
    pub fn all(&mut self, task: Task) {
        for part in &mut self.parts {
            part.task = task;
            part.found.clear();
        }
        self.team.round(&mut self.parts);
    }

    /// How many nodes were dealt out.
    pub fn count(&mut self) -> usize {
        let nodes = || self.parts.iter().flat_map(|part| &part.nodes);
        let count = nodes().map(|nodes| nodes.bits.count_ones() as usize).sum();
        self.nodes_of_a_word = usize::div_ceil(count, nodes().count().max(1));
        count
    }

    /// Whether something came too late.
    pub fn cut_short(&self) -> bool {
        self.parts.iter().any(|part| part.cut_short)
    }

    /// Deals out what was found.
    pub fn deal_found(&mut self) {
        let all: Vec<Some64> = self.parts.iter().flat_map(|part| &part.found).copied().collect();
        self.deal(&all);
    }

    /// Goes on with what was found in each share.
    pub fn keep_found(&mut self) {
        self.parts.iter_mut().for_each(|part| std::mem::swap(&mut part.nodes, &mut part.found));
    }
}
