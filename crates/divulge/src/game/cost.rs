//! Strategies of least worst-case cost.
//!
//! A plan that costs at most K never visits a node where the least that was spent on the way and the least that is still to be spent,
//! whatever the observer learns, make more than K. So K grows from what the world alone requires up to what the shortest plan costs.

use std::collections::BTreeMap;

use crate::{
    game::{
        Strategy,
        arena::{Arena, BARRED},
        product::Product,
        read_off,
        robot::Robot,
        turned,
    },
    graph::{
        Moves,
        induction::{Before, Costs, waiting},
        words_where,
    },
    limit::Limit,
    problem::Image,
    sets::{NodeSet, Word},
    verdict::QuestionError,
};

/// A strategy that costs less than `most` in the worst case, and no more than any other; `None` if there is none. Among actions that
/// are equally cheap it takes the one with fewer events to come.
pub(crate) fn strategy(
    game: &mut Arena<'_>,
    costs: &[u64],
    mut most: u64,
) -> Result<Option<Strategy>, QuestionError> {
    let robot = game.robot;
    let needed = needed(robot, costs, |steps| game.poll("estimating costs", steps, robot.graph.len()))?;
    let least = needed[game.start() as usize];
    let mut budget = least;
    let (kinds, kind_of) = kinds(game.image_of(), costs);
    let ranked = words_where(&robot.graph, |v| robot.rank[v.index()] != u32::MAX);
    let spans = spans(&needed, &ranked);
    let mut priced = Priced { moves: Moves::forwards(&robot.graph, &kind_of), kinds: &kinds, ranked };
    while budget < most {
        let (product, beyond) = explore(game, &mut priced, (&needed, &spans), budget)?;
        // Where nothing stops there is nothing to induce backwards from.
        let mut found = None;
        if let Some(product) = product {
            let values = values(game, &product, costs)?;
            // What costs no more than the budget is all there, and what is not there costs at least what lies beyond.
            found = values.of(product.start()).map(|(cost, _)| cost).filter(|&cost| cost < most);
            if found.is_some_and(|cost| cost <= budget.max(beyond)) {
                return Ok(Some(cheapest(game, &product, &values, costs)));
            }
        }
        // It may be the least, but something cheaper may be among what was kept out.
        most = found.map_or(most, |cost| cost + 1);
        // Exploring again must be made up for by what is new.
        let more = budget.saturating_add((budget - least).saturating_mul(2));
        budget = if beyond < most { beyond.max(more).min(most - 1) } else { most };
    }
    Ok(None)
}

/// What stopping costs from each node on, as far as the start needs it.
fn values(game: &mut Arena<'_>, product: &Product, costs: &[u64]) -> Result<Costs, Limit> {
    let (mut open, mut stops) = (Vec::new(), Vec::new());
    let before = turned::before(game, product, &mut open, &mut stops)?;
    Costs::new(&before, &open, &stops, costs, Some(product.start()), |steps| {
        game.poll("inducing backwards by cost", steps, product.len())
    })
}

/// The strategy that these values tell.
fn cheapest(game: &mut Arena<'_>, product: &Product, values: &Costs, costs: &[u64]) -> Strategy {
    read_off::within(
        game,
        product,
        |node| values.of(node as usize),
        |own, label, to| {
            let through = values.of(to as usize);
            let through =
                through.map(|(cost, events)| (cost.saturating_add(costs[label.index()]), events + 1));
            through.is_some() && through == *own
        },
    )
}

/// For each of the robot's states, the least that is still to be spent in the worst case, whatever the observer learns.
pub fn needed(
    robot: &Robot<'_>,
    costs: &[u64],
    poll: impl FnMut(usize) -> Result<(), Limit>,
) -> Result<Vec<u64>, Limit> {
    let (before, open) = (Before::labelled(&robot.graph), waiting(&robot.graph, &robot.lost));
    let stops: Vec<u32> = robot.goal.iter().map(|v| v as u32).collect();
    let values = Costs::new(&before, &open, &stops, costs, None, poll)?;
    Ok((0..open.len()).map(|v| values.of(v).map_or(u64::MAX, |(cost, _)| cost)).collect())
}

/// The robot's arcs as a search by cost follows them: those that look alike and cost as much are of one kind.
struct Priced<'k> {
    moves: Moves<'k>,
    /// What each kind looks like, and what it costs.
    kinds: &'k [(Image, u64)],
    /// The robot's states from which the goal can be forced.
    ranked: Vec<u64>,
}

/// What each kind of label looks like and costs, and the kind of each label, which takes the place of its image.
fn kinds(image_of: &[Image], costs: &[u64]) -> (Vec<(Image, u64)>, Vec<Image>) {
    let each = || image_of.iter().copied().zip(costs.iter().copied());
    let mut kinds: Vec<(Image, u64)> = each().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of = each().map(|kind| Image(kinds.partition_point(|other| *other < kind) as u32)).collect();
    (kinds, of)
}

/// For each word of states, the least and the most that those of them need from which the goal can be forced.
fn spans(needed: &[u64], ranked: &[u64]) -> Vec<(u64, u64)> {
    let words = (0..).zip(ranked).map(|(number, &bits)| Word { number, bits });
    let span = |word: Word| {
        let own = word.members().map(|state| needed[state as usize]);
        own.fold((u64::MAX, 0), |(least, most), needs| (least.min(needs), most.max(needs)))
    };
    words.map(span).collect()
}

/// A search for all nodes that a plan which costs at most `budget` may visit.
struct Search<'s> {
    needed: &'s [u64],
    /// What states need at least and at most, word by word.
    spans: &'s [(u64, u64)],
    budget: u64,
    /// What the others require at least.
    beyond: u64,
    /// Nodes by the least that was spent to get there. Those that cost nothing more join the wave after this one.
    waves: BTreeMap<u64, Vec<(u32, Word)>>,
}

