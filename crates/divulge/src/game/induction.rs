//! Backward induction over the nodes of the arena that were explored: how many events each is from stopping, in the worst case of the best
//! strategy.
//!
//! *Background.* Values spread in waves, by the number of events. A wave is turned back over the robot's arcs sixty-four states at a time, and
//! over the observer's, so that the arcs between nodes, of which there are many times more, are never listed.
//!
//! *Practical.* A node where one successor will do has a value as soon as that has one. Where all must do, it depends on how many they are: a
//! few are looked at again each time, many are counted.

use crate::{
    game::{
        arena::{Arena, BARRED, View},
        moves::{Moves, words_where},
        product::Product,
    },
    graph::induction::{NEVER, OPEN},
    limit::Limit,
    observer::{StateId, Tracker},
    problem::{Image, Kind},
    sets::{Word, bits::ones},
};

/// Up to so many arcs of an observation vertex are looked at again each time that one of them leads to a node with a value.
const A_FEW: usize = 4;

/// What backward induction gives.
pub(crate) struct Values {
    /// The value of every node, at least `OPEN` where it was not found.
    pub all: Vec<u32>,
    /// Whether there may be strategies that take more events than they were allowed.
    pub cut_short: bool,
}

/// Values as far as strategies need them that take at most `budget` events from the start, and no further than the start's value needs them.
pub(crate) fn values(game: &mut Arena<'_>, product: &Product, budget: u32) -> Result<Values, Limit> {
    game.report("turning the game round", product.len())?;
    // Whatever has a node was looked at.
    let mut backwards = game.forwards.turned();
    Induction::new(game, product, budget).run(game, &mut backwards)
}

/// Nodes of one group in one word.
#[derive(Clone, Copy)]
struct Some64 {
    observer: u32,
    /// The place of the word in the product.
    place: u32,
    bits: u64,
}

/// Nodes that are collected, each once.
struct Heap {
    all: Vec<Some64>,
    /// For each place where it may stand in `all`.
    at: Vec<u32>,
}

impl Heap {
    fn new(places: usize) -> Self {
        Self { all: Vec::new(), at: vec![0; places] }
    }

    fn add(&mut self, observer: u32, place: usize, bits: u64) {
        match self.all.get_mut(self.at[place] as usize) {
            Some(there) if there.place == place as u32 => there.bits |= bits,
            _ => {
                self.at[place] = self.all.len() as u32;
                self.all.push(Some64 { observer, place: place as u32, bits });
            }
        }
    }
}

struct Induction<'p> {
    product: &'p Product,
    budget: u32,
    events: u32,
    cut_short: bool,
    value: Vec<u32>,
    /// The nodes that have a value, by place.
    won: Vec<u64>,
    /// Where the observer's states with nodes come from: image and state, by state, then image.
    before: Vec<(Image, u32)>,
    before_starts: Vec<u32>,
    /// The robot's states, sixty-four to a word, where any successor will do, and where a few must.
    any: Vec<u64>,
    few: Vec<u64>,
    lost: Vec<u64>,
}

impl<'p> Induction<'p> {
    fn new(game: &Arena<'_>, product: &'p Product, budget: u32) -> Self {
        let graph = &game.robot.graph;
        let chooses = |v| graph.kind(v) == Kind::Action;
        let (before, before_starts) = observers_before(game.tracker(), product);
        Self {
            product,
            budget,
            events: 0,
            cut_short: false,
            value: vec![NEVER; product.len()],
            won: vec![0; product.words()],
            before,
            before_starts,
            any: words_where(graph, |v| chooses(v) || graph.arcs(v).len() <= 1),
            few: words_where(graph, |v| !chooses(v) && (2..=A_FEW).contains(&graph.arcs(v).len())),
            lost: words_where(graph, |v| !chooses(v) && game.robot.lost.contains(v.index())),
        }
    }

    fn run(mut self, game: &mut Arena<'_>, backwards: &mut Moves<'_>) -> Result<Values, Limit> {
        let product = self.product;
        let mut view = game.view().clone();
        let mut wave = self.stops(game);
        let (mut next, mut perhaps) = (Heap::new(product.words()), Heap::new(product.words()));
        self.settle(&wave);
        while !wave.is_empty() && self.value[product.start()] >= OPEN && self.events < self.budget {
            let mut steps = 64;
            for &nodes in &wave {
                steps += nodes.bits.count_ones() as usize;
                self.spread(nodes, backwards, &game.forwards, &mut next, &mut perhaps);
            }
            perhaps.all.sort_unstable_by_key(|nodes| (nodes.observer, nodes.place));
            for nodes in perhaps.all.chunk_by(|a, b| a.observer == b.observer) {
                view.turn_to(game.tracker(), nodes[0].observer, 64 * nodes.len());
                for &Some64 { observer, place, bits } in nodes {
                    let word = Word { bits, ..product.word(place as usize) };
                    game.forwards.prepare(word);
                    let all_won = bits & !self.missing(&view, game, word);
                    if all_won != 0 {
                        next.add(observer, place as usize, all_won);
                    }
                }
            }
            perhaps.all.clear();
            wave.clear();
            std::mem::swap(&mut wave, &mut next.all);
            self.events += 1;
            self.settle(&wave);
            game.poll("inducing backwards", steps * 3, product.len())?;
        }
        let cut_short = self.cut_short || !wave.is_empty();
        Ok(Values { all: self.value, cut_short })
    }

