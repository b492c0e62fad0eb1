//! Backward induction over the nodes of the arena that were explored: how many events each is from stopping, in the worst case of the best
//! strategy.
//!
//! *Background.* Values spread in waves, by the number of events. A wave is turned back over the robot's arcs sixty-four states at a time, and
//! over the observer's, so that the arcs between nodes, of which there are many times more, are never listed.
//!
//! *Practical.* A node where one successor will do has a value as soon as that has one. Where all must do, it depends on how many they are: a
//! few are looked at again each time, many are counted. What a wave leads to does not depend on the order in which its nodes are looked at,
//! so large waves are shared out to threads.

mod waves;
mod won;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{
    game::{
        arena::{Arena, BARRED, Node, View},
        product::Product,
    },
    graph::{Moves, words_where},
    limit::{Limit, Team, threads, with_team, worth},
    observer::{StateId, Tracker},
    problem::{Image, Kind},
    sets::{Word, bits::ones},
};
use waves::{Arcs, Heap, Part, Shares, Some64, Task};
use won::Won;

/// Up to so many arcs of an observation vertex are looked at again each time that one of them leads to a node with a value.
const A_FEW: usize = 4;

/// With so many nodes, it is first tried how far a part of what may be spent goes, this part.
const LARGE: usize = 1 << 18;
const TIGHTER: u32 = 4;

/// What backward induction gives.
pub(crate) struct Values<'p> {
    product: &'p Product,
    won: Won,
    /// Whether there may be strategies that take more events than they were allowed.
    pub cut_short: bool,
}

impl Values<'_> {
    /// The value of a node, if it was found.
    pub fn of(&self, (observer, robot): Node) -> Option<u32> {
        self.won.value(self.product.place(observer, robot / 64)?, robot % 64)
    }
}

/// Values as far as strategies need them that take at most `budget` events from the start, and no further than the start's value needs them;
/// it takes `least` events at least. `backwards` is where the robot's arcs come from of the states that were looked at.
pub(crate) fn values<'p>(
    game: &mut Arena<'_>,
    product: &'p Product,
    mut backwards: Moves<'_>,
    (least, budget): (u32, u32),
) -> Result<Values<'p>, Limit> {
    game.report("turning the game round", product.len())?;
    // Whatever has a node was looked at.
    backwards.expect(product.each_word());
    let mut induction = Induction::new(game, &backwards, product, tighter(product, least, budget));
    loop {
        let cut_short = {
            let (shared, induction): (&Arena<'_>, _) = (game, &induction);
            with_team(game.threads, |part| induction.work(shared, part), |team| induction.run(shared, team))?
        };
        let values = Values { product, won: std::mem::take(&mut induction.won), cut_short };
        if induction.budget == budget || !cut_short || values.of(game.first()).is_some() {
            return Ok(values);
        }
        drop(values);
        induction.begin(game, budget);
    }
}

/// A budget that may do for a strategy that takes this many events at least. The values that it needs are often few of those that the whole
/// budget would need: where most of that is to spare, nearly all nodes have one.
fn tighter(product: &Product, least: u32, budget: u32) -> u32 {
    if product.len() < worth(LARGE) {
        return budget;
    }
    // What may be spent may have no bound.
    least + budget.saturating_sub(least).min(least) / TIGHTER
}

struct Induction<'p> {
    product: &'p Product,
    /// Where the robot's arcs come from.
    backwards: &'p Moves<'p>,
    budget: u32,
    /// One more than how many successors each node waits for, where they are counted, once one of them has a value.
    waits: Vec<AtomicU32>,
    /// The nodes that have a value.
    won: Won,
    /// The nodes that have a value because of those of a wave, or may have one.
    heap: Heap,
    /// Where the observer's states with nodes come from: image and state, by state, then image.
    before: Vec<(Image, u32)>,
    before_starts: Vec<u32>,
    /// The robot's states, sixty-four to a word, where any successor will do, and where a few must.
    any: Vec<u64>,
    few: Vec<u64>,
    lost: Vec<u64>,
}

impl<'p> Induction<'p> {
    fn new(game: &Arena<'_>, backwards: &'p Moves<'p>, product: &'p Product, budget: u32) -> Self {
        let graph = &game.robot.graph;
        let chooses = |v| graph.kind(v) == Kind::Action;
        let (before, before_starts) = observers_before(game.tracker(), product);
        Self {
            product,
            backwards,
            budget,
            waits: none_yet(product),
            won: Self::none_won(game, product),
            heap: Heap::new(product.words()),
            before,
            before_starts,
            any: words_where(graph, |v| chooses(v) || graph.arcs(v).len() <= 1),
            few: words_where(graph, |v| !chooses(v) && (2..=A_FEW).contains(&graph.arcs(v).len())),
            lost: words_where(graph, |v| !chooses(v) && game.robot.lost.contains(v.index())),
        }
    }

    /// Forgets all values, for a larger budget.
    fn begin(&mut self, game: &Arena<'_>, budget: u32) {
        self.budget = budget;
        self.waits = none_yet(self.product);
        self.won = Self::none_won(game, self.product);
    }

    fn none_won(game: &Arena<'_>, product: &Product) -> Won {
        Won::none(product.words(), threads(game.threads, usize::MAX, 1))
    }

    /// Whether a node has a value.
    fn is_won(&self, (observer, robot): Node) -> bool {
        let place = self.product.place(observer, robot / 64);
        place.is_some_and(|place| self.won.word(place) >> (robot % 64) & 1 == 1)
    }

