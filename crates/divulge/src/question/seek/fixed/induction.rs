//! Backward induction: how many events each node is from stopping, in the worst case of the best strategy.

use super::product::{Game, Product, Turn};
use crate::{problem::Label, question::Limit};

/// Values from here on are of nodes where stopping cannot be forced; until then they count the successors that are missing.
pub(super) const OPEN: u32 = 1 << 31;

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
        let mut before = Self { starts: vec![0; n + 2], nodes: Vec::new(), labels: Vec::new() };
        open.clear();
        open.resize(n, NEVER);
        let mut total = 0u32;
        let (mut robots, mut targets) = (Vec::new(), Vec::new());
        for observer in product.observers() {
            let first = product.list(observer, &mut robots);
            if robots.is_empty() {
                continue;
            }
            game.look_at(observer);
            for (node, &robot) in (first..).zip(&robots) {
                match forward(game, product, robot, &mut targets) {
                    Turn::Stop => stops.push(node),
                    Turn::Lost => {}
                    Turn::Choose => open[node as usize] = OPEN + 1,
                    Turn::Suffer => open[node as usize] = OPEN + targets.len() as u32,
                }
                total = total.checked_add(targets.len() as u32).ok_or(Limit::Memory)?;
                for &(_, to) in &targets {
                    before.starts[to as usize + 2] += 1;
                }
            }
            game.poll("turning the game round", 64 + robots.len() * 2, n)?;
        }
        for i in 1..before.starts.len() {
            before.starts[i] += before.starts[i - 1];
        }
        before.nodes = vec![0; total as usize];
        before.labels = vec![Label(0); if labelled { total as usize } else { 0 }];
        for observer in product.observers() {
            let first = product.list(observer, &mut robots);
            if robots.is_empty() {
                continue;
            }
            game.look_at(observer);
            for (node, &robot) in (first..).zip(&robots) {
                forward(game, product, robot, &mut targets);
                for &(label, to) in &targets {
                    let at = before.starts[to as usize + 1] as usize;
                    before.starts[to as usize + 1] += 1;
                    before.nodes[at] = node;
                    if labelled {
                        before.labels[at] = label;
                    }
                }
            }
            game.poll("turning the game round", 64 + robots.len() * 2, n)?;
        }
        Ok(before)
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

/// The arcs out of a node with the observer's state that is looked at. All arcs of an observation node must have been
/// found, or it is lost; any will do at an action node.
fn forward(game: &Game<'_>, product: &Product, robot: u32, targets: &mut Vec<(Label, u32)>) -> Turn {
    targets.clear();
    let turn = game.turn(robot);
    match turn {
        Turn::Stop | Turn::Lost => {}
        Turn::Choose => targets.extend(
            game.arcs(robot)
                .filter_map(|(label, observer, robot)| Some((label, product.node(observer, robot)?))),
        ),
        Turn::Suffer => {
            for (label, observer, robot) in game.arcs(robot) {
                match product.node(observer, robot) {
                    Some(to) => targets.push((label, to)),
                    None => {
                        targets.clear();
                        return Turn::Lost;
                    }
                }
            }
            if targets.is_empty() {
                return Turn::Lost;
            }
        }
    }
    turn
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
