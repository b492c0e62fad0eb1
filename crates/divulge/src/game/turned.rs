//! The arcs between the nodes of the arena that were explored, listed and turned round node by node, on several threads: for inductions that
//! ask for each arc's label.

use crate::{
    game::{
        arena::{Arena, Turn, View},
        product::Product,
    },
    graph::induction::{Before, NEVER, OPEN},
    limit::{Limit, threads, together},
    observer::Tracker,
    problem::Label,
};

/// So many nodes are worth a thread.
const MUCH: usize = 1 << 16;

/// Marks the last arc of a node.
const LAST: u32 = 1 << 31;

/// How many arcs are turned round between two looks at the monitor.
const POLL: usize = 1 << 16;

/// The arcs of the product turned round. Sets `open` to how many successors each node waits for, and lists the nodes where the
/// robot stops.
pub(crate) fn before(
    game: &mut Arena<'_>,
    product: &Product,
    open: &mut Vec<u32>,
    stops: &mut Vec<u32>,
) -> Result<Before, Limit> {
    let n = product.len();
    open.clear();
    open.resize(n, NEVER);
    let mut parts = Vec::new();
    let mut rest = &mut open[..];
    for observers in product.shares(threads(game.threads, n, MUCH)) {
        let (own, others) = rest.split_at_mut(product.nodes(&observers));
        rest = others;
        parts.push(After { observers, open: own, to: Vec::new(), labels: Vec::new(), stops: Vec::new() });
    }
    let shared: &Arena<'_> = game;
    together(&mut parts, |part| part.list(shared, product))?;
    for part in &parts {
        stops.extend_from_slice(&part.stops);
    }
    let arcs: Vec<Arcs> = parts.into_iter().map(|part| (part.to, part.labels)).collect();
    turned(game, &arcs, open)
}

/// Puts every arc where its target's arcs are kept.
fn turned(game: &mut Arena<'_>, parts: &[Arcs], open: &[u32]) -> Result<Before, Limit> {
    let count = parts.iter().map(|(to, _)| to.len()).sum();
    // As many arcs as this would not fit into memory either.
    game.counted = u64::from(u32::try_from(count).map_err(|_| Limit::Memory)?);
    game.report("turning the game round", open.len())?;
    let (game, n) = (&*game, open.len());
    let shares = threads(game.threads, count, MUCH);
    let mut starts = vec![0; n + 2];
    let mut rest = &mut starts[2..];
    let mut counts: Vec<(u32, &mut [u32])> = Vec::new();
    for share in 0..shares {
        let first = n * share / shares;
        let (own, others) = rest.split_at_mut(n * (share + 1) / shares - first);
        rest = others;
        counts.push((first as u32, own));
    }
    together(&mut counts, |(first, own)| count_in(game, parts, *first, own))?;
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let (mut nodes, mut labels) = (vec![0; count], vec![Label(0); count]);
    together(&mut Room::shares(&mut starts[1..], &mut nodes, &mut labels, shares), |own| {
        own.put(game, parts, open)
    })?;
    Ok(Before::from_parts(starts, nodes, labels))
}

/// Counts the arcs that lead to each of some nodes.
fn count_in(game: &Arena<'_>, parts: &[Arcs], first: u32, own: &mut [u32]) -> Result<(), Limit> {
    for arcs in parts.iter().flat_map(|(to, _)| to.chunks(POLL)) {
        for &arc in arcs {
            if let Some(count) = own.get_mut((arc & !LAST).wrapping_sub(first) as usize) {
                *count += 1;
            }
        }
        game.poll("turning the game round", arcs.len() / 4, own.len())?;
    }
    Ok(())
}

/// Room for the arcs that lead to some nodes.
struct Room<'r> {
    /// The first of the nodes, and where the next arc to each is put.
    first: u32,
    starts: &'r mut [u32],
    /// How many arcs lead to nodes before them.
    before: u32,
    nodes: &'r mut [u32],
    labels: &'r mut [Label],
}

