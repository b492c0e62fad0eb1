//! Backward induction: how many events each node is from stopping, in the worst case of the best strategy.

use crate::{
    game::{
        arena::{Arena, Product, Turn, View},
        robot::Robot,
        threads::{threads, together},
    },
    limit::Limit,
    observer::Tracker,
    problem::{Kind, Label},
};
/// Values from here on are of nodes where stopping cannot be forced; until then they count the successors that are missing.
pub(crate) const OPEN: u32 = 1 << 31;

/// Marks the last arc of a node.
const LAST: u32 = 1 << 31;

/// How many arcs are turned round between two looks at the monitor.
const POLL: usize = 1 << 16;

/// A node that never gets a value.
const NEVER: u32 = u32::MAX;

/// The predecessors of every node, once for each arc, those of a node next to each other.
pub(crate) struct Before {
    starts: Vec<u32>,
    nodes: Vec<u32>,
    /// The labels of the arcs, where they were asked for.
    labels: Vec<Label>,
}

impl Before {
    /// The arcs of the product turned round. Sets `open` to how many successors each node waits for, and lists the nodes where the
    /// robot stops.
    pub fn new(
        game: &mut Arena<'_>,
        product: &Product,
        labelled: bool,
        open: &mut Vec<u32>,
        stops: &mut Vec<u32>,
    ) -> Result<Self, Limit> {
        let n = product.len();
        open.clear();
        open.resize(n, NEVER);
        let mut parts = Vec::new();
        let mut rest = &mut open[..];
        for observers in product.shares(threads(game.threads, n)) {
            let (own, others) = rest.split_at_mut(product.nodes(&observers));
            rest = others;
            parts.push(After {
                observers,
                open: own,
                to: Vec::new(),
                labels: labelled.then(Vec::new),
                stops: Vec::new(),
            });
        }
        let shared: &Arena<'_> = game;
        together(&mut parts, |part| part.list(shared, product))?;
        for part in &parts {
            stops.extend_from_slice(&part.stops);
        }
        let arcs = parts.into_iter().map(|part| (part.to, part.labels)).collect();
        Self::turned(game, arcs, open)
    }

    /// The arcs of the robot's states turned round, as if no observer watched, with how many successors each state waits for.
    pub fn of_robot(robot: &Robot<'_>) -> (Self, Vec<u32>) {
        let graph = &robot.graph;
        let open = graph.vertices().map(|v| match (graph.kind(v), graph.arcs(v).len() as u32) {
            (_, 0) => NEVER,
            (Kind::Action, _) => OPEN + 1,
            (Kind::Observation, _) if robot.lost.contains(v.index()) => NEVER,
            (Kind::Observation, count) => OPEN + count,
        });
        let mut starts = vec![0; graph.len() + 2];
        for (_, arc) in graph.all_arcs() {
            starts[arc.to.index() + 2] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let (mut nodes, mut labels) = (vec![0; graph.arc_count()], vec![Label(0); graph.arc_count()]);
        for (v, arc) in graph.all_arcs() {
            let start = &mut starts[arc.to.index() + 1];
            nodes[*start as usize] = v.0;
            labels[*start as usize] = arc.label;
            *start += 1;
        }
        (Self { starts, nodes, labels }, open.collect())
    }

    /// Puts every arc where its target's arcs are kept.
    fn turned(game: &mut Arena<'_>, parts: Vec<Arcs>, open: &[u32]) -> Result<Self, Limit> {
        let count = parts.iter().map(|(to, _)| to.len()).sum();
        // As many arcs as this would not fit into memory either.
        game.counted = u64::from(u32::try_from(count).map_err(|_| Limit::Memory)?);
        game.report("turning the game round", open.len())?;
        let mut starts = vec![0; open.len() + 2];
        for (to, _) in &parts {
            for arcs in to.chunks(POLL) {
                for &arc in arcs {
                    starts[(arc & !LAST) as usize + 2] += 1;
                }
                game.poll("turning the game round", arcs.len() / 4, open.len())?;
            }
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut nodes = vec![0; count];
        let mut labels =
            vec![Label(0); parts.iter().map(|(_, labels)| labels.as_ref().map_or(0, Vec::len)).sum()];
        let mut from = 0;
        for (to, known) in parts {
            for (i, &arc) in to.iter().enumerate() {
                while open[from] == NEVER {
                    from += 1;
                }
                let start = &mut starts[(arc & !LAST) as usize + 1];
                nodes[*start as usize] = from as u32;
                if let Some(known) = &known {
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

/// Arcs and, where they were asked for, their labels.
type Arcs = (Vec<u32>, Option<Vec<Label>>);

/// The arcs of the product from the nodes with some of the observer's states, node by node.
struct After<'o> {
    observers: std::ops::Range<u32>,
    /// How many successors each of the nodes waits for.
    open: &'o mut [u32],
    /// Targets; the last of each node's is marked.
    to: Vec<u32>,
    labels: Option<Vec<Label>>,
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
pub(crate) fn values(game: &mut Arena<'_>, product: &Product) -> Result<Vec<u32>, Limit> {
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