    /// How arcs are followed backwards, and how many there are, on average.
    fn arcs(&self) -> Arcs {
        let (words, states) = (self.any.len().max(1), self.backwards.states().max(1));
        match self.backwards.kinds_known() {
            Some(kinds) => Arcs::OfWord(kinds.div_ceil(words)),
            None => Arcs::OfNode(self.backwards.arcs_known().div_ceil(states)),
        }
    }

    /// Gives nodes values, wave after wave; tells whether it was cut short.
    fn run(&self, game: &Arena<'_>, team: &Team<'_, Part>) -> Result<bool, Limit> {
        let (mut shares, mut events, mut cut_short) = (Shares::new(team, self.arcs()), 0, false);
        shares.deal(&self.stops(game));
        loop {
            let count = shares.count();
            if count == 0 {
                return Ok(cut_short);
            }
            // As many as this would not fit into memory either.
            if !self.won.fits(count) {
                return Err(Limit::Memory);
            }
            shares.all(Task::Settle { events });
            if self.is_won(game.first()) || events >= self.budget {
                return Ok(true);
            }
            game.poll("inducing backwards", 3 * (64 + count), self.product.len())?;
            events += 1;
            // No strategy visits later what takes so many events more.
            shares.all(Task::Spread { latest: self.budget - events });
            cut_short |= shares.cut_short();
            shares.deal_found();
            shares.all(Task::Decide);
            shares.keep_found();
        }
    }

    /// Does somebody's share.
    fn work(&self, game: &Arena<'_>, part: &mut Part) {
        match part.task {
            Task::Settle { events } => self.won.settle(part.number, &part.nodes, events),
            Task::Spread { latest } => {
                let nodes = std::mem::take(&mut part.nodes);
                nodes.iter().for_each(|&nodes| self.spread(nodes, latest, &game.forwards, part));
                part.nodes = nodes;
            }
            Task::Decide => self.decide(game, part),
        }
    }

    /// Finds the nodes that have a value now among those collected.
    fn decide(&self, game: &Arena<'_>, Part { nodes, found, .. }: &mut Part) {
        nodes.iter_mut().for_each(|nodes| nodes.bits = self.heap.take(nodes.place));
        let few = |nodes: &Some64| self.few[self.product.word(nodes.place as usize).number as usize];
        // Where a few must do, it takes a look at what follows, from the observer's state.
        nodes.retain(|&nodes| {
            let perhaps = nodes.bits & few(&nodes);
            if perhaps == 0 {
                found.push(nodes);
            }
            perhaps != 0
        });
        nodes.sort_unstable_by_key(|nodes| (nodes.observer, nodes.place));
        let mut view = game.view().clone();
        for nodes in nodes.chunk_by(|a, b| a.observer == b.observer) {
            view.turn_to(game.tracker(), nodes[0].observer, 64 * nodes.len());
            for nodes in nodes {
                let word = Word { bits: nodes.bits & few(nodes), ..self.product.word(nodes.place as usize) };
                let bits = nodes.bits & !self.missing(&view, game, word);
                if bits != 0 {
                    found.push(Some64 { bits, ..*nodes });
                }
            }
        }
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

    /// Finds what has a value, or may have one, because these nodes have.
    fn spread(&self, nodes: Some64, latest: u32, forwards: &Moves<'_>, found: &mut Part) {
        let Self { product, waits, won, before, before_starts, any, few, lost, .. } = self;
        let word = Word { bits: nodes.bits, ..product.word(nodes.place as usize) };
        let own = before_starts[nodes.observer as usize] as usize
            ..before_starts[nodes.observer as usize + 1] as usize;
        let before = &before[own];
        self.backwards.follow(word, |piece| {
            let Word { number, bits } = piece.to;
            let bits = bits & !lost[number as usize];
            let mut reach = |observer: u32| {
                if product.depth(observer) > latest {
                    found.cut_short = true;
                    return;
                }
                let Some(place) = product.place(observer, number) else { return };
                let open = bits & product.word(place).bits & !won.word(place);
                if open == 0 {
                    return;
                }
                let at_once = open & (any[number as usize] | few[number as usize]);
                let counted = ones(open & !at_once).filter(|&bit| {
                    let arcs = || forwards.ends(number * 64 + bit as u32).len() as u32;
                    is_last(&waits[product.at(place, bit as u32) as usize], found.alone, arcs)
                });
                let bits = counted.fold(at_once, |bits, bit| bits | 1 << bit);
                if bits != 0 {
                    self.heap.add(observer, place, bits, found.alone, &mut found.found);
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
            let won = place.map_or(0, |place| self.won.word(place));
            missing |= piece.from(piece.to.bits & !won);
        });
        missing
    }
}

/// No successor of any node was counted. What is never counted takes no room.
fn none_yet(product: &Product) -> Vec<AtomicU32> {
    vec![0; product.len()].into_iter().map(AtomicU32::new).collect()
}

/// Counts one more successor with a value; tells whether it was the last of all that the node waits for. `alone` tells whether nobody else counts at the
/// same time, which takes less.
fn is_last(waits: &AtomicU32, alone: bool, arcs: impl Fn() -> u32) -> bool {
    let one_less = |waits: u32| if waits == 0 { arcs() } else { waits - 1 };
    let left = if alone {
        let left = one_less(waits.load(Relaxed));
        waits.store(left, Relaxed);
        left
    } else {
        let before = waits.fetch_update(Relaxed, Relaxed, |waits| Some(one_less(waits)));
        before.map_or_else(|waits| waits, one_less)
    };
    left == 1
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