impl<'r> Room<'r> {
    /// Room for all nodes in so many shares, with about as many arcs in each; where the last ones end is told last.
    fn shares(
        starts: &'r mut [u32],
        nodes: &'r mut [u32],
        labels: &'r mut [Label],
        count: usize,
    ) -> Vec<Self> {
        let all = nodes.len() as u32;
        let (mut first, mut before) = (0, 0);
        let (mut starts, mut nodes, mut labels) = (starts, nodes, labels);
        let mut shares = Vec::new();
        for share in 1..=count {
            let most = (u64::from(all) * share as u64 / count as u64) as u32;
            let own =
                if share == count { starts.len() } else { starts.partition_point(|&start| start < most) };
            let end = starts.get(own).map_or(all, |&end| end);
            let (own_starts, own_nodes, own_labels);
            (own_starts, starts) = starts.split_at_mut(own);
            (own_nodes, nodes) = nodes.split_at_mut((end - before) as usize);
            (own_labels, labels) = labels.split_at_mut((end - before) as usize);
            shares.push(Self { first, starts: own_starts, before, nodes: own_nodes, labels: own_labels });
            (first, before) = (first + own as u32, end);
        }
        shares
    }

    /// Puts the arcs there.
    fn put(&mut self, game: &Arena<'_>, parts: &[Arcs], open: &[u32]) -> Result<(), Limit> {
        let mut from = 0;
        for (to, known) in parts {
            for (i, &arc) in to.iter().enumerate() {
                while open[from] == NEVER {
                    from += 1;
                }
                if let Some(start) = self.starts.get_mut((arc & !LAST).wrapping_sub(self.first) as usize) {
                    let at = (*start - self.before) as usize;
                    (self.nodes[at], self.labels[at]) = (from as u32, known[i]);
                    *start += 1;
                }
                if arc & LAST != 0 {
                    from += 1;
                }
                if i % POLL == 0 {
                    game.poll("turning the game round", POLL, open.len())?;
                }
            }
        }
        Ok(())
    }
}

/// Arcs and their labels.
type Arcs = (Vec<u32>, Vec<Label>);

/// The arcs of the product from the nodes with some of the observer's states, node by node.
struct After<'o> {
    observers: std::ops::Range<u32>,
    /// How many successors each of the nodes waits for.
    open: &'o mut [u32],
    /// Targets; the last of each node's is marked.
    to: Vec<u32>,
    labels: Vec<Label>,
    stops: Vec<u32>,
}

impl After<'_> {
    /// Finds the arcs.
    fn list(&mut self, game: &Arena<'_>, product: &Product) -> Result<(), Limit> {
        let mut view = game.view().clone();
        let (mut robots, mut steps, mut first) = (Vec::new(), 0, None);
        for observer in self.observers.clone() {
            let begin = product.list(observer, &mut robots);
            let own = *first.get_or_insert(begin);
            if robots.is_empty() {
                continue;
            }
            view.turn_to(game.tracker(), observer, robots.len());
            for (node, &robot) in (begin..).zip(&robots) {
                let arcs = self.to.len();
                let open = match self.add((&view, game.tracker()), product, robot) {
                    Turn::Stop => {
                        self.stops.push(node);
                        NEVER
                    }
                    Turn::Lost => NEVER,
                    Turn::Choose => OPEN + 1,
                    Turn::Suffer => OPEN + (self.to.len() - arcs) as u32,
                };
                self.open[(node - own) as usize] = open;
                if let Some(last) = self.to[arcs..].last_mut() {
                    *last |= LAST;
                }
            }
            steps += 64 + robots.len();
            if steps >= POLL {
                steps = 0;
                game.report("turning the game round", product.len())?;
            }
        }
        Ok(())
    }

    /// Adds the arcs out of a node with the observer's state that is looked at. All arcs of an observation node must have been
    /// found, or it is lost; any will do at an action node.
    fn add(&mut self, from: (&View<'_>, &Tracker<'_>), product: &Product, robot: u32) -> Turn {
        let (view, tracker) = from;
        let turn = view.turn(tracker, robot);
        if matches!(turn, Turn::Stop | Turn::Lost) {
            return turn;
        }
        let begin = self.to.len();
        for (label, observer, robot) in view.arcs(tracker, robot) {
            match (product.node(observer, robot), &turn) {
                (Some(to), _) => {
                    self.to.push(to);
                    self.labels.push(label);
                }
                (None, Turn::Choose) => {}
                (None, _) => {
                    self.to.truncate(begin);
                    self.labels.truncate(begin);
                    return Turn::Lost;
                }
            }
        }
        if self.to.len() == begin { Turn::Lost } else { turn }
    }
}