    /// The nodes where the robot stops.
    fn stops(&self, game: &Arena<'_>) -> Vec<Some64> {
        let (goal, mut stops) = (game.robot.goal.words(), Vec::new());
        let ends = |&observer: &u32| game.tracker().course(StateId(observer)).may_end();
        for observer in (0..self.product.groups() as u32).filter(ends) {
            for place in self.product.places(observer) {
                let Word { number, bits } = self.product.word(place);
                let bits = bits & goal[number as usize];
                if bits != 0 {
                    stops.push(Some64 { observer, place: place as u32, bits });
                }
            }
        }
        stops
    }

    /// Gives nodes their value.
    fn settle(&mut self, wave: &[Some64]) {
        let events = self.events;
        for &Some64 { place, bits, .. } in wave {
            let place = place as usize;
            self.won[place] |= bits;
            let Word { bits: all, .. } = self.product.word(place);
            if all == bits {
                let first = self.product.first(place) as usize;
                self.value[first..first + bits.count_ones() as usize].fill(events);
                continue;
            }
            for bit in ones(bits) {
                self.value[self.product.at(place, bit as u32) as usize] = events;
            }
        }
    }

    /// Finds what has a value, or may have one, because these nodes have.
    fn spread(
        &mut self,
        nodes: Some64,
        backwards: &mut Moves<'_>,
        forwards: &Moves<'_>,
        next: &mut Heap,
        perhaps: &mut Heap,
    ) {
        let Self { product, value, won, before, before_starts, any, few, lost, cut_short, .. } = self;
        // No strategy visits later what takes so many events more.
        let latest = self.budget - (self.events + 1);
        let word = Word { bits: nodes.bits, ..product.word(nodes.place as usize) };
        backwards.prepare(word);
        let own = before_starts[nodes.observer as usize] as usize
            ..before_starts[nodes.observer as usize + 1] as usize;
        let before = &before[own];
        backwards.follow(word, |piece| {
            let Word { number, bits } = piece.to;
            let bits = bits & !lost[number as usize];
            let mut reach = |observer: u32| {
                if product.depth(observer) > latest {
                    *cut_short = true;
                    return;
                }
                let Some(place) = product.place(observer, number) else { return };
                let open = bits & product.word(place).bits & !won[place];
                if open == 0 {
                    return;
                }
                let (any, few) = (open & any[number as usize], open & few[number as usize]);
                if any != 0 {
                    next.add(observer, place, any);
                }
                if few != 0 {
                    perhaps.add(observer, place, few);
                }
                for bit in ones(open & !any & !few) {
                    let waits = &mut value[product.at(place, bit as u32) as usize];
                    if *waits == NEVER {
                        *waits = OPEN + forwards.ends(number * 64 + bit as u32).len() as u32;
                    }
                    *waits -= 1;
                    if *waits == OPEN {
                        next.add(observer, place, 1 << bit);
                    }
                }
            };
            if piece.image == Image::UNSEEN {
                return reach(nodes.observer);
            }
            let from = before.partition_point(|(image, _)| *image < piece.image);
            let alike = before[from..].iter().take_while(|(image, _)| *image == piece.image);
            alike.for_each(|&(_, observer)| reach(observer));
        });
    }

    /// Those of some states that have an arc to a node without a value, as the observer whom the view is of sees it.
    fn missing(&self, view: &View<'_>, game: &Arena<'_>, from: Word) -> u64 {
        let mut missing = 0;
        game.forwards.follow(from, |piece| {
            let to = view.after(game.tracker(), piece.image);
            let place = if to == BARRED { None } else { self.product.place(to, piece.to.number) };
            let won = place.map_or(0, |place| self.won[place]);
            missing |= piece.from(piece.to.bits & !won);
        });
        missing
    }
}

/// Where each of the observer's states that have nodes comes from, and where those of each begin.
fn observers_before(tracker: &Tracker<'_>, product: &Product) -> (Vec<(Image, u32)>, Vec<u32>) {
    let has_nodes =
        |observer: u32| (observer as usize) < product.groups() && !product.places(observer).is_empty();
    let arcs = || {
        (0..product.groups() as u32).filter(|&from| has_nodes(from)).flat_map(move |from| {
            let next = tracker.known_successors(StateId(from)).iter();
            next.filter(move |(_, to)| has_nodes(to.0)).map(move |&(image, to)| (from, image, to.0))
        })
    };
    let mut starts = vec![0_u32; product.groups() + 2];
    for (_, _, to) in arcs() {
        starts[to as usize + 2] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut before = vec![(Image(0), 0); starts[product.groups() + 1] as usize];
    for (from, image, to) in arcs() {
        let start = &mut starts[to as usize + 1];
        before[*start as usize] = (image, from);
        *start += 1;
    }
    starts.pop();
    for to in 0..product.groups() {
        before[starts[to] as usize..starts[to + 1] as usize].sort_unstable();
    }
    (before, starts)
}