impl Search<'_> {
    /// Those of some states, from which the goal can be forced, where what was spent is within the budget, however they go on.
    fn within(&mut self, spent: u64, to: Word) -> u64 {
        let (least, most) = self.spans[to.number as usize];
        if spent.saturating_add(most) <= self.budget {
            return to.bits;
        }
        let least = spent.saturating_add(least);
        if least > self.budget && least >= self.beyond {
            return 0;
        }
        let mut within = 0;
        for state in to.members() {
            let all = spent.saturating_add(self.needed[state as usize]);
            if all > self.budget {
                self.beyond = self.beyond.min(all);
            } else {
                within |= 1 << (state % 64);
            }
        }
        within
    }

    /// Those of some states where all arcs must do and do.
    fn suffers(&mut self, game: &Arena<'_>, priced: &Priced<'_>, spent: u64, from: Word) -> u64 {
        let (mut lost, mut over) = (0, 0);
        priced.moves.follow(from, |piece| {
            let (image, cost) = priced.kinds[piece.image.index()];
            let barred = game.view().after(game.tracker(), image) == BARRED;
            let free = priced.ranked[piece.to.number as usize];
            lost |= piece.from(if barred { !0 } else { !free } & piece.to.bits);
            let spent = spent.saturating_add(cost);
            if spent.saturating_add(self.spans[piece.to.number as usize].1) <= self.budget {
                return;
            }
            let needs = |&state: &u32| spent.saturating_add(self.needed[state as usize]) > self.budget;
            let bits = piece.to.members().filter(needs).fold(0, |bits, state| bits | 1 << (state % 64));
            over |= piece.from(bits);
        });
        for state in (Word { bits: over & !lost, ..from }).members() {
            let ends = priced.moves.ends(state).iter();
            let all = ends.map(|&(kind, to)| {
                let spent = spent.saturating_add(priced.kinds[kind.index()].1);
                spent.saturating_add(self.needed[to as usize])
            });
            self.beyond = self.beyond.min(all.max().unwrap_or(u64::MAX));
        }
        from.bits & !lost & !over
    }

    /// Follows some states of a group for which so much was spent; tells whether the robot may stop at any.
    fn follow(&mut self, game: &Arena<'_>, priced: &Priced<'_>, spent: u64, word: Word) -> bool {
        let (view, at) = (game.view(), word.number as usize);
        let stops = if view.may_end() { word.bits & game.robot.goal.words()[at] } else { 0 };
        let chooses = word.bits & !stops & game.choices[at];
        let lost = game.robot.lost.words().get(at).copied().unwrap_or(0);
        let suffers = Word { bits: word.bits & !stops & !chooses & !lost, ..word };
        let suffers = if suffers.bits == 0 { 0 } else { self.suffers(game, priced, spent, suffers) };
        priced.moves.follow(Word { bits: chooses | suffers, ..word }, |piece| {
            let (image, cost) = priced.kinds[piece.image.index()];
            let observer = view.after(game.tracker(), image);
            let free = priced.ranked[piece.to.number as usize];
            if observer == BARRED || piece.to.bits & free == 0 {
                return;
            }
            let (spent, to) = (spent.saturating_add(cost), Word { bits: piece.to.bits & free, ..piece.to });
            let bits = self.within(spent, to);
            if bits != 0 {
                self.waves.entry(spent).or_default().push((observer, Word { bits, ..to }));
            }
        });
        stops != 0
    }
}

/// Explores all nodes that a plan which costs at most `budget` may visit, and tells what the others require at least. Where the robot may stop at
/// none of them, there are none.
fn explore(
    game: &mut Arena<'_>,
    priced: &mut Priced<'_>,
    (needed, spans): (&[u64], &[(u64, u64)]),
    budget: u64,
) -> Result<(Option<Product>, u64), Limit> {
    let mut groups = Vec::new();
    groups.resize_with(game.first().0 as usize + 1, NodeSet::default);
    let (observer, robot) = game.first();
    let waves = BTreeMap::from([(0, vec![(observer, Word::of(robot))])]);
    let mut search = Search { needed, spans, budget, beyond: u64::MAX, waves };
    let (mut explored, mut stops, mut fresh) = (0_usize, false, Vec::new());
    while let Some((spent, mut wave)) = search.waves.pop_first() {
        // There are few groups, and what is in them has no order.
        wave.sort_unstable_by_key(|&(observer, _)| observer);
        for nodes in wave.chunk_by(|a, b| a.0 == b.0) {
            let observer = nodes[0].0;
            let group = &mut groups[observer as usize];
            nodes.iter().for_each(|&(_, word)| group.insert_word(word));
            fresh.clear();
            group.take_fresh(&mut fresh);
            if fresh.is_empty() {
                continue;
            }
            let count = fresh.iter().map(|word: &Word| word.bits.count_ones() as usize).sum();
            explored += count;
            game.look_at(observer, count);
            groups.resize_with(groups.len().max(game.tracker().len()), NodeSet::default);
            for &word in &fresh {
                priced.moves.prepare(word);
                stops |= search.follow(game, priced, spent, word);
            }
            game.poll("exploring the game by cost", 64 + 4 * count, explored)?;
        }
    }
    game.report("exploring the game by cost", explored)?;
    if !stops {
        return Ok((None, search.beyond));
    }
    let product = Product::number(groups.len(), game.first(), |observer, words| {
        std::mem::take(&mut groups[observer as usize]).words(words);
        0
    })?;
    Ok((Some(product), search.beyond))
}
