//! Backward induction: how many events each node is from stopping, in the worst case of the best strategy.

use super::product::{Game, Product, Turn};
use crate::{problem::Label, question::Limit};

/// Values from here on are of nodes where stopping cannot be forced; until then they count the successors that are missing.
pub(super) const OPEN: u32 = 1 << 31;

/// Marks the last arc of a node.
const LAST: u32 = 1 << 31;

/// How many arcs are turned round between two looks at the monitor.
const POLL: usize = 1 << 16;

/// A node that never gets a value.
const NEVER: u32 = u32::MAX;

/// The predecessors of every node, once for each arc, those of a node next to each other.
pub(super) struct Before {
    starts: Vec<u32>,
    nodes: Vec<u32>,
    /// The labels of the arcs, where they were asked for.
    labels: Vec<Label>,
}

impl Before {
    /// The arcs of the product turned round. Sets `open` to how many successors each node waits for, and lists the nodes where the
    /// robot stops.
    pub fn new(
        game: &mut Game<'_>,
        product: &Product,
        labelled: bool,
        open: &mut Vec<u32>,
        stops: &mut Vec<u32>,
    ) -> Result<Self, Limit> {
        let n = product.len();
        let mut after = After { to: Vec::new(), labels: labelled.then(Vec::new) };
        let mut starts = vec![0; n + 2];
        open.clear();
        open.resize(n, NEVER);
        let mut robots = Vec::new();
        for observer in product.observers() {
            let first = product.list(observer, &mut robots);
            if robots.is_empty() {
                continue;
            }
            game.look_at(observer);
            for (node, &robot) in (first..).zip(&robots) {
                let begin = after.to.len();
                match after.add(game, product, robot) {
                    Turn::Stop => stops.push(node),
                    Turn::Lost => {}
                    Turn::Choose => open[node as usize] = OPEN + 1,
                    Turn::Suffer => open[node as usize] = OPEN + (after.to.len() - begin) as u32,
                }
                for &to in &after.to[begin..] {
                    starts[to as usize + 2] += 1;
                }
                if let Some(last) = after.to[begin..].last_mut() {
                    *last |= LAST;
                }
            }
            game.poll("turning the game round", 64 + after.to.len() / 64 + robots.len(), n)?;
        }
        Self::turned(game, after, open, starts)
    }

    /// Puts every arc where its target's arcs are kept.
    fn turned(game: &mut Game<'_>, after: After, open: &[u32], mut starts: Vec<u32>) -> Result<Self, Limit> {
        // As many arcs as this would not fit into memory either.
        u32::try_from(after.to.len()).map_err(|_| Limit::Memory)?;
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut nodes = vec![0; after.to.len()];
        let mut labels = vec![Label(0); after.labels.as_ref().map_or(0, Vec::len)];
        let mut from = 0;
        for (i, &arc) in after.to.iter().enumerate() {
            while open[from] == NEVER {
                from += 1;
            }
            let start = &mut starts[(arc & !LAST) as usize + 1];
            nodes[*start as usize] = from as u32;
            if let Some(known) = &after.labels {
                labels[*start as usize] = known[i];
            }
            *start += 1;
            if arc & LAST != 0 {
                from += 1;
            }
            if i % POLL == 0 {
                game.poll("turning the game round", POLL, open.len())?;
            }
        }
        Ok(Self { starts, nodes, labels })
    }

    /// The predecessors of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        &self.nodes[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The labels of the arcs from them.
    pub fn labels(&self, node: u32) -> &[Label] {
        &self.labels[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// The arcs of the product, node by node.
struct After {
    /// Targets; the last of each node's is marked.
    to: Vec<u32>,
    labels: Option<Vec<Label>>,
}

impl After {
    /// Adds the arcs out of a node with the observer's state that is looked at. All arcs of an observation node must have been
    /// found, or it is lost; any will do at an action node.
    fn add(&mut self, game: &Game<'_>, product: &Product, robot: u32) -> Turn {
        let turn = game.turn(robot);
        if matches!(turn, Turn::Stop | Turn::Lost) {
            return turn;
        }
        let begin = self.to.len();
        for (label, observer, robot) in game.arcs(robot) {
            match (product.node(observer, robot), &turn) {
                (Some(to), _) => {
                    self.to.push(to);
                    if let Some(labels) = &mut self.labels {
                        labels.push(label);
                    }
                }
                (None, Turn::Choose) => {}
                (None, _) => {
                    self.to.truncate(begin);
                    if let Some(labels) = &mut self.labels {
                        labels.truncate(begin);
                    }
                    return Turn::Lost;
                }
            }
        }
        if self.to.len() == begin { Turn::Lost } else { turn }
    }
}

/// The value of every node, at least `OPEN` where stopping cannot be forced; complete as far as the start's value needs it.
pub(super) fn values(game: &mut Game<'_>, product: &Product) -> Result<Vec<u32>, Limit> {
    let (mut value, mut wave, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let before = Before::new(game, product, false, &mut value, &mut wave)?;
    for &node in &wave {
        value[node as usize] = 0;
    }
    let mut events = 0;
    while !wave.is_empty() && value[product.start()] >= OPEN {
        events += 1;
        for node in wave.drain(..) {
            for &from in before.of(node) {
                let waits = &mut value[from as usize];
                if *waits > OPEN {
                    *waits -= 1;
                    if *waits == OPEN {
                        *waits = events;
                        next.push(from);
                    }
                }
            }
        }
        game.poll("inducing backwards", next.len() * 3 + 64, product.len())?;
        std::mem::swap(&mut wave, &mut next);
    }
    Ok(value)
}
